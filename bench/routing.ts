// The figures of what routing concludes from outcomes, printed: npm run bench:routing. Tests hold them at fewer months
// (test/routing/figures.test.ts); what differs from the page they were taken from stands in docs/decisions/0113.
import { neededFor } from '../src/core/routing/learn/verdict.ts';
import { month, untilStopped } from '../test/routing/bandit-months.ts';
import { comparison, coverage, replayed } from '../test/routing/months.ts';

const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const share = (list: readonly boolean[]) => percent(list.filter(Boolean).length / list.length);

console.log(`85 % and a point: ${neededFor(0.01)} orders in each group`);
const alike = { fixed: seeds(1000).map((seed) => comparison(seed, 'fixed', 0)) };
const sequential = seeds(1000).map((seed) => comparison(seed, 'sequential', 0));
const wrong = (found: readonly { readonly verdict: unknown }[]) =>
  share(found.map(({ verdict }) => verdict === 'a' || verdict === 'b'));
console.log(`alike, 30 daily looks: fixed ${wrong(alike.fixed)}, sequential ${wrong(sequential)} wrong`);
console.log(`a plain test at every look: ${share(sequential.map(({ naive }) => naive))} wrong`);
for (const lift of [0.01, 0.02, 0.03]) {
  const found = seeds(400).map((seed) => comparison(20_000 + seed, 'sequential', lift));
  const right = found.filter(({ verdict }) => verdict === 'b');
  console.log(
    `better by ${percent(lift)}: found in ${share(found.map(({ verdict }) => verdict === 'b'))}, on day ${mean(right.map(({ on }) => on)).toFixed(1)}`,
  );
}
for (const orders of [1000, 5000, 20_000]) {
  const months = seeds(170).flatMap((seed) => replayed(seed, orders, 0.02));
  const { shown, covered } = coverage(months);
  const effective = mean(months.map(({ sums }) => sums.w ** 2 / sums.w2));
  console.log(
    `${orders} orders: worth ${effective.toFixed(0)}, shown in ${shown} of ${months.length}, interval right in ${percent(covered)}`,
  );
}
const truths = {
  near: { gap: 0.08, wander: 0.01, outages: 0 },
  'apart, two outages': { gap: 0.25, wander: 0.02, outages: 2 },
  'first is worst': { gap: -0.15, wander: 0.01, outages: 0 },
};
for (const [name, truth] of Object.entries(truths))
  for (const per_day of [200, 2000, 10_000]) {
    const months = seeds(per_day > 2000 ? 4 : 10).map((seed) => month(seed, per_day, truth));
    const [gain, regret, fixed] = (['gain', 'regret', 'fixed_regret'] as const).map((of) =>
      mean(months.map((one) => one[of])).toFixed(2),
    );
    const worst = Math.min(...months.map((one) => one.gain)).toFixed(2);
    console.log(
      `${name}, ${per_day} a day: gain ${gain} (worst ${worst}), regret ${regret}, of the own order ${fixed}`,
    );
  }
for (const worse of [0.1, 0.05, 0.03]) {
  const stops = seeds(200)
    .map((seed) => untilStopped(seed, worse))
    .toSorted((a, b) => a - b);
  console.log(`worse by ${percent(worse)}: stopped after ${stops[100]} orders, 95 of 100 after ${stops[190]}`);
}
