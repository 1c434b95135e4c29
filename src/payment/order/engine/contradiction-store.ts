// Statements on contradictions: what a provider says against a final state (migration 0031).
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type NewContradiction = {
  readonly id: string;
  readonly order_id: string;
  readonly version: number;
  readonly operation_id: string;
  readonly transaction_id: string;
  readonly provider: string;
  readonly kind: string;
  /** The kind of the operation, as the event names it. */
  readonly about: string;
  readonly held: string;
  readonly said: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly request_id: string | null;
  readonly source: string;
  readonly outcome: string;
  readonly provider_ref: string | null;
  readonly provider_code: string | null;
  readonly http_status: number | null;
  readonly answer: string | null;
};

/**
 * Stores a contradiction, marks the order and writes the event, in one commit. False: the order changed since
 * `version`.
 */
export async function insertContradiction(db: TenantRunner, contradiction: NewContradiction): Promise<boolean> {
  const rows = await db.run(
    'insert_contradiction',
    `WITH changed_order AS (
       UPDATE payment.orders
       SET
         version = version + 1,
         next_seq = next_seq + 1,
         updated_at = payment.now(),
         contradicted = true
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
       RETURNING id, version, next_seq - 1 AS seq, updated_at
     ),
     new_contradiction AS (
       INSERT INTO payment.contradictions (
         id, merchant_account_id, order_id, operation_id, transaction_id, provider,
         kind, held, said, provider_ref, amount_minor, currency, opened_at,
         due_at)
       SELECT
         :id, :merchant_account_id, changed_order.id, :operation_id, :transaction_id, :provider,
         :kind, :held, :said, :provider_ref, :amount_minor, :currency, changed_order.updated_at,
         changed_order.updated_at
       FROM changed_order
     ),
     new_observation AS (
       INSERT INTO payment.observations (
         merchant_account_id, transaction_id, operation_id, source, outcome, provider_code,
         provider_ref, http_status, answer, at)
       SELECT
         :merchant_account_id, :transaction_id, :operation_id, :source, :outcome, :provider_code,
         :provider_ref, :http_status, :answer, changed_order.updated_at
       FROM changed_order
     ),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type,
         request_id, order_version, at, operation_id,
         payload)
       SELECT
         changed_order.id, changed_order.seq, :merchant_account_id, 'order.contradicted',
         :request_id, changed_order.version, changed_order.updated_at, :operation_id,
         json_build_object('about', :about::text, 'said', :said)
       FROM changed_order
     )
     SELECT 1 AS inserted FROM changed_order`,
    {
      ...contradiction,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(contradiction.id),
      order_id: bytes(contradiction.order_id),
      operation_id: bytes(contradiction.operation_id),
      transaction_id: bytes(contradiction.transaction_id),
      request_id: bytes(contradiction.request_id),
    },
  );
  return rows.length > 0;
}

type Named = { readonly order_id: string; readonly operation_id: string };

/**
 * Ends a contradiction and says who was right. Without `version` it belongs to a commit that has changed the order
 * already. False: the order changed, and nothing was done.
 */
export async function endContradiction(
  db: Runner,
  merchant_account_id: string,
  { order_id, operation_id, version, state }: Named & { version: number | null; state: 'ours' | 'theirs' },
): Promise<boolean> {
  const rows = await db.run(
    'end_contradiction',
    `WITH changed_order AS (
       UPDATE payment.orders o
       SET
         version = version + 1,
         updated_at = payment.now(),
         contradicted = nullif(0 < (
           SELECT count(*)
           FROM payment.contradictions other
           WHERE other.order_id = :order_id
             AND other.merchant_account_id = :merchant_account_id
             AND other.state = 'open'
             AND other.operation_id <> :operation_id
         ), false)
       WHERE o.id = :order_id
         AND o.merchant_account_id = :merchant_account_id
         AND (:version::int IS NULL OR o.version = :version)
       RETURNING o.updated_at
     )
     UPDATE payment.contradictions c
     SET state = :state, settled_at = changed_order.updated_at
     FROM changed_order
     WHERE c.order_id = :order_id
       AND c.operation_id = :operation_id
       AND c.merchant_account_id = :merchant_account_id
       AND c.state = 'open'
     RETURNING 1`,
    {
      version,
      state,
      merchant_account_id: bytes(merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation_id),
    },
  );
  return rows.length > 0;
}

/** Sets when the provider is asked again; at once if a person wants to know. False: no contradiction is open. */
export async function askContradictionIn(
  db: TenantRunner,
  { order_id, operation_id, retry_s }: Named & { readonly retry_s: number },
): Promise<boolean> {
  const rows = await db.run(
    'ask_contradiction_in',
    `UPDATE payment.contradictions
     SET due_at = payment.now() + make_interval(secs => :retry_s)
     WHERE order_id = :order_id
       AND operation_id = :operation_id
       AND merchant_account_id = :merchant_account_id
       AND state = 'open'
     RETURNING 1`,
    {
      retry_s,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation_id),
    },
  );
  return rows.length > 0;
}

export type ClaimedContradiction = Named & { readonly merchant_account_id: string; readonly tries: number };

/** Claims contradictions whose provider is due to be asked, each for one worker at a time. */
export async function claimContradictions(
  db: Runner,
  claim: { room: number; lease_s: number },
): Promise<readonly ClaimedContradiction[]> {
  return db.run<ClaimedContradiction>(
    'claim_contradictions',
    `-- any account: those of all of them
     SELECT order_id, operation_id, merchant_account_id, tries
     FROM payment.claim_contradictions(:room, make_interval(secs => :lease_s))`,
    claim,
  );
}
