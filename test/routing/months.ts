// Months of payments with a known truth, from a seed: what the figures of routing are measured on.
import { type SnipsSums, NO_ORDERS, addedSums, judge, sumsOf } from '../../src/core/routing/learn/snips.ts';
import { worthOf } from '../../src/core/routing/fees.ts';
import {
  type Method,
  type Verdict,
  countedLeft,
  distance,
  seenBy,
  verdictOf,
} from '../../src/core/routing/learn/verdict.ts';
import type { Seen } from '../../src/core/routing/learn/weights.ts';
import { type Random, seeded } from '../seeded.ts';

const DAYS = 30;
const NONE: Seen = { approved: 0, tried: 0 };

function day(random: Random, seen: Seen, { rate, orders }: { readonly rate: number; readonly orders: number }): Seen {
  let approved = 0;
  for (let i = 0; i < orders; i++) if (random() < rate) approved += 1;
  return { approved: seen.approved + approved, tried: seen.tried + orders };
}

export type Compared = { readonly verdict: Verdict | undefined; readonly on: number; readonly naive: boolean };

/** Two groups looked at every day: 700 orders a day in each, 85 of 100 approved, the second better by `lift`. */
export function comparison(seed: number, how: Method, lift: number): Compared {
  const random = seeded(seed);
  let [a, b] = [NONE, NONE];
  let naive = false;
  let found: Compared | undefined;
  for (let on = 1; on <= DAYS; on++) {
    a = day(random, a, { rate: 0.85, orders: 700 });
    b = day(random, b, { rate: 0.85 + lift, orders: 700 });
    naive ||= Math.abs(distance(a, b)) > 1.96;
    const verdict = verdictOf(a, b, { how, over: on === DAYS });
    if (verdict !== undefined) found ??= { verdict, on, naive: false };
  }
  return { ...(found ?? { verdict: undefined, on: DAYS }), naive };
}

/** Amounts of a shop, as many of each. Of the smallest two tries take more than a tenth. */
const AMOUNTS = [200, 2000, 15_000].map((amount_minor) => {
  const fees = { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.15' };
  return worthOf(fees, { currency: 'EUR', amount_minor, margin: 1 });
});

/** How often the first try is approved, and how often another one follows, of which half are. */
export type Way = { readonly rate: number; readonly again: number };

const left = ({ kept, attempt }: (typeof AMOUNTS)[number], won: boolean, tries: number) =>
  countedLeft((won ? kept : 0) - tries * attempt);

/** What an order leaves on the mean, if its first try is approved and if not. */
function meansOf({ again }: Pick<Way, 'again'>): { readonly won: number; readonly lost: number } {
  const mean = (of: (one: (typeof AMOUNTS)[number]) => number) =>
    AMOUNTS.reduce((sum, one) => sum + of(one) / AMOUNTS.length, 0);
  const more = mean((one) => (left(one, true, 2) + left(one, false, 2)) / 2);
  return {
    won: mean((one) => left(one, true, 1)),
    lost: (1 - again) * mean((one) => left(one, false, 1)) + again * more,
  };
}

/** The way that tries more often and leaves as much, or so much more. */
export function asGood(way: Way, again: number, lift = 0): Way {
  const [own, other] = [meansOf(way), meansOf({ again })];
  const leaves = way.rate * own.won + (1 - way.rate) * own.lost + lift;
  return { rate: (leaves - other.lost) / (other.won - other.lost), again };
}

/** Two groups compared by value at every day, as `comparison` compares them by approval. */
export function valueComparison(
  seed: number,
  how: Method,
  ways: readonly [Way, Way],
): Pick<Compared, 'verdict' | 'on'> {
  const random = seeded(seed);
  const sums = [0, 0];
  for (let on = 1; on <= DAYS; on++) {
    for (const [group, { rate, again }] of ways.entries())
      for (let i = 0; i < 700; i++) {
        const amount = AMOUNTS[Math.floor(random() * AMOUNTS.length)] ?? { kept: 1, attempt: 0 };
        const first = random() < rate;
        const tries = !first && random() < again ? 2 : 1;
        sums[group] = (sums[group] ?? 0) + left(amount, first || (tries === 2 && random() < 0.5), tries);
      }
    const [a = NONE, b = NONE] = sums.map((sum) => seenBy('value', sum, on * 700));
    const verdict = verdictOf(a, b, { how, over: on === DAYS });
    if (verdict !== undefined) return { verdict, on };
  }
  return { verdict: undefined, on: DAYS };
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const ARMS = ['a', 'b', 'c'] as const;
type Amounts = Readonly<Record<'a' | 'b' | 'c', number>>;

/** Other rules: everything to b; half and half; what is large to c, the rest to a. */
const TARGETS: Readonly<Record<string, (large: boolean) => Amounts>> = {
  'all to one': () => ({ a: 0, b: 1, c: 0 }),
  'half and half': () => ({ a: 0.5, b: 0.5, c: 0 }),
  'by amount': (large) => (large ? { a: 0, b: 0, c: 1 } : { a: 1, b: 0, c: 0 }),
};

export type Replayed = { readonly target: string; readonly sums: SnipsSums; readonly truth: number };

/** A month whose best contract changes daily, and whose rates drift: each contract was drawn with `floor` or more. */
export function replayed(seed: number, orders: number, floor: number): readonly Replayed[] {
  const random = seeded(seed);
  const drift = ARMS.map(() => normal(random) * 0.15);
  const level = [1.9, 1.75, 1.6];
  let then = new Map<string, number>();
  const sums = new Map(Object.keys(TARGETS).map((name) => [name, { sums: NO_ORDERS, truth: 0 }]));
  for (let i = 0; i < orders; i++) {
    if (i % Math.ceil(orders / DAYS) === 0) {
      const best = ARMS[Math.floor(random() * ARMS.length)];
      then = new Map(ARMS.map((arm) => [arm, arm === best ? 1 - 2 * floor : floor]));
      for (const k of ARMS.keys()) drift[k] = (drift[k] ?? 0) + normal(random) * 0.05;
    }
    const large = random() < 0.3;
    const payer = normal(random) * 0.5 - (large ? 0.5 : 0);
    const rates = ARMS.map((arm, k) =>
      logistic((level[k] ?? 0) + (drift[k] ?? 0) + payer + (large && arm === 'c' ? 0.6 : 0)),
    );
    const u = random();
    const first = then.get('a') ?? 0;
    const chosen = u < first ? 'a' : u < first + (then.get('b') ?? 0) ? 'b' : 'c';
    const approved = random() < (rates[ARMS.indexOf(chosen)] ?? 0);
    for (const [name, target] of Object.entries(TARGETS)) {
      const shares = target(large);
      const now = new Map(ARMS.map((arm) => [arm, shares[arm]]));
      const before = sums.get(name) ?? { sums: NO_ORDERS, truth: 0 };
      const truth = ARMS.reduce((sum, arm, k) => sum + (shares[arm] * (rates[k] ?? 0)) / orders, before.truth);
      sums.set(name, { sums: addedSums(before.sums, sumsOf(chosen, approved ? 1 : 0, { then, now })), truth });
    }
  }
  return [...sums].map(([target, found]) => ({ target, ...found }));
}

/** Of months in which a number is shown: the share whose interval has the truth in it. */
export function coverage(months: readonly Replayed[]): { readonly shown: number; readonly covered: number } {
  const shown = months.flatMap(({ sums, truth }) => {
    const judged = judge(sums);
    return 'rate' in judged ? [judged.from <= truth && truth <= judged.to] : [];
  });
  return { shown: shown.length, covered: shown.filter(Boolean).length / Math.max(1, shown.length) };
}
