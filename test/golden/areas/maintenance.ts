// Captures, refunds and cancels: in full, in parts, too much, too late, repeated, refused by the bank, in doubt.
import { NO_WAIT, UNDECIDED } from '../../maintenance/till.ts';
import { type Area, said } from '../stage.ts';

const HOLD = { operation_type: 'authorize' };

export const maintenance: Area = {
  name: 'maintenance',
  play: async ({ shop, title, paid, capture, refund, cancel, settled, pass }) => {
    const at = (kind: string, id: string, body: unknown, headers = {}) =>
      shop.api(`/payment/maintenance/${kind}/${id}`, {
        method: 'POST',
        body,
        headers: { prefer: 'wait=20', ...headers },
      });

    title('In parts: captured, captured for good, refunded, all of the rest');
    const parts = await paid('parts', {}, HOLD);
    const first = await capture(parts, { amount: '10.00', operation_merchant_id: 'c-1' });
    await capture(parts, { amount: '5', final: true });
    await capture(parts, { amount: '1.00' });
    await refund(parts, {
      amount: '3.00',
      capture_id: said(first, 'capture_id'),
      refund_reason: 'requested_by_customer',
    });
    await refund(parts, { amount: '50.00' });
    await refund(parts);
    await refund(parts);
    await cancel(parts);
    await shop.read(parts);

    title('In full, without a body');
    const full = await paid('full', {}, HOLD);
    await at('capture', full, undefined);
    await at('capture', full, undefined);
    await at('refund', full, undefined);
    await shop.read(full);

    title('Cancelled, at both paths');
    const gone = await paid('gone', {}, HOLD);
    await cancel(gone, { operation_merchant_id: 'x-1' });
    await cancel(gone);
    await capture(gone);
    await refund(gone);
    await shop.read(gone);
    const voided = await paid('void', {}, HOLD);
    await at('void', voided, {});

    title('Repeated under one key');
    const key = { 'idempotency-key': 'part-1' };
    const same = await paid('same', {}, HOLD);
    await at('capture', same, { amount: '4.00' }, key);
    await at('capture', same, { amount: '4.00' }, key);
    await at('capture', same, { amount: '5.00' }, key);
    await at('refund', same, { amount: '1.00' }, key);
    await at('refund', same, { amount: '1.00' }, key);

    title('Refused: what is wrong with the request');
    await at('capture', same, { amount: '-1', final: 'perhaps', operation_merchant_id: 'x'.repeat(300) });
    await at('refund', same, { amount: '1.001', capture_id: 'x' });
    await at('refund', same, { amount: '1.00', capture_id: 'ffffffffffffffffffffffff' });
    await at('cancel', same, { amount: '1.00', surprise: true });
    for (const kind of ['capture', 'refund', 'cancel', 'void']) {
      await at(kind, 'ffffffffffffffffffffffff', {});
      await at(kind, 'nonsense', {});
    }

    title('Of a sale, of a decline');
    const sale = await paid('sale');
    await capture(sale);
    await cancel(sale);
    const declined = await paid('declined', '4000000000000002');
    await capture(declined);
    await refund(declined);
    await cancel(declined);

    title('The bank says no');
    const no_capture = await paid('no-capture', '4000009902000010', HOLD);
    await capture(no_capture);
    await capture(no_capture);
    await shop.read(no_capture);
    const no_refund = await paid('no-refund', '4000009903000019');
    await refund(no_refund, { amount: '2.00' });
    await refund(no_refund, { amount: '2.00' });
    const no_cancel = await paid('no-cancel', '4000009904000018', HOLD);
    await cancel(no_cancel);
    await capture(no_cancel);

    title('The bank needs a day');
    const slow = await paid('slow', UNDECIDED.capture, HOLD);
    await at('capture', slow, {}, NO_WAIT);
    await at('refund', slow, {}, NO_WAIT);
    await at('cancel', slow, {}, NO_WAIT);
    await pass(90_000);
    await settled(slow, (read) => read.at('status') === 'capture_successful');
    const slow_refund = await paid('slow-refund', UNDECIDED.refund);
    await at('refund', slow_refund, { amount: '4.00' }, NO_WAIT);
    await pass(90_000);
    await settled(slow_refund, (read) => read.at('status') === 'refund_successful');
    const bounced = await paid('bounced', '4000000000005126');
    await refund(bounced);
    await pass(2 * 3600);
    await settled(bounced, (read) => read.at('status') === 'refund_declined');
    const failed = await paid('failed', '4000009902000044', HOLD);
    await capture(failed);
    await pass(90_000);
    await settled(failed, (read) => read.at('status') === 'capture_declined');

    title('Too late: the authorization has lapsed');
    const lapsed = await paid('lapsed', '4000009902000051', HOLD);
    await pass(2 * 3600);
    await settled(lapsed, (read) => read.at('status') === 'authorization_expired');
    await capture(lapsed);
    await cancel(lapsed);
    const month = await paid('month', {}, HOLD);
    await pass(31 * 86_400);
    await settled(month, (read) => read.at('status') === 'authorization_expired');
    await capture(month);

    title('In other currencies');
    const yen = await paid('yen', {}, { ...HOLD, amount: '2500', currency: 'JPY' });
    await capture(yen, { amount: '1000' });
    await capture(yen, { amount: '1000.5' });
    const dinar = await paid('dinar', {}, { amount: '1.234', currency: 'KWD' });
    await refund(dinar, { amount: '0.234' });
  },
};
