// Statements on the audit of the card zone. The database numbers and chains each record (schema/functions/chain.sql).
import type { Row, Runner } from '../../kit/database.ts';

export type NewAuditRow = {
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly result: string;
  readonly source: string;
  readonly detail: string;
};

export async function insertAudit(db: Runner, row: NewAuditRow): Promise<void> {
  await db.run(
    'insert_audit',
    `INSERT INTO vault.audit (actor, action, object, result, source, detail)
     VALUES (:actor, :action, :object, :result, :source, :detail::jsonb)`,
    row,
  );
}

export type AuditRow = Row & {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly result: string;
  readonly source: string;
  readonly detail: object;
  readonly hash: string;
  /**
   * The text that is hashed (together with the hash before it): the text that the database made of the row as it is
   * now.
   */
  readonly text: string;
};

/** A page of the audit, in its order. */
export async function findAudit(db: Runner, after: bigint): Promise<readonly AuditRow[]> {
  return db.run<AuditRow>(
    'find_audit',
    `SELECT
       id, at, actor, action, object, result, source, detail, hash,
       jsonb_build_array(
         id, extract(epoch FROM at)::numeric(20, 3)::text, actor, action, object, result, source,
         detail)::text AS text
     FROM vault.audit
     WHERE id > :after
     ORDER BY id
     LIMIT 500`,
    { after },
  );
}
