// The decline detector on months of payments with a known truth: rates wander, for all contracts together and a little
// for each.
import { expect, test } from 'vitest';
import {
  type DeclineState,
  type DeclineWatch,
  type DeclineWatches,
  UNWATCHED,
  watchedDeclines,
} from '../../src/core/routing/decline-watch.ts';
import { shareOf } from '../../src/core/routing/way-back.ts';
import { type Random, seeded } from '../seeded.ts';

// what is counted takes its time on a busy machine
const FULL = process.env['FLORIN_TEST_FULL'] === '1';
const DAYS = 30;
const DAY_MS = 86_400_000;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
}
const logOdds = (p: number) => Math.log(p / (1 - p));
const rateOf = (x: number) => 1 / (1 + Math.exp(-x));

type Month = {
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

type Played = { readonly suspected: number; readonly acted: number; readonly delay: number | undefined };

/** One month; acted on falsely, it is watched afresh. With an outage it ends when that is acted on. */
function month({ a_day, share, seed, outage, all, alone }: Month): Played {
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

type Cell = {
  readonly a_day: number;
  readonly share: number;
  readonly months: number;
  /** Payments of the watched contract until all-declined is acted on: median and 95th percentile. */
  readonly all_declined: readonly [number, number];
  readonly most_of_60: number;
};

const CELLS: readonly Cell[] = [
  { a_day: 200, share: 0.5, months: FULL ? 200 : 60, all_declined: [28, 38], most_of_60: 53 },
  { a_day: 200, share: 0.9, months: FULL ? 200 : 60, all_declined: [53, 80], most_of_60: 111 },
  { a_day: 2000, share: 0.5, months: FULL ? 60 : 6, all_declined: [28, 42], most_of_60: 60 },
  { a_day: 2000, share: 0.9, months: FULL ? 60 : 6, all_declined: [49, 76], most_of_60: 104 },
];

/** Of several months of it: at `part` of the sorted delays. */
function delays(cell: Cell, outage: number): (part: number) => number {
  const found = Array.from({ length: cell.months }, (_, i) => month({ ...cell, seed: 4000 + i, outage }).delay);
  const sorted = found.map((delay) => delay ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  return (part) => sorted[Math.floor(sorted.length * part)] ?? Number.POSITIVE_INFINITY;
}

test.each(CELLS)('R5: at $a_day payments a day, $share of them its own, it is left when it declines all', (cell) => {
  const at = delays(cell, 1);
  const all = [at(0.5), at(0.95)];
  const most = cell.months >= 60 ? delays(cell, 0.6)(0.5) : Number.NaN;
  if (FULL) console.log(JSON.stringify({ ...cell, all, most }));
  // a fifth of what was simulated; of a few months the 95th percentile is the worst of them
  expect(all[0]).toBeLessThanOrEqual(cell.all_declined[0] * 1.2 + 2);
  expect(all[1]).toBeLessThanOrEqual(cell.all_declined[1] * (FULL ? 1.2 : 1.5) + 2);
  // of a few months the median is not it
  if (cell.months >= 60) expect(most).toBeLessThanOrEqual(cell.most_of_60 * 1.2 + 2);
});

test.each(CELLS)('R5: at $a_day payments a day, $share of them its own, it is left for nothing hardly ever', (cell) => {
  const months = Array.from({ length: cell.months }, (_, i) => month({ ...cell, seed: 900 + i }));
  const sum = (of: (one: Played) => number) => months.reduce((all, one) => all + of(one), 0) / cell.months;
  if (FULL)
    console.log(JSON.stringify({ ...cell, suspected: sum((one) => one.suspected), acted: sum((one) => one.acted) }));
  // one in so few months would be more already
  expect(sum((one) => one.acted)).toBeLessThanOrEqual(Math.max(0.2, 1 / cell.months));
});

test('R5: with no other contract, or when all decline alike, it is suspected and keeps its payments', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const alone = month({ a_day: 200, share: 1, seed, outage: 1, alone: true });
    const all = month({ a_day: 200, share: 0.5, seed, outage: 1, all: true });
    expect([alone.acted, all.acted]).toEqual([0, 0]);
    expect(alone.suspected).toBeGreaterThan(0);
  }
});

/** A payment a second, half of them its own while it may have them; `rateAt`: what it declines. */
function played(rateAt: (now_ms: number) => number, hours: number, seed: number): readonly DeclineWatch[] {
  const random = seeded(seed);
  const history: DeclineWatch[] = [];
  let watches: DeclineWatches = {};
  for (let now_ms = 1000; now_ms < hours * 3_600_000; now_ms += 1000) {
    const watch = watches['a'] ?? UNWATCHED;
    const is_a = random() < 0.5 * shareOf(watch, now_ms);
    const rate = is_a ? rateAt(now_ms) : 0.15;
    watches = watchedDeclines(watches, { [is_a ? 'a' : 'b']: { seen: 1, bad: random() < rate ? 1 : 0 } }, now_ms);
    const now = watches['a'] ?? UNWATCHED;
    if (now.state !== watch.state) history.push(now);
  }
  return history;
}

test('one that declined everything for half an hour is suspected, left, tried, and comes back from second to second', () => {
  const from = 3_600_000;
  const history = played((now) => (now > from && now < from * 1.5 ? 1 : 0.15), 3, 7);
  expect(history.map(({ state }) => state)).toEqual(['suspected', 'half', 'spread', 'closed'] satisfies DeclineState[]);
  const [suspected, half, spread] = history;
  if (!suspected || !half || !spread) throw new Error('it has changed');
  expect([suspected, half, spread].map((watch) => shareOf(watch, watch.since_ms))).toEqual([0.8, 0.05, 0.05]);
  expect(spread.since_ms).toBeGreaterThan(from * 1.5);
});

test('R5: a square wave makes at most four changes an hour here too', () => {
  let all = 0;
  for (const [seed, minutes] of [2, 5, 10, 15, 30].entries()) {
    const history = played((now) => (Math.floor(now / (minutes * 60_000)) % 2 === 1 ? 1 : 0.15), 8, seed + 1);
    all += history.length;
    for (const { since_ms } of history) {
      const within = history.filter((other) => other.since_ms > since_ms - 3_600_000 && other.since_ms <= since_ms);
      expect(within.length).toBeLessThanOrEqual(4);
    }
  }
  expect(all).toBeGreaterThan(10);
});
