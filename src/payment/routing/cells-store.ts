// Statements on the health of providers, and on what orders were paid with. A provider without a row is well.
import type { Watch } from '../../core/routing/health.ts';
import type { Cell } from '../../core/routing/lint.ts';
import { type Database, type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

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

export type RoutedCell = Cell & {
  /** Null: it was refused. */
  readonly contract: string | null;
  readonly attempts: number;
  readonly approved: number;
};

type After = { readonly after: string };

/** The contracts of all attempts (with fallbacks) of orders after this id, and how many attempts each approved. */
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
