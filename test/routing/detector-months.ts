// What the detectors of providers and of contracts see, with a known truth, from a seed: their figures are measured on
// it.
import { DAY_MS } from '../../src/core/durations.ts';
import { type DeclineWatches, UNWATCHED, watchedDeclines } from '../../src/core/routing/decline-watch.ts';
import { WELL, type Watch, watched } from '../../src/core/routing/health.ts';
import { shareOf } from '../../src/core/routing/way-back.ts';
import { type Random, seeded } from '../seeded.ts';

const SECOND = 1000;

export type Rates = { readonly bad: number; readonly slow: number };
export const one = (random: Random, { bad, slow }: Rates) => ({
  seen: 1,
  bad: random() < bad ? 1 : 0,
  slow: random() < slow ? 1 : 0,
});

/** Payments until it is left, after 300 usual ones. */
export function providerDelays(rates: Rates, seeds: number): readonly number[] {
  return Array.from({ length: seeds }, (_, seed) => {
    const random = seeded(seed + 1);
    let watch: Watch = WELL;
    for (let i = 0; i < 300; i++) watch = watched(watch, one(random, { bad: 0.01, slow: 0.02 }), i * SECOND);
    if (watch.state !== 'closed') watch = WELL;
    for (let i = 1; ; i++) {
      watch = watched(watch, one(random, rates), (300 + i) * SECOND);
      if (watch.state !== 'closed') return i;
    }
  }).toSorted((a, b) => a - b);
}

/** Simulated: median and 95th percentile, of payments. */
export const FIGURES: readonly (readonly [string, Rates, number, number])[] = [
  ['all unanswered', { bad: 1, slow: 0.02 }, 6, 6],
  ['half unanswered', { bad: 0.5, slow: 0.02 }, 11, 18],
  ['a fifth unanswered', { bad: 0.2, slow: 0.02 }, 29, 58],
  ['all slow', { bad: 0.01, slow: 1 }, 6, 6],
  ['half slow', { bad: 0.01, slow: 0.5 }, 11, 20],
  ['a fifth slow', { bad: 0.01, slow: 0.2 }, 35, 77],
];

/** How often one is left that never changes, of so many calls. */
export function providerAlarms(rates: Rates, calls: number): number {
  const random = seeded(5);
  let watch: Watch = WELL;
  let left = 0;
  for (let i = 0; i < calls; i++) {
    watch = watched(watch, one(random, rates), i * SECOND);
    if (watch.state === 'closed') continue;
    left += 1;
    watch = WELL;
  }
  return left;
}

const DAYS = 30;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
}
const logOdds = (p: number) => Math.log(p / (1 - p));
const rateOf = (x: number) => 1 / (1 + Math.exp(-x));

export type DeclineMonth = {
  readonly a_day: number;
  /** Of the watched contract, while it is well. */
  readonly share: number;
  readonly seed: number;
  /** What it declines from the eighteenth day on; absent: nothing ever happens to it. */
  readonly outage?: number;
  /** Both are hit at once. */
  readonly all?: true;
  readonly alone?: true;
};

export type PlayedMonth = { readonly suspected: number; readonly acted: number; readonly delay: number | undefined };

/** One month; acted on falsely, it is watched afresh. With an outage it ends when that is acted on. */
export function declineMonth({ a_day, share, seed, outage, all, alone }: DeclineMonth): PlayedMonth {
  const random = seeded(seed);
  const payments = a_day * DAYS;
  const begins = outage === undefined ? payments : Math.floor(payments * 0.6);
  let [wanders, own] = [logOdds(0.15), 0];
  let watches: DeclineWatches = {};
  let [suspected, acted, since] = [0, 0, 0];
  for (let i = 0; i < payments; i++) {
    const now_ms = (i * DAY_MS) / a_day;
    if (i % Math.max(1, Math.floor(a_day / 24)) === 0) {
      wanders += normal(random) * 0.1;
      wanders += (logOdds(0.15) - wanders) * 0.03;
      own = (own + normal(random) * 0.03) * 0.97;
    }
    const hour = ((i % a_day) / a_day) * 24;
    const usual = wanders + 0.35 * Math.cos(((hour - 3) / 24) * 2 * Math.PI);
    const watch = watches['a'] ?? UNWATCHED;
    const is_a = alone === true || random() < Math.min(share, shareOf(watch, now_ms));
    const is_out = outage !== undefined && i >= begins;
    if (is_a && is_out) since += 1;
    const rate = is_out && (is_a || all) ? outage : is_a ? rateOf(usual + own) : rateOf(usual - 0.1);
    const counts = { [is_a ? 'a' : 'b']: { seen: 1, bad: random() < rate ? 1 : 0 } };
    watches = watchedDeclines(watches, counts, now_ms);
    const now = watches['a'] ?? UNWATCHED;
    if (now.state === watch.state) continue;
    if (now.state === 'suspected') suspected += 1;
    if (now.state !== 'half') continue;
    if (is_out && !all) return { suspected, acted, delay: since };
    acted += 1;
    watches = { ...watches, a: { ...UNWATCHED, rate: now.rate, learnt: now.learnt } };
  }
  return { suspected, acted, delay: undefined };
}

/** A contract in so many months. */
export type Watched = Pick<DeclineMonth, 'a_day' | 'share'> & { readonly months: number };

/** Of several months of it: at `part` of the sorted delays. */
export function declineDelays(cell: Watched, outage: number): (part: number) => number {
  const found = Array.from({ length: cell.months }, (_, i) => declineMonth({ ...cell, seed: 4000 + i, outage }).delay);
  const sorted = found.map((delay) => delay ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  return (part) => sorted[Math.floor(sorted.length * part)] ?? Number.POSITIVE_INFINITY;
}
