// Turns the results of first attempts into the shares that contracts get next (best_of). Pure and without randomness:
// the same counts give the same weights everywhere.
import type { Worth } from '../fees.ts';
import { BASIS_POINTS } from '../table.ts';

/** Outcomes that a contract had, each worth less with every hour since. */
export type Seen = { readonly approved: number; readonly tried: number };
export const NOTHING: Seen = { approved: 0, tried: 0 };

/** After this many hours an outcome counts for half. */
const HALF_LIFE_H = 168;
/** What is known of a contract in other cells counts as much as this many outcomes. */
const PRIOR_WEIGHT = 20;
/** The approval rate that is assumed before anything was seen. */
const FIRST_RATE = 0.85;
/** Shares go by the third power of the chance to be best: of two that are near, the one ahead gets nearly all. */
const POWER = 3;
/** Points at which the beliefs are compared. */
const POINTS = 400;
/** Standard deviations on either side that are looked at. */
const REACH = 6;

/** Outcomes older than this weigh less than a hundredth. */
export const REMEMBERED_H = HALF_LIFE_H * 7;

export const fading = (age_h: number): number => 0.5 ** (age_h / HALF_LIFE_H);

/** A belief about a rate: a Beta distribution. */
export type Belief = { readonly a: number; readonly b: number };

/** The belief about a cell: it starts from the account's rate, then the contract's, then that of the cell. */
function beliefOf(cell: Seen, contract: Seen, account: Seen): Belief {
  const whole = leaning(account, FIRST_RATE);
  const own = leaning(contract, whole);
  return { a: cell.approved + own * PRIOR_WEIGHT, b: cell.tried - cell.approved + (1 - own) * PRIOR_WEIGHT };
}

const leaning = ({ approved, tried }: Seen, rate: number) => (approved + rate * PRIOR_WEIGHT) / (tried + PRIOR_WEIGHT);

/** The worth of an approved payment if only approvals count. */
const APPROVED: Worth = { kept: 1, attempt: 0 };

/** A belief about what a payment brings: its rate of approval, and what that is worth. */
type Bringing = Belief & Worth;

/** How likely each of them is the best one. */
function chancesOfBest(all: readonly Bringing[]): readonly number[] {
  const spans = all.map(spanOf);
  const ends = all.flatMap(({ kept, attempt }) => [-attempt, kept - attempt]);
  const from = Math.max(Math.min(...ends), Math.min(...spans.map(({ mean, deviation }) => mean - REACH * deviation)));
  const to = Math.min(Math.max(...ends), Math.max(...spans.map(({ mean, deviation }) => mean + REACH * deviation)));
  const masses = all.map((one) => massesOf(one, { from, step: (to - from) / POINTS }));
  const below = masses.map(cumulated);
  const chances = masses.map((mass, k) =>
    mass.reduce(
      (sum, here, i) =>
        sum + here * below.reduce((so_far, other, j) => (j === k ? so_far : so_far * (other[i] ?? 0)), 1),
      0,
    ),
  );
  const sum = chances.reduce((so_far, chance) => so_far + chance, 0);
  // all of them on one point: nothing tells them apart
  return sum > 0 ? chances.map((chance) => chance / sum) : all.map(() => 1 / all.length);
}

function spanOf({ a, b, kept, attempt }: Bringing): { readonly mean: number; readonly deviation: number } {
  const rate = a / (a + b);
  const deviation = Math.sqrt((rate * (1 - rate)) / (a + b + 1));
  return { mean: rate * kept - attempt, deviation: Math.abs(kept) * deviation };
}

type Grid = { readonly from: number; readonly step: number };

/** How much of the belief lies around each point. */
function massesOf(belief: Bringing, { from, step }: Grid): readonly number[] {
  const { a, b, kept, attempt } = belief;
  const logs = Array.from({ length: POINTS }, (_, i) => {
    const rate = (from + (i + 0.5) * step + attempt) / kept;
    return rate > 0 && rate < 1 ? (a - 1) * Math.log(rate) + (b - 1) * Math.log(1 - rate) : Number.NEGATIVE_INFINITY;
  });
  const top = Math.max(...logs);
  // fees take so much that whatever is approved lies between two points
  if (top === Number.NEGATIVE_INFINITY) {
    const at = step > 0 ? Math.min(POINTS - 1, Math.max(0, Math.floor((spanOf(belief).mean - from) / step))) : 0;
    return logs.map((_, i) => (i === at ? 1 : 0));
  }
  const raw = logs.map((log) => Math.exp(log - top));
  const all = raw.reduce((sum, one) => sum + one, 0);
  return raw.map((one) => one / all);
}

