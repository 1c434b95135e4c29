// Searches the request log of an account: newest first, by any combination of filters. Pages are opened until there are
// rows enough, or many have been looked at: then the cursor goes on from there.
import { datetime, id24, int, oneOf, text } from '../../core/fields.ts';
import { isId, momentOf } from '../../core/ids.ts';
import { refuseField } from '../../core/refusals.ts';
import type { Read, Shape } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { LogEntry } from '../log-entry.ts';
import { type Facts, bodiesIn, factsIn } from './page.ts';
import { type FoundPage, type Looking, type Place, findPages } from './store.ts';

/** Words for requests that succeeded, were refused, failed, or were never answered. */
export const STATUS_WORDS = ['2xx', '4xx', '5xx', 'none'] as const;

export const LOG_QUERY = {
  kind: oneOf('request', 'notification'),
  id: id24,
  order_id: id24,
  key_id: id24,
  method: oneOf('GET', 'POST', 'PUT', 'DELETE'),
  path: text(200),
  status: text(4),
  from: datetime,
  to: datetime,
  limit: int(1, 200),
  cursor: text(64),
} as const satisfies Shape;

export type LogQuery = Read<typeof LOG_QUERY>;
export type LogRow = Omit<LogEntry, 'merchant_account_id'>;
/** `next_cursor`: there may be more; a page may be empty and have one, where much had to be looked at. */
export type LogPage = { readonly rows: readonly LogRow[]; readonly next_cursor: string | null };

const PAGE = 50;
/** Pages of the log that are read at once. */
const ROOM = 20;
/** Requests that are looked at for one answer. */
const WALK = 20_000;
/** A request is written so long behind its beginning at the most: an answer takes 28 s, and a batch its time. */
const LATEST_MS = 90_000;
const EARLIEST_MS = 10_000;
/** A later year has more digits than PostgreSQL reads. */
const EVER_MS = Date.UTC(9999, 11, 31);

export async function logPage(db: TenantRunner, query: LogQuery, shift_ms = 0): Promise<LogPage> {
  const { limit = PAGE, cursor } = query;
  const start = cursor === undefined ? undefined : placeOf(cursor);
  if (cursor !== undefined && !start)
    throw refuseField('cursor', 'parameter_invalid', 'is not one that was answered before');
  const fits = fitting(query);
  const looking = lookingOf(query, shift_ms);
  const rows: LogRow[] = [];
  let before: Place | null = start ?? null;
  let looked = 0;
  for (;;) {
    const pages: readonly FoundPage[] = await findPages(db, { ...looking, before, room: ROOM });
    for (const page of pages) {
      const is_first = start?.id === page.id && start.at.getTime() === page.at.getTime();
      const entries = entriesOf(page, fits, is_first ? start.index : undefined);
      looked += entries.size;
      for (const { index, row } of entries.found) {
        rows.push(row());
        if (rows.length === limit) return { rows, next_cursor: cursorOf({ ...page, index }) };
      }
      before = page;
    }
    const last = pages.at(-1);
    if (!last || pages.length < ROOM) return { rows, next_cursor: null };
    if (looked >= WALK) return { rows, next_cursor: cursorOf({ ...last, index: 0 }) };
    before = { at: last.at, id: lower(last.id) };
  }
}

/** The entries of a page that fit, newest first, each with its place in it; `below`: only those before that place. */
function entriesOf(page: FoundPage, fits: (facts: Facts) => boolean, below = Number.POSITIVE_INFINITY) {
  const facts = factsIn(Buffer.from(page.facts, 'hex'));
  const found = facts.map((one, index) => ({ one, index })).filter(({ one, index }) => index < below && fits(one));
  const bodies = found.length === 0 ? [] : bodiesIn(Buffer.from(page.bodies, 'hex'));
  const none = { headers: '{}', request: '{}', answer: '{}' };
  return {
    size: facts.length,
    found: found.toReversed().map(({ one, index }) => ({ index, row: () => ({ ...one, ...(bodies[index] ?? none) }) })),
  };
}

/** Which pages can hold what is asked for. */
function lookingOf(query: LogQuery, shift_ms: number): Pick<Looking, 'from' | 'to' | 'refused' | 'order_id'> {
  const [least, most] = query.status === undefined ? [0, 0] : statusesOf(query.status);
  const from = query.from === undefined ? 0 : Date.parse(query.from);
  const to = query.to === undefined ? undefined : Math.min(Date.parse(query.to) + LATEST_MS, EVER_MS);
  // an id tells when it was made, by a clock that is so far ahead in a sandbox
  const made = query.id === undefined ? 0 : momentOf(query.id).getTime() - shift_ms - EARLIEST_MS;
  return {
    from: new Date(Math.max(from, made, 0)),
    to: to === undefined ? null : new Date(to),
    refused: query.status === 'none' || (least >= 400 && most >= 400),
    order_id: query.order_id ?? null,
  };
}

function fitting(query: LogQuery): (facts: Facts) => boolean {
  const { kind, id, order_id, key_id, method, path, status } = query;
  const [least, most] = status === undefined ? [0, 0] : statusesOf(status);
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : new Date(query.to);
  return (facts) =>
    (id === undefined || facts.id === id) &&
    (order_id === undefined || facts.order_id === order_id) &&
    (key_id === undefined || facts.key_id === key_id) &&
    (kind === undefined || facts.kind === kind) &&
    (method === undefined || facts.method === method) &&
    (path === undefined || facts.path.startsWith(path)) &&
    (status === undefined ||
      (status === 'none' ? facts.status === null : (facts.status ?? 0) >= least && (facts.status ?? 0) <= most)) &&
    (from === undefined || facts.at >= from) &&
    (to === undefined || facts.at <= to);
}

function statusesOf(word: string): readonly [least: number, most: number] {
  if (word === 'none') return [0, 0];
  if (/^[1-5]xx$/.test(word)) return [Number(word[0]) * 100, Number(word[0]) * 100 + 99];
  if (/^[1-5]\d\d$/.test(word)) return [Number(word), Number(word)];
  const must = `must be a status such as 409, or one of ${STATUS_WORDS.join(', ')}`;
  throw refuseField('status', 'parameter_invalid', must);
}

type InPage = Place & { readonly index: number };

function cursorOf({ at, id, index }: InPage): string {
  return `${at.getTime()}-${id}-${index}`;
}

function placeOf(cursor: string): InPage | undefined {
  const [at = '', id = '', index = ''] = cursor.split('-');
  const known = /^\d{1,14}$/.test(at) && isId(id) && /^\d{1,5}$/.test(index);
  return known ? { at: new Date(Number(at)), id, index: Number(index) } : undefined;
}

/** The id before an id: ids are never all zeros. */
function lower(id: string): string {
  return (BigInt(`0x${id}`) - 1n).toString(16).padStart(24, '0');
}
