// A trial of a draft on the orders of the last days: the same questions as for a new order, asked of the stored orders,
// in the order of time. Only orders that the draft lets through are counted.
import { DAY_MS } from '../../core/durations.ts';
import { makeId } from '../../core/ids.ts';
import { result } from '../../core/results.ts';
import type { RiskInForce, Rule, VelocityRule } from '../../core/risk/rules.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { type Counted, type RiskQuery, questionOf, verdictOf } from './assess.ts';
import { NOTHING_IN_FORCE } from './publish.ts';
import { type AttemptRow, findAttempts, findKinds, findListed } from './store.ts';
import { type Payment, hasherOf } from './subjects.ts';

const PAGE = 500;
const EXAMPLES = 5;

export type DryRun = {
  /** Attempts looked at, fallbacks inside one not counted. */
  readonly attempts: number;
  /** False: there were more orders than `most`; the newest of the days were not reached. */
  readonly complete: boolean;
  readonly refused: number;
  /** The number that the rules of the day really refused. */
  readonly refused_then: number;
  readonly rules: readonly RuleRun[];
};

export type RuleRun = {
  /** A rule's name, `block list` or `allow list`. */
  readonly rule: string;
  readonly code: string;
  readonly hits: number;
  /** How many of these orders were paid. */
  readonly paid: number;
  readonly order_ids: readonly string[];
};

/**
 * Plays a draft on the orders of the last `days` (7), at most `most` (50,000) of them. Writes nothing. Attempts of one
 * order are judged by the fields of the last one, which are the ones kept; an order that is not decided counts as it
 * stands now.
 */
export async function dryRun(
  tools: Pick<Tools, 'db' | 'clock' | 'secret_key'>,
  merchant_account_id: string,
  {
    rules,
    days = 7,
    most = 50_000,
  }: { readonly rules: readonly Rule[]; readonly days?: number; readonly most?: number },
): Promise<DryRun> {
  const db = tools.db.tenant(merchant_account_id);
  const lists = await findKinds(db, merchant_account_id);
  const risk: RiskInForce = { ...NOTHING_IN_FORCE, rules, lists };
  const hash = hasherOf(tools.secret_key, merchant_account_id);
  const attempts: Attempt[] = [];
  let after = makeId(tools.clock.now().getTime() - days * DAY_MS, new Uint8Array(6));
  let orders = 0;
  for (;;) {
    const rows = await findAttempts(db, { after, room: PAGE });
    const last = rows.at(-1);
    if (!last || orders >= most) return { ...play(attempts), complete: !last };
    after = last.order_id;
    orders += new Set(rows.map(({ order_id }) => order_id)).size;
    const asked = rows.map((row) => {
      const payment: Payment = { ...row, body: { payment_channel: 'e-commerce', ...row.body } };
      // what the order held is not kept any longer than it is asked for
      return { row: { ...row, body: {} }, question: questionOf(risk, payment, hash) };
    });
    const verdicts = await listedAmong(db, asked);
    attempts.push(...asked.map((one) => ({ ...one, verdicts })));
  }
}

type Attempt = {
  readonly row: AttemptRow;
  readonly question: RiskQuery;
  readonly verdicts: ReadonlyMap<string, 'block' | 'allow'>;
};

async function listedAmong(db: TenantRunner, asked: readonly Pick<Attempt, 'question'>[]) {
  const hashes = new Set(asked.flatMap(({ question }) => question.listed.map(({ hash }) => hash)));
  const rows = hashes.size === 0 ? [] : await findListed(db, [...hashes]);
  return new Map(rows.map(({ subject, verdict }) => [subject, verdict]));
}

type Run = { readonly code: string; hits: number; paid: number; readonly order_ids: string[] };

function play(attempts: readonly Attempt[]): Omit<DryRun, 'complete'> {
  const windows = new Map<string, Window>();
  const runs = new Map<string, Run>();
  let refused = 0;
  for (const { row, question, verdicts } of attempts.toSorted((a, b) => a.row.at.getTime() - b.row.at.getTime())) {
    const at_ms = row.at.getTime();
    const of = ({ rule, hash }: Counted) => windowOf(windows, rule, hash);
    const listed = (verdict: 'block' | 'allow') =>
      question.listed.find(({ hash }) => verdicts.get(hash) === verdict)?.hash ?? null;
    const seen = question.counted.map((one) => seenIn(of(one), one.rule, at_ms));
    const { outcome, rule } = verdictOf(question, { blocked: listed('block'), allowed: listed('allow'), seen }, row);
    if (rule !== null) note(runs, { rule, row, code: result(outcome).code });
    if (outcome === 'risk_accepted') for (const one of question.counting) of(one).items.push({ ...row, at_ms });
    else refused++;
  }
  const rules = [...runs].map(([rule, run]) => ({ rule, ...run }));
  const refused_then = attempts.filter(({ row }) => row.was_refused).length;
  return { attempts: attempts.length, refused, refused_then, rules };
}

function note(runs: Map<string, Run>, { rule, row, code }: { rule: string; row: AttemptRow; code: string }): void {
  const run = runs.get(rule) ?? { code, hits: 0, paid: 0, order_ids: [] };
  run.hits++;
  if (row.paid && row.is_last) run.paid++;
  if (run.order_ids.length < EXAMPLES) run.order_ids.push(row.order_id);
  runs.set(rule, run);
}

type Item = Pick<AttemptRow, 'holds' | 'is_last' | 'was_refused' | 'amount_minor'> & { readonly at_ms: number };
/** Attempts of one subject that one rule counts: those from `head` to `tail` stand in `sum`. */
type Window = { readonly items: Item[]; head: number; tail: number; sum: bigint };

function windowOf(windows: Map<string, Window>, { name }: VelocityRule, hash: string): Window {
  const key = `${hash} ${name}`;
  const known = windows.get(key) ?? { items: [], head: 0, tail: 0, sum: 0n };
  windows.set(key, known);
  return known;
}

function seenIn(window: Window, rule: VelocityRule, at_ms: number): bigint {
  const { items } = window;
  for (; window.tail < items.length; window.tail++) window.sum += weightOf(items[window.tail], rule);
  const from = at_ms - rule.window_s * 1000;
  for (; window.head < window.tail && (items[window.head]?.at_ms ?? 0) <= from; window.head++)
    window.sum -= weightOf(items[window.head], rule);
  return window.sum;
}

/** Only the last attempt of an order can have paid; what was refused then has no outcome to count. */
function weightOf(item: Item | undefined, { measure }: VelocityRule): bigint {
  if (!item) return 0n;
  const holds = item.holds && item.is_last;
  if (measure === 'amount') return holds ? item.amount_minor : 0n;
  if (measure === 'successes') return holds ? 1n : 0n;
  if (measure === 'declines') return holds || item.was_refused ? 0n : 1n;
  return 1n;
}
