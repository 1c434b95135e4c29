// Statements of the checks of the ledger. Each reads one page in one snapshot, so a check beside the running service
// sees no half of a commit.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { LedgerAccount } from '../../../core/ledger-accounts.ts';
import type { OPERATION_KINDS } from '../../../core/states.ts';
import type { Amounts } from '../../order-rules/amounts.ts';

export type AccountRow = { readonly merchant_account_id: string; readonly name: string };

/** Merchant accounts with ids after one, in the order of their ids. */
export async function findAccountsAfter(db: Runner, after: string, room: number): Promise<readonly AccountRow[]> {
  return db.run<AccountRow>(
    'find_accounts_after',
    `-- any account: the list of all of them
     SELECT merchant_account_id, name FROM payment.accounts_after(:after, :room)`,
    { after: bytes(after), room },
  );
}

/** Every merchant account, a page at a time. */
export async function* everyAccount(db: Runner): AsyncGenerator<AccountRow> {
  for (let after = '0'.repeat(24); ;) {
    const accounts = await findAccountsAfter(db, after, ACCOUNTS);
    yield* accounts;
    const last = accounts.at(-1);
    if (last === undefined) return;
    after = last.merchant_account_id;
  }
}

const ACCOUNTS = 500;

/** About how many orders there are, as the planner last counted; 0: not known. For a bar only. */
export async function estimateOrders(db: Runner): Promise<number> {
  const rows = await db.run<{ count: number }>(
    'estimate_orders',
    `-- any account: the size of the table
     SELECT greatest(reltuples, 0)::float8 AS count
     FROM pg_catalog.pg_class
     WHERE oid = 'payment.orders'::regclass`,
  );
  return rows[0]?.count ?? 0;
}

export type CheckedOperation = {
  readonly id: string;
  readonly transaction_id: string;
  readonly target_id: string | null;
  readonly provider: string;
  /** A dispute books as an operation does, under its own id. */
  readonly kind: (typeof OPERATION_KINDS)[number] | 'dispute';
  readonly state: string;
  readonly reason: string | null;
  readonly amount_minor: string;
  readonly currency: string;
  readonly with_capture: boolean;
  /** Microseconds count: what is settled by one commit has one moment. */
  readonly settled_at: string | null;
};

export type CheckedLine = {
  readonly source_id: string;
  readonly posting: 'book' | 'unbook';
  readonly line: number;
  readonly provider: string;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: string;
  readonly amount_minor: string;
};

/** An order with all that must agree with it. */
export type CheckedOrder = Amounts & {
  readonly id: string;
  readonly currency: string;
  readonly version: number;
  readonly next_seq: number;
  readonly winner_id: string | null;
  readonly events: number;
  readonly first_seq: number | null;
  readonly last_seq: number | null;
  readonly last_version: number | null;
  readonly operations: readonly CheckedOperation[];
  /** Rows of the ledger under the ids of its operations, by their key. */
  readonly lines: readonly CheckedLine[];
};

/** Orders of an account with ids after one, in the order of their ids. */
export async function findOrdersToCheck(
  db: TenantRunner,
  after: string,
  room: number,
): Promise<readonly CheckedOrder[]> {
  return db
    .run<CheckedOrder>(
      'find_orders_to_check',
      `SELECT
         o.id, o.currency, o.version, o.next_seq, o.winner_id, o.authorized_minor, o.released_minor,
         o.capturing_minor, o.captured_minor, o.refunding_minor, o.refunded_minor, e.events,
         e.first_seq, e.last_seq, e.last_version, p.operations, p.lines
       FROM (
         SELECT *
         FROM payment.orders x
         WHERE x.merchant_account_id = :merchant_account_id
           AND x.id > :after
         ORDER BY x.id
         LIMIT :room
       ) o
       CROSS JOIN LATERAL (
         SELECT
           count(*)::int AS events, min(v.seq) AS first_seq, max(v.seq) AS last_seq,
           max(v.order_version) AS last_version
         FROM payment.events v
         WHERE v.subject_id = o.id
           AND v.merchant_account_id = :merchant_account_id
       ) e
       CROSS JOIN LATERAL (
         SELECT
           coalesce(json_agg(json_build_object(
             'id', encode(q.id, 'hex'), 'transaction_id', encode(q.transaction_id, 'hex'),
             'target_id', encode(q.target_id, 'hex'), 'provider', q.provider, 'kind', q.kind,
             'state', q.state, 'reason', q.reason, 'amount_minor', q.amount_minor::text,
             'currency', q.currency, 'with_capture', q.with_capture, 'settled_at', q.settled_at)
             ORDER BY q.id), '[]') AS operations,
           coalesce(json_agg(l.own ORDER BY q.id) FILTER (WHERE l.own IS NOT NULL), '[]') AS lines
         FROM (
           SELECT
             id, order_id, merchant_account_id, transaction_id, target_id, provider, kind, state,
             reason, amount_minor, currency, with_capture, settled_at
           FROM payment.operations
           WHERE merchant_account_id = :merchant_account_id
           UNION ALL
           SELECT
             id, order_id, merchant_account_id, operation_id, operation_id, provider, 'dispute',
             state, NULL, amount_minor, currency, false, NULL
           FROM payment.disputes
           WHERE merchant_account_id = :merchant_account_id
         ) q
         CROSS JOIN LATERAL (
           SELECT json_agg(json_build_object(
             'source_id', encode(y.source_id, 'hex'), 'posting', y.posting, 'line', y.line,
             'provider', y.provider, 'debit', y.debit, 'credit', y.credit, 'currency', y.currency,
             'amount_minor', y.amount_minor) ORDER BY y.posting, y.line) AS own
           FROM payment.ledger_entries y
           WHERE y.source_id = q.id
             AND y.merchant_account_id = :merchant_account_id
         ) l
         WHERE q.order_id = o.id
       ) p
       ORDER BY o.id`,
      { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), room },
    )
    .then((rows) => rows.map((row) => ({ ...row, lines: row.lines.flat() })));
}

/** A row of the ledger and what it names, where that is there. */
export type LedgerRow = {
  readonly source_id: string;
  readonly posting: string;
  readonly line: number;
  readonly merchant_account_id: string;
  readonly order_id: string | null;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: string;
  readonly amount_minor: bigint;
  /** The account of the operation; null: there is no such operation. */
  readonly owner: string | null;
  readonly has_order: boolean;
};

export type LedgerPlace = { readonly source_id: string; readonly posting: string; readonly line: number };

/** Rows of the ledger behind a place, in the order of their key, of all merchant accounts. */
export async function findLedgerAfter(db: Runner, after: LedgerPlace, room: number): Promise<readonly LedgerRow[]> {
  return db.run<LedgerRow>(
    'find_ledger_after',
    `-- any account: a row that names a wrong account must be found too
     SELECT
       source_id, posting, line, merchant_account_id, order_id, debit, credit, currency,
       amount_minor, owner, has_order
     FROM payment.ledger_after(:source_id, :posting, :line, :room)`,
    { ...after, source_id: bytes(after.source_id), room },
  );
}
