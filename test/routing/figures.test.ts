// Figures of what routing concludes from outcomes, on months with a known truth (docs/decisions/0113). `npm run
// bench:routing` prints them.
import { expect, test, vi } from 'vitest';
import { judge } from '../../src/core/routing/learn/snips.ts';
import { neededFor, seenBy, verdictOf } from '../../src/core/routing/learn/verdict.ts';
import { month, untilStopped } from './bandit-months.ts';
import { asGood, comparison, coverage, replayed, valueComparison } from './months.ts';

const FULL = process.env['FLORIN_TEST_FULL'] === '1';
vi.setConfig({ testTimeout: 600_000 });
const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const share = <T>(list: readonly T[], is: (one: T) => boolean) => list.filter(is).length / list.length;
/** Four standard errors of a share of so many. */
const room = (p: number, n: number) => 4 * Math.sqrt((p * (1 - p)) / n);

test('R7: looked at daily, two groups that are alike are told apart at most as often as is said', () => {
  const n = FULL ? 1000 : 200;
  const wrong = (how: 'fixed' | 'sequential') => seeds(n).map((seed) => comparison(seed, how, 0));
  const [fixed, sequential] = [wrong('fixed'), wrong('sequential')];
  const found = ({ verdict }: { readonly verdict: unknown }) => verdict === 'a' || verdict === 'b';
  expect(share(sequential, found)).toBeLessThanOrEqual(0.05);
  expect(share(fixed, found)).toBeLessThanOrEqual(0.05 + room(0.05, n));
  // what both are for: a plain test at every look is wrong in one month of four
  expect(share(sequential, ({ naive }) => naive)).toBeGreaterThan(0.15);
});

test('R7: a real difference is found, and how soon', () => {
  const n = FULL ? 400 : 40;
  const lifted = (lift: number) => seeds(n).map((seed) => comparison(20_000 + seed, 'sequential', lift));
  const better = (lift: number) => share(lifted(lift), ({ verdict }) => verdict === 'b');
  expect(Math.abs(better(0.01) - 0.5)).toBeLessThan(room(0.5, n) + 0.05);
  expect(better(0.02)).toBeGreaterThan(0.95);
  expect(better(0.03)).toBe(1);
  expect(neededFor(0.01)).toBe(20_015);
});

test('R7: by value, two groups that leave as much are told apart at most as often as is said, whatever their tries cost', () => {
  const n = FULL ? 1000 : 200;
  const way = { rate: 0.8, again: 0.05 };
  const found = ({ verdict }: { readonly verdict: unknown }) => verdict === 'a' || verdict === 'b';
  // one approves more and pays for more tries, so that as much is left
  for (const other of [way, asGood(way, 0.6)])
    for (const how of ['fixed', 'sequential'] as const) {
      const wrong = share(
        seeds(n).map((seed) => valueComparison(seed, how, [way, other])),
        found,
      );
      expect(wrong).toBeLessThanOrEqual(0.05 + (how === 'fixed' ? room(0.05, n) : 0));
    }
  const better = seeds(40).map((seed) => valueComparison(30_000 + seed, 'sequential', [way, asGood(way, 0.6, 0.025)]));
  expect(share(better, ({ verdict }) => verdict === 'b')).toBeGreaterThan(0.95);
});

test('R7: by value, groups that lose on the mean are told apart too', () => {
  const losing = (left: number) => seenBy('value', left * 20_000, 20_000);
  const over = { how: 'fixed', over: true } as const;
  expect(verdictOf(losing(-0.05), losing(-0.03), over)).toBe('b');
  expect(verdictOf(losing(-0.03), losing(-0.05), over)).toBe('a');
  expect(verdictOf(losing(-0.05), losing(-0.05), over)).toBe('none');
});

test('R7: where a number is shown for other rules, its interval has the truth in it; below 200 effective orders none is', () => {
  const months = (n: number, orders: number) => seeds(n).flatMap((seed) => replayed(seed, orders, 0.02));
  const few = months(FULL ? 200 : 8, 1000);
  expect(few.every(({ sums }) => 'why' in judge(sums))).toBe(true);
  const many = coverage(months(FULL ? 170 : 12, 20_000));
  expect(many.shown).toBeGreaterThan(FULL ? 500 : 30);
  expect(many.covered).toBeGreaterThanOrEqual(0.95 - room(0.95, many.shown));
  // without the square of the weights, intervals would be far too wide or too narrow
  expect(many.covered).toBeLessThanOrEqual(FULL ? 0.98 : 1);
});

test('R6: from 2,000 payments a day on it gains on the fixed order; with 200 a day it costs no more than the floor', () => {
  const n = FULL ? 10 : 3;
  const near = { gap: 0.08, wander: 0.01, outages: 0 };
  const apart = { gap: 0.25, wander: 0.02, outages: 2 };
  const gain = (per_day: number, truth: typeof near) => {
    const months = seeds(n).map((seed) => month(seed, per_day, truth));
    return { mean: months.reduce((sum, one) => sum + one.gain, 0) / n, months };
  };
  const [quiet, busy] = [gain(200, near), gain(2000, apart)];
  // too few outcomes: its own order, with the floor for the others, all month
  expect(quiet.months.map(({ began }) => began)).toEqual(quiet.months.map(() => null));
  expect(quiet.mean).toBeGreaterThan(-0.3);
  expect(busy.mean).toBeGreaterThan(0.3);
  expect(busy.months.every(({ began }) => began !== null && began <= 10)).toBe(true);
});

test('R6: a posterior that was made wrong is stopped by its control group', () => {
  const n = FULL ? 200 : 40;
  const stops = seeds(n)
    .map((seed) => untilStopped(seed, 0.1))
    .toSorted((a, b) => a - b);
  // a tenth of all orders is the control group, and it needs 500: hardly before 5,000
  expect(stops[Math.floor(n / 2)]).toBeLessThan(7000);
  expect(stops.at(-1)).toBeLessThan(20_000);
  // and one that is as good is left alone
  expect(
    share(
      seeds(n).map((seed) => untilStopped(seed, 0)),
      Number.isFinite,
    ),
  ).toBeLessThanOrEqual(0.05 + room(0.05, n));
});
