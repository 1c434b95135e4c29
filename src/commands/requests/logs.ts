// florin logs: prints the requests of an account with their answers, and its notifications, as they come.
import { once } from 'node:events';
import { Reading, readShape } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { LOG_QUERY, type LogQuery, type LogRow, logPage } from '../../payment/request-log/list.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Words, readWords } from '../arguments.ts';
import { accountOf, refuseUnknown } from '../ledger/ledger.ts';
import { openMoney } from '../ledger/session.ts';
import { ownerOf } from '../order/order.ts';

const USAGE = `florin logs [tail] [options]
  tail            goes on with what comes, until Ctrl-C
  --last N        so many of those that are there: 20 unless given, 200 at the most
  --id ID         of this request (x-request-id) or notification
  --order ID      about this order
  --key-id ID     with this API key, by its id in the back office
  --status S      409, or 2xx, 4xx, 5xx, or none: not answered
  --path PATH     whose path begins so: /payment/order
  --method M      GET, POST, PUT or DELETE
  --kind K        request or notification
  --from TIME, --to TIME   2026-12-24T08:00:00Z
  --bodies        with headers, request and answer
  --json          one JSON object a line, with everything
  --account ID    whose; the account of the key unless given
  --key KEY       a private key of a sandbox; the demo account's unless given

  It reads the database beside the running service (FLORIN_DATA_DIR, or FLORIN_DATABASE_URL). Requests are there a moment
  after their answer. Values of fields that may hold a person, a card or a secret are not kept: only how long they are.`;

const OPTIONS = {
  id: 'id',
  order: 'order_id',
  'key-id': 'key_id',
  status: 'status',
  path: 'path',
  method: 'method',
  kind: 'kind',
  from: 'from',
  to: 'to',
  last: 'limit',
} as const;

export async function logsCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, {
    usage: USAGE,
    texts: [...Object.keys(OPTIONS), 'account', 'key'],
    flags: ['json', 'bodies'],
  });
  const [verb, ...more] = words.rest;
  if ((verb !== undefined && verb !== 'tail') || more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  const query = queryOf(words);
  await using money = await openMoney();
  const { tools } = money;
  const account = accountOf(words.text('account')) ?? (await ownerOf(money, words.text('key')));
  await refuseUnknown(tools, account);
  const db = tools.db.tenant(account);
  const show = words.flag('json') ? jsonOf : (row: LogRow) => lineOf(row, words.flag('bodies'));
  const say = (row: LogRow) => console.log(show(row));
  if (verb !== 'tail') {
    const { rows } = await logPage(db, query, tools.clock.shift_ms());
    return rows.toReversed().forEach(say);
  }
  const stop = new AbortController();
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => stop.abort());
  const machine = tools.outside.clock;
  await follow({ db, clock: tools.clock, machine, say, signal: stop.signal }, query);
  await ended;
}

function queryOf(words: Words): LogQuery {
  const given = new Map<string, string>([['limit', '20']]);
  for (const [option, name] of Object.entries(OPTIONS)) {
    const value = words.text(option);
    if (value !== undefined) given.set(name, value);
  }
  const reading = new Reading(false);
  const query = readShape(LOG_QUERY, given, { reading });
  const [problem] = reading.problems;
  if (problem) throw new StartError(`${problem.field} ${problem.message}.\n\nUsage: ${USAGE}`);
  return query;
}

type Following = {
  readonly db: TenantRunner;
  readonly clock: Tools['clock'];
  /** The clock by which the log is written. */
  readonly machine: Tools['outside']['clock'];
  say(row: LogRow): void;
  readonly signal: AbortSignal;
};

const LOOK_MS = 500;
/** A request that began this long ago may still be added: its answer takes up to 28 s, its writing a moment. */
const LATE_MS = 120_000;
const MOST = 200;

/** Prints the rows that are there, and then each new row once, in the order of time. */
export async function follow({ db, clock, machine, say, signal }: Following, query: LogQuery): Promise<void> {
  const nameOf = ({ id, at }: LogRow) => `${id} ${at.getTime()}`;
  const { rows } = await logPage(db, query, clock.shift_ms());
  let seen = new Map(rows.map((row) => [nameOf(row), row.at.getTime()]));
  rows.toReversed().forEach(say);
  // recent rows that are not on the first page are old, so they are not printed later as new ones
  const recent = () => pagesSince(db, query, machine.now().getTime() - LATE_MS);
  const first = await recent();
  for (const row of first) seen.set(nameOf(row), row.at.getTime());
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    const found = await recent();
    const fresh = found.filter((row) => !seen.has(nameOf(row)));
    for (const row of fresh.toSorted((a, b) => a.at.getTime() - b.at.getTime())) say(row);
    seen = new Map(found.map((row) => [nameOf(row), row.at.getTime()]));
  }
}

async function pagesSince(db: TenantRunner, query: LogQuery, from_ms: number): Promise<readonly LogRow[]> {
  const all: LogRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { ...query, from: new Date(from_ms).toISOString(), limit: MOST };
    const page = await logPage(db, cursor === undefined ? asked : { ...asked, cursor });
    all.push(...page.rows);
    cursor = page.next_cursor;
  }
  return all;
}

/** The line has the time, the request, the answer, the duration, and what the request was about. */
export function lineOf(row: LogRow, bodies: boolean): string {
  const { at, kind, method, path, status, code, duration_ms, order_id, id } = row;
  const way = kind === 'notification' ? '→' : '←';
  const line = [
    at.toISOString().replace('T', ' ').replace('Z', ''),
    way,
    String(status ?? '---'),
    (code ?? '').padEnd(6),
    `${method} ${path}`.padEnd(46),
    `${duration_ms} ms`.padStart(8),
    id,
    order_id === null ? '' : `order ${order_id}`,
  ].join('  ');
  if (!bodies) return line.trimEnd();
  const parts = [`headers ${row.headers}`, `request ${row.request}`, `answer  ${row.answer}`];
  return [line.trimEnd(), ...parts.map((part) => `    ${part}`)].join('\n');
}

function jsonOf({ headers, request, answer, at, ...row }: LogRow): string {
  const facts = JSON.stringify({ at: at.toISOString(), ...row });
  return `${facts.slice(0, -1)},"headers":${headers},"request":${request},"answer":${answer}}`;
}
