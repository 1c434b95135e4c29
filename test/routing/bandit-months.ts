// Months in which a best_of rule learns, beside the order that it would keep else: rates wander from hour to hour, the
// truth is known.
import { type Seen, NOTHING, fading, firstShares, learnShares } from '../../src/core/routing/learn/weights.ts';
import { guardOf } from '../../src/core/routing/learn/verdict.ts';
import { type Random, seeded } from '../seeded.ts';

const HOURS = 720;
const CELLS = [0.5, 0.25, 0.15, 0.1];
const ARMS = 3;
/** Shares are worked out anew after so many hours: once a minute would be the same, and too long for a test. */
const EVERY_H = 2;

export type Truth = {
  /** How far contracts are apart, in log odds, and how much they wander in an hour. */
  readonly gap: number;
  readonly wander: number;
  /** Two hours each. */
  readonly outages: number;
};

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const odds = (rate: number) => Math.log(rate / (1 - rate));
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** Hour, cell, contract. */
type Rates = readonly (readonly (readonly number[])[])[];

function ratesOf(seed: number, { gap, wander, outages }: Truth): Rates {
  const random = seeded(seed);
  const base = CELLS.map((_, cell) =>
    Array.from({ length: ARMS }, (_one, arm) => odds(0.86 - 0.03 * cell) - gap * arm + normal(random) * gap),
  );
  const now = base.map((row) => [...row]);
  const rates = Array.from({ length: HOURS }, () =>
    now.map((row, cell) =>
      row.map((_, arm) => {
        const next = (row[arm] ?? 0) + normal(random) * wander;
        row[arm] = next + ((base[cell]?.[arm] ?? 0) - next) * 0.01;
        return logistic(row[arm] ?? 0);
      }),
    ),
  );
  for (let i = 0; i < outages; i++) {
    const [arm, from] = [Math.floor(random() * ARMS), Math.floor(random() * (HOURS - 3))];
    for (const row of rates.slice(from, from + 2).flat()) row[arm] = random() < 0.5 ? 0.05 : 0.4;
  }
  return rates;
}

export type Month = {
  /** Points of approval above the rule's own order; how far that is below the best of every hour. */
  readonly gain: number;
  readonly regret: number;
  readonly fixed_regret: number;
  /** Day on which the own order was left; null: never. */
  readonly began: number | null;
};

export function month(seed: number, per_day: number, truth: Truth): Month {
  const rates = ratesOf(100 + seed, truth);
  const random = seeded(50 + seed);
  const cells = CELLS.map(() => Array.from({ length: ARMS }, () => ({ approved: 0, tried: 0 })));
  let shares = CELLS.map(() => firstShares(ARMS, 200));
  let [got, fixed, best] = [0, 0, 0];
  let began: number | null = null;
  let step = -1;
  const orders = per_day * 30;
  for (let i = 0; i < orders; i++) {
    const hour = Math.floor((i / orders) * HOURS);
    if (Math.floor(hour / EVERY_H) !== step) {
      step = Math.floor(hour / EVERY_H);
      for (const seen of cells.flat()) {
        seen.approved *= fading(EVERY_H);
        seen.tried *= fading(EVERY_H);
      }
      const known = new Map<string, readonly Seen[]>(cells.map((seen, cell) => [String(cell), seen]));
      const learnt = learnShares(known, { arms: ARMS, floor: 200 });
      if (learnt.missing === null) began ??= Math.floor(i / per_day);
      shares = CELLS.map((_, cell) => learnt.cells[String(cell)] ?? learnt.shares);
    }
    const cell = drawn(random(), CELLS);
    const arm = drawn(random() * 10_000, shares[cell] ?? []);
    const here = rates[hour]?.[cell] ?? [];
    const rate = here[arm] ?? 0;
    got += rate;
    fixed += here[0] ?? 0;
    best += Math.max(...here);
    const seen = cells[cell]?.[arm];
    if (!seen) throw new Error('a cell and a contract were drawn');
    seen.tried += 1;
    if (random() < rate) seen.approved += 1;
  }
  const points = (sum: number) => (sum / orders) * 100;
  return { gain: points(got - fixed), regret: points(best - got), fixed_regret: points(best - fixed), began };
}

function drawn(u: number, shares: readonly number[]): number {
  let below = 0;
  const found = shares.findIndex((share) => u < (below += share));
  return found < 0 ? 0 : found;
}

/** Orders until a posterior that was made wrong is stopped: all go to a contract that is worse by `worse`. */
export function untilStopped(seed: number, worse: number): number {
  const random = seeded(seed);
  const [kept, tried] = [{ ...NOTHING }, { ...NOTHING }] as { approved: number; tried: number }[];
  if (!kept || !tried) throw new Error('there are two');
  for (let orders = 1; orders <= 100_000; orders++) {
    const controlled = random() < 0.1;
    const side = controlled ? kept : tried;
    side.tried += 1;
    if (random() < (controlled ? 0.85 : 0.85 - worse)) side.approved += 1;
    if (orders % 100 === 0 && guardOf({ kept, tried }, { kept, tried })) return orders;
  }
  return Infinity;
}