/** For each point, the sum of the shares below the middle of its own share. */
function cumulated(masses: readonly number[]): readonly number[] {
  let below = 0;
  return masses.map((mass) => {
    const here = below + mass / 2;
    below += mass;
    return here;
  });
}

/** Shares in basis points that add up to all of them; none is less than `floor`. */
export function sharesOf(chances: readonly number[], floor: number): readonly number[] {
  const powers = chances.map((chance) => chance ** POWER);
  const all = powers.reduce((sum, one) => sum + one, 0);
  const rest = BASIS_POINTS - floor * chances.length;
  const shares = powers.map((one) => floor + Math.floor((rest * one) / all));
  const best = shares.indexOf(Math.max(...shares));
  const left = BASIS_POINTS - shares.reduce((sum, one) => sum + one, 0);
  return shares.map((share, i) => (i === best ? share + left : share));
}

/** While too little is known: the rule's own order, and the floor for the others. */
export function firstShares(arms: number, floor: number): readonly number[] {
  return Array.from({ length: arms }, (_, i) => (i === 0 ? BASIS_POINTS - floor * (arms - 1) : floor));
}

/** Outcomes that each contract needs, over all its cells, before the rule's own order is left. */
export const MINIMUM = 200;
/** Outcomes of a cell, all contracts together, from which it has shares of its own. */
const OWN_CELL = 1000;

export type Learnt = {
  /** The fewest outcomes that a contract has, where they are too few; null: enough. */
  readonly missing: number | null;
  readonly shares: readonly number[];
  readonly cells: Readonly<Record<string, readonly number[]>>;
};

/** The worth of a cell's payments at each contract. Undefined: the fees of one of the contracts are not known there. */
export type Worths = ReadonlyMap<string, readonly Worth[] | undefined>;

type Choosing = {
  readonly arms: number;
  readonly floor: number;
  /** The worth of payments in each cell that was seen. Absent: only approvals count. */
  readonly worths?: Worths | undefined;
};

/** Shares of so many contracts from what was seen of each in each cell. Without fees a cell goes by approval. */
export function learnShares(cells: ReadonlyMap<string, readonly Seen[]>, { arms, floor, worths }: Choosing): Learnt {
  const each = Array.from({ length: arms }, (_, i) => summed([...cells.values()].map((seen) => seen[i] ?? NOTHING)));
  const fewest = Math.min(...each.map(({ tried }) => tried));
  if (fewest < MINIMUM) return { missing: Math.floor(fewest), shares: firstShares(arms, floor), cells: {} };
  const account = summed(each);
  const sharesIn = (seen: readonly Seen[], worth: readonly Worth[] | undefined) => {
    const all = seen.map((one, i) => ({ ...beliefOf(one, each[i] ?? NOTHING, account), ...(worth?.[i] ?? APPROVED) }));
    return sharesOf(chancesOfBest(all), floor);
  };
  const own = [...cells].flatMap(([cell, seen]) => {
    const worth = worths?.get(cell);
    if (summed(seen).tried >= OWN_CELL) return [[cell, sharesIn(seen, worth)] as const];
    // the shares of all others are by value, and what its payments are worth is not known
    return worths && !worth ? [[cell, sharesIn(each, undefined)] as const] : [];
  });
  return { missing: null, shares: sharesIn(each, worthOfAll(cells, worths)), cells: Object.fromEntries(own) };
}

/** Over all cells whose fees are known, each by its payments; undefined: they are known of none. */
export function worthOfAll(
  cells: ReadonlyMap<string, readonly Seen[]>,
  worths: Worths | undefined,
): readonly Worth[] | undefined {
  const known = [...cells].flatMap(([cell, seen]) => {
    const worth = worths?.get(cell);
    return worth ? [{ worth, weight: summed(seen).tried }] : [];
  });
  const all = known.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return undefined;
  const mean = (i: number, part: keyof Worth) =>
    known.reduce((sum, { worth, weight }) => sum + (weight / all) * (worth[i]?.[part] ?? 0), 0);
  return known[0]?.worth.map((_, i) => ({ kept: mean(i, 'kept'), attempt: mean(i, 'attempt') }));
}

export function summed(all: readonly Seen[]): Seen {
  return all.reduce((sum, one) => ({ approved: sum.approved + one.approved, tried: sum.tried + one.tried }), NOTHING);
}

/** Has any share moved by a point or more? */
export function hasMoved(before: readonly number[], after: readonly number[]): boolean {
  return before.length !== after.length || after.some((share, i) => Math.abs(share - (before[i] ?? 0)) >= POINT);
}

const POINT = 100;
