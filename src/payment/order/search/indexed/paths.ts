// Which index a search walks. The sizes are read first: of the ways that could answer, the one with the fewest rows.
import type { TenantRunner } from '../../../../kit/database.ts';
import { type SearchFilters, isOpen, isWholeBand } from '../filters.ts';
import { type Page, classParameters, pageParameters, personKeys, rowParameters } from '../parameters.ts';
import {
  type Sizes,
  findAmong,
  findByAmount,
  findByClass,
  findByCustomer,
  findByEmail,
  findByLast4,
  findDisputed,
  findInDoubt,
  findSizes,
  walkOrders,
} from './path-store.ts';

/** Counted no further: what has more is many. */
const MOST = 100_000;
/** All orders are walked where more than one of so many fits: class by class, a large page costs each class as much. */
const WALK_SHARE = 250n;

type Path = typeof findByClass;

export type Plan = {
  readonly wanted: SearchFilters;
  readonly path: Path;
  /** How many orders fit, at most. */
  readonly most: bigint;
  /** How many orders there are. */
  readonly all: bigint;
};

/** The way to walk for these filters; it stays good for all pages of a search. */
export async function planSearch(db: TenantRunner, wanted: SearchFilters): Promise<Plan> {
  const { person, ...others } = wanted;
  // all orders of one person are one stretch of an index, whatever its size
  if (person && isOpen(others))
    return { wanted, path: person.by_email ? findByEmail : findByCustomer, most: 0n, all: 0n };
  const by_amount = !isWholeBand(wanted);
  const sizes = await findSizes(db, {
    ...parametersOf(db, wanted, { before: '', room: 0 }),
    by_amount,
    most: MOST,
  });
  const ways = waysOf(sizes);
  const [path, most] = ways.reduce((best, way) => (way[1] < best[1] ? way : best), [findByClass, sizes.orders]);
  const special = wanted.in_doubt ? findInDoubt : wanted.disputed ? findDisputed : path;
  return { wanted, path: special, most, all: sizes.all_orders };
}

function waysOf(sizes: Sizes): readonly (readonly [Path, bigint])[] {
  const ways: readonly (readonly [Path, bigint | null])[] = [
    [findByCustomer, sizes.customer],
    [findByEmail, sizes.email],
    [findByLast4, sizes.last4],
    // its newest are known only when all of them were read; a common amount is soon met class by class
    [findByAmount, sizes.amount === BigInt(MOST) ? null : sizes.amount],
  ];
  return ways.flatMap(([path, size]) => (size === null ? [] : [[path, size] as const]));
}

/** Rows looked through at once where an index holds not all that is asked for. */
const LOOKED_THROUGH = 2000;

export type Stretch = {
  /** The orders that fit, newest first. */
  readonly ids: readonly string[];
  /** The place to go on from; undefined: this is the end. */
  readonly next: string | undefined;
};

/** The next orders of a search that are in the narrow rows, `room` of them or fewer. */
export async function followPath(db: TenantRunner, { wanted, path }: Plan, page: Page): Promise<Stretch> {
  const partly = ONE_KEY.has(path) && keysOf(wanted) > (path === findByAmount ? 0 : 1);
  const room = partly ? Math.max(page.room, LOOKED_THROUGH) : page.room;
  const parameters = parametersOf(db, wanted, { ...page, room });
  const rows = await path(db, parameters);
  const all = rows.map((row) => row.order_id);
  const kept = partly ? (await findAmong(db, all, parameters)).map((row) => row.order_id) : all;
  const ids = kept.slice(0, page.room);
  if (ids.length < kept.length) return { ids, next: ids.at(-1) };
  return { ids, next: all.length === room ? all.at(-1) : undefined };
}

const ONE_KEY = new Set<Path>([findByAmount, findByCustomer, findByEmail, findByLast4]);

function keysOf(wanted: SearchFilters): number {
  const { customer, email } = personKeys(wanted);
  return [customer, email, wanted.last4 ?? null].filter((value) => value !== null).length;
}

/** True where walking all orders of the account costs less than asking page by page. */
export function fitsMost({ most, all, wanted }: Plan): boolean {
  return !wanted.in_doubt && !wanted.disputed && most * WALK_SHARE > all;
}

/** The next stretch of the account's orders: those that fit, and where to go on; undefined at the end. */
export async function walk(db: TenantRunner, { wanted }: Plan, page: Page): Promise<Stretch> {
  const rows = await walkOrders(db, parametersOf(db, wanted, page));
  return {
    ids: rows.filter((row) => row.fits).map((row) => row.order_id),
    next: rows.length === page.room ? rows.at(-1)?.order_id : undefined,
  };
}

function parametersOf(db: TenantRunner, wanted: SearchFilters, page: Page) {
  return {
    ...pageParameters(db.merchant_account_id, wanted, page),
    ...classParameters(wanted),
    ...rowParameters(wanted),
  };
}
