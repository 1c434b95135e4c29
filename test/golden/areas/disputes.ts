// Disputes: opened by the provider long after the capture, won or lost; refunds meanwhile.
import { DAY_S } from '../../../src/core/durations.ts';
import type { Area } from '../stage.ts';

const HOLD = { operation_type: 'authorize' };
const EVENTS = ['dispute.opened', 'dispute.updated', 'dispute.won', 'dispute.lost'];

export const disputes: Area = {
  name: 'disputes',
  play: async ({ shop, title, paid, capture, refund, scene, server, pass }) => {
    await shop.api('/notification/endpoint', { body: { url: server.url, events: EVENTS } });
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
  },
};
