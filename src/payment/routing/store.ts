// Statements on the health of providers, and on what orders were paid with. A provider without a row is well.
import type { Watch } from '../../core/routing/health.ts';
import type { Cell } from '../../core/routing/lint.ts';
import { type Database, type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { RouteNote } from './note.ts';

/** Providers that are given no new payments. */
export async function findOpenProviders(db: Runner): Promise<readonly string[]> {
  const rows = await db.run<{ name: string }>(
    'find_open_providers',
    `-- any account: a provider's health is everybody's
     SELECT name FROM payment.providers WHERE coalesce(held, health) = 'open'`,
  );
  return rows.map(({ name }) => name);
}

type Watching = { readonly name: string; readonly watch: Watch };

export async function openProvider(
  db: Runner,
  { name, watch, probe_s }: Watching & { readonly probe_s: number },
): Promise<void> {
  await db.run(
    'open_provider',
    `-- any account: a provider's health is everybody's
     WITH before AS (
       SELECT health FROM payment.providers WHERE name = :name
     ),
     opened AS (
       INSERT INTO payment.providers (name, health, watch, next_probe_at)
       VALUES (:name, 'open', :watch::json, payment.now() + make_interval(secs => :probe_s))
       ON CONFLICT (name) DO UPDATE SET
         health = 'open',
         watch = excluded.watch,
         next_probe_at = excluded.next_probe_at
       WHERE providers.health <> 'open'
       RETURNING name
     )
     INSERT INTO payment.health_changes (provider, from_state, to_state, reason)
     SELECT name, coalesce((SELECT health FROM before), 'closed'), 'open', :reason
     FROM opened`,
    { name, watch: JSON.stringify(watch), probe_s, reason: 'calls in a row went unanswered' },
  );
}

/** Takes the right to look whether a provider is back: one process at a time. */
export async function claimProbes(db: Runner, probe_s: number): Promise<readonly string[]> {
  const rows = await db.run<{ name: string }>(
    'claim_probes',
    `-- any account: a provider's health is everybody's
     UPDATE payment.providers
     SET next_probe_at = payment.now() + make_interval(secs => :probe_s)
     WHERE health = 'open'
       AND next_probe_at <= payment.now()
     RETURNING name`,
    { probe_s },
  );
  return rows.map(({ name }) => name);
}

/**
 * The provider answers again: what waits for it is looked at within the next seconds, new payments come back by halves.
 */
export async function closeProvider(
  db: Database,
  { name, watch, spread_s }: Watching & { readonly spread_s: number },
): Promise<void> {
  await db.run(
    'close_provider',
    `-- any account: a provider's health is everybody's
     WITH closed AS (
       UPDATE payment.providers
       SET health = :health, watch = :watch::json
       WHERE name = :name
         AND health = 'open'
       RETURNING name
     )
     INSERT INTO payment.health_changes (provider, from_state, to_state, reason)
     SELECT name, 'open', :health, 'it has answered a probe'
     FROM closed`,
    { name, health: watch.state, watch: JSON.stringify(watch) },
  );
  await db.run(
    'wake_provider',
    `-- any account: what waits for a provider, of all of them
     SELECT payment.wake_provider(:name, make_interval(secs => :spread_s))`,
    { name, spread_s },
  );
}

/**
 * Currencies and schemes of the account's orders from a day (of Unix time) on, from their kept sums: however many there
 * are.
 */
export async function findCells(db: TenantRunner, from_day: number): Promise<readonly Cell[]> {
  return db.run<Cell>(
    'find_route_cells',
    `SELECT DISTINCT s.currency, s.name AS scheme
     FROM payment.order_sums s
     WHERE s.merchant_account_id = :merchant_account_id
       AND s.facet = 'scheme'
       AND s.hours = 24
       AND s.at >= :from_day
       AND s.name <> ''
     ORDER BY 1, 2`,
    { merchant_account_id: bytes(db.merchant_account_id), from_day },
  );
}

export type StoredAttempt = {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly at: Date;
  readonly attempt: number;
  /** The order was tried again: its fields are those of the last attempt. */
  readonly again: boolean;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly checkout_id: string | null;
  /** The order's own members over its checkout's. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly scheme: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly token_type: string | null;
  readonly card_digest: string | null;
  readonly network_token: boolean;
  readonly provider: string;
  readonly contract_id: string | null;
  /** Of a later try: where the try before was. */
  readonly contract_before: string | null;
  readonly marked: boolean;
  /** No contract was ever chosen for it. */
  readonly refused_by_risk: boolean;
  readonly route: RouteNote | null;
  /** Its own; null: none was made, or it was not asked for. */
  readonly authentication: {
    readonly state: string;
    readonly trans_status: string | null;
    readonly eci: string | null;
    readonly liability_shifted: boolean;
  } | null;
  /** Of its authorization; null: not decided, or nothing was sent. */
  readonly approved: boolean | null;
};

export type AttemptsAsked = {
  /** Of orders with a greater id, up to another one. */
  readonly after: string;
  readonly to: string;
  readonly room: number;
  /** Whether a rule asks how authentications ended. */
  readonly ended: boolean;
};

/** As two texts, which are read here for a third of what the database takes to make one of them. */
type StoredBodies = { readonly own: Body; readonly under: Body | null };
type Body = Readonly<Record<string, unknown>>;

/**
 * Attempts of `room` orders, order by order; fallbacks inside an attempt are none of their own.
 */
export async function findRouteAttempts(
  db: TenantRunner,
  { after, to, room, ended }: AttemptsAsked,
): Promise<readonly StoredAttempt[]> {
  const rows = await db.run<Omit<StoredAttempt, 'body'> & StoredBodies>(
    'find_route_attempts',
    `SELECT
       o.id AS order_id, t.id AS transaction_id, t.created_at AS at, t.attempt,
       o.attempts > 1 AS again, o.amount_minor, o.currency, o.checkout_id,
       o.body AS own, c.body AS under,
       t.payment_method_name AS scheme, t.first6, t.last4, t.token_type, t.card_digest,
       t.network_token, t.provider, t.contract_id, t.risk ->> 'marked' IS NOT NULL AS marked,
       coalesce(t.risk -> 'assessed' ->> 'code' LIKE '131%', false) AS refused_by_risk, t.route,
       CASE
         WHEN t.attempt > 1 AND a.id IS NOT NULL AND a.request_id IS NULL THEN (
           SELECT b.contract_id
           FROM payment.transactions b
           WHERE b.order_id = o.id
             AND b.merchant_account_id = :merchant_account_id
             AND b.attempt < t.attempt
           ORDER BY b.attempt DESC
           LIMIT 1
         )
       END AS contract_before,
       (
         SELECT json_build_object(
           'state', u.state, 'trans_status', u.trans_status, 'eci', u.eci,
           'liability_shifted', u.liability_shifted)
         FROM payment.authentications u
         WHERE :ended::boolean
           AND u.order_id = o.id
           AND u.transaction_id = t.id
           AND u.merchant_account_id = :merchant_account_id
       ) AS authentication,
       CASE
         WHEN a.state = 'successful' THEN true
         WHEN a.state = 'declined' THEN false
       END AS approved
     FROM (
       SELECT *
       FROM payment.orders x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id > :after
         AND x.id <= :to
       ORDER BY x.id
       LIMIT :room
     ) o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
       AND t.cascade_of IS NULL
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.transaction_id = t.id
       AND a.kind = 'authorize'
     ORDER BY o.id, t.attempt`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      after: bytes(after),
      to: bytes(to),
      room,
      ended,
    },
  );
  return rows.map((row) => Object.assign(row, { body: { ...row.under, ...row.own } }));
}

