// Which contracts take a payment, in which order, and why. One pure function: what is live, replayed, tried and tested
// is this one.
import type { RouteFacts } from './facts.ts';
import { type Test, compile } from './match.ts';
import { type Shares, type WeightsInForce, sharesFor } from './learn/in-force.ts';
import {
  BASIS_POINTS,
  type BestOf,
  type DrawnBy,
  type RefusedRoute,
  type RouteRule,
  type RouteTable,
  type Share,
  factsAsked,
} from './table.ts';

/** Why a contract that was asked for is not tried: the first two by itself, the others by how its provider is. */
export const LEFT_OUT = ['off', 'unfit', 'open', 'half', 'spread', 'held', 'suspected'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
export const isUnwell = (why: LeftOut): boolean => why !== 'off' && why !== 'unfit';

/** A contract that is switched on, in the order of priority. */
export type Usable = { readonly id: string; readonly provider: string };

/** The world at this moment. */
export type World = {
  readonly contracts: readonly Usable[];
  /**
   * Undefined: it is on, takes this payment, and its provider is well. The same every time it is asked for one payment.
   */
  leftOut(id: string): LeftOut | undefined;
  /** From 0 up to 1. */
  draw(asked: Drawing): number;
  /** What best_of rules have learnt; undefined: nothing yet. */
  readonly weights?: WeightsInForce | undefined;
  /**
   * What the request names, where it fits: `first` goes before the rules, `only` alone; `advice` where no rule decides.
   */
  readonly named?: { readonly id: string; readonly how: 'first' | 'only' | 'advice' } | undefined;
};

/** `control`: whether it is of the control group, which has nothing to do with where the others are sent. */
export type Drawing = {
  readonly rule: string;
  readonly since: number;
  readonly by: DrawnBy;
  readonly what?: 'control';
};

/** How likely each contract came first, over all draws, with the contracts that were left. */
export type Chances = ReadonlyMap<string, number>;

export type Routed = {
  /** Ids, the first is tried first. Empty: it is refused. */
  readonly order: readonly string[];
  readonly because: 'named' | 'rule' | 'priority';
  /** Index of the rule that decided, of the first contract or of those after a named one. */
  readonly rule: number | undefined;
  readonly refused: RefusedRoute | 'no_route' | undefined;
  /** Empty: it is refused. */
  readonly chances: Chances;
  /** Undefined: nothing was drawn. */
  readonly drawn: number | undefined;
  /** A best_of rule decided, by this version of its weights; undefined: none did. */
  readonly learnt: { readonly weights: number; readonly controlled: boolean } | undefined;
  /** Contracts that were asked for and left out. */
  readonly skipped: readonly (readonly [id: string, why: LeftOut])[];
};

export type Compiled = {
  readonly table: RouteTable;
  /** With its place in the table. */
  readonly rules: readonly (Pick<RouteRule, 'name' | 'since' | 'then'> & {
    readonly rule: number;
    readonly test: Test;
  })[];
  /** Facts that its rules ask for. */
  readonly asked: ReadonlySet<string>;
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
    rules: table.rules.map(({ when, ...of }, rule) => ({ ...of, rule, test: compile(when) })),
    asked: factsAsked(table.rules),
    idOf: (name: string) => ids.get(name) ?? name,
  };
  COMPILED.set(table, made);
  return made;
}

/** One that is to stand alone goes there however its provider is: nothing else may take the payment. */
function goesFirst({ id, how }: NonNullable<World['named']>, { world, takes }: Choosing): boolean {
  return how !== 'advice' && ((how === 'only' && fitsAtAll(world, id)) || takes(id));
}

type Choice = Omit<Routed, 'because' | 'skipped'>;
/** How an order came about. */
type Picked = Pick<Choice, 'order' | 'chances' | 'drawn' | 'learnt'>;

export function route(facts: RouteFacts, of: Compiled, world: World): Routed {
  const skipped = new Map<string, LeftOut>();
  const takes = (id: string, told: (why: LeftOut) => boolean = () => true) => {
    const why = world.leftOut(id);
    if (why && told(why)) skipped.set(id, why);
    return why === undefined;
  };
  const done = (routed: Omit<Routed, 'skipped'>): Routed => ({ ...routed, skipped: sorted(skipped) });
  const named = world.named && goesFirst(world.named, { world, takes }) ? world.named : undefined;
  if (named?.how === 'only')
    return done({ ...inOrder([named.id]), refused: undefined, because: 'named', rule: undefined });
  const chosen = choose(facts, of, { world, takes });
  if (!named) return done({ ...chosen, because: chosen.rule === undefined ? 'priority' : 'rule' });
  const rest = chosen.order.filter((id) => id !== named.id);
  const { rule, learnt } = chosen;
  return done({ ...inOrder([named.id, ...rest]), refused: undefined, because: 'named', rule, learnt });
}

/** `told`: which reasons are kept. */
type Choosing = { readonly world: World; takes(id: string, told?: (why: LeftOut) => boolean): boolean };

