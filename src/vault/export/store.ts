// Statements of an export.
import { type Runner, bytes } from '../../kit/database.ts';

export type ExportRow = {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly receiver_key: string;
  readonly receiver_fingerprint: string;
  readonly requested_by: string;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly expected: number;
  readonly cards: number;
  readonly out_offset: bigint;
  readonly cursor: string;
};

export async function insertExport(
  db: Runner,
  row: Pick<
    ExportRow,
    'id' | 'merchant_account_id' | 'receiver_key' | 'receiver_fingerprint' | 'requested_by' | 'expected'
  >,
): Promise<void> {
  await db.run(
    'insert_export',
    `INSERT INTO vault.exports (
       id, merchant_account_id, receiver_key, receiver_fingerprint, requested_by, expected)
     VALUES (
       :id, :merchant_account_id, :receiver_key, :receiver_fingerprint, :requested_by, :expected)`,
    { ...row, id: bytes(row.id), merchant_account_id: bytes(row.merchant_account_id) },
  );
}

export async function findExport(db: Runner, id: string): Promise<ExportRow | undefined> {
  const rows = await db.run<ExportRow>(
    'find_export',
    `SELECT
       id, merchant_account_id, receiver_key, receiver_fingerprint, requested_by, started_at,
       finished_at, expected, cards, out_offset, cursor
     FROM vault.exports
     WHERE id = :id`,
    { id: bytes(id) },
  );
  return rows[0];
}

/** Approves an export, by another person than the one who asked, within a day. False: it was not approved. */
export async function approveExport(db: Runner, id: string, approved_by: string): Promise<boolean> {
  const rows = await db.run(
    'approve_export',
    `UPDATE vault.exports
     SET approved_by = :approved_by, approved_at = vault.now()
     WHERE id = :id
       AND approved_by IS NULL
       AND requested_by <> :approved_by
       AND requested_at > vault.now() - interval '24 hours'
     RETURNING 1`,
    { id: bytes(id), approved_by },
  );
  return rows.length > 0;
}

/** Within a day of its approval. False: not approved, too late, or begun already. */
export async function startExport(db: Runner, id: string): Promise<boolean> {
  const rows = await db.run(
    'start_export',
    `UPDATE vault.exports
     SET started_at = vault.now()
     WHERE id = :id
       AND started_at IS NULL
       AND approved_at > vault.now() - interval '24 hours'
     RETURNING 1`,
    { id: bytes(id) },
  );
  return rows.length > 0;
}

/** False: another run has moved it. */
export async function moveExport(
  db: Runner,
  row: {
    readonly id: string;
    readonly cards: number;
    readonly out_offset: bigint;
    readonly cursor: string;
    readonly before: string;
  },
): Promise<boolean> {
  const rows = await db.run(
    'move_export',
    `UPDATE vault.exports
     SET cards = :cards, out_offset = :out_offset, cursor = :cursor
     WHERE id = :id
       AND finished_at IS NULL
       AND cursor = :before
     RETURNING 1`,
    { ...row, id: bytes(row.id), cursor: bytes(row.cursor), before: bytes(row.before) },
  );
  return rows.length > 0;
}

export async function finishExport(db: Runner, id: string, file_hash: string): Promise<void> {
  await db.run(
    'finish_export',
    `UPDATE vault.exports
     SET finished_at = vault.now(), file_hash = :file_hash
     WHERE id = :id
       AND finished_at IS NULL`,
    { id: bytes(id), file_hash: bytes(file_hash) },
  );
}

export type ExportCardRow = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly kind: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly created_at: Date;
  readonly sealed: string;
  readonly data_key_id: bigint;
  readonly card_unique_id: string;
  readonly scheme: string;
};

/** Saved cards of an account, in the order of their token hash; not those of partners, nor what was removed. */
export async function findSavedCards(
  db: Runner,
  asked: { readonly merchant_account_id: string; readonly after: string; readonly limit: number },
): Promise<readonly ExportCardRow[]> {
  return db.run<ExportCardRow>(
    'find_saved_cards',
    `SELECT
       token_hash, merchant_account_id, environment, kind, exp_month, exp_year, created_at, sealed,
       data_key_id, card_unique_id, scheme
     FROM vault.cards
     WHERE token_hash > :after
       AND merchant_account_id = :merchant_account_id
       AND kind = 'recurring'
       AND partner IS NULL
       AND delete_after IS NULL
     ORDER BY token_hash
     LIMIT :limit`,
    { ...asked, merchant_account_id: bytes(asked.merchant_account_id), after: bytes(asked.after) },
  );
}

export async function countSavedCards(db: Runner, merchant_account_id: string): Promise<number> {
  const rows = await db.run<{ n: number }>(
    'count_saved_cards',
    `SELECT count(*)::int AS n
     FROM vault.cards
     WHERE token_hash > '\\x'
       AND merchant_account_id = :merchant_account_id
       AND kind = 'recurring'
       AND partner IS NULL
       AND delete_after IS NULL`,
    { merchant_account_id: bytes(merchant_account_id) },
  );
  return rows[0]?.n ?? 0;
}
