// Statements on experiments: one at a time for an account, whose rules travel with it while it runs.
import type { ExperimentInForce, Group } from '../../../core/routing/experiment.ts';
import type { Method, Metric, Verdict } from '../../../core/routing/learn/verdict.ts';
import type { DrawnBy } from '../../../core/routing/table.ts';
import { type TenantRunner, bytes } from '../../../kit/database.ts';

export type ExperimentRow = {
  readonly number: number;
  readonly version_a: number;
  readonly version_b: number;
  readonly share: number;
  readonly subject: DrawnBy;
  readonly method: Method;
  readonly metric: Metric;
  readonly started_at: Date;
  readonly ends_at: Date;
  readonly started_by: string;
  readonly reason: string;
  readonly verdict: Verdict | null;
  readonly verdict_at: Date | null;
  readonly ended_at: Date | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
};

/** The newest first; at most 100. */
export async function findExperiments(db: TenantRunner): Promise<readonly ExperimentRow[]> {
  return db.run<ExperimentRow>(
    'find_experiments',
    `SELECT
       number, version_a, version_b, share, subject, method, metric, started_at, ends_at,
       started_by, reason, verdict, verdict_at, ended_at, ended_by, end_reason
     FROM payment.experiments
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY number DESC
     LIMIT 100`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

type NewExperiment = Pick<
  ExperimentRow,
  'version_a' | 'version_b' | 'share' | 'subject' | 'method' | 'metric' | 'started_by' | 'reason'
> & { readonly days: number };

/** Answers its number. In a transaction that holds the account: the number is the next one. */
export async function insertExperiment(db: TenantRunner, experiment: NewExperiment): Promise<number> {
  const [row] = await db.run<{ number: number }>(
    'insert_experiment',
    `INSERT INTO payment.experiments (
       merchant_account_id, number,
       version_a, version_b, share, subject, method, metric, started_by, reason, ends_at)
     SELECT
       :merchant_account_id::bytea, coalesce(max(number), 0) + 1,
       :version_a::int, :version_b::int, :share::int, :subject, :method, :metric, :started_by,
       :reason, payment.now() + make_interval(days => :days)
     FROM payment.experiments
     WHERE merchant_account_id = :merchant_account_id
     RETURNING number`,
    { merchant_account_id: bytes(db.merchant_account_id), ...experiment },
  );
  return row?.number ?? 0;
}

/** Null: none travels with the account any more. */
export async function updateExperimentInForce(db: TenantRunner, experiment: ExperimentInForce | null): Promise<void> {
  await db.run(
    'update_experiment_in_force',
    `UPDATE payment.merchant_accounts
     SET settings = CASE
       WHEN :experiment::jsonb IS NULL THEN settings - 'experiment'
       ELSE settings || jsonb_build_object('experiment', :experiment::jsonb)
     END
     WHERE merchant_account_id = :merchant_account_id`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      experiment: experiment && JSON.stringify(experiment),
    },
  );
}

/** False: it has one, or has ended. */
export async function putVerdict(db: TenantRunner, number: number, verdict: Verdict): Promise<boolean> {
  const rows = await db.run(
    'put_experiment_verdict',
    `UPDATE payment.experiments
     SET verdict = :verdict, verdict_at = payment.now()
     WHERE merchant_account_id = :merchant_account_id
       AND number = :number
       AND verdict IS NULL
       AND ended_at IS NULL
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), number, verdict },
  );
  return rows.length > 0;
}

/** False: it has ended before. */
export async function putEnd(
  db: TenantRunner,
  number: number,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<boolean> {
  const rows = await db.run(
    'end_experiment',
    `UPDATE payment.experiments
     SET ended_at = payment.now(), ended_by = :by, end_reason = :reason
     WHERE merchant_account_id = :merchant_account_id
       AND number = :number
       AND ended_at IS NULL
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), number, by, reason },
  );
  return rows.length > 0;
}

export type GroupCount = {
  readonly number: number;
  readonly arm: Group;
  readonly hour: number;
  readonly decided: number;
  readonly approved: number;
  /**
   * The sum of what is left of the decided orders, each as a part of its amount; null: the comparison is by approval,
   * or the fees of an order are not known.
   */
  readonly kept: number | null;
};

/** Hours of an experiment from `hour` on, counted anew. */
export async function replaceGroupCounts(
  db: TenantRunner,
  { number, hour }: { readonly number: number; readonly hour: number },
  counts: readonly Omit<GroupCount, 'number'>[],
): Promise<void> {
  const of = { merchant_account_id: bytes(db.merchant_account_id), number };
  await db.run(
    'delete_experiment_counts',
    `DELETE FROM payment.experiment_counts
     WHERE merchant_account_id = :merchant_account_id
       AND number = :number
       AND hour >= :hour`,
    { ...of, hour },
  );
  if (counts.length === 0) return;
  await db.run(
    'insert_experiment_counts',
    `INSERT INTO payment.experiment_counts (
       merchant_account_id, number, arm, hour, decided, approved, kept)
     SELECT :merchant_account_id, :number, u.*
     FROM unnest(
       :arms::text[], :hours::int[], :decideds::int[], :approveds::int[], :kepts::float8[]
     ) AS u`,
    {
      ...of,
      arms: counts.map((one) => one.arm),
      hours: counts.map((one) => one.hour),
      decideds: counts.map((one) => one.decided),
      approveds: counts.map((one) => one.approved),
      kepts: counts.map((one) => one.kept),
    },
  );
}

/** The counts of all experiments of the account, added up from an hour on. */
export async function findGroupCounts(
  db: TenantRunner,
  from_hour: number,
): Promise<readonly Omit<GroupCount, 'hour'>[]> {
  return db.run<Omit<GroupCount, 'hour'>>(
    'find_experiment_counts',
    `SELECT
       number, arm, sum(decided)::int AS decided, sum(approved)::int AS approved,
       CASE
         WHEN bool_and(kept IS NOT NULL) THEN sum(kept)
       END AS kept
     FROM payment.experiment_counts
     WHERE merchant_account_id = :merchant_account_id
       AND hour >= :from_hour
     GROUP BY number, arm
     ORDER BY number, arm`,
    { merchant_account_id: bytes(db.merchant_account_id), from_hour },
  );
}
