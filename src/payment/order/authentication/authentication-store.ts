// Statements on authentications. Every move of one is a move of its order: guarded by the order's version, one commit.
import type { OrderStatus } from '../../../core/states.ts';
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Demand, Version } from '../../../provider/three-ds/contract.ts';
import { insertOperation } from '../facts/parts-store.ts';
import type { AuthenticationState } from '../facts/authentication-facts.ts';

export type NewAuthentication = {
  readonly id: string;
  readonly demand: Demand;
  /** 64 hex characters. */
  readonly handle: string;
  readonly partner: string;
  /** After this many seconds any process may take the authentication up. */
  readonly lease_s: number;
};

export type StoredAuthentication = NewAuthentication & {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly request_id: string | null;
};

/** Within the transaction that stores its attempt. */
export async function insertAuthentication(db: Runner, inserted: StoredAuthentication): Promise<void> {
  const { merchant_account_id, ...row } = inserted;
  await db.run(
    'insert_authentication',
    `INSERT INTO payment.authentications (
       id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand,
       handle, partner, request_id, created_at,
       due_at)
     SELECT
       :id, o.id, :transaction_id, :merchant_account_id::bytea, o.order_merchant_id, :demand,
       :handle, :partner, :request_id, o.updated_at,
       payment.now() + make_interval(secs => :lease_s)
     FROM payment.orders o
     WHERE o.id = :order_id
       AND o.merchant_account_id = :merchant_account_id`,
    {
      ...row,
      merchant_account_id: bytes(merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      request_id: bytes(row.request_id),
      handle: bytes(row.handle),
    },
  );
}

export type AuthenticationMove = {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly version: number;
  readonly status: OrderStatus;
  readonly live: boolean;
  /** silent: passed within the accepting request, so no notification is sent (contract 13.2). */
  readonly events: readonly { readonly type: OrderStatus; readonly code: string; readonly silent?: boolean }[];
  readonly request_id: string | null;
  readonly state: AuthenticationState;
  readonly code: string | null;
  /** When it is looked at next. */
  readonly due_s: number;
  readonly learnt: Learnt;
  /** The authorization that is sent now; undefined: none. */
  readonly authorize: { readonly with_capture: boolean; readonly lease_s: number } | undefined;
  /**
   * Rules were asked again: where it goes, and the note of that; of what they refuse '' and null. Undefined: it stays.
   */
  readonly reroute?:
    | { readonly provider: string; readonly contract_id: string | null; readonly note: string }
    | undefined;
};

/** Null: nothing new. */
export type Learnt = {
  readonly protocol: Version | null;
  readonly server_id: string | null;
  readonly acs_transaction_id: string | null;
  readonly acs_url: string | null;
  readonly method_url: string | null;
  readonly trans_status: string | null;
  readonly eci: string | null;
  readonly ds_transaction_id: string | null;
  readonly liability_shifted: boolean;
};

/**
 * False: the order moved since `version`, and nothing was done. Throws `one_at_provider` or `one_paid` where another
 * order took its place.
 */
export async function moveAuthentication(db: TenantRunner, move: AuthenticationMove): Promise<boolean> {
  const { learnt, authorize, events, reroute, ...row } = move;
  const rows = await db.run(
    'move_authentication',
    // one statement: the authentication, its order and the authorization that follows move in one commit and one round
    // trip
    `WITH changed_order AS (
       UPDATE payment.orders
       SET
         version = version + greatest(1, cardinality(:event_types::text[])),
         next_seq = next_seq + cardinality(:event_types::text[]),
         updated_at = payment.now(),
         status = :status,
         live = :live
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
         AND live
       RETURNING
         id, amount_minor, currency, order_merchant_id, version, updated_at,
         next_seq - cardinality(:event_types::text[]) AS seq
     ),
     changed_authentication AS (
       UPDATE payment.authentications a
       SET
         state = :state,
         code = coalesce(:code, a.code),
         version = coalesce(:protocol, a.version),
         server_id = coalesce(:server_id, a.server_id),
         acs_transaction_id = coalesce(:acs_transaction_id, a.acs_transaction_id),
         acs_url = coalesce(:acs_url, a.acs_url),
         method_url = coalesce(:method_url, a.method_url),
         trans_status = coalesce(:trans_status, a.trans_status),
         eci = coalesce(:eci, a.eci),
         ds_transaction_id = coalesce(:ds_transaction_id, a.ds_transaction_id),
         liability_shifted = :liability_shifted,
         settled_at = CASE
           WHEN :state IN ('successful', 'declined') THEN changed_order.updated_at
         END,
         due_at = changed_order.updated_at + make_interval(secs => :due_s)
       FROM changed_order
       WHERE a.order_id = changed_order.id
         AND a.transaction_id = :transaction_id
         AND a.merchant_account_id = :merchant_account_id
     ),
     changed_transaction AS (
       UPDATE payment.transactions t
       SET
         dead = t.dead OR NOT :live,
         provider = CASE WHEN :reroutes THEN :provider ELSE t.provider END,
         contract_id = CASE WHEN :reroutes THEN :contract_id ELSE t.contract_id END,
         route = CASE WHEN :reroutes THEN :note::json ELSE t.route END
       FROM changed_order
       WHERE (NOT :live OR :reroutes)
         AND t.order_id = changed_order.id
         AND t.id = :transaction_id
         AND t.merchant_account_id = :merchant_account_id
     ),
     new_operation AS (${insertOperation(
       {
         id: ':transaction_id',
         order_id: 'changed_order.id',
         transaction_id: ':transaction_id',
         provider: 'CASE WHEN :reroutes THEN :provider ELSE t.provider END',
         kind: `'authorize'`,
         amount_minor: 'changed_order.amount_minor',
         currency: 'changed_order.currency',
         with_capture: ':with_capture',
         order_merchant_id: 'changed_order.order_merchant_id',
         request_id: ':request_id',
         created_at: 'changed_order.updated_at',
         due_at: 'changed_order.updated_at + make_interval(secs => :lease_s)',
       },
       `FROM changed_order
         JOIN payment.transactions t
           ON t.order_id = changed_order.id
           AND t.id = :transaction_id
           AND t.merchant_account_id = :merchant_account_id
         WHERE :authorizes`,
     )}),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type,
         code, request_id,
         order_version,
         at, silent)
       SELECT
         changed_order.id, changed_order.seq + event.n - 1, :merchant_account_id, event.type,
         event.code, :request_id,
         changed_order.version - cardinality(:event_types::text[]) + event.n,
         changed_order.updated_at, event.silent
       FROM changed_order,
         unnest(:event_types, :event_codes::text[], :event_silent::boolean[]) WITH ORDINALITY
           AS event (type, code, silent, n)
     )
     SELECT 1 AS moved FROM changed_order`,
    {
      ...row,
      ...learnt,
      authorizes: authorize !== undefined,
      reroutes: reroute !== undefined,
      provider: reroute?.provider ?? '',
      contract_id: bytes(reroute?.contract_id ?? null),
      note: reroute?.note ?? null,
      with_capture: authorize?.with_capture ?? false,
      lease_s: authorize?.lease_s ?? 0,
      event_types: events.map((event) => event.type),
      event_codes: events.map((event) => event.code),
      event_silent: events.map((event) => String(event.silent ?? false)),
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      request_id: bytes(row.request_id),
    },
  );
  return rows.length > 0;
}

/** Stores what the directory said of the card, before the bank is asked: a later message must name this server's id. */
export async function noteEnrolment(
  db: TenantRunner,
  noted: {
    readonly order_id: string;
    readonly transaction_id: string;
    readonly server_id: string;
    readonly protocol: Version;
  },
): Promise<void> {
  await db.run(
    'note_enrolment',
    `UPDATE payment.authentications
     SET server_id = :server_id, version = :protocol
     WHERE order_id = :order_id
       AND transaction_id = :transaction_id
       AND merchant_account_id = :merchant_account_id
       AND state IN ('requested', 'method')`,
    {
      ...noted,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(noted.order_id),
      transaction_id: bytes(noted.transaction_id),
    },
  );
}

export type Claimed = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly tries: number;
};

