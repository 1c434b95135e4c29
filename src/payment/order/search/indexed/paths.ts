// Which index a search walks. The sizes are read first: of the ways that could answer, the one with the fewest rows.
import type { TenantRunner } from '../../../../kit/database.ts';
import type { Wanted } from '../filters.ts';
import { type Page, classParameters, pageParameters, rowParameters } from '../parameters.ts';
import {
  type Sizes,
  findByAmount,
  findByClass,
  findByCustomer,
  findByEmail,
  findByLast4,
  findInDoubt,
  findSizes,
  walkOrders,
} from './store.ts';

/** Counted no further: what has more is many. */
const MOST = 100_000;
/** Walking the orders themselves is cheaper than walking class by class where this share of them fits. */
const WALK_SHARE = 3n;

type Path = typeof findByClass;

export type Plan = {
  readonly wanted: Wanted;
  readonly path: Path;
  /** How many orders fit, at most. */
  readonly most: bigint;
  /** How many orders there are. */
  readonly all: bigint;
};

/** The way to walk for these filters; it stays good for all pages of a search. */
export async function planSearch(db: TenantRunner, wanted: Wanted): Promise<Plan> {
  const by_amount = wanted.amount_from !== undefined || wanted.amount_to !== undefined;
  const sizes = await findSizes(db, {
    ...parametersOf(db, wanted, { before: '', room: 0 }),
    by_amount,
    most: MOST,
  });
  const ways = waysOf(sizes);
  const [path, most] = ways.reduce((best, way) => (way[1] < best[1] ? way : best), [findByClass, sizes.orders]);
  return { wanted, path: wanted.in_doubt ? findInDoubt : path, most, all: sizes.all_orders };
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

/** Ids of the next orders of a search that are in the narrow rows, newest first. */
export async function followPath(db: TenantRunner, { wanted, path }: Plan, page: Page): Promise<readonly string[]> {
  const rows = await path(db, parametersOf(db, wanted, page));
  return rows.map((row) => row.order_id);
}

/** True where walking all orders of the account costs less than asking page by page. */
export function fitsMost({ most, all, wanted }: Plan): boolean {
  return !wanted.in_doubt && most * WALK_SHARE > all;
}

export type Stretch = { readonly ids: readonly string[]; readonly next: string | undefined };

/** The next stretch of the account's orders: those that fit, and where to go on; undefined at the end. */
export async function walk(db: TenantRunner, { wanted }: Plan, page: Page): Promise<Stretch> {
  const rows = await walkOrders(db, parametersOf(db, wanted, page));
  return {
    ids: rows.filter((row) => row.fits).map((row) => row.order_id),
    next: rows.length === page.room ? rows.at(-1)?.order_id : undefined,
  };
}

function parametersOf(db: TenantRunner, wanted: Wanted, page: Page) {
  return {
    ...pageParameters(db.merchant_account_id, wanted, page),
    ...classParameters(wanted),
    ...rowParameters(wanted),
  };
}
