// Statements on the queue of operations: observations that decide nothing, claims of operations that are due, and
// repeats.
import { sha256 } from '../../../kit/crypto.ts';
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { OperationFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';

export type NoteFacts = Pick<
  SettleFacts,
  | 'order_id'
  | 'operation_id'
  | 'transaction_id'
  | 'source'
  | 'outcome'
  | 'provider_ref'
  | 'provider_code'
  | 'http_status'
  | 'answer'
> & {
  readonly state: string;
  readonly waits_for: string;
  readonly key_round: number;
  /** When the operation was last sent again, as far as the writer knows. */
  readonly sent_at: string | null;
  readonly retry_s: number;
  readonly detail: string | null;
};

/**
 * Nothing final was learnt: stores the evidence, and when to look again. It changes neither the order nor a final
 * state. An answer with the same text as the one before is stored without the text; the row is locked first, so that
 * "before" is certain. If another process has sent the operation since the writer looked, that call is under way under
 * its present key, and the key stays. Only a reversal takes another key then, because undoing twice does no harm.
 */
export async function note(db: TenantRunner, facts: NoteFacts): Promise<void> {
  await db.batch(
    'note',
    `WITH operation_before AS (
       SELECT answer_hash
       FROM payment.operations
       WHERE order_id = :order_id
         AND id = :operation_id
         AND merchant_account_id = :merchant_account_id
         AND state IN ('requested', 'in_doubt', 'review')
       FOR NO KEY UPDATE
     ),
     noted_operation AS (
       UPDATE payment.operations
       SET
         state = CASE WHEN state = 'requested' OR :state = 'review' THEN :state ELSE state END,
         waits_for = :waits_for,
         key_round = CASE
           WHEN kind = 'reversal'
             OR date_trunc('milliseconds', sent_at) IS NOT DISTINCT FROM :sent_at::timestamptz
           THEN :key_round
           ELSE key_round
         END,
         provider_ref = coalesce(:provider_ref, provider_ref),
         due_at = payment.now() + make_interval(secs => :retry_s),
         answer_hash = coalesce(:answer_hash::bytea, operation_before.answer_hash)
       FROM operation_before
       WHERE order_id = :order_id
         AND id = :operation_id
         AND merchant_account_id = :merchant_account_id
         AND state IN ('requested', 'in_doubt', 'review')
     )
     INSERT INTO payment.observations (
       merchant_account_id, transaction_id, operation_id, source, outcome, provider_code,
       provider_ref, detail, http_status,
       answer)
     SELECT
       :merchant_account_id, :transaction_id, :operation_id, :source, :outcome, :provider_code,
       :provider_ref, :detail, :http_status,
       CASE
         WHEN :answer_hash IS DISTINCT FROM (SELECT answer_hash FROM operation_before) THEN :answer
       END`,
    {
      ...facts,
      answer_hash: bytes(facts.answer === null ? null : sha256(facts.answer)),
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(facts.order_id),
      operation_id: bytes(facts.operation_id),
      transaction_id: bytes(facts.transaction_id),
    },
  );
}

export type ClaimedOperation = {
  readonly id: string;
  readonly order_id: string;
  readonly merchant_account_id: string;
  readonly provider: string;
  readonly kind: string;
  readonly tries: number;
};

/** Takes operations whose lease has run out, each for one worker at a time. */
export async function claimOperations(
  db: Runner,
  claim: { room: number; lease_s: number; crowded: readonly string[] },
): Promise<readonly ClaimedOperation[]> {
  return db.run<ClaimedOperation>(
    'claim_operations',
    `-- any account: the queue of all of them
     SELECT id, order_id, merchant_account_id, provider, kind, tries
     FROM payment.claim_operations(:room, make_interval(secs => :lease_s), :crowded)`,
    claim,
  );
}

/** The time of the database's machine, whatever a sandbox adds to it; in milliseconds. */
export async function readMachineClock(db: Runner): Promise<number> {
  const [row] = await db.run<{ now_ms: number }>(
    'read_machine_clock',
    `-- any account: one clock for all
     SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms
     FROM payment.clock
     WHERE one = true`,
  );
  if (!row) throw new Error('payment.clock has its row');
  return row.now_ms;
}

/**
 * What waits for a moment by a clock that was set back since then is planned anew, and a provider that is down is
 * probed. Every process sees such a step: one of them does it for all.
 */
export async function bringForward(db: Runner, by_s: number): Promise<void> {
  await db.run(
    'bring_forward',
    `-- any account: what waits, of all of them
     WITH round AS (
       INSERT INTO payment.jobs (name, at)
       VALUES ('clock that was set back', payment.now())
       ON CONFLICT (name) DO UPDATE SET at = excluded.at
       WHERE jobs.at <= excluded.at - interval '10 seconds'
         OR jobs.at > excluded.at
       RETURNING 1
     ),
     probed AS (
       UPDATE payment.providers
       SET next_probe_at = payment.now()
       WHERE health = 'open'
         AND next_probe_at > payment.now()
         AND EXISTS (SELECT FROM round)
     )
     SELECT payment.bring_forward(make_interval(secs => :by_s::double precision)) FROM round`,
    { by_s },
  );
}

/**
 * Operations that a process had under way when it died become due now. Only for a database that no other process works
 * on.
 */
export async function wakeAbandoned(db: Runner): Promise<void> {
  await db.run(
    'wake_abandoned',
    `-- any account: what is under way, of all of them
     SELECT payment.wake_abandoned()`,
  );
}

/**
 * An operation is sent again: stores the evidence, and the moment from which its provider's in-flight time is counted.
 * False: the operation has ended, a person is asked, or another process has sent it since the writer looked; nothing
 * may be sent.
 */
export async function noteSend(
  db: TenantRunner,
  { order_id, operation }: { readonly order_id: string; readonly operation: Sent },
): Promise<boolean> {
  const rows = await db.batch(
    'note_send',
    `WITH sent_operation AS (
       UPDATE payment.operations
       SET sent_at = payment.now()
       WHERE order_id = :order_id
         AND id = :operation_id
         AND merchant_account_id = :merchant_account_id
         AND state IN ('requested', 'in_doubt')
         AND date_trunc('milliseconds', sent_at) IS NOT DISTINCT FROM :sent_at::timestamptz
         AND key_round = :key_round
       RETURNING 1
     )
     INSERT INTO payment.observations (
       merchant_account_id, transaction_id, operation_id, source, outcome)
     SELECT :merchant_account_id, :transaction_id, :operation_id, 'call', 'sent'
     FROM sent_operation
     RETURNING 1`,
    {
      sent_at: operation.sent_at,
      key_round: operation.key_round,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation.id),
      transaction_id: bytes(operation.transaction_id),
    },
  );
  return rows.length > 0;
}

/** Has another process sent the operation since the caller looked? Within a commit that has changed the operation. */
export async function isSentSince(
  tx: TenantRunner,
  { order_id, operation }: { readonly order_id: string; readonly operation: Pick<Sent, 'id' | 'sent_at'> },
): Promise<boolean> {
  const rows = await tx.run(
    'is_sent_since',
    `SELECT 1
     FROM payment.operations
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id
       AND date_trunc('milliseconds', sent_at) IS DISTINCT FROM :sent_at::timestamptz`,
    {
      sent_at: operation.sent_at,
      merchant_account_id: bytes(tx.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation.id),
    },
  );
  return rows.length > 0;
}

type Sent = Pick<OperationFacts, 'id' | 'transaction_id' | 'sent_at' | 'key_round'>;
