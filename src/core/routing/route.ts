// Which contracts take a payment, in which order, and why. One pure function: what is live, replayed, tried and tested is this one.
import type { RouteFacts } from './facts.ts';
import { type Test, compile } from './match.ts';
import { BASIS_POINTS, type DrawnBy, type RefusedRoute, type RouteTable, type Share, type Target } from './table.ts';

/** Why a contract that was asked for is not tried: the first two by itself, the others by how its provider is. */
export const LEFT_OUT = ['off', 'unfit', 'open', 'half', 'spread', 'held', 'suspected'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
export const isUnwell = (why: LeftOut): boolean => why !== 'off' && why !== 'unfit';

/** A contract that is switched on, in the order of priority. */
export type Usable = { readonly id: string; readonly provider: string };

/** The world at this moment. */
export type World = {
  readonly contracts: readonly Usable[];
  /** Undefined: it is on, takes this payment, and its provider is well. The same every time it is asked for one payment. */
  leftOut(id: string): LeftOut | undefined;
  /** From 0 up to 1. */
  draw(asked: Drawing): number;
  /** What the request names, where it fits: `first` goes before the rules, `only` alone; `advice` where no rule decides. */
  readonly named?: { readonly id: string; readonly how: 'first' | 'only' | 'advice' } | undefined;
};

export type Drawing = { readonly rule: string; readonly since: number; readonly by: DrawnBy };

export type Routed = {
  /** Ids, the first is tried first. Empty: it is refused. */
  readonly order: readonly string[];
  readonly because: 'named' | 'rule' | 'priority';
  /** Index of the rule that decided, of the first contract or of those after a named one. */
  readonly rule: number | undefined;
  readonly refused: RefusedRoute | 'no_route' | undefined;
  /** In basis points: how likely this contract came first, over all draws, with the contracts that were left. */
  readonly propensity: number;
  /** Undefined: nothing was drawn. */
  readonly drawn: number | undefined;
  /** Contracts that were asked for and left out. */
  readonly skipped: readonly (readonly [id: string, why: LeftOut])[];
};

export type Compiled = {
  readonly table: RouteTable;
  readonly tests: readonly Test[];
  idOf(name: string): string;
};

const COMPILED = new WeakMap<RouteTable, Compiled>();

/** Once for each table object. */
export function compiled(table: RouteTable): Compiled {
  const known = COMPILED.get(table);
  if (known) return known;
  const ids = new Map(table.contracts.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
  const made = {
    table,
    tests: table.rules.map(({ when }) => compile(when)),
    idOf: (name: string) => ids.get(name) ?? name,
  };
  COMPILED.set(table, made);
  return made;
}

/** One that is to stand alone goes there however its provider is: nothing else may take the payment. */
function goesFirst({ id, how }: NonNullable<World['named']>, { world, takes }: Choosing): boolean {
  return how !== 'advice' && ((how === 'only' && fitsAtAll(world, id)) || takes(id));
}

type Choice = Pick<Routed, 'order' | 'rule' | 'refused' | 'propensity' | 'drawn'>;

export function route(facts: RouteFacts, of: Compiled, world: World): Routed {
  const skipped = new Map<string, LeftOut>();
  const takes = (id: string, told: (why: LeftOut) => boolean = () => true) => {
    const why = world.leftOut(id);
    if (why && told(why)) skipped.set(id, why);
    return why === undefined;
  };
  const done = (routed: Omit<Routed, 'skipped'>): Routed => ({ ...routed, skipped: sorted(skipped) });
  const named = world.named && goesFirst(world.named, { world, takes }) ? world.named : undefined;
  const first = { propensity: BASIS_POINTS, drawn: undefined, refused: undefined, because: 'named' } as const;
  if (named?.how === 'only') return done({ ...first, order: [named.id], rule: undefined });
  const chosen = choose(facts, of, { world, takes });
  if (!named) return done({ ...chosen, because: chosen.rule === undefined ? 'priority' : 'rule' });
  const rest = chosen.order.filter((id) => id !== named.id);
  return done({ ...chosen, ...first, order: [named.id, ...rest] });
}

/** `told`: which reasons are kept. */
type Choosing = { readonly world: World; takes(id: string, told?: (why: LeftOut) => boolean): boolean };

function choose(facts: RouteFacts, of: Compiled, choosing: Choosing): Choice {
  const { table, tests } = of;
  const isReady = (name: string) => choosing.takes(of.idOf(name));
  for (const [rule, { then, name, since }] of table.rules.entries()) {
    if (tests[rule]?.(facts, isReady) !== true) continue;
    if ('refuse' in then) return { ...NONE, rule, refused: then.refuse };
    const picked = pick(then, { name, since }, { ...choosing, of });
    if (!picked) continue;
    const also = then.also === true ? byPriority(choosing).filter((id) => !picked.order.includes(id)) : [];
    return { ...picked, order: [...picked.order, ...also], rule, refused: undefined };
  }
  if (table.otherwise === 'refuse') return { ...NONE, rule: undefined, refused: 'no_route' };
  const order = byPriority(choosing);
  return { ...NONE, order, rule: undefined, refused: order.length === 0 ? 'no_route' : undefined };
}

const NONE = { order: [], propensity: BASIS_POINTS, drawn: undefined } as const;

type Picking = Choosing & { readonly of: Compiled };

/** Undefined: none of its contracts is left. */
function pick(
  then: Exclude<Target, { refuse: RefusedRoute }>,
  { name, since }: { readonly name: string; readonly since: number },
  { of, world, takes }: Picking,
): Pick<Choice, 'order' | 'propensity' | 'drawn'> | undefined {
  if ('order' in then) {
    const order = then.order.map(of.idOf).filter((id) => takes(id));
    return order.length === 0 ? undefined : { ...NONE, order };
  }
  const left = then.split.map(([contract, share]): Share => [of.idOf(contract), share]).filter(([id]) => takes(id));
  const all = left.reduce((sum, [, share]) => sum + share, 0);
  if (all === 0) return undefined;
  const drawn = world.draw({ rule: name, since, by: then.by });
  let below = 0;
  const first = left.find(([, share]) => drawn * all < (below += share)) ?? left[0];
  if (!first) return undefined;
  const others = left.filter((one) => one !== first).toSorted(([, a], [, b]) => b - a);
  const propensity = Math.round((first[1] * BASIS_POINTS) / all);
  return { order: [first, ...others].map(([id]) => id), propensity, drawn };
}

/** As without rules; where no provider is well, as if all were: a payment is never refused for that. A named one goes first. */
function byPriority({ world, takes }: Choosing): readonly string[] {
  const ids = world.contracts.map(({ id }) => id);
  const well = ids.filter((id) => takes(id, isUnwell));
  const order = well.length > 0 ? well : ids.filter((id) => fitsAtAll(world, id));
  const named = order.filter((id) => id === world.named?.id);
  return [...named, ...order.filter((id) => !named.includes(id))];
}

function fitsAtAll(world: World, id: string): boolean {
  const why = world.leftOut(id);
  return why === undefined || isUnwell(why);
}

/** In one order, whatever asked for them first. */
function sorted(skipped: ReadonlyMap<string, LeftOut>): Routed['skipped'] {
  return [...skipped].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
