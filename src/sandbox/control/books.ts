// Shows the books page by page: in the order in which the entries were made, or the newest first.
import type { Reply } from '../call/answer.ts';
import { wrong } from '../call/routes.ts';
import { type Entry, viewEntry } from '../entry.ts';
import type { World } from '../world.ts';

export const ok = (body: Reply['body']): Reply => ({ status: 200, body });

/** The entries of the books, in the order in which they were made; `next_offset` is null if nothing follows. */
export function listBooks(world: World, asked: URLSearchParams): Reply {
  const limit = Math.min(Number(asked.get('limit') ?? PAGE), PAGE);
  const offset = Number(asked.get('offset') ?? 0);
  if (!Number.isInteger(limit) || limit < 1) return wrong('limit');
  if (!Number.isInteger(offset) || offset < 0) return wrong('offset');
  const fits = isAskedFor(asked);
  const entries: object[] = [];
  let seen = 0;
  for (const own of world.books.values()) {
    for (const entry of own.list()) {
      if (!fits(entry) || seen++ < offset) continue;
      if (seen > offset + limit) return ok({ entries, next_offset: offset + limit });
      entries.push(...viewEntry(entry));
    }
  }
  return ok({ entries, next_offset: null });
}

const FILTERS = ['order_id', 'order_merchant_id', 'reference', 'provider', 'merchant_account_id'] as const;
const PAGE = 1_000;

function isAskedFor(asked: URLSearchParams): (entry: Entry) => boolean {
  const wanted = FILTERS.map((name) => [name, asked.get(name)] as const).filter(([, value]) => value !== null);
  return (entry) => entry.state !== 'coming' && wanted.every(([name, value]) => entry[name] === value);
}

/**
 * The newest come first. New entries do not move the pages: a page begins after the place at which the one before
 * ended.
 */
export function newestBooks(world: World, asked: URLSearchParams): Reply {
  const limit = Number(asked.get('limit') ?? PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE) return wrong('limit');
  const before = asked.get('before');
  if (before !== null && !/^\d{15}(?:\.[A-Za-z0-9_-]+){4}$/.test(before)) return wrong('before');
  const fits = isAskedFor(asked);
  const rows = [...world.books.values()].flatMap((own) => [...own.list()].filter(fits).flatMap(placed));
  const behind = rows.filter(({ place }) => before === null || place < before);
  behind.sort((a, b) => (a.place < b.place ? 1 : -1));
  const page = behind.slice(0, limit);
  const next = behind.length > limit ? (page.at(-1)?.place ?? null) : null;
  return ok({ entries: page.map(({ row }) => row), next });
}

/** The rows of an entry, each with a place in time that no other row has. */
function placed(entry: Entry): { readonly place: string; readonly row: object }[] {
  const { created_at, reference, provider, kind } = entry;
  return viewEntry(entry).map((row, i) => ({
    place: `${String(created_at).padStart(15, '0')}.${reference}.${provider}.${kind}.${i}`,
    row,
  }));
}
