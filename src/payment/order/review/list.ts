// florin review: what nothing has proved yet, with all that is known of it.
import type { Database } from '../../../kit/database.ts';
import { type Sight, type UndecidedRow, findLastSights, findUndecided } from './review-store.ts';

export type Undecided = UndecidedRow & { readonly sights: readonly Sight[] };

const SIGHTS = 3;

/** Operations in doubt and in review, the oldest first, no more than `room`. */
export async function listUndecided(db: Database, room: number): Promise<readonly Undecided[]> {
  const rows = await findUndecided(db, room);
  const sights = new Map<string, Sight[]>();
  for (const [account, operations] of Map.groupBy(rows, ({ merchant_account_id }) => merchant_account_id))
    for (const sight of await findLastSights(db.tenant(account), { operations, room: SIGHTS }))
      sights.set(sight.operation_id, [...(sights.get(sight.operation_id) ?? []), sight]);
  return rows.map((row) => ({ ...row, sights: sights.get(row.id) ?? [] }));
}
