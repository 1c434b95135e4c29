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
import { seeded } from '../seeded.ts';
import { type PlayedMonth, type Watched, declineDelays, declineMonth } from './detector-months.ts';

// what is counted takes its time on a busy machine
const FULL = process.env['FLORIN_TEST_FULL'] === '1';
type Cell = Watched & {
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

test.each(CELLS)('R5: at $a_day payments a day, $share of them its own, it is left when it declines all', (cell) => {
  const at = declineDelays(cell, 1);
  const all = [at(0.5), at(0.95)];
  const most = cell.months >= 60 ? declineDelays(cell, 0.6)(0.5) : Number.NaN;
  if (FULL) console.log(JSON.stringify({ ...cell, all, most }));
  // a fifth of what was simulated; of a few months the 95th percentile is the worst of them
  expect(all[0]).toBeLessThanOrEqual(cell.all_declined[0] * 1.2 + 2);
  expect(all[1]).toBeLessThanOrEqual(cell.all_declined[1] * (FULL ? 1.2 : 1.5) + 2);
  // of a few months the median is not it
  if (cell.months >= 60) expect(most).toBeLessThanOrEqual(cell.most_of_60 * 1.2 + 2);
});

test.each(CELLS)('R5: at $a_day payments a day, $share of them its own, it is left for nothing hardly ever', (cell) => {
  const months = Array.from({ length: cell.months }, (_, i) => declineMonth({ ...cell, seed: 900 + i }));
  const sum = (of: (one: PlayedMonth) => number) => months.reduce((all, one) => all + of(one), 0) / cell.months;
  if (FULL)
    console.log(JSON.stringify({ ...cell, suspected: sum((one) => one.suspected), acted: sum((one) => one.acted) }));
  // one in so few months would be more already
  expect(sum((one) => one.acted)).toBeLessThanOrEqual(Math.max(0.2, 1 / cell.months));
});

test('R5: with no other contract, or when all decline alike, it is suspected and keeps its payments', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const alone = declineMonth({ a_day: 200, share: 1, seed, outage: 1, alone: true });
    const all = declineMonth({ a_day: 200, share: 0.5, seed, outage: 1, all: true });
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

test('a contract that declined everything for half an hour is suspected, left, tried, and comes back from second to second', () => {
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
