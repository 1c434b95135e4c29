// Statements on the file of a report: sealed pieces, which a run's worker writes one after the other.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export async function insertPiece(
  db: TenantRunner,
  { run_id, n, sealed }: { run_id: string; n: number; sealed: Buffer },
): Promise<void> {
  await db.run(
    'insert_report_piece',
    `INSERT INTO payment.report_pieces (merchant_account_id, run_id, n, sealed)
     VALUES (:merchant_account_id, :run_id, :n, :sealed)`,
    { merchant_account_id: bytes(db.merchant_account_id), run_id: bytes(run_id), n, sealed },
  );
}

/** Deletes the pieces of a run that is given up, or that a worker left when it died. */
export async function deletePieces(db: TenantRunner, run_id: string): Promise<void> {
  await db.run(
    'delete_report_pieces',
    `DELETE FROM payment.report_pieces
     WHERE merchant_account_id = :merchant_account_id
       AND run_id = :run_id`,
    { merchant_account_id: bytes(db.merchant_account_id), run_id: bytes(run_id) },
  );
}

export async function findPiece(db: TenantRunner, run_id: string, n: number): Promise<string | undefined> {
  const rows = await db.run<{ sealed: string }>(
    'find_report_piece',
    `SELECT sealed
     FROM payment.report_pieces
     WHERE merchant_account_id = :merchant_account_id
       AND run_id = :run_id
       AND n = :n`,
    { merchant_account_id: bytes(db.merchant_account_id), run_id: bytes(run_id), n },
  );
  return rows[0]?.sealed;
}
