// A page of the request log: what one process has gathered of one account in a moment, as two compressed texts.
// Compressed together, entries take a twelfth of their room, and writing them costs a request next to nothing.
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { isId } from '../../core/ids.ts';
import type { LogEntry } from '../log-entry.ts';

export type Page = {
  readonly merchant_account_id: string;
  readonly id: string;
  readonly refused: boolean;
  readonly orders: readonly string[];
  readonly facts: Buffer;
  readonly bodies: Buffer;
};

/** The facts by which an entry is found. */
export type Facts = Omit<LogEntry, 'merchant_account_id' | 'headers' | 'request' | 'answer'>;
/** JSON. */
export type Bodies = Pick<LogEntry, 'headers' | 'request' | 'answer'>;

const deflate = promisify(deflateRaw);
const QUICK = { level: 1 };
const REFUSED = 400;
/** The most bytes of a page: some entries of 6,000 characters, each of up to three bytes. */
const MOST_BYTES = 16_000_000;

export const isRefused = ({ status }: Pick<LogEntry, 'status'>) => status === null || status >= REFUSED;

/** An entry as it waits to be written: a text that is ready, where half a second of them is in memory. */
export type Noted = Pick<LogEntry, 'merchant_account_id' | 'id' | 'order_id'> & {
  readonly refused: boolean;
  readonly facts: string;
  readonly bodies: Buffer;
};

export function noted(entry: LogEntry): Noted {
  const { merchant_account_id, id, order_id, kind, key_id, method, path, status, code, duration_ms } = entry;
  const is_notification = kind === 'notification' ? 1 : 0;
  const facts = [entry.at.getTime(), id, is_notification, key_id, method, path, status, code, duration_ms, order_id];
  return {
    merchant_account_id,
    id,
    order_id,
    refused: isRefused(entry),
    facts: JSON.stringify(facts),
    // parts of JSON already: nothing is written twice
    bodies: Buffer.from(`${entry.headers}\n${entry.request}\n${entry.answer}\n`),
  };
}

export function pagesOf(entries: readonly Noted[]): Promise<readonly Page[]> {
  const accounts = Map.groupBy(entries, ({ merchant_account_id }) => merchant_account_id);
  return Promise.all([...accounts].map(([account, own]) => pageOf(account, own)));
}

async function pageOf(merchant_account_id: string, entries: readonly Noted[]): Promise<Page> {
  const [facts, bodies] = await Promise.all([
    deflate(`[${entries.map((one) => one.facts).join(',')}]`, QUICK),
    deflate(Buffer.concat(entries.map((one) => one.bodies)), QUICK),
  ]);
  return {
    merchant_account_id,
    id: entries[0]?.id ?? '',
    refused: entries.some(({ refused }) => refused),
    orders: [...new Set(entries.flatMap(({ order_id }) => order_id ?? []))],
    facts,
    bodies,
  };
}

/** The facts of entries, in the order in which they were gathered. */
export function factsIn(packed: Buffer): readonly Facts[] {
  const rows: unknown = JSON.parse(opened(packed));
  return Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)).map(factsOf) : [];
}

function factsOf(row: readonly unknown[]): Facts {
  const [at, id, kind, key_id, method, path, status, code, duration_ms, order_id] = row;
  return {
    at: new Date(Number(at)),
    id: String(id),
    kind: kind === 1 ? 'notification' : 'request',
    key_id: idOr(key_id),
    method: String(method),
    path: String(path),
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'string' ? code : null,
    duration_ms: Number(duration_ms),
    order_id: idOr(order_id),
  };
}

const idOr = (value: unknown) => (typeof value === 'string' && isId(value) ? value : null);

export function bodiesIn(packed: Buffer): readonly Bodies[] {
  const lines = opened(packed).split('\n');
  const bodies: Bodies[] = [];
  for (let i = 0; i + 2 < lines.length; i += 3)
    bodies.push({ headers: lines[i] ?? '', request: lines[i + 1] ?? '', answer: lines[i + 2] ?? '' });
  return bodies;
}

function opened(packed: Buffer): string {
  return inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8');
}
