// Statements on the health of providers. A provider without a row is well.
import type { Counts, HealthState, Watch } from '../../core/routing/health.ts';
import type { Database, Runner } from '../../kit/database.ts';

export type HealthRow = {
  readonly name: string;
  readonly health: HealthState;
  readonly watch: Watch | null;
  /** The state that a person has set, whatever the calls show. */
  readonly held: 'open' | 'closed' | null;
};

export async function findHealth(db: Runner): Promise<readonly HealthRow[]> {
  return db.run<HealthRow>(
    'find_health',
    `-- any account: a provider's health is everybody's
     SELECT name, health, watch, held FROM payment.providers`,
  );
}

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

/** Adds what a process has counted since the last time. */
export async function insertCounts(
  db: Runner,
  counts: readonly (Counts & { readonly provider: string })[],
): Promise<void> {
  await db.run(
    'insert_health_counts',
    `-- any account: a provider's health is everybody's
     INSERT INTO payment.health_counts (provider, seen, bad, slow)
     SELECT *
     FROM unnest(:providers::text[], :seen::int[], :bad::int[], :slow::int[])`,
    {
      providers: counts.map(({ provider }) => provider),
      seen: counts.map(({ seen }) => seen),
      bad: counts.map(({ bad }) => bad),
      slow: counts.map(({ slow }) => slow),
    },
  );
}

export type Unwatched = Counts & HealthRow & { readonly watched_to: Date; readonly to: Date };

/**
 * Providers with calls that no process has looked at, or that are on their way back; what was written this second is
 * left.
 */
export async function findUnwatched(db: Runner): Promise<readonly Unwatched[]> {
  return db.run<Unwatched>(
    'find_unwatched_health',
    `-- any account: a provider's health is everybody's
     WITH moment AS (
       SELECT date_trunc('milliseconds', payment.now()) - interval '1 second' AS to
     ),
     counted AS (
       SELECT
         c.provider, sum(c.seen)::int AS seen, sum(c.bad)::int AS bad, sum(c.slow)::int AS slow
       FROM payment.health_counts c
       CROSS JOIN moment
       LEFT JOIN payment.providers p ON p.name = c.provider
       WHERE c.at > coalesce(p.watched_to, '-infinity')
         AND c.at <= moment.to
       GROUP BY c.provider
     )
     SELECT
       coalesce(p.name, c.provider) AS name, coalesce(p.health, 'closed') AS health,
       p.watch, p.held,
       coalesce(c.seen, 0) AS seen, coalesce(c.bad, 0) AS bad, coalesce(c.slow, 0) AS slow,
       coalesce(p.watched_to, '-infinity') AS watched_to, moment.to
     FROM counted c
     FULL JOIN payment.providers p ON p.name = c.provider
     CROSS JOIN moment
     WHERE c.provider IS NOT NULL
       OR p.health IN ('half', 'spread')`,
  );
}

export type Watched = {
  readonly name: string;
  readonly watch: Watch;
  /** The value that was read before: if several processes look at the same calls, only one of them writes. */
  readonly watched_to: Date;
  readonly to: Date;
  readonly from: HealthState;
  readonly reason: string;
};

/** False: another process has looked at these calls, or the state has changed meanwhile. */
export async function putWatch(db: Runner, { watch, ...row }: Watched): Promise<boolean> {
  const rows = await db.run(
    'put_health_watch',
    `-- any account: a provider's health is everybody's
     WITH written AS (
       INSERT INTO payment.providers (name, health, watch, watched_to)
       VALUES (:name, :health, :watch::json, :to)
       ON CONFLICT (name) DO UPDATE SET
         health = excluded.health,
         watch = excluded.watch,
         watched_to = excluded.watched_to
       WHERE providers.watched_to = :watched_to
         AND providers.health = :from
       RETURNING name
     ),
     changed AS (
       INSERT INTO payment.health_changes (provider, from_state, to_state, reason)
       SELECT name, :from, :health, :reason
       FROM written
       WHERE :from <> :health
     )
     SELECT 1 FROM written`,
    { ...row, health: watch.state, watch: JSON.stringify(watch) },
  );
  return rows.length > 0;
}

/** Deletes counts that are an hour old: no process looks at them. Answers nothing. */
export async function forgetCounts(db: Runner): Promise<void> {
  await db.run(
    'forget_health_counts',
    `-- any account: a provider's health is everybody's
     DELETE FROM payment.health_counts c
     USING (SELECT payment.now() - interval '1 hour' AS before) AS moment
     WHERE c.at < moment.before`,
  );
}

/** Null: it is what its calls say. False: it was held so already. */
export async function holdProvider(
  db: Runner,
  {
    name,
    held,
    until,
    by,
    reason,
    told,
  }: {
    readonly name: string;
    readonly held: 'open' | 'closed' | null;
    /** Null: until it is let go. */
    readonly until: Date | null;
    readonly by: string;
    /** The operator's reason, for operators alone. */
    readonly reason: string;
    /** The text that accounts read. */
    readonly told: string;
  },
): Promise<boolean> {
  const rows = await db.run(
    'hold_provider',
    `-- any account: a provider's health is everybody's
     WITH before AS (
       SELECT coalesce(held, health) AS was FROM payment.providers WHERE name = :name
     ),
     written AS (
       INSERT INTO payment.providers AS p (name, held, held_until)
       VALUES (:name, :held, :until)
       ON CONFLICT (name) DO UPDATE SET held = excluded.held, held_until = excluded.held_until
       WHERE (p.held, p.held_until) IS DISTINCT FROM (excluded.held, excluded.held_until)
       RETURNING coalesce(p.held, p.health) AS is
     )
     INSERT INTO payment.health_changes (provider, from_state, to_state, reason, told, by_name)
     SELECT :name, coalesce((SELECT was FROM before), 'closed'), written.is, :reason, :told, :by
     FROM written
     RETURNING 1`,
    { name, held, until, reason, told, by },
  );
  return rows.length > 0;
}

export type HealthChange = {
  readonly provider: string;
  /** Null: of the provider, for all its contracts. */
  readonly contract_id: string | null;
  /** The scheme of the declines that the change is about. */
  readonly scheme: string | null;
  readonly from_state: string;
  readonly to_state: string;
  readonly at: Date;
  readonly reason: string;
  /** The text that accounts read; null: they read the reason. */
  readonly told: string | null;
  readonly by_name: string | null;
};

/** The changes of the last hours, oldest first, and for each provider the change before them. */
export async function findHealthChanges(db: Runner, hours: number): Promise<readonly HealthChange[]> {
  return db.run<HealthChange>(
    'find_health_changes',
    `-- any account: a provider's health is everybody's
     SELECT
       c.provider, c.contract_id, c.scheme, c.from_state, c.to_state, c.at, c.reason,
       c.told, c.by_name
     FROM (SELECT payment.now() - make_interval(hours => :hours) AS since) AS moment
     JOIN payment.health_changes c ON c.at > moment.since
     ORDER BY c.at, c.id
     LIMIT 1000`,
    { hours },
  );
}
