// Which orders a database does not have. Asked of a server that is not worked with, so by its connection and not by a
// pool.
import type { Ask } from '../../../kit/database/door.ts';

/** Account by account, because row-level security allows no other way. */
export async function missingOrders(
  ask: Ask,
  acknowledged: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [merchant_account_id, ids] of acknowledged) {
    await ask("SELECT set_config('app.merchant_account_id', $1, false)", [merchant_account_id]);
    const rows = await ask(
      `SELECT encode(a.id, 'hex') AS id
       FROM unnest($1::bytea[]) AS a (id)
       WHERE NOT EXISTS (
         SELECT
         FROM payment.orders o
         WHERE o.id = a.id
           AND o.merchant_account_id = decode($2, 'hex')
       )`,
      [ids.map((id) => Buffer.from(id, 'hex')), merchant_account_id],
    );
    missing.push(...rows.map(({ id }) => String(id)));
  }
  return missing;
}
