// The audit of the card zone: who, what, when, from where, result, object, never card data. Records can only be
// added, and each is chained to the one before, so that a change, a deletion or a reordering is found.
import type { Runner } from '../../kit/database.ts';
import { type Link, breachOf, cutOff } from '../../kit/audit/chain.ts';
import type { Log } from '../../kit/log.ts';
import { findAudit, insertAudit } from './store.ts';

export type AuditAction =
  | 'process started'
  | 'self-test failed'
  | 'key created'
  | 'key loaded'
  | 'key destroyed'
  | 'rotation started'
  | 'rotation finished'
  | 'record failed to open'
  | 'forward refused'
  | 'card sweep'
  | 'contract credentials set'
  | 'operator added'
  | 'export requested'
  | 'export approved'
  | 'export started'
  | 'export finished'
  | 'import started'
  | 'import finished';

export type AuditEvent = {
  readonly action: AuditAction;
  /** The object of the action: an id or a reference, never a secret. */
  readonly object: string;
  readonly result?: 'done' | 'failed' | 'refused';
  readonly detail?: Readonly<Record<string, string | number | null>>;
};

export type Auditor = {
  /** Within the transaction that did the thing, so that neither is there without the other. */
  write(db: Runner, event: AuditEvent): Promise<void>;
  /** For work that must not fail because of the audit: a record that cannot be written is logged. */
  note(db: Runner, event: AuditEvent): Promise<void>;
};

/** `actor`: a process or an operator's name; `source`: where it runs. */
export function auditor(who: { actor: string; source: string; log: Log }): Auditor {
  const write = (db: Runner, { action, object, result = 'done', detail = {} }: AuditEvent) =>
    insertAudit(db, {
      actor: who.actor,
      source: who.source,
      action,
      object,
      result,
      detail: JSON.stringify(detail),
    });
  return {
    write,
    note: (db, event) =>
      write(db, event).catch((error: unknown) =>
        who.log.error({ action: event.action, object: event.object, error: String(error) }, 'an audit record was lost'),
      ),
  };
}

export type Verdict =
  | { readonly whole: true; readonly records: number; readonly head: string }
  | { readonly whole: false; readonly at: bigint; readonly why: string };

/**
 * Walks the chain. A tail that was cut off, and a chain that was made anew, are found with the number and the hash that
 * a record had before: the head, as it was kept elsewhere.
 */
export async function verifyAudit(db: Runner, kept?: Link): Promise<Verdict> {
  let last: Link = { number: 0n, hash: '' };
  for (;;) {
    const rows = await findAudit(db, last.number);
    for (const row of rows) {
      const why = breachOf({ ...row, number: row.id }, last, kept);
      if (why !== undefined) return { whole: false, at: row.id, why };
      last = { number: row.id, hash: row.hash };
    }
    if (rows.length > 0) continue;
    const why = cutOff(last, kept);
    if (why !== undefined) return { whole: false, at: last.number + 1n, why };
    return { whole: true, records: Number(last.number), head: last.hash };
  }
}
