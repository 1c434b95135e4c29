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
/** It takes some payments: it is coming back, or declines more than others do. */
export const getsAShare = (why: LeftOut | undefined): boolean =>
  why === 'half' || why === 'spread' || why === 'suspected';

/** A contract that is switched on, in the order of priority. */
export type Usable = { readonly id: string; readonly provider: string };

/** The world at this moment. */
export type World = {
  readonly contracts: readonly Usable[];
  /** Undefined: it is on, takes this payment, and is well. The answer is the same every time for one payment. */
  leftOut(id: string): LeftOut | undefined;
  /** A number from 0 up to, but without, 1. */
  draw(asked: Drawing): number;
  /** The weights that best_of rules have learnt; undefined: none yet. */
  readonly weights?: WeightsInForce | undefined;
  /**
   * The contract that the request names, if it fits: `first`: before the rules; `only`: alone; `advice`: if no rule
   * decides.
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

/** A contract named as `only` gets the payment even if its provider is not well: nothing else may take it. */
function goesFirst({ id, how }: NonNullable<World['named']>, { world, takes }: Choosing): boolean {
  return how !== 'advice' && ((how === 'only' && fitsAtAll(world, id)) || takes(id));
}

/**
 * Where a payment goes, apart from what is drawn: the same for all payments that the rules cannot tell apart
 * (alike.ts).
 */
export type Plan = Pick<Routed, 'because' | 'rule' | 'refused' | 'chances' | 'skipped'> & {
  /** Goes before all others, whatever is drawn. */
  readonly named: string | undefined;
  /** The order of contracts if nothing is drawn, and for the control group. */
  readonly order: readonly string[];
  readonly lots: Lots | undefined;
};

/** Which contract comes first is drawn from these. */
type Lots = {
  readonly asked: Drawing;
  readonly shares: readonly Share[];
  /** The contracts that follow after them, by priority. */
  readonly also: readonly string[];
  readonly best: { readonly weights: number; readonly control: number } | undefined;
};

/** One of the shares was drawn, by its place. Undefined: none was, or the order is in the control group. */
export type Lot = { readonly place: number | undefined; readonly drawn: number | undefined };

export function route(facts: RouteFacts, of: Compiled, world: World): Routed {
  const plan = planFor(facts, of, world);
  return settled(plan, drawFor(plan, world.draw));
}

export function planFor(facts: RouteFacts, of: Compiled, world: Omit<World, 'draw'>): Plan {
  const skipped = new Map<string, LeftOut>();
  const takes = (id: string, told: (why: LeftOut) => boolean = () => true) => {
    const why = world.leftOut(id);
    if (why && told(why)) skipped.set(id, why);
    return why === undefined;
  };
  const done = (plan: Omit<Plan, 'skipped'>): Plan => ({ ...plan, skipped: sorted(skipped) });
  const named = world.named && goesFirst(world.named, { world, takes }) ? world.named : undefined;
  if (named?.how === 'only')
    return done({ ...inOrder([named.id]), refused: undefined, because: 'named', rule: undefined, named: named.id });
  const chosen = choose(facts, of, { world, takes });
  if (!named) return done({ ...chosen, because: chosen.rule === undefined ? 'priority' : 'rule', named: undefined });
  return done({ ...chosen, refused: undefined, because: 'named', chances: only(named.id), named: named.id });
}

const NO_LOT: Lot = { place: undefined, drawn: undefined };

/** Draws for a plan, if there is something to draw. */
export function drawFor({ lots }: Pick<Plan, 'lots'>, draw: World['draw']): Lot {
  if (!lots) return NO_LOT;
  const { asked, shares, best } = lots;
  if (best && draw({ ...asked, what: 'control' }) < best.control) return NO_LOT;
  const drawn = draw(asked);
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  let below = 0;
  const place = shares.findIndex(([, share]) => drawn * all < (below += share));
  return { place: Math.max(0, place), drawn };
}

/** The choice that a plan and its draw make. */
export function settled(plan: Plan, { place, drawn }: Lot): Routed {
  const { because, rule, refused, chances, skipped, named, lots } = plan;
  const order = lots === undefined || place === undefined ? plan.order : orderOf(lots, place);
  return {
    order: named === undefined ? order : [named, ...order.filter((id) => id !== named)],
    because,
    rule,
    refused,
    chances,
    // behind what is named it is not told
    drawn: named === undefined ? drawn : undefined,
    learnt: lots?.best && { weights: lots.best.weights, controlled: place === undefined },
    skipped,
  };
}

/** The first by the draw, the others by falling share, and then who follows in any case. */
function orderOf({ shares, also }: Lots, place: number): readonly string[] {
  const others = shares.filter((_, i) => i !== place).toSorted(([, a], [, b]) => b - a);
  return [...shares.slice(place, place + 1), ...others].map(([id]) => id).concat(also);
}

/** `told`: which reasons are kept. */
type Choosing = { readonly world: Omit<World, 'draw'>; takes(id: string, told?: (why: LeftOut) => boolean): boolean };

/** How an order comes about. */
type Picked = Pick<Plan, 'order' | 'chances' | 'lots'>;
type Choice = Picked & Pick<Plan, 'rule' | 'refused'>;

function choose(facts: RouteFacts, of: Compiled, choosing: Choosing): Choice {
  const { table, rules } = of;
  const isReady = (name: string) => choosing.takes(of.idOf(name));
  for (const { test, rule, then, name, since } of rules) {
    if (!test(facts, isReady)) continue;
    if ('refuse' in then) return { ...inOrder([]), rule, refused: then.refuse };
    const picked = pick({ name, since, then }, { ...choosing, of, facts });
    if (!picked) continue;
    return { ...(then.also === true ? followed(picked, byPriority(choosing)) : picked), rule, refused: undefined };
  }
  if (table.otherwise === 'refuse') return { ...inOrder([]), rule: undefined, refused: 'no_route' };
  const order = byPriority(choosing);
  return { ...inOrder(order), rule: undefined, refused: order.length === 0 ? 'no_route' : undefined };
}

/** Nothing is drawn: the first comes first. */
function inOrder(order: readonly string[]): Picked {
  return { order, chances: only(...order.slice(0, 1)), lots: undefined };
}

const only = (...ids: readonly string[]): Chances => new Map(ids.map((id) => [id, 1]));

function followed({ order, chances, lots }: Picked, by_priority: readonly string[]): Picked {
  const also = by_priority.filter((id) => !order.includes(id));
  return { order: [...order, ...also], chances, lots: lots && { ...lots, also } };
}

type Picking = Choosing & { readonly of: Compiled; readonly facts: RouteFacts };
type Sending = Pick<RouteRule, 'name' | 'since' | 'then'>;

/** Undefined: none of its contracts is left. */
function pick({ name, since, then }: Sending, picking: Picking): Picked | undefined {
  const { of, takes } = picking;
  if ('order' in then) {
    const order = then.order.map(of.idOf).filter((id) => takes(id));
    return order.length === 0 ? undefined : inOrder(order);
  }
  if ('best_of' in then) return pickBest({ name, since, then }, picking);
  if ('refuse' in then) return undefined;
  const shares = then.split.map(([contract, share]): Share => [of.idOf(contract), share]).filter(([id]) => takes(id));
  const asked = { rule: name, since, by: then.by };
  return shares.length === 0 ? undefined : drawnFrom({ asked, shares, also: [], best: undefined });
}

function drawnFrom(lots: Lots): Picked {
  const { shares } = lots;
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  return { order: shares.map(([id]) => id), chances: new Map(shares.map(([id, share]) => [id, share / all])), lots };
}

type SendingBest = Pick<RouteRule, 'name' | 'since'> & { readonly then: BestOf };

/**
 * One order in a fixed number keeps the rule's own order (the control group). For the others the first contract is
 * drawn by what was learnt.
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
  const control = then.control / BASIS_POINTS;
  const picked = drawnFrom({
    asked: { rule: name, since, by: 'order' },
    shares: drawable,
    also: [],
    best: { weights: world.weights?.version ?? 0, control },
  });
  const chances = new Map([...picked.chances].map(([id, chance]) => [id, (1 - control) * chance] as const));
  chances.set(own[0], (chances.get(own[0]) ?? 0) + control);
  return { ...picked, chances };
}

/**
 * The contracts as without rules. If no provider is well, they are taken as if all were: no payment is refused for
 * that. A named contract goes first.
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

function fitsAtAll(world: Pick<World, 'leftOut'>, id: string): boolean {
  const why = world.leftOut(id);
  return why === undefined || isUnwell(why);
}

/** In one order, whatever asked for them first. */
function sorted(skipped: ReadonlyMap<string, LeftOut>): Routed['skipped'] {
  return [...skipped].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
