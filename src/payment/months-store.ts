// Statements on tables that are parted by month.
import { type Runner, type TenantRunner, bytes } from '../kit/database.ts';

/** Months that are made ahead: a worker may be away for as long before rows wait in a default part. */
const AHEAD = 3;

/** Makes the months to come, and those of what came without one. A lock that is not free within a second throws. */
export async function keepMonths(db: Runner): Promise<void> {
  await db.run(
    'keep_months',
    `-- any account: a month of all of them is made at once
     SELECT payment.keep_months(:ahead)`,
    { ahead: AHEAD },
  );
}

/**
 * Files with what was seen of these transactions, where their months were archived; a month that is being archived has
 * no name yet, and gives an empty one.
 */
export async function findArchives(db: TenantRunner, transactions: readonly string[]): Promise<readonly string[]> {
  const rows = await db.run<{ file: string }>(
    'find_archives',
    `-- any account: a month of all of them is in one file
     SELECT coalesce(a.file, '') AS file
     FROM payment.archives a
     WHERE a.state <> 'back'
       AND EXISTS (
         SELECT
         FROM unnest(:transactions::bytea[]) AS t (id)
         WHERE t.id >= a.low
           AND t.id < a.high
       )
     ORDER BY a.id`,
    { transactions: transactions.map((id) => bytes(id)) },
  );
  return rows.map(({ file }) => file);
}
