// Statements on what is said and shown against a dispute: texts and files.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export async function findEvidence(
  db: TenantRunner,
  dispute_id: string,
): Promise<{ readonly texts_sealed: string } | undefined> {
  const rows = await db.run<{ texts_sealed: string }>(
    'find_dispute_evidence',
    `SELECT texts_sealed
     FROM payment.dispute_evidence
     WHERE merchant_account_id = :merchant_account_id
       AND dispute_id = :dispute_id`,
    { merchant_account_id: bytes(db.merchant_account_id), dispute_id: bytes(dispute_id) },
  );
  return rows[0];
}

export async function putEvidence(
  db: TenantRunner,
  { dispute_id, texts_sealed, by }: { dispute_id: string; texts_sealed: Buffer; by: string },
): Promise<void> {
  await db.run(
    'put_dispute_evidence',
    `INSERT INTO payment.dispute_evidence (
       dispute_id, merchant_account_id, texts_sealed, updated_by)
     VALUES (:dispute_id, :merchant_account_id, :texts_sealed, :by)
     ON CONFLICT (merchant_account_id, dispute_id) DO UPDATE SET
       texts_sealed = excluded.texts_sealed,
       updated_by = excluded.updated_by,
       updated_at = payment.now()`,
    { merchant_account_id: bytes(db.merchant_account_id), dispute_id: bytes(dispute_id), texts_sealed, by },
  );
}

export type FileRow = {
  readonly id: string;
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly added_at: Date;
  readonly added_by: string;
  /** The file's bytes are still stored. */
  readonly kept: boolean;
};

export async function listFiles(db: TenantRunner, dispute_id: string): Promise<readonly FileRow[]> {
  return db.run<FileRow>(
    'list_dispute_files',
    `SELECT
       id, field, name, type, size, sha256, added_at, added_by, content_sealed IS NOT NULL AS kept
     FROM payment.dispute_files
     WHERE merchant_account_id = :merchant_account_id
       AND dispute_id = :dispute_id
     ORDER BY field`,
    { merchant_account_id: bytes(db.merchant_account_id), dispute_id: bytes(dispute_id) },
  );
}

/** The sealed bytes of a file; null: they are deleted. */
export async function findContent(
  db: TenantRunner,
  file: { readonly id: string; readonly dispute_id: string },
): Promise<string | null> {
  const rows = await db.run<{ content_sealed: string | null }>(
    'find_dispute_file_content',
    `SELECT content_sealed
     FROM payment.dispute_files
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND dispute_id = :dispute_id`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(file.id),
      dispute_id: bytes(file.dispute_id),
    },
  );
  return rows[0]?.content_sealed ?? null;
}

export type NewFile = Pick<FileRow, 'id' | 'field' | 'name' | 'type' | 'size' | 'sha256'> & {
  readonly dispute_id: string;
  readonly content_sealed: Buffer;
  readonly by: string;
};

export async function insertFile(db: TenantRunner, file: NewFile): Promise<void> {
  await db.run(
    'insert_dispute_file',
    `INSERT INTO payment.dispute_files (
       id, merchant_account_id, dispute_id, field, name, type, size, sha256, content_sealed,
       added_by)
     VALUES (
       :id, :merchant_account_id, :dispute_id, :field, :name, :type, :size, :sha256,
       :content_sealed, :by)`,
    {
      ...file,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(file.id),
      dispute_id: bytes(file.dispute_id),
      sha256: bytes(file.sha256),
    },
  );
}

/** The id of the file that was in this field; undefined: none. */
export async function deleteFile(
  db: TenantRunner,
  { dispute_id, field }: { dispute_id: string; field: string },
): Promise<string | undefined> {
  const rows = await db.run<{ id: string }>(
    'delete_dispute_file',
    `DELETE FROM payment.dispute_files
     WHERE merchant_account_id = :merchant_account_id
       AND dispute_id = :dispute_id
       AND field = :field
     RETURNING id`,
    { merchant_account_id: bytes(db.merchant_account_id), dispute_id: bytes(dispute_id), field },
  );
  return rows[0]?.id;
}

/** Evidence of disputes that ended before this goes; how many there were. */
export async function forgetEvidence(db: Runner, room: number, before: Date): Promise<number> {
  const [row] = await db.run<{ forgotten: number }>(
    'forget_dispute_evidence',
    `-- any account: the worker does it for all of them
     SELECT payment.forget_dispute_evidence(:room, :before) AS forgotten`,
    { room, before },
  );
  return row?.forgotten ?? 0;
}
