// The ids of the orders that fit, newest first, page by page. The narrow rows the worker keeps may be a moment old:
// orders of which something happened since are looked at themselves, so a search never misses what was just done.
import { HIGHEST_ID } from '../../../core/ids.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { type SearchFilters, bandsOf, isOpen } from './filters.ts';
import { type Plan, followPath, planSearch } from './indexed/paths.ts';
import { type Page, classParameters, pageParameters, rowParameters } from './parameters.ts';
import { type OrderRow, findNamed, findUnfollowed, listOrderIds, matchOrders } from './search-store.ts';

/** Reads more than a page, so that orders that changed during the search rarely need a second query. */
const SPARE = 10;

/** A page; `fresh` where the orders that are looked at themselves are read once for several searches. */
type MatchRequest = Page & { readonly fresh?: () => Promise<readonly string[]> };

export async function findMatches(
  db: TenantRunner,
  wanted: SearchFilters,
  { fresh: unfollowed = () => findUnfollowed(db), ...page }: MatchRequest,
): Promise<readonly string[]> {
  if (isOpen(wanted)) return listOrderIds(db, pageParameters(db.merchant_account_id, wanted, page));
  const { any_id, checkout_id, order_merchant_id } = wanted;
  if (any_id ?? checkout_id ?? order_merchant_id) return findByName(db, wanted, page);
  const fresh = await unfollowed();
  const now = fresh.length === 0 ? [] : await matchNow(db, fresh, { wanted, page });
  const kept: string[] = [];
  for (const part of bandsOf(wanted))
    kept.push(...(await followed(db, await planSearch(db, part), { ...page, besides: new Set(fresh) })));
  return newest([...now, ...kept], page.room);
}

/** All names that are given must point to the order. */
async function findByName(db: TenantRunner, wanted: SearchFilters, page: Page): Promise<readonly string[]> {
  const { any_id, checkout_id, order_merchant_id } = wanted;
  const none = { any_id: undefined, checkout_id: undefined, order_merchant_id: undefined };
  const names = [{ any_id }, { checkout_id }, { order_merchant_id }].filter((name) =>
    Object.values(name).some((value) => value !== undefined),
  );
  const found = await Promise.all(names.map((name) => findNamed(db, { ...none, ...name })));
  const [first = [], ...others] = found.map((ids) => new Set(ids));
  const ids = [...first].filter((id) => others.every((other) => other.has(id)));
  return ids.length === 0 ? [] : matchNow(db, ids, { wanted, page });
}

/** Those of these orders that fit as they are now. */
export function matchNow(
  db: TenantRunner,
  ids: readonly string[],
  { wanted, page = { before: HIGHEST_ID, room: ids.length } }: { readonly wanted: SearchFilters; readonly page?: Page },
): Promise<readonly string[]> {
  return matchOrders(db, ids, {
    ...pageParameters(db.merchant_account_id, wanted, page),
    ...classParameters(wanted),
    ...rowParameters(wanted),
    in_doubt: wanted.in_doubt ?? false,
    disputed: wanted.disputed ?? false,
  });
}

/** The orders that the narrow rows find besides these. */
async function followed(
  db: TenantRunner,
  plan: Plan,
  { besides, before, room }: Page & { readonly besides: ReadonlySet<string> },
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (let from = before; ;) {
    const { ids, next } = await followPath(db, plan, { before: from, room: room + SPARE });
    kept.push(...ids.filter((id) => !besides.has(id)));
    if (next === undefined || kept.length >= room) return kept;
    from = next;
  }
}

type Compared = Pick<OrderRow, 'created_at' | 'customer_id'>;

/**
 * Compares what finding cannot tell: an id is drawn a moment before its order is stored, and to the hashes of the
 * search capitals and small letters are the same, while they make another customer.
 */
export function isExact({ created_from, created_to, customer_id }: SearchFilters): (order: Compared) => boolean {
  return (order) =>
    (created_from === undefined || order.created_at >= created_from) &&
    (created_to === undefined || order.created_at < created_to) &&
    (customer_id === undefined || order.customer_id === customer_id);
}

/** Ids that are found at once where those found before did not fit, and how often: a page may take no longer. */
const STEP = 1000;
const STEPS = 5;

type Filling<Row> = {
  readonly find: (page: Page) => Promise<readonly string[]>;
  /** Newest first. */
  readonly read: (ids: readonly string[]) => Promise<readonly Row[]>;
  readonly fits: (row: Row) => boolean;
};

/**
 * A page of what is found and fits exactly. `next`: where the one after it begins; null: there is none. It is as long
 * as asked for, unless it is the last one, or thousands were looked at that do not fit.
 */
export async function fillPage<Row extends { readonly id: string }>(
  { before, limit }: { readonly before: string; readonly limit: number },
  { find, read, fits }: Filling<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const rows: Row[] = [];
  let from = before;
  for (let step = 0; step < STEPS; step += 1) {
    const room = step === 0 ? limit + 1 : STEP;
    const ids = await find({ before: from, room });
    if (ids.length > 0) rows.push(...(await read(ids)).filter(fits));
    const shown = rows.slice(0, limit);
    if (rows.length > limit) return { rows: shown, next: shown.at(-1)?.id ?? null };
    if (ids.length < room) return { rows, next: null };
    from = ids.at(-1) ?? from;
  }
  return { rows, next: from };
}

/** Reads once, when it is first asked for. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read());
}

/** Each id once, the highest first. */
export function newest(ids: readonly string[], room: number): readonly string[] {
  return [...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, room);
}
