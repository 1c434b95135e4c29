// florin review: what nothing has proved yet, with all that is known of it.
import type { Database, TenantRunner } from '../../../kit/database.ts';
import { findArchives } from '../../months-store.ts';
import { type Sight, type UndecidedRow, findLastSights, findUndecided } from './review-store.ts';

export type Undecided = UndecidedRow & {
  readonly sights: readonly Sight[];
  /** As archivesOf gives them. */
  readonly archives: readonly string[];
};

const SIGHTS = 3;

/** Operations in doubt and in review, the oldest first, no more than `room`. */
export async function listUndecided(db: Database, room: number): Promise<readonly Undecided[]> {
  const rows = await findUndecided(db, room);
  const sights = new Map<string, Sight[]>();
  for (const [account, operations] of Map.groupBy(rows, ({ merchant_account_id }) => merchant_account_id))
    for (const sight of await findLastSights(db.tenant(account), { operations, room: SIGHTS }))
      sights.set(sight.operation_id, [...(sights.get(sight.operation_id) ?? []), sight]);
  const all: Undecided[] = [];
  for (const row of rows) {
    const seen = sights.get(row.id) ?? [];
    all.push({ ...row, sights: seen, archives: await archivesOf(db.tenant(row.merchant_account_id), row, seen) });
  }
  return all;
}

/**
 * Where nothing is seen of an operation: the files with what was seen of it, as findArchives gives them. Nobody is told
 * that nothing was seen when it was only put away.
 */
export async function archivesOf(
  db: TenantRunner,
  { transaction_id }: { readonly transaction_id: string },
  seen: readonly Sight[],
): Promise<readonly string[]> {
  return seen.length > 0 ? [] : findArchives(db, [transaction_id]);
}