export type RoutedCell = Cell & {
  /** Null: it was refused. */
  readonly contract: string | null;
  readonly attempts: number;
  readonly approved: number;
};

type After = { readonly after: string };

/**
 * Where the attempts of orders after this id went, fallbacks included, and how many were approved there.
 */
export async function findRoutedCells(db: TenantRunner, { after }: After): Promise<readonly RoutedCell[]> {
  return db.run<RoutedCell>(
    'find_routed_cells',
    `SELECT
       o.currency, t.payment_method_name AS scheme, c.name AS contract, count(*)::int AS attempts,
       (count(*) FILTER (WHERE a.state = 'successful'))::int AS approved
     FROM payment.orders o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.contracts c
       ON c.id = t.contract_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.transaction_id = t.id
       AND a.kind = 'authorize'
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id > :after
       AND t.payment_method_name <> ''
     GROUP BY 1, 2, 3
     ORDER BY 1, 2, 4 DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after) },
  );
}

/** The newest order that is not among the `most` newest; undefined: none after this id is left out. */
export async function findOrderBeyond(
  db: TenantRunner,
  { after, most }: After & { readonly most: number },
): Promise<string | undefined> {
  const [row] = await db.run<{ id: string }>(
    'find_order_beyond',
    `SELECT id
     FROM payment.orders
     WHERE merchant_account_id = :merchant_account_id
       AND id > :after
     ORDER BY id DESC
     LIMIT 1
     OFFSET :most`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), most },
  );
  return row?.id;
}
