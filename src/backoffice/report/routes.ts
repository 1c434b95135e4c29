// Reports: made once or by a schedule, by the worker; taken out here.
import { Readable } from 'node:stream';
import { DAY_MS } from '../../core/durations.ts';
import { oneOf, text, withoutCard } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { toCount } from '../../core/money.ts';
import { type FieldProblem, Refusal, refuseField, refuseProblems } from '../../core/refusals.ts';
import { type Day, EVERY, type Span, beginOfDay, isZone, localText, nextMoment } from '../../core/zone.ts';
import { required } from '../../core/shape.ts';
import { type TenantRunner, storable, withTransaction } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { lockAccount } from '../../payment/merchant/store.ts';
import { FULL, MOST_KEPT_BYTES, MOST_ROWS, readRun } from '../../payment/report/make.ts';
import { deletePieces } from '../../payment/report/piece-store.ts';
import {
  FORMATS,
  KINDS,
  type RunRow,
  countWaiting,
  deleteReport,
  dropRun,
  findRun,
  insertReport,
  insertRun,
  listReports,
  listRuns,
  sumKept,
} from '../../payment/report/store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { fileHeaders } from '../file.ts';
import type { ReportForm, ReportRun, Reports } from '../wire/reports.ts';

const MOST_DAYS = 400;
const MOST_REPORTS = 50;
/** Asked for and not made yet: they are made one after the other, for all accounts. */
const MOST_WAITING = 10;
/** No report has it: all are counted. */
const NONE = '0'.repeat(24);

const FORM = {
  name: required(withoutCard(text(60))),
  kind: required(oneOf(...KINDS)),
  format: required(oneOf(...FORMATS)),
  every: required(oneOf(...EVERY)),
  zone: required(text(64)),
  from: text(10),
  to: text(10),
};

export function reportRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /reports',
      right: 'export',
      handle: (asked) => readReports(context, asked),
    }),
    backofficeRoute(context, {
      route: 'POST /reports',
      right: 'export',
      body: FORM,
      handle: (asked) => ask(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      route: 'DELETE /reports/:id',
      right: 'export',
      handle: (asked) => remove(context, asked),
    }),
    backofficeRoute(context, {
      route: 'DELETE /reports/:id/file',
      right: 'export',
      handle: (asked) => drop(context, asked),
    }),
    backofficeRoute(context, {
      route: 'GET /reports/:id/file',
      right: 'export',
      handle: (asked) => takeOut(context, asked),
    }),
  ];
}

async function readReports({ tools }: Pick<BackofficeContext, 'tools'>, { db }: BackofficeRequest): Promise<Reports> {
  const { report_days } = tools.retention;
  // a day more: bytes go when a worker comes to it
  const since = new Date(tools.clock.now().getTime() - (report_days + 1) * DAY_MS);
  const [reports, runs, kept] = await Promise.all([listReports(db), listRuns(db, since), sumKept(db, NONE)]);
  return {
    reports: reports.map((report) => ({ ...report, next_at: report.next_at.toISOString() })),
    runs: runs.map((run) => viewRun(run, report_days)),
    most_rows: MOST_ROWS,
    kept_days: report_days,
    kept_bytes: toCount(kept),
    most_kept_bytes: MOST_KEPT_BYTES,
  };
}

function viewRun({ report_id: _, tries: __, made_at: ___, ...run }: RunRow, report_days: number): ReportRun {
  return {
    ...run,
    size: toCount(run.size),
    from_at: run.from_at.toISOString(),
    to_at: run.to_at.toISOString(),
    from_local: localText(run.from_at, run.zone),
    to_local: localText(run.to_at, run.zone),
    created_at: run.created_at.toISOString(),
    gone_at: new Date(run.created_at.getTime() + report_days * DAY_MS).toISOString(),
  };
}

