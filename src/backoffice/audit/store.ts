// Statements on the audit of the money zone. The database numbers and chains each record
// (payment/schema/functions/chain.sql).
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type NewRecord = {
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly result: string;
  readonly source: string;
  readonly reason: string | null;
  readonly detail: string;
};

export async function insertRecord(db: TenantRunner, record: NewRecord): Promise<void> {
  await db.run(
    'insert_audit_record',
    `INSERT INTO payment.audit (
       merchant_account_id, actor, action, object, result, source, reason, detail)
     VALUES (
       :merchant_account_id, :actor, :action, :object, :result, :source, :reason, :detail::jsonb)`,
    { ...record, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type RecordRow = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly result: 'done' | 'failed' | 'refused';
  readonly source: string;
  readonly reason: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: string;
  /**
   * The text that is hashed (together with the hash before it): the text that the database made of the row as it is
   * now.
   */
  readonly text: string;
};

/** A page of the audit in its order, for checking it and for taking it out. */
export async function findChain(db: TenantRunner, after: bigint): Promise<readonly RecordRow[]> {
  return db.run<RecordRow>(
    'find_audit_chain',
    `SELECT
       seq, at, actor, action, object, result, source, reason, detail, hash,
       jsonb_build_array(
         encode(merchant_account_id, 'hex'), seq, extract(epoch FROM at)::numeric(20, 3)::text,
         actor, action, object, result, source, reason, detail)::text AS text
     FROM payment.audit
     WHERE merchant_account_id = :merchant_account_id
       AND seq > :after
     ORDER BY seq
     LIMIT 500`,
    { merchant_account_id: bytes(db.merchant_account_id), after },
  );
}

/** The end of the chain; undefined: it has no record. */
export async function findHead(db: TenantRunner): Promise<{ readonly seq: bigint; readonly hash: string } | undefined> {
  const rows = await db.run<{ seq: bigint; hash: string }>(
    'find_audit_head',
    `SELECT seq, hash
     FROM payment.audit_heads
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

export type RecordFilters = {
  readonly action: string | null;
  readonly actor: string | null;
  readonly object: string | null;
};

/** Records before `before`, the newest first. */
export async function findRecords(
  db: TenantRunner,
  { filters, before, room }: { filters: RecordFilters; before: bigint | null; room: number },
): Promise<readonly Omit<RecordRow, 'text'>[]> {
  return db.run<Omit<RecordRow, 'text'>>(
    'find_audit_records',
    `SELECT seq, at, actor, action, object, result, source, reason, detail, hash
     FROM payment.audit
     WHERE merchant_account_id = :merchant_account_id
       AND (:before::bigint IS NULL OR seq < :before)
       AND (:action::text IS NULL OR action = :action)
       AND (:actor::text IS NULL OR actor = :actor)
       AND (:object::text IS NULL OR object = :object)
     ORDER BY seq DESC
     LIMIT :room`,
    { ...filters, before, room, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The last 500 records about one of these objects, the oldest first. */
export async function findRecordsOf(
  db: TenantRunner,
  objects: readonly string[],
): Promise<readonly Omit<RecordRow, 'text'>[]> {
  const rows = await db.run<Omit<RecordRow, 'text'>>(
    'find_audit_of_objects',
    `SELECT seq, at, actor, action, object, result, source, reason, detail, hash
     FROM payment.audit
     WHERE merchant_account_id = :merchant_account_id
       AND object = ANY (:objects::text[])
     ORDER BY seq DESC
     LIMIT 500`,
    { merchant_account_id: bytes(db.merchant_account_id), objects },
  );
  return rows.toReversed();
}
