// Two groups of payments compared: the rates with what is unsure of them, and when a difference is one. Pure.
import type { Seen } from './weights.ts';

/** A result that chance alone gives once in twenty is called a difference. */
const ERROR = 0.05;
const Z95 = 1.959_964;
/** 80 of 100 real differences are found. */
const Z_POWER = 0.841_621;
/** How large differences are expected to be, before any is seen: the mixture of the sequential test. */
const MIXTURE = 0.02;
/** Below it in a group the sequential test says nothing: a rate of so few is no rate. */
export const LEAST = 100;
/** The rate from which the orders that are needed are reckoned, where none is known. */
const USUAL_RATE = 0.85;

/** The measures by which groups are compared. */
export const METRICS = ['approval', 'value'] as const;
export type Metric = (typeof METRICS)[number];

/** In a comparison by value, an order counts as a loss of at most this part of its amount, whatever its tries cost. */
const MOST_LOST = 0.1;

/** What an order counts for: the part of its amount that is left after fees, within limits. */
export const countedLeft = (left: number): number => Math.min(1, Math.max(-MOST_LOST, left));

/** The least value that one order counts for, and the span to the largest. */
const SPANS = {
  approval: { from: 0, reach: 1 },
  value: { from: -MOST_LOST, reach: 1 + MOST_LOST },
} as const satisfies Readonly<Record<Metric, { readonly from: number; readonly reach: number }>>;

/**
 * A sum of what so many orders counted for, as a test of rates takes it: each from 0 to 1. What lies between varies at
 * most as much as what is one of the two, so the test is never too quick.
 */
export function seenBy(metric: Metric, sum: number, tried: number): Seen {
  const { from, reach } = SPANS[metric];
  return { approved: (sum - from * tried) / reach, tried };
}

/** The way back: of a rate, and of a difference of two. */
export const meanBy = (metric: Metric, rate: number): number => SPANS[metric].from + rate * SPANS[metric].reach;
export const differenceBy = (metric: Metric, difference: number): number => difference * SPANS[metric].reach;

export type Interval = { readonly from: number; readonly to: number };

/** The confidence interval of a rate (Wilson). Undefined: nothing was seen. */
export function rateInterval({ approved, tried }: Seen): Interval | undefined {
  if (tried === 0) return undefined;
  const rate = approved / tried;
  const weight = 1 + Z95 ** 2 / tried;
  const middle = (rate + Z95 ** 2 / (2 * tried)) / weight;
  const half = (Z95 / weight) * Math.sqrt((rate * (1 - rate)) / tried + Z95 ** 2 / (4 * tried ** 2));
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

type Compared = { readonly difference: number; readonly variance: number };

/** `b` less `a`; as if both had one rate, which is what is to be refuted. */
function compared(a: Seen, b: Seen): Compared {
  const rate = (a.approved + b.approved + 1) / (a.tried + b.tried + 2);
  const variance = rate * (1 - rate) * (1 / a.tried + 1 / b.tried);
  return { difference: b.approved / b.tried - a.approved / a.tried, variance };
}

/** In standard errors, above 0 where `b` is better. */
export function distance(a: Seen, b: Seen): number {
  if (a.tried === 0 || b.tried === 0) return 0;
  const { difference, variance } = compared(a, b);
  return difference / Math.sqrt(variance);
}

/**
 * May be looked at as often as one likes (mSPRT): true at most once in twenty where there is no difference, over all
 * looks.
 */
function isDifferent(a: Seen, b: Seen): boolean {
  if (a.tried < LEAST || b.tried < LEAST) return false;
  const { difference, variance } = compared(a, b);
  const spread = MIXTURE ** 2;
  const likelihood =
    Math.sqrt(variance / (variance + spread)) *
    Math.exp((spread * difference ** 2) / (2 * variance * (variance + spread)));
  return likelihood > 1 / ERROR;
}

/**
 * The confidence interval of the difference. It holds at every look; at a fixed end a narrower one holds. Undefined:
 * too little was seen.
 */
export function differenceInterval(a: Seen, b: Seen, how: Method): Interval | undefined {
  if (a.tried < LEAST || b.tried < LEAST) return undefined;
  const { difference, variance } = compared(a, b);
  const spread = MIXTURE ** 2;
  const half =
    how === 'fixed'
      ? Z95 * Math.sqrt(variance)
      : Math.sqrt(
          ((variance * (variance + spread)) / spread) *
            (2 * Math.log(1 / ERROR) + Math.log((variance + spread) / variance)),
        );
  return { from: difference - half, to: difference + half };
}

/** Decided once at its end, or at any look before it. */
export const METHODS = ['fixed', 'sequential'] as const;
export type Method = (typeof METHODS)[number];

/** Orders in each group until a difference of so much is found four times in five. */
export function neededFor(effect: number, rate: number = USUAL_RATE): number {
  return Math.ceil((2 * rate * (1 - rate) * (Z95 + Z_POWER) ** 2) / effect ** 2);
}

export type Verdict = 'a' | 'b' | 'none';

/** Which group is better; `none`: at its end no difference was found. Undefined: nothing can be said yet. */
export function verdictOf(
  a: Seen,
  b: Seen,
  { how, over }: { readonly how: Method; readonly over: boolean },
): Verdict | undefined {
  const found = how === 'sequential' ? isDifferent(a, b) : over && Math.abs(distance(a, b)) > Z95;
  if (found) return distance(a, b) > 0 ? 'b' : 'a';
  return over ? 'none' : undefined;
}

/** So many in each group before the guard says anything. */
const GUARDED_FROM = 500;
/** So far behind within a day, and so clearly, that the guard stops without more data. */
const FAR = 0.03;
const FAR_DISTANCE = 3;

export type Sides = { readonly kept: Seen; readonly tried: Seen };

/** The words for the reason of a stop. */
const LESS = { approval: 'fewer approved', value: 'less left after fees' } as const satisfies Readonly<
  Record<Metric, string>
>;

/** `reach`: of what an order counts for, before it was put between 0 and 1. */
type Guarding = { readonly by: Metric; readonly reach?: number };

/** Why what is tried is to stop: what is kept beside it does better. Undefined: it may go on. */
export function guardOf(all: Sides, day: Sides, { by, reach = 1 }: Guarding = { by: 'approval' }): string | undefined {
  const behind = ({ kept, tried }: Sides) => reach * (kept.approved / kept.tried - tried.approved / tried.tried);
  const words = (sides: Sides, when: string) =>
    `${Math.round(behind(sides) * 1000) / 10} points ${LESS[by]} than in the control group ${when}`;
  const enough = (sides: Sides) => Math.min(sides.kept.tried, sides.tried.tried) >= GUARDED_FROM;
  if (!enough(all)) return undefined;
  if (isDifferent(all.kept, all.tried) && behind(all) > 0) return words(all, 'since it began');
  const far = enough(day) && behind(day) > FAR && distance(day.tried, day.kept) >= FAR_DISTANCE;
  return far ? words(day, 'within a day') : undefined;
}