function choose(facts: RouteFacts, of: Compiled, choosing: Choosing): Choice {
  const { table, rules } = of;
  const isReady = (name: string) => choosing.takes(of.idOf(name));
  for (const { test, rule, then, name, since } of rules) {
    if (!test(facts, isReady)) continue;
    if ('refuse' in then) return { ...inOrder([]), rule, refused: then.refuse };
    const picked = pick({ name, since, then }, { ...choosing, of, facts });
    if (!picked) continue;
    const also = then.also === true ? byPriority(choosing).filter((id) => !picked.order.includes(id)) : [];
    return { ...picked, order: [...picked.order, ...also], rule, refused: undefined };
  }
  if (table.otherwise === 'refuse') return { ...inOrder([]), rule: undefined, refused: 'no_route' };
  const order = byPriority(choosing);
  return { ...inOrder(order), rule: undefined, refused: order.length === 0 ? 'no_route' : undefined };
}

/** Nothing was drawn: the first comes first. */
function inOrder(order: readonly string[]): Picked {
  return { order, chances: new Map(order.slice(0, 1).map((id) => [id, 1])), drawn: undefined, learnt: undefined };
}

type Picking = Choosing & { readonly of: Compiled; readonly facts: RouteFacts };
type Sending = Pick<RouteRule, 'name' | 'since' | 'then'>;

/** Undefined: none of its contracts is left. */
function pick({ name, since, then }: Sending, picking: Picking): Picked | undefined {
  const { of, world, takes } = picking;
  if ('order' in then) {
    const order = then.order.map(of.idOf).filter((id) => takes(id));
    return order.length === 0 ? undefined : inOrder(order);
  }
  if ('best_of' in then) return pickBest({ name, since, then }, picking);
  if ('refuse' in then) return undefined;
  const left = then.split.map(([contract, share]): Share => [of.idOf(contract), share]).filter(([id]) => takes(id));
  return left.length === 0 ? undefined : drawnFrom(left, world.draw({ rule: name, since, by: then.by }));
}

/** The first by the draw, the others by falling share. */
function drawnFrom(left: readonly Share[], drawn: number): Picked {
  const all = left.reduce((sum, [, share]) => sum + share, 0);
  let below = 0;
  const first = left.find(([, share]) => drawn * all < (below += share)) ?? left[0];
  const others = left.filter((one) => one !== first).toSorted(([, a], [, b]) => b - a);
  const order = first ? [first, ...others].map(([id]) => id) : [];
  return { order, chances: new Map(left.map(([id, share]) => [id, share / all])), drawn, learnt: undefined };
}

type SendingBest = Pick<RouteRule, 'name' | 'since'> & { readonly then: BestOf };

/**
 * One order in so many keeps the rule's own order; which contract the others go to first is drawn by what was learnt.
 */
function pickBest({ name, since, then }: SendingBest, { of, facts, world, takes }: Picking): Picked | undefined {
  const shares: Shares = sharesFor(world.weights, { name, since, then }, facts);
  const left = then.best_of
    .map((contract, i): Share => [of.idOf(contract), shares[i] ?? 0])
    .filter(([id]) => takes(id));
  const [own] = left;
  if (!own) return undefined;
  // a rule that was stopped sends orders to its first contract only, or to the next one if the first is left out
  const drawable = left.some(([, share]) => share > 0) ? left : left.with(0, [own[0], BASIS_POINTS]);
  const asked = { rule: name, since, by: 'order' } as const;
  const picked = drawnFrom(drawable, world.draw(asked));
  const control = then.control / BASIS_POINTS;
  const controlled = world.draw({ ...asked, what: 'control' }) < control;
  const chances = new Map([...picked.chances].map(([id, chance]) => [id, (1 - control) * chance] as const));
  chances.set(own[0], (chances.get(own[0]) ?? 0) + control);
  const learnt = { weights: world.weights?.version ?? 0, controlled };
  if (controlled) return { order: left.map(([id]) => id), chances, drawn: undefined, learnt };
  return { ...picked, chances, learnt };
}

/**
 * As without rules; where no provider is well, as if all were: a payment is never refused for that. A named one goes
 * first.
 */
function byPriority({ world, takes }: Choosing): readonly string[] {
  const ids = world.contracts.map(({ id }) => id);
  const well = ids.filter((id) => takes(id, isUnwell));
  const order = well.length > 0 ? well : ids.filter((id) => fitsAtAll(world, id));
  const named = order.filter((id) => id === world.named?.id);
  return [...named, ...order.filter((id) => !named.includes(id))];
}

/** How likely it was that the first came first, in basis points; of what is refused as well. */
export function propensityOf({ order: [first = ''], chances }: Pick<Routed, 'order' | 'chances'>): number {
  return Math.round((chances.get(first) ?? 1) * BASIS_POINTS);
}

function fitsAtAll(world: World, id: string): boolean {
  const why = world.leftOut(id);
  return why === undefined || isUnwell(why);
}

/** In one order, whatever asked for them first. */
function sorted(skipped: ReadonlyMap<string, LeftOut>): Routed['skipped'] {
  return [...skipped].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
