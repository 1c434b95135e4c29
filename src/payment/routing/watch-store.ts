// Statements on what contracts decline, compared within a family: the contracts of one account with one scheme.
import type { DeclineCounts, DeclineWatch } from '../../core/routing/decline-watch.ts';
import { type Runner, bytes } from '../../kit/database.ts';

type Of = { readonly contract_id: string; readonly provider: string };
export type FamilyCounts = DeclineCounts & Of & { readonly family: string };
/** The states by contract. */
export type Watches = Readonly<Record<string, { readonly provider: string; readonly watch: DeclineWatch }>>;
export type FamilyRow = { readonly family: string; readonly watches: Watches };

/** Adds what a process has counted since the last time. */
export async function insertDeclineCounts(db: Runner, counts: readonly FamilyCounts[]): Promise<void> {
  await db.run(
    'insert_decline_counts',
    `-- any account: figures of all contracts are looked at together
     INSERT INTO payment.decline_counts (family, contract_id, provider, seen, bad)
     SELECT *
     FROM unnest(
       :families::text[], :contracts::bytea[], :providers::text[], :seen::int[], :bad::int[])`,
    {
      families: counts.map(({ family }) => family),
      contracts: counts.map(({ contract_id }) => bytes(contract_id)),
      providers: counts.map(({ provider }) => provider),
      seen: counts.map(({ seen }) => seen),
      bad: counts.map(({ bad }) => bad),
    },
  );
}

/** Families in which a contract is given fewer payments. */
export async function findUnwellFamilies(db: Runner): Promise<readonly FamilyRow[]> {
  return db.run<FamilyRow>(
    'find_unwell_families',
    `-- any account: figures of all contracts are looked at together
     SELECT family, watches
     FROM payment.decline_watches
     WHERE unwell
       AND family > ''`,
  );
}

export type UnwatchedFamily = {
  readonly family: string;
  /** Null: it was never looked at. */
  readonly watches: Watches | null;
  readonly counts: readonly (DeclineCounts & Of)[];
  readonly watched_to: Date;
  readonly to: Date;
};

/**
 * Families with payments that no process has looked at, or with one that is left. What was written this second is left
 * out, and what was not looked at for a minute.
 */
export async function findUnwatchedFamilies(db: Runner): Promise<readonly UnwatchedFamily[]> {
  return db.run<UnwatchedFamily>(
    'find_unwatched_families',
    `-- any account: figures of all contracts are looked at together
     WITH moment AS (
       SELECT date_trunc('milliseconds', payment.now()) - interval '1 second' AS to
     ),
     counted AS (
       SELECT c.family, c.contract_id, c.provider, sum(c.seen)::int AS seen, sum(c.bad)::int AS bad
       FROM payment.decline_counts c
       CROSS JOIN moment
       WHERE c.at > moment.to - interval '1 minute'
         AND c.at <= moment.to
         AND c.at > coalesce(
           (SELECT w.watched_to FROM payment.decline_watches w WHERE w.family = c.family),
           '-infinity')
       GROUP BY 1, 2, 3
     ),
     families AS (
       SELECT
         family,
         json_agg(json_build_object(
           'contract_id', encode(contract_id, 'hex'), 'provider', provider,
           'seen', seen, 'bad', bad)) AS counts
       FROM counted
       GROUP BY family
     ),
     looked_at AS (
       SELECT family FROM families
       UNION
       SELECT family
       FROM payment.decline_watches
       WHERE unwell
         AND family > ''
     )
     SELECT
       l.family, coalesce(f.counts, '[]') AS counts, moment.to,
       (SELECT w.watches FROM payment.decline_watches w WHERE w.family = l.family) AS watches,
       coalesce(
         (SELECT w.watched_to FROM payment.decline_watches w WHERE w.family = l.family),
         '-infinity') AS watched_to
     FROM looked_at l
     CROSS JOIN moment
     LEFT JOIN families f ON f.family = l.family`,
  );
}

export type WatchedFamily = FamilyRow & {
  readonly unwell: boolean;
  /** The value that was read before: if several processes look at the same payments, only one of them writes. */
  readonly watched_to: Date;
  readonly to: Date;
};

export type ContractChange = Of & {
  readonly family: string;
  readonly scheme: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
};

/**
 * Writes the states of all families in one statement. If another process has looked at a family meanwhile, its states
 * and changes stay.
 */
export async function putWatches(
  db: Runner,
  families: readonly WatchedFamily[],
  changes: readonly ContractChange[],
): Promise<void> {
  await db.run(
    'put_decline_watches',
    `-- any account: figures of all contracts are looked at together
     WITH asked AS (
       SELECT *
       FROM unnest(
         :families::text[], :watches::json[], :unwell::boolean[],
         :read_to::timestamptz[], :to::timestamptz[])
         AS a (family, watches, unwell, read_to, to_at)
     ),
     written AS (
       INSERT INTO payment.decline_watches AS w (family, watches, unwell, watched_to)
       SELECT family, watches, unwell, to_at
       FROM asked
       ORDER BY family
       ON CONFLICT (family) DO UPDATE SET
         watches = excluded.watches,
         unwell = excluded.unwell,
         watched_to = excluded.watched_to
       WHERE w.watched_to = (SELECT read_to FROM asked WHERE asked.family = w.family)
       RETURNING w.family
     )
     INSERT INTO payment.health_changes (
       provider, contract_id, scheme, from_state, to_state, reason)
     SELECT c.provider, c.contract_id, c.scheme, c.from_state, c.to_state, c.reason
     FROM unnest(
       :of::text[], :providers::text[], :contracts::bytea[], :schemes::text[], :from_states::text[],
       :to_states::text[], :reasons::text[])
       AS c (family, provider, contract_id, scheme, from_state, to_state, reason)
     JOIN written ON written.family = c.family`,
    {
      families: families.map(({ family }) => family),
      watches: families.map(({ watches }) => JSON.stringify(watches)),
      unwell: families.map(({ unwell }) => (unwell ? 't' : 'f')),
      read_to: families.map(({ watched_to }) => watched_to),
      to: families.map(({ to }) => to),
      of: changes.map(({ family }) => family),
      providers: changes.map(({ provider }) => provider),
      contracts: changes.map(({ contract_id }) => bytes(contract_id)),
      schemes: changes.map(({ scheme }) => scheme),
      from_states: changes.map(({ from }) => from),
      to_states: changes.map(({ to }) => to),
      reasons: changes.map(({ reason }) => reason),
    },
  );
}

/** Deletes counts that are an hour old: no process looks at them. */
export async function forgetDeclineCounts(db: Runner): Promise<void> {
  await db.run(
    'forget_decline_counts',
    `-- any account: figures of all contracts are looked at together
     DELETE FROM payment.decline_counts c
     USING (SELECT payment.now() - interval '1 hour' AS before) AS moment
     WHERE c.at < moment.before`,
  );
}
