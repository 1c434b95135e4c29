// The note on a choice, which is stored with its attempt (transactions.route). Null if no rules are in force and every
// provider is well: then the first contract that fits was taken.
import type { Group } from '../../core/routing/experiment.ts';
import type { WeightsInForce } from '../../core/routing/learn/in-force.ts';
import {
  type LeftOut,
  type Lot,
  type Plan,
  type Routed,
  type Usable,
  type World,
  compiled,
  planFor,
  propensityOf,
} from '../../core/routing/route.ts';
import type { RouteFacts } from '../../core/routing/facts.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';

/** An index into the contracts of the version, or the id of one that it did not know. */
type Named = number | string;

export type RouteNote = {
  /**
   * Version of the rules; 0: none, and a provider that is not well was passed over, or one contract was to stand alone.
   */
  readonly v: number;
  /** Index of the rule that decided. */
  readonly r?: number;
  /**
   * The request named a contract that was to go first (1: the rules give what follows, 2: it is the only one). Below 0:
   * it was left out.
   */
  readonly n?: number;
  /** In which order they were to be tried. */
  readonly o: readonly Named[];
  /** Propensity and draw, in basis points. */
  readonly p: number;
  readonly u?: number;
  /** Version of the weights by which a best_of rule decided; 0: nothing was learnt yet. */
  readonly w?: number;
  /** The order is in that rule's control group. */
  readonly c?: 1;
  /** Experiment and its group: the version is the one of the group. */
  readonly e?: readonly [number: number, group: Group];
  /** Left out, and why, at that moment. */
  readonly x?: readonly (readonly [Named, LeftOut])[];
  /** Facts that a rule asked for and that stand nowhere else. */
  readonly f?: Readonly<Record<string, string>>;
};

/** A note with what it needs of its version to be read; null: it has none. */
export type RouteKept = {
  readonly note: RouteNote;
  readonly of: (Pick<RoutingInForce, 'contracts' | 'cascade'> & { readonly rule: string | null }) | null;
};

type Told = {
  readonly table: RoutingInForce;
  readonly how: 'first' | 'only' | undefined;
  readonly f: RouteNote['f'];
  readonly e: RouteNote['e'];
};

export function noteOf(routed: Routed, { table, how, f, e }: Told): RouteNote {
  const at = (id: string): Named => {
    const index = table.contracts.findIndex((contract) => contract.id === id);
    return index < 0 ? id : index;
  };
  const { rule, order, drawn, learnt, skipped, because } = routed;
  return {
    v: table.version,
    ...(rule !== undefined && { r: rule }),
    ...(how && { n: (how === 'only' ? 2 : 1) * (because === 'named' ? 1 : -1) }),
    o: order.map(at),
    p: propensityOf(routed),
    ...(drawn !== undefined && { u: inBasisPoints(drawn) }),
    ...(learnt && { w: learnt.weights, ...(learnt.controlled && { c: 1 as const }) }),
    ...(skipped.length > 0 && { x: skipped.map(([id, why]) => [at(id), why] as const) }),
    ...(f && { f }),
    ...(e && { e }),
  };
}

const inBasisPoints = (drawn: number): number => Math.floor(drawn * 10_000);

/**
 * The number that a note says was drawn. Undefined: none was, or the choice stood behind the contract that the request
 * named.
 */
export function drawnInNote(plan: Plan, { drawn }: Lot): number | undefined {
  return drawn === undefined || plan.named !== undefined ? undefined : inBasisPoints(drawn);
}

export function idsOf(
  { o }: Pick<RouteNote, 'o'>,
  { contracts }: Pick<RoutingInForce, 'contracts'>,
): readonly string[] {
  return o.map((one) => idOf(one, contracts));
}

/** Contracts that were left out, and why. */
export function skippedIn(
  { x = [] }: Pick<RouteNote, 'x'>,
  { contracts }: Pick<RoutingInForce, 'contracts'>,
): Routed['skipped'] {
  return x.map(([one, why]) => [idOf(one, contracts), why] as const);
}

export function idOf(named: Named, contracts: RoutingInForce['contracts']): string {
  return typeof named === 'string' ? named : (contracts[named]?.id ?? '');
}

/** What is needed to make a choice again: the note, its version, and the order as it is stored. */
export type Replayed = {
  readonly note: RouteNote;
  readonly table: RoutingInForce;
  readonly facts: RouteFacts;
  /** The weights that the note names; undefined: nothing was learnt. */
  readonly weights: WeightsInForce | undefined;
  /** Id of the contract that the request named. */
  readonly named: string | undefined;
};

/**
 * The world as the note has it. By priority come those that were to be tried or were left out; what a rule asked for
 * and the note does not name was there and was well.
 */
function worldOf({ note, table, weights, named }: Omit<Replayed, 'facts'>): Omit<World, 'draw'> {
  const left = new Map(skippedIn(note, table));
  const order = idsOf(note, table);
  const there = [...order, ...[...left].filter(([id, why]) => why !== 'off' && !order.includes(id)).map(([id]) => id)];
  return {
    contracts: there.map((id): Usable => ({ id, provider: '' })),
    leftOut: (id) => left.get(id),
    weights,
    named: named === undefined ? undefined : { id: named, how: howOf(note) ?? 'advice' },
  };
}

/** The choice made once more, but for its draw. */
export function planAgain(asked: Replayed): Plan {
  return planFor(asked.facts, compiled(asked.table), worldOf(asked));
}

/** The note of a choice that was made once more: it must be the one that was kept. */
export function noteAgain(routed: Routed, { note, table }: Pick<Replayed, 'note' | 'table'>): RouteNote {
  return noteOf(routed, { table, how: howOf(note), f: note.f, e: note.e });
}

function howOf({ n = 0 }: RouteNote): 'first' | 'only' | undefined {
  if (n === 0) return undefined;
  return Math.abs(n) === 2 ? 'only' : 'first';
}
