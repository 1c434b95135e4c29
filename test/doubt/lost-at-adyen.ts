// A refund at the simulated Adyen whose answer was lost. Nothing can be asked there: only a repeat under its key and a
// message tell what became of it.
import { textAt, until } from '../client.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { tamper } from '../ledger/till.ts';
import type { World } from '../world.ts';
import { operationsOf } from './said.ts';

let count = 0;

const statusOf = (w: World, order_id: string, status: string) =>
  until(async () => (await w.shop.read(order_id)).at('status') === status || undefined);

/** An order of 25.00 EUR, captured. */
export async function sold(w: World): Promise<string> {
  const control = controlOf(w, 'adyen');
  await control('POST', '/faults/clear', {});
  await control('POST', '/messages', { held: false });
  const fields = { merchant_contract: 'adyen', payment_channel: 'e-commerce', amount: '25.00' };
  const order_id = textAt(await w.shop.pay({}, { ...fields, order_merchant_id: `lost-${++count}` }), 'order_id');
  await statusOf(w, order_id, 'capture_successful');
  return order_id;
}

/**
 * A refund of 5.00 that Adyen has taken ten minutes ago: answer and message were lost, and nobody gets through since.
 * Its id.
 */
export async function lostRefund(w: World, order_id: string): Promise<string> {
  const control = controlOf(w, 'adyen');
  await control('POST', '/messages', { held: true });
  await control('POST', '/faults', { on: 'refunds', how: 'close', effect: true });
  await control('POST', '/faults', { on: 'refunds', how: 'error', times: 1000 });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '5.00' } });
  const [operation_id = ''] = await operationsOf(w, order_id, 'refund');
  await until(async () => {
    const [row] = await w.sql(
      `UPDATE payment.operations
       SET created_at = created_at - interval '10 min', sent_at = sent_at - interval '10 min',
         due_at = payment.now() + interval '1 h'
       WHERE id = decode($1, 'hex') AND state = 'in_doubt' RETURNING id`,
      [operation_id],
    );
    return row && !w.service.tools.running.has(operation_id) ? true : undefined;
  });
  await tamper(
    w,
    `UPDATE payment.orders SET updated_at = updated_at - interval '10 min' WHERE id = decode($1, 'hex')`,
    [order_id],
  );
  return operation_id;
}

/** Adyen is reached again, and the refund is repeated; what it has to tell waits still. */
export async function repeated(w: World, operation_id: string): Promise<void> {
  await controlOf(w, 'adyen')('POST', '/faults/clear', {});
  await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE id = decode($1, 'hex')`, [operation_id]);
  await until(async () => {
    const [row] = await w.sql<{ waits_for: string }>(
      `SELECT waits_for FROM payment.operations WHERE id = decode($1, 'hex')`,
      [operation_id],
    );
    return row?.waits_for === 'provider' ? true : undefined;
  });
}

/** Adyen tells what became of it. */
export async function told(w: World, order_id: string): Promise<void> {
  const control = controlOf(w, 'adyen');
  await control('POST', '/messages', { held: false });
  await control('POST', '/deliver', {});
  await statusOf(w, order_id, 'refund_successful');
}
