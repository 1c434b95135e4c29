// The figures of the detectors: how soon a provider that fails is left, how seldom one that is well, and that nothing
// flaps.
import { expect, test } from 'vitest';
import {
  WELL,
  type Watch,
  answered,
  learntLatency,
  opened,
  slowAfter,
  watched,
} from '../../src/core/routing/health.ts';
import { shareOf } from '../../src/core/routing/way-back.ts';
import { seeded } from '../seeded.ts';
import { FIGURES, type Rates, one, providerAlarms, providerDelays } from './detector-months.ts';

const FULL = process.env['FLORIN_TEST_FULL'] === '1';
const SEEDS = FULL ? 2000 : 200;
const SECOND = 1000;

test.each(FIGURES)('R5: %s is found when it should be', (_, rates, median, late) => {
  const found = providerDelays(rates, SEEDS);
  const [half, most] = [found[Math.floor(SEEDS / 2)] ?? 0, found[Math.floor(SEEDS * 0.95)] ?? 0];
  // a fifth of the figure, and a payment: a median of 200 draws is not the figure itself
  expect(Math.abs(half - median)).toBeLessThanOrEqual(median * 0.2 + 1);
  expect(Math.abs(most - late)).toBeLessThanOrEqual(late * 0.2 + 1);
  if (rates.bad === 1) expect(found.at(-1)).toBeLessThanOrEqual(10);
});

/**
 * Payments for one false alarm, of both detectors together: simulated 1.2 million, and 0.34 million where all is a
 * quarter worse.
 */
const SELDOM: readonly (readonly [string, Rates, number])[] = [
  ['as usual', { bad: 0.01, slow: 0.02 }, 1_200_000],
  ['a quarter worse than usual', { bad: 0.0125, slow: 0.025 }, 340_000],
];

test.each(SELDOM)('R5: one that is %s is left as seldom as simulated', (_, rates, payments) => {
  const calls = FULL ? 20_000_000 : 1_000_000;
  const left = providerAlarms(rates, calls);
  // three standard errors of a count, and a fifth of the figure
  const expected = calls / payments;
  expect(left).toBeLessThanOrEqual(expected * 1.2 + 3 * Math.sqrt(expected));
});

/** A provider that is asked as often as its share allows, at one payment a second. */
function played(badAt: (now_ms: number) => number, hours: number, seed: number): readonly Watch[] {
  const random = seeded(seed);
  const history: Watch[] = [];
  let watch: Watch = WELL;
  for (let now = SECOND; now < hours * 3600 * SECOND; now += SECOND) {
    const asked = random() < shareOf(watch, now);
    const counts = asked ? one(random, { bad: badAt(now), slow: 0.02 }) : { seen: 0, bad: 0, slow: 0 };
    const next = watched(watch, counts, now);
    if (next.state !== watch.state) history.push(next);
    watch = next;
  }
  return history;
}

test('R5: a square wave makes at most four changes an hour, whatever its length', () => {
  let all = 0;
  for (const [seed, minutes] of [
    [1, 1],
    [2, 2],
    [3, 5],
    [4, 10],
    [5, 15],
  ] as const) {
    const history = played((now) => (Math.floor(now / (minutes * 60 * SECOND)) % 2 === 1 ? 1 : 0.01), 8, seed);
    all += history.length;
    for (const { since_ms } of history) {
      const within = history.filter((other) => other.since_ms > since_ms - 3_600_000 && other.since_ms <= since_ms);
      expect(within.length).toBeLessThanOrEqual(4);
    }
  }
  expect(all).toBeGreaterThan(10);
});

test('a provider that was down comes back step by step: a few payments first, then more from second to second, then all', () => {
  const states = played((now) => (now > 600 * SECOND && now < 900 * SECOND ? 1 : 0.01), 1, 7);
  expect(states.map(({ state }) => state)).toEqual(['half', 'spread', 'closed']);
  const [half, spread] = states;
  if (!half || !spread) throw new Error('it has changed');
  expect(shareOf(half, half.since_ms + 5 * SECOND)).toBe(0.05);
  expect(shareOf(spread, spread.since_ms + 30 * SECOND)).toBeCloseTo(0.525);
  expect(shareOf(spread, spread.since_ms + 60 * SECOND)).toBe(1);
});

test('open takes nothing until a probe is answered; a second time within the hour it waits twice as long', () => {
  const open = opened(WELL, 1000);
  expect([open.state, shareOf(open, 2000), watched(open, { seen: 50, bad: 0, slow: 0 }, 3000)]).toEqual([
    'open',
    0,
    open,
  ]);
  const first = answered(open, 6000);
  expect([first.state, first.dwell_ms]).toEqual(['half', 30_000]);
  expect(watched(first, { seen: 9, bad: 0, slow: 0 }, 20_000).state).toBe('half');
  // two payments that are well are enough against what was seen
  expect(watched(first, { seen: 2, bad: 0, slow: 0 }, 36_000).state).toBe('spread');
  const again = answered(opened(watched(first, { seen: 2, bad: 0, slow: 0 }, 36_000), 40_000), 45_000);
  expect(again.dwell_ms).toBeGreaterThanOrEqual(60_000);
  // too little traffic to decide by: ten minutes without a bad one
  expect(watched(first, { seen: 0, bad: 0, slow: 0 }, 700_000).state).toBe('spread');
});

test('slowness is judged by the time that a provider usually takes', () => {
  const random = seeded(3);
  let p95 = 1000;
  for (let i = 0; i < 20_000; i++) p95 = learntLatency(p95, 500 + 4000 * random());
  // 95 of 100 take less than 4.3 s
  expect(p95).toBeGreaterThan(4000);
  expect(p95).toBeLessThan(4600);
  expect([slowAfter(p95) > 8000, slowAfter(300)]).toEqual([true, 2000]);
});
