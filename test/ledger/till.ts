// What the tests of the ledger share: a world with one of everything in its books, and a command's verbs called as the
// command does.
import { expect } from 'vitest';
import { type Finding } from '../../src/payment/ledger/verify/check.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { type Client, type Reply, textAt, until } from '../client.ts';
import type { World } from '../world.ts';

/** Findings of a check, the first one and all counts. */
export async function verified(w: World, account?: string): Promise<{ first: Finding | undefined; counts: object }> {
  const { first, counts } = await verifyLedger({ db: w.service.tools.db, account, page: 3, progress: () => undefined });
  return { first, counts: Object.fromEntries(counts) };
}

const maintain = (shop: Client, kind: string, order: Reply, body: object = {}): Promise<Reply> =>
  shop.api(`/payment/maintenance/${kind}/${textAt(order, 'order_id')}`, { body, headers: { prefer: 'wait=5' } });

/**
 * Orders of every form: held, captured in parts with the rest released, sold, refunded, cancelled, declined, retried.
 */
export async function everyForm(shop: Client): Promise<readonly string[]> {
  const held = await shop.pay({}, { operation_type: 'authorize' });
  const parts = await shop.pay({}, { operation_type: 'authorize' });
  await maintain(shop, 'capture', parts, { amount: '10' });
  await maintain(shop, 'capture', parts, { amount: '5', final: true });
  await maintain(shop, 'refund', parts, { amount: '3' });
  const sold = await shop.pay();
  await maintain(shop, 'refund', sold, { amount: '1.50' });
  const yen = await shop.pay({}, { amount: '2500', currency: 'JPY' });
  await maintain(shop, 'refund', yen);
  const cancelled = await shop.pay({}, { operation_type: 'authorize' });
  await maintain(shop, 'cancel', cancelled);
  const declined = await shop.pay({ card_number: '4000000000000119' });
  const order_id = textAt(declined, 'order_id');
  await shop.decided(order_id);
  await shop.api(`/payment/order/${order_id}`, { method: 'PUT', body: { token: await shop.token() } });
  await shop.decided(order_id);
  return [held, parts, sold, yen, cancelled, declined].map((order) => textAt(order, 'order_id'));
}

/** No operation is under way any more. */
export async function settled(w: World): Promise<void> {
  await until(async () => {
    const open = await w.sql(
      `SELECT 1 FROM payment.operations WHERE state NOT IN ('successful','declined','not_sent') LIMIT 1`,
    );
    return open.length === 0 ? true : undefined;
  });
}

/** Changes rows past every trigger, as only a superuser can. */
export async function tamper(w: World, statement: string, values: readonly unknown[] = []): Promise<void> {
  await w.sql(`SET session_replication_role = replica`);
  try {
    await w.sql(statement, values);
  } finally {
    await w.sql(`RESET session_replication_role`);
  }
}

export async function idOf(w: World, order_id: string, kind: string): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = $2 ORDER BY id LIMIT 1`,
    [order_id, kind],
  );
  expect(row, `a ${kind} of ${order_id}`).toBeDefined();
  return row?.id ?? '';
}
