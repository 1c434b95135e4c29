// Statements on reports: schedules and runs.
import { idAt } from '../../core/ids.ts';
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

export const KINDS = ['orders', 'captures', 'refunds', 'disputes', 'bookings'] as const;
export type Kind = (typeof KINDS)[number];
export const FORMATS = ['csv', 'jsonl', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

export type ReportRow = {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly format: Format;
  readonly every: 'daily' | 'weekly' | 'monthly';
  /** IANA: Europe/Paris. */
  readonly zone: string;
  readonly next_at: Date;
  readonly created_by: string;
};

export type RunRow = Pick<ReportRow, 'id' | 'name' | 'kind' | 'format' | 'zone'> & {
  readonly report_id: string | null;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly state: 'waiting' | 'done' | 'failed' | 'gone';
  readonly rows: number;
  readonly size: bigint;
  readonly tries: number;
  readonly note: string;
  readonly requested_by: string;
  readonly created_at: Date;
  readonly made_at: Date | null;
};

export async function listReports(db: TenantRunner): Promise<readonly ReportRow[]> {
  return db.run<ReportRow>(
    'list_reports',
    `SELECT id, name, kind, format, every, zone, next_at, created_by
     FROM payment.reports
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY id
     LIMIT 200`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export async function findReport(db: TenantRunner, id: string): Promise<ReportRow | undefined> {
  const rows = await db.run<ReportRow>(
    'find_report',
    `SELECT id, name, kind, format, every, zone, next_at, created_by
     FROM payment.reports
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

export async function insertReport(db: TenantRunner, report: ReportRow): Promise<void> {
  await db.run(
    'insert_report',
    `INSERT INTO payment.reports (
       id, merchant_account_id, name, kind, format, every, zone, next_at, created_by)
     VALUES (
       :id, :merchant_account_id, :name, :kind, :format, :every, :zone, :next_at, :created_by)`,
    { ...report, merchant_account_id: bytes(db.merchant_account_id), id: bytes(report.id) },
  );
}

/** False: there is none such. */
export async function deleteReport(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'delete_report',
    `DELETE FROM payment.reports
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}

/** Plans the next one. False: another worker was first. */
export async function moveReport(
  db: TenantRunner,
  { id, next_at }: Pick<ReportRow, 'id' | 'next_at'>,
  after: Date,
): Promise<boolean> {
  const rows = await db.run(
    'move_report',
    `UPDATE payment.reports
     SET next_at = :after
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND next_at = :next_at
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), next_at, after },
  );
  return rows.length > 0;
}

/** The newest hundred, and every one from `since` on: those whose bytes may still be here. */
export async function listRuns(db: TenantRunner, since: Date): Promise<readonly RunRow[]> {
  const of = { merchant_account_id: bytes(db.merchant_account_id) };
  const [hundredth] = await db.run<{ id: string }>(
    'find_hundredth_report_run',
    `SELECT id
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY id DESC
     OFFSET 99
     LIMIT 1`,
    of,
  );
  const [first = ''] = [idAt(since.getTime()), hundredth?.id ?? idAt(0)].toSorted();
  return db.run<RunRow>(
    'list_report_runs',
    `SELECT
       id, report_id, name, kind, format, zone, from_at, to_at, state, rows, size, tries, note,
       requested_by, created_at, made_at
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
       AND id >= :first
     ORDER BY id DESC
     LIMIT 5000`,
    { ...of, first: bytes(first) },
  );
}

/** How many are still to be made. */
export async function countWaiting(db: TenantRunner): Promise<number> {
  const [row] = await db.run<{ waiting: number }>(
    'count_waiting_runs',
    `SELECT count(*)::int AS waiting
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'waiting'`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return row?.waiting ?? 0;
}

/** Bytes of all that is made or being made but this one. */
export async function sumKept(db: TenantRunner, but: string): Promise<bigint> {
  const [row] = await db.run<{ kept: bigint }>(
    'sum_kept_reports',
    `SELECT coalesce(sum(size) FILTER (WHERE id <> :but), 0)::bigint AS kept
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
       AND state IN ('waiting', 'done')`,
    { merchant_account_id: bytes(db.merchant_account_id), but: bytes(but) },
  );
  return row?.kept ?? 0n;
}

export async function findRun(db: TenantRunner, id: string): Promise<RunRow | undefined> {
  const rows = await db.run<RunRow>(
    'find_report_run',
    `SELECT
       id, report_id, name, kind, format, zone, from_at, to_at, state, rows, size, tries, note,
       requested_by, created_at, made_at
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

export type NewRun = Pick<
  RunRow,
  'id' | 'report_id' | 'name' | 'kind' | 'format' | 'zone' | 'from_at' | 'to_at' | 'requested_by'
>;

/** Nothing where a schedule made this span before. */
export async function insertRun(db: TenantRunner, run: NewRun): Promise<void> {
  await db.run(
    'insert_report_run',
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, report_id, name, kind, format, zone, from_at, to_at, requested_by)
     VALUES (
       :id, :merchant_account_id, :report_id, :name, :kind, :format, :zone, :from_at, :to_at,
       :requested_by)
     ON CONFLICT ON CONSTRAINT report_runs_span_once DO NOTHING`,
    {
      ...run,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(run.id),
      report_id: bytes(run.report_id),
    },
  );
}

export type RunEnd = {
  readonly id: string;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly rows: number;
  readonly size: number;
  readonly note: string;
};

/**
 * Locks a run until the commit, for the worker whose try it is. False: it has ended, or another worker has taken it up
 * since.
 */
export async function holdRun(db: TenantRunner, { id, tries }: Pick<RunRow, 'id' | 'tries'>): Promise<boolean> {
  const rows = await db.run(
    'hold_report_run',
    `SELECT 1
     FROM payment.report_runs
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND tries = :tries
       AND state = 'waiting'
     FOR UPDATE`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), tries },
  );
  return rows.length > 0;
}

/** Of a run that is held. */
export async function noteRun(db: TenantRunner, end: RunEnd): Promise<void> {
  await db.run(
    'note_report_run',
    `UPDATE payment.report_runs
     SET
       state = :state::text, rows = :rows, size = :size, note = :note,
       due_at = payment.now() + interval '2 minutes',
       made_at = CASE WHEN :state::text = 'done' THEN payment.now() END
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state NOT IN ('done', 'failed', 'gone')`,
    { ...end, merchant_account_id: bytes(db.merchant_account_id), id: bytes(end.id) },
  );
}

/** False: there is no finished one of that id. */
export async function dropRun(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'drop_report_run',
    `UPDATE payment.report_runs
     SET state = 'gone'
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state NOT IN ('waiting', 'failed', 'gone')
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}

export type Whose = { readonly merchant_account_id: string; readonly id: string };

export async function claimRun(db: Runner, lease_s: number): Promise<Whose | undefined> {
  const rows = await db.run<Whose>(
    'claim_report_run',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, id
     FROM payment.claim_report_run(make_interval(secs => :lease_s::double precision))`,
    { lease_s },
  );
  return rows[0];
}

export async function findDueReports(db: Runner, room: number): Promise<readonly Whose[]> {
  return db.run<Whose>(
    'find_due_reports',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, id
     FROM payment.due_reports(:room)`,
    { room },
  );
}

/** Bytes of reports that were asked for before this go; how many reports. */
export async function forgetReports(db: Runner, room: number, before: Date): Promise<number> {
  const [row] = await db.run<{ forgotten: number }>(
    'forget_reports',
    `-- any account: the worker does it for all of them
     SELECT payment.forget_reports(:room, :before) AS forgotten`,
    { room, before },
  );
  return row?.forgotten ?? 0;
}
