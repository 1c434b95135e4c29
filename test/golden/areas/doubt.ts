// What a provider did not answer: another one takes it, or it is found out later; nothing happens twice.
import { type Area, said } from '../stage.ts';

const HOLD = { operation_type: 'authorize' };

export const doubt: Area = {
  name: 'doubt',
  settings: { FLORIN_SIMULATOR_DEADLINE_S: '3' },
  play: async ({ shop, title, pay, paid, capture, refund, cancel, pass, settled }) => {
    title('The first provider is away: the second one takes it');
    const cascade = await pay('cascade', '4000009901000052');
    await shop.read(said(cascade, 'order_id'));
    const both = await pay('both', '4000000000000119');
    await shop.read(said(both, 'order_id'));

    title('An answer that is lost');
    const lost = await paid('lost', '4000009901000011', HOLD, 0);
    await shop.read(lost);
    await pass(120);
    await settled(lost, (read) => read.at('status') === 'authorization_successful');
    const dead = await paid('dead', '4000009901000029', {}, 0);
    await pass(1800);
    await settled(dead, (read) => read.at('status') === 'authorization_declined');
    const wrong = await paid('wrong', '4000009901000086');
    await pass(1800);
    await settled(wrong, (read) => read.at('status') === 'authorization_declined');
    const lost_capture = await paid('lost-capture', '4000009902000028', HOLD);
    await capture(lost_capture, {}, 0);
    await pass(1800);
    await settled(lost_capture, (read) => read.at('status') === 'capture_successful');
    const lost_refund = await paid('lost-refund', '4000009903000035');
    await refund(lost_refund, {}, 0);
    await pass(1800);
    await settled(lost_refund, (read) => read.at('status') === 'refund_successful');
    const lost_cancel = await paid('lost-cancel', '4000009904000026', HOLD);
    await cancel(lost_cancel, {}, 0);
    await pass(1800);
    await settled(lost_cancel, (read) => read.at('status') === 'authorization_cancelled');

    title('What the provider believes');
    await shop.api(`/sandbox/provider/books?order_id=${lost}`);
  },
};
