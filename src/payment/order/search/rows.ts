// Orders as a person looks for them: any filters together, newest first, page by page, and all of them as a stream.
import { HIGHEST_ID } from '../../../core/ids.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { type OrderFilters, type SearchFilters, isOpen, meanings } from './filters.ts';
import { type Plan, type Stretch, fitsMost, planSearch, walk } from './indexed/paths.ts';
import { fillPage, findMatches, isExact, matchNow, newest, once } from './match.ts';
import type { Page } from './parameters.ts';
import { findPeople } from './people.ts';
import { type OrderRow, findOrderRows, findUnfollowed } from './search-store.ts';

export type { OrderFilters } from './filters.ts';
export type { OrderRow } from './search-store.ts';

export type OrderPage = {
  readonly rows: readonly OrderRow[];
  /**
   * The place where the next page begins; null: this page is the last. After thousands that do not fit exactly, a page
   * is shorter than asked for and not the last.
   */
  readonly next: string | null;
  /**
   * The words of the text begin the names of more people than are looked for: of the first ones the orders are here.
   */
  readonly too_many_people: boolean;
};

/**
 * A page of the orders that fit all filters, newest first. `before` is the `next` of the page before. Exact also for
 * what was done a moment ago; what moves between two statements of one search may be shown as it was before or as it is
 * after.
 */
export async function searchOrders(
  db: TenantRunner,
  { filters, before, limit }: { filters: OrderFilters; before?: string | null; limit: number },
): Promise<OrderPage> {
  const fresh = once(() => findUnfollowed(db));
  const { people, too_many } = await findPeople(db, filters.text ?? '', fresh);
  const find = async (page: Page) => {
    const found: string[] = [];
    for (const wanted of meanings(filters, people)) found.push(...(await findMatches(db, wanted, { ...page, fresh })));
    return newest(found, page.room);
  };
  const read = (ids: readonly string[]) => findOrderRows(db, ids);
  const page = await fillPage({ before: before ?? HIGHEST_ID, limit }, { find, read, fits: isExact(filters) });
  return { ...page, too_many_people: too_many };
}

/** True where a list by this text would leave people out: it is no list to take away. */
export async function isTooWide(db: TenantRunner, { text = '' }: OrderFilters): Promise<boolean> {
  return (await findPeople(db, text, () => findUnfollowed(db))).too_many;
}

/** Orders in one statement of an export: 1,000 rows are about 300 KB. */
const PORTION = 1000;
/** Narrow rows looked through at once where most of them fit. */
const STRETCH = 10_000;

/**
 * All orders that fit, newest first, portion by portion: no more than one portion is in memory, no transaction stays
 * open, and a slow reader delays no other. An order that changes is shown as it is when its portion is read.
 */
export async function* exportOrders(
  db: TenantRunner,
  filters: OrderFilters,
): AsyncGenerator<readonly OrderRow[], void, undefined> {
  const [wanted, ...others] = meanings(filters);
  if (wanted && others.length === 0 && filters.text === undefined && !isOpen(wanted) && !isNamed(wanted)) {
    const plan = await planSearch(db, wanted);
    if (fitsMost(plan)) return yield* exportWalked(db, plan);
  }
  for (let before: string | null = HIGHEST_ID; before !== null;) {
    const page: OrderPage = await searchOrders(db, { filters, before, limit: PORTION });
    if (page.rows.length > 0) yield page.rows;
    before = page.next;
  }
}

function isNamed({ checkout_id, order_merchant_id }: SearchFilters): boolean {
  return (checkout_id ?? order_merchant_id) !== undefined;
}

async function* exportWalked(db: TenantRunner, plan: Plan): AsyncGenerator<readonly OrderRow[], void, undefined> {
  const fresh = await findUnfollowed(db);
  const besides = new Set(fresh);
  const now = fresh.length === 0 ? [] : await matchNow(db, fresh, plan);
  for (let before: string | undefined = HIGHEST_ID; before !== undefined;) {
    const { ids, next }: Stretch = await walk(db, plan, { before, room: STRETCH });
    const from = before;
    const here = now.filter((id) => id < from && (next === undefined || id >= next));
    const all = newest([...ids.filter((id) => !besides.has(id)), ...here], Infinity);
    for (let at = 0; at < all.length; at += PORTION) {
      const rows = await findOrderRows(db, all.slice(at, at + PORTION));
      const fitting = rows.filter(isExact(plan.wanted));
      if (fitting.length > 0) yield fitting;
    }
    before = next;
  }
}