/** Claims authentications that are due, each for one worker at a time. */
export async function claimAuthentications(
  db: Runner,
  claim: { readonly room: number; readonly lease_s: number },
): Promise<readonly Claimed[]> {
  return db.run<Claimed>(
    'claim_authentications',
    `-- any account: the queue of all of them
     SELECT merchant_account_id, order_id, transaction_id, tries
     FROM payment.claim_authentications(:room, make_interval(secs => :lease_s))`,
    claim,
  );
}

/** The authentication of a page. Undefined: the page belongs to none. */
export async function findAuthenticationPage(db: Runner, handle: string): Promise<Omit<Claimed, 'tries'> | undefined> {
  const rows = await db.run<Omit<Claimed, 'tries'>>(
    'find_authentication_page',
    `-- any account: the handle says which one it is
     SELECT merchant_account_id, order_id, transaction_id
     FROM payment.order_of_page(:handle)`,
    { handle: bytes(handle) },
  );
  return rows[0];
}

/** The token an attempt pays with: what the vault knows the card by. */
export async function findTokenHash(
  db: TenantRunner,
  { order_id, transaction_id }: { readonly order_id: string; readonly transaction_id: string },
): Promise<string | undefined> {
  const rows = await db.run<{ token_hash: string }>(
    'find_token_hash',
    `SELECT token_hash
     FROM payment.transactions
     WHERE order_id = :order_id
       AND id = :transaction_id
       AND merchant_account_id = :merchant_account_id`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      transaction_id: bytes(transaction_id),
    },
  );
  return rows[0]?.token_hash;
}

/**
 * The bank is asked after its look at the browser, by one process: false for all others. It may be taken up again after
 * the lease.
 */
export async function beginAsking(
  db: TenantRunner,
  asked: { readonly order_id: string; readonly transaction_id: string; readonly lease_s: number },
): Promise<boolean> {
  const rows = await db.run(
    'begin_asking',
    `UPDATE payment.authentications
     SET method_url = NULL, due_at = payment.now() + make_interval(secs => :lease_s)
     WHERE order_id = :order_id
       AND transaction_id = :transaction_id
       AND merchant_account_id = :merchant_account_id
       AND state = 'method'
       AND method_url IS NOT NULL
     RETURNING 1`,
    {
      ...asked,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(asked.order_id),
      transaction_id: bytes(asked.transaction_id),
    },
  );
  return rows.length > 0;
}