async function ask({ tools }: BackofficeContext, asked: BackofficeRequest, form: ReportForm): Promise<Reports> {
  const { kind, format, every, zone } = form;
  const name = storable(form.name).trim();
  const refusal = refuseProblems(problemsOf(name, form));
  if (refusal) throw refusal;
  const by = asked.principal.person.email;
  const id = tools.chance.id();
  const span = every === 'once' ? spanOf(form) : undefined;
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    await requireRoom(tx, span);
    if (span) {
      const run = { id, report_id: null, from_at: span.from, to_at: span.to, requested_by: by };
      await insertRun(tx, { ...run, name, kind, format, zone });
    } else if (every !== 'once') {
      const next_at = nextMoment(every, zone, tools.clock.now());
      await insertReport(tx, { id, name, kind, format, every, zone, next_at, created_by: by });
    }
    const { from, to } = form;
    const detail = { kind, format, every, zone, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    await asked.record(tx, { action: 'report asked for', object: id, detail });
  });
  tools.wake_up.wake();
  return readReports({ tools }, asked);
}

/** Many that are asked for at one moment are no way around it. */
async function requireRoom(tx: TenantRunner, span: Span | undefined): Promise<void> {
  await lockAccount(tx);
  if (!span && (await listReports(tx)).length >= MOST_REPORTS)
    throw new Refusal('change_conflict', { detail: `an account has at most ${MOST_REPORTS} reports by schedule` });
  if (span && (await countWaiting(tx)) >= MOST_WAITING)
    throw new Refusal('change_conflict', {
      detail: `${MOST_WAITING} reports are still being made: ask again when one of them is there`,
    });
  if (span && (await sumKept(tx, NONE)) >= MOST_KEPT_BYTES) throw new Refusal('change_conflict', { detail: FULL });
}

/** Everything that is wrong with it beside its shape, at once. */
function problemsOf(name: string, { zone, every, from, to }: ReportForm): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (name === '') problems.push({ field: 'name', refusal: 'parameter_missing', message: 'is empty' });
  if (!isZone(zone))
    problems.push({ field: 'zone', refusal: 'parameter_invalid', message: 'is no time zone, such as Europe/Paris' });
  if (every !== 'once') return problems;
  for (const [field, given] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const refusal = given === undefined ? 'parameter_missing' : 'parameter_invalid';
    if (!dayOf(given)) problems.push({ field, refusal, message: 'must be a day: 2027-03-31' });
  }
  return problems;
}

/** A span of whole days; the first and the last are included. */
function spanOf({ zone, from, to }: ReportForm): Span | undefined {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (!first || !last) return undefined;
  const span = { from: beginOfDay(first, zone), to: beginOfDay({ ...last, day: last.day + 1 }, zone) };
  if (span.to <= span.from) throw refuseField('to', 'parameter_invalid', 'is before the first day');
  // by the calendar: clocks that are put back make some days longer
  const atUtc = (day: Day) => beginOfDay(day, 'UTC').getTime();
  if (atUtc(last) - atUtc(first) >= MOST_DAYS * DAY_MS)
    throw refuseField('to', 'parameter_invalid', `makes a report of more than ${MOST_DAYS} days`);
  return span;
}

/** Undefined: it is no day. */
function dayOf(given: string | undefined): Day | undefined {
  const [, year = '', month = '', day = ''] = /^([12]\d{3})-(\d\d)-(\d\d)$/.exec(given ?? '') ?? [];
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day)) return undefined;
  return { year: Number(year), month: Number(month), day: Number(day) };
}

/** Removes a schedule; reports that it made stay until their days are over. */
async function remove({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Reports> {
  const id = asked.params['id'] ?? '';
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (!isId(id) || !(await deleteReport(tx, id))) throw unknown('report');
    await asked.record(tx, { action: 'report removed', object: id });
  });
  return readReports({ tools }, asked);
}

/** Deletes a report's bytes at once; its line in the list stays. */
async function drop({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Reports> {
  const id = asked.params['id'] ?? '';
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (!isId(id) || !(await dropRun(tx, id))) throw unknown('report');
    await deletePieces(tx, id);
    await asked.record(tx, { action: 'report deleted', object: id });
  });
  return readReports({ tools }, asked);
}

async function takeOut({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Answer> {
  const id = asked.params['id'] ?? '';
  const run = isId(id) ? await findRun(asked.db, id) : undefined;
  if (run?.state !== 'done') throw unknown('report');
  const { kind, rows, format, size } = run;
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: 'report taken out', object: id, detail: { kind, rows } }),
  );
  const file = Readable.from(readRun(tools, { merchant_account_id: asked.account_id, id, size }));
  const day = localText(run.from_at, run.zone).slice(0, 10);
  return { body: {}, file, headers: fileHeaders(`${kind}-${day}`, format) };
}
