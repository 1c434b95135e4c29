// Statements on stray findings: open, and of a merchant account that is not here. No page shows them, as a page is of
// an account; they are the operator's.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { FindingRow } from './finding-store.ts';

export type StrayFinding = Pick<
  FindingRow,
  'id' | 'merchant_account_id' | 'provider' | 'kind' | 'what' | 'reference' | 'order_id' | 'theirs' | 'amount_minor'
> &
  Pick<FindingRow, 'currency' | 'source' | 'found_at'>;

/** The oldest first. */
export async function findStrayFindings(db: Runner, room: number): Promise<readonly StrayFinding[]> {
  return db.run<StrayFinding>(
    'find_stray_findings',
    `-- any account: these are of none that is here
     SELECT
       id, merchant_account_id, provider, kind, what, reference, order_id, theirs, amount_minor,
       currency, source, found_at
     FROM payment.stray_findings(:room)`,
    { room },
  );
}

export type SettledStray = Pick<FindingRow, 'merchant_account_id' | 'order_id' | 'kind' | 'what' | 'source'>;

/** Undefined: there is no such stray finding. */
export async function settleStrayFinding(
  tx: TenantRunner,
  { id, note, by_name }: { readonly id: string; readonly note: string; readonly by_name: string },
): Promise<SettledStray | undefined> {
  const rows = await tx.run<SettledStray>(
    'settle_stray_finding',
    `-- any account: the finding is of none that is here
     SELECT merchant_account_id, order_id, kind, what, source
     FROM payment.settle_stray_finding(:id, :note, :by_name)`,
    { id: bytes(id), note, by_name },
  );
  return rows[0];
}
