// The audit of the money zone: who, what, when, from where, result, object, reason; never card data. One record an
// action, in the transaction that did the thing. Each merchant account has a chain of its own, the deployment has one
// too.
import { type Link, breachOf, cutOff } from '../../kit/audit/chain.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Database, TenantRunner } from '../../kit/database.ts';
import { findChain, findHead, insertRecord } from './store.ts';

/** The actions, in the words of the audit. */
export const AUDIT_ACTIONS = [
  'process started',
  'process stopped',
  'account created',
  'operator login',
  'failed operator login',
  'operator logout',
  'MFA changed',
  'alarm mails changed',
  'single sign-on changed',
  'single sign-on removed',
  'joined by single sign-on',
  'passkey added',
  'passkey removed',
  'password changed',
  'command line secret made',
  'session ended',
  'person unlocked',
  'person invited',
  'invitation accepted',
  'invitation withdrawn',
  'address taken',
  'role or right changed',
  'role made',
  'role changed',
  'role removed',
  'member removed',
  'API keys named',
  'API key created',
  'API key rolled',
  'API key revoked',
  'API key ended by an operator',
  'API key freed',
  'repeated failed API authentication',
  'settings changed',
  'contract created',
  'contract changed',
  'contract fees stated',
  'contract held',
  'provider held',
  'credentials set',
  'credentials removed',
  'message set aside',
  'finding settled',
  'later tries stopped',
  'test call',
  'capture requested',
  'refund requested',
  'refund proposed',
  'refund declined by a second person',
  'cancel requested',
  'disputed money refunded',
  'dispute evidence changed',
  'dispute evidence removed',
  'dispute evidence taken out',
  'dispute evidence submitted',
  'dispute accepted',
  'dispute marked as answered',
  'provider asked again',
  'review ruled',
  'review settled by an operator',
  'card taken by telephone',
  'payment link created',
  'payment link changed',
  'card removed',
  'note added',
  'note removed',
  "customer's data taken out",
  'customer erased',
  'report asked for',
  'report removed',
  'report deleted',
  'report taken out',
  'export started',
  'export finished',
  'endpoint created',
  'endpoint removed',
  'endpoint secret changed',
  'endpoint switched on',
  'test notification sent',
  'notifications replayed',
  'risk rules published',
  'risk rules rolled back',
  'acceptor named',
  'declines imported',
  'routing rules published',
  'routing rules rolled back',
  'best_of rule stopped',
  'best_of rule let go on',
  'experiment started',
  'experiment decided',
  'experiment ended',
  'risk list changed',
  'sandbox clock advanced',
  'sandbox scenario changed',
  'test orders made',
  'audit gap found',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type Actor = { readonly actor: string; readonly source: string };

export type AuditEvent = {
  readonly action: AuditAction;
  /** The object of the action: an id or a reference, never a secret. */
  readonly object: string;
  readonly result?: 'done' | 'failed' | 'refused';
  readonly reason?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** The chain of what belongs to no merchant account. */
export const DEPLOYMENT = '0'.repeat(24);

/** Writes one record. `tx` is the transaction that does the thing, so that neither is there without the other. */
export function writeAudit(tx: TenantRunner, who: Actor, event: AuditEvent): Promise<void> {
  const { action, object, result = 'done', reason = null, detail = {} } = event;
  return insertRecord(tx, { ...who, action, object, result, reason, detail: JSON.stringify(detail) });
}

export type Verdict =
  | { readonly whole: true; readonly records: number; readonly head: string }
  | { readonly whole: false; readonly at: bigint; readonly why: string };

const START: Link = { number: 0n, hash: sha256('') };

/**
 * Walks an account's chain from its beginning to the head that stands apart: a tail that was cut off is found too. Who
 * could change that head as well is found with one that was kept elsewhere.
 */
export async function verifyChain(db: Database, merchant_account_id: string, kept?: Link): Promise<Verdict> {
  const runner = db.tenant(merchant_account_id);
  let last = START;
  for (;;) {
    const rows = await findChain(runner, last.number);
    for (const row of rows) {
      const why = breachOf({ ...row, number: row.seq }, last, kept);
      if (why !== undefined) return { whole: false, at: row.seq, why };
      last = { number: row.seq, hash: row.hash };
    }
    if (rows.length > 0) continue;
    const head = (await findHead(runner)) ?? { seq: 0n, hash: START.hash };
    const lost = cutOff(last, kept);
    if (lost !== undefined) return { whole: false, at: last.number + 1n, why: lost };
    if (head.seq === last.number && head.hash === last.hash)
      return { whole: true, records: Number(last.number), head: last.hash };
    // records may have been added since the last page
    if (head.seq > last.number && (await findChain(runner, last.number)).length > 0) continue;
    const why =
      head.seq > last.number ? `records ${last.number + 1n} to ${head.seq} are missing` : 'the head was changed';
    return { whole: false, at: head.seq, why };
  }
}
