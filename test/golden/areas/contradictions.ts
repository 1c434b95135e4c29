// News of a provider that contradicts what was final, or is of no use: kept, blocked, told, and ended by a person.
import { resolveByHand } from '../../../src/payment/order/review/settle.ts';
import { addressOf } from '../../doubt/mail.ts';
import { operationsOf, says } from '../../doubt/said.ts';
import type { Area } from '../stage.ts';

const HOLD = { operation_type: 'authorize' };

export const contradictions: Area = {
  name: 'contradictions',
  play: async ({ w, shop, title, paid, capture, refund, cancel, scene, server }) => {
    await shop.api('/notification/endpoint', { body: { url: server.url, events: ['order.contradicted'] } });
    const ruled = (operation_id: string, as: 'done' | 'not-done') =>
      resolveByHand(w.service.tools, {
        operation_id,
        as,
        by: 'Anna',
        reason: 'seen in the portal of the bank',
        two_people_above: () => 1_000_000n,
      });
    const operation = async (order_id: string, kind: string) => (await operationsOf(w, order_id, kind))[0] ?? '';
    const refOf = async (id: string) => {
      const [row] = await w.sql<{ ref: string }>(
        `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
        [id],
      );
      return row?.ref ?? '';
    };

    title('A capture that was declined is approved late: contradicted, blocked, ruled done');
    const order_id = await paid('contradicted', '4000009902000010', HOLD);
    await capture(order_id);
    const reference = await operation(order_id, 'capture');
    const late = {
      order_id,
      reference,
      kind: 'capture',
      status: 'approved',
      provider_ref: 'late_1',
      code: '955555',
      captured: true,
    } as const;
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
    await says(w, {
      order_id: failed,
      reference: captured,
      kind: 'capture',
      status: 'failed',
      provider_ref: await refOf(captured),
    });
    await scene.hears(server, 1);
    await refund(failed, { amount: '5.00' });
    await shop.read(failed);
    scene.note(`settled by hand: ${(await scene.aside(() => ruled(captured, 'not-done'))).kind}`);
    await shop.read(failed);

    title('What a provider says that is of no use');
    const held = await paid('held', {}, HOLD);
    const authorize = await operation(held, 'authorize');
    await says(w, {
      order_id: held,
      reference: authorize,
      kind: 'authorize',
      status: 'approved',
      code: '944444',
      amount: 9999,
      id: 'evt_amount',
    });
    await shop.read(held);
    const lapsed = await paid('lapsed', {}, HOLD);
    const gone = await operation(lapsed, 'authorize');
    await says(w, { order_id: lapsed, reference: gone, kind: 'authorize', status: 'lapsed', id: 'evt_lapsed' });
    await shop.read(lapsed);
    const events = await addressOf(w);
    const headers = { 'content-type': 'application/json' };
    await fetch(events, { method: 'POST', body: '{}', headers });
    await fetch(events, {
      method: 'POST',
      body: 'nonsense',
      headers: { ...headers, 'x-simulator-timestamp': '1', 'x-simulator-signature': 'x' },
    });
    await fetch(events.replace('simulator', 'nobody'), { method: 'POST', body: '{}', headers });

    title('What the provider believes');
    await shop.api(`/sandbox/provider/books?order_id=${order_id}`);
  },
};
