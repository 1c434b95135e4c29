// What went wrong between us and a provider: lost answers, cascades, contradictions, disputes, settlement by a person.
import { settleByHand } from '../../../src/payment/order/review/settle.ts';
import { says, operationsOf } from '../../doubt/said.ts';
import { type Area, said } from '../stage.ts';

const HOLD = { operation_type: 'authorize' };
const DAY_S = 86_400;
const EVENTS = ['order.contradicted', 'dispute.opened', 'dispute.updated', 'dispute.won', 'dispute.lost'];

export const doubt: Area = {
  name: 'doubt',
  settings: { FLORIN_SIMULATOR_DEADLINE_S: '1' },
  play: async ({ w, shop, title, pay, paid, capture, refund, cancel, scene, server, pass, settled }) => {
    await shop.api('/notification/endpoint', { body: { url: server.url, events: EVENTS } });
    const ruled = (operation_id: string, as: 'done' | 'not-done') =>
      settleByHand(w.service.tools, {
        ...{ operation_id, as, by: 'Anna', reason: 'seen in the portal of the bank', two_people_above: () => 1_000_000n },
      });
    const operation = async (order_id: string, kind: string) => (await operationsOf(w, order_id, kind))[0] ?? '';
    const refOf = async (id: string) => {
      const [row] = await w.sql<{ ref: string }>(`SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`, [id]);
      return row?.ref ?? '';
    };

    title('The first provider is away: the second one takes it');
    const cascade = await pay('cascade', '4000009901000052');
    await shop.read(said(cascade, 'order_id'));
    const both = await pay('both', '4000000000000119');
    await shop.read(said(both, 'order_id'));

    title('An answer that is lost');
    const lost = await paid('lost', '4000009901000011', HOLD);
    await shop.read(lost);
    await pass(120);
    await settled(lost, (read) => read.at('status') === 'authorization_successful');
    const dead = await paid('dead', '4000009901000029');
    await pass(1800);
    await settled(dead, (read) => read.at('status') === 'authorization_declined');
    const wrong = await paid('wrong', '4000009901000086');
    await pass(1800);
    await settled(wrong, (read) => read.at('status') === 'authorization_declined');
    const lost_capture = await paid('lost-capture', '4000009902000028', HOLD);
    await capture(lost_capture);
    await pass(1800);
    await settled(lost_capture, (read) => read.at('status') === 'capture_successful');
    const lost_refund = await paid('lost-refund', '4000009903000035');
    await refund(lost_refund);
    await pass(1800);
    await settled(lost_refund, (read) => read.at('status') === 'refund_successful');
    const lost_cancel = await paid('lost-cancel', '4000009904000026', HOLD);
    await cancel(lost_cancel);
    await pass(1800);
    await settled(lost_cancel, (read) => read.at('status') === 'authorization_cancelled');

    title('A capture that was declined is approved late: contradicted, blocked, ruled done');
    const order_id = await paid('contradicted', '4000009902000010', HOLD);
    await capture(order_id);
    const reference = await operation(order_id, 'capture');
    const late = { order_id, reference, kind: 'capture', status: 'approved', provider_ref: 'late_1', code: '955555', captured: true } as const;
    await says(w, { ...late, id: 'evt_late_1' });
    await says(w, { ...late, id: 'evt_late_1' });
    await scene.hears(server, 1);
    await shop.read(order_id);
    await capture(order_id);
    await cancel(order_id);
    scene.note(`settled by hand: ${(await scene.aside(() => ruled(reference, 'done'))).kind}`);
    await shop.read(order_id);

    title('A capture that fails after a part of it was refunded: ruled not done');
    const failed = await paid('failed', {}, HOLD);
    await capture(failed);
    await refund(failed, { amount: '10.00' });
    const captured = await operation(failed, 'capture');
    await says(w, { order_id: failed, reference: captured, kind: 'capture', status: 'failed', provider_ref: await refOf(captured) });
    await scene.hears(server, 1);
    await refund(failed, { amount: '5.00' });
    await shop.read(failed);
    scene.note(`settled by hand: ${(await scene.aside(() => ruled(captured, 'not-done'))).kind}`);
    await shop.read(failed);

    title('What a provider says that is of no use');
    const held = await paid('held', {}, HOLD);
    const authorize = await operation(held, 'authorize');
    await says(w, { order_id: held, reference: authorize, kind: 'authorize', status: 'approved', amount: 9999, id: 'evt_amount' });
    await says(w, { order_id: held, reference: authorize, kind: 'authorize', status: 'lapsed', id: 'evt_lapsed' });
    await shop.read(held);
    const events = `${shop.addresses.base_url}/provider/simulator/events`;
    const headers = { 'content-type': 'application/json' };
    await fetch(events, { method: 'POST', body: '{}', headers });
    await fetch(events, { method: 'POST', body: 'nonsense', headers: { ...headers, 'x-simulator-timestamp': '1', 'x-simulator-signature': 'x' } });
    await fetch(events.replace('simulator', 'nobody'), { method: 'POST', body: '{}', headers });

    title('A dispute that is won, and one that is lost');
    const won = await paid('won', '4000009906000024');
    const lost_one = await paid('lost-one', '4000009906000016', HOLD);
    await capture(lost_one, { amount: '20.00' });
    await pass(41 * DAY_S);
    await scene.hears(server, 2);
    await shop.read(won);
    await refund(won, { amount: '1.00' });
    await refund(won, { amount: '1.00', even_if_disputed: true });
    await pass(75 * DAY_S);
    await scene.hears(server, 2);
    await shop.read(won);
    await shop.read(lost_one);

    title('What the provider believes');
    await shop.api(`/sandbox/provider/books?order_id=${order_id}`);
    await shop.api(`/sandbox/provider/books?order_id=${lost}`);
  },
};
