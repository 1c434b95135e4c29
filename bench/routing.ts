// The figures of docs/design/routing.md, printed: npm run bench:routing -- [decision] [providers] [declines]
// [experiments] [trials] [best_of]; without a word all of them. Tests hold them at fewer months
// (test/routing/figures.test.ts, health.test.ts, decline-watch.test.ts).
import { neededFor } from '../src/core/routing/learn/verdict.ts';
import { month, untilStopped } from '../test/routing/bandit-months.ts';
import {
  FIGURES,
  declineDelays,
  declineMonth,
  providerAlarms,
  providerDelays,
} from '../test/routing/detector-months.ts';
import { comparison, coverage, replayed } from '../test/routing/months.ts';
import { decisionOf } from './decision.ts';
import { mean } from './pace.ts';

const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const share = (list: readonly boolean[]) => percent(list.filter(Boolean).length / list.length);

function decision(): void {
  const [one, forty, hundred] = [decisionOf(1), decisionOf(40), decisionOf(100)];
  console.log(
    `a decision with one draw: ${one.us.toFixed(1)} µs by the first rule, ${forty.us.toFixed(1)} by the last of 40, ${hundred.us.toFixed(1)} of 100 (${((hundred.us - one.us) / 99).toFixed(3)} a rule); its note has ${forty.note_bytes} bytes`,
  );
}

function providers(): void {
  for (const [name, rates] of FIGURES) {
    const found = providerDelays(rates, 2000);
    console.log(`a provider, ${name}: left after ${found[1000]} payments, 95 of 100 after ${found[1900]}`);
  }
  const calls = 20_000_000;
  const seldom = (bad: number, slow: number) => {
    const alarms = providerAlarms({ bad, slow }, calls);
    return alarms === 0 ? `none in ${calls}` : `one in ${Math.round(calls / alarms)}`;
  };
  console.log(`false alarms, failing alone: ${seldom(0.01, 0)} payments, a quarter worse ${seldom(0.0125, 0)}`);
  console.log(`slow alone: ${seldom(0, 0.02)}, a quarter worse ${seldom(0, 0.025)}`);
  console.log(`both: ${seldom(0.01, 0.02)}, a quarter worse ${seldom(0.0125, 0.025)}`);
}

function declines(): void {
  for (const [a_day, months] of [
    [200, 200],
    [2000, 60],
    [20_000, 12],
  ] as const)
    // prettier-ignore
    for (const own of [0.5, 0.9]) {
      const played = seeds(months).map((seed) => declineMonth({ a_day, share: own, seed: 899 + seed }));
      const [suspected, acted] = (['suspected', 'acted'] as const).map((what) => mean(played.map((one) => one[what])));
      const delays = [1, 0.6, 0.4].map((outage) => {
        const at = declineDelays({ a_day, share: own, months }, outage);
        return `${outage * 100} %: ${at(0.5)}, ${at(0.95)}`;
      });
      console.log(
        `declines, ${a_day} a day, ${own * 100} % of them its own: suspected ${suspected?.toFixed(2)} a month, left for nothing ${acted?.toFixed(3)}; left after payments (median, 95 of 100) when it declines ${delays.join('; ')}`,
      );
    }
}

function experiments(): void {
  console.log(`85 % and a point: ${neededFor(0.01)} orders in each group`);
  const fixed = seeds(1000).map((seed) => comparison(seed, 'fixed', 0));
  const sequential = seeds(1000).map((seed) => comparison(seed, 'sequential', 0));
  const wrong = (found: readonly { readonly verdict: unknown }[]) =>
    share(found.map(({ verdict }) => verdict === 'a' || verdict === 'b'));
  console.log(`alike, 30 daily looks: fixed ${wrong(fixed)}, sequential ${wrong(sequential)} wrong`);
  console.log(`a plain test at every look: ${share(sequential.map(({ naive }) => naive))} wrong`);
  for (const lift of [0.01, 0.02, 0.03]) {
    const found = seeds(400).map((seed) => comparison(20_000 + seed, 'sequential', lift));
    const right = found.filter(({ verdict }) => verdict === 'b');
    console.log(
      `better by ${percent(lift)}: found in ${share(found.map(({ verdict }) => verdict === 'b'))}, on day ${mean(right.map(({ on }) => on)).toFixed(1)}`,
    );
  }
}

function trials(): void {
  for (const orders of [1000, 5000, 20_000]) {
    const months = seeds(170).flatMap((seed) => replayed(seed, orders, 0.02));
    const { shown, covered } = coverage(months);
    const effective = mean(months.map(({ sums }) => sums.w ** 2 / sums.w2));
    console.log(
      `${orders} orders: worth ${effective.toFixed(0)}, shown in ${shown} of ${months.length}, interval right in ${percent(covered)}`,
    );
  }
}

const TRUTHS = {
  near: { gap: 0.08, wander: 0.01, outages: 0 },
  'apart, two outages': { gap: 0.25, wander: 0.02, outages: 2 },
  'first is worst': { gap: -0.15, wander: 0.01, outages: 0 },
};

function bestOf(): void {
  for (const [name, truth] of Object.entries(TRUTHS))
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
}

const PARTS = { decision, providers, declines, experiments, trials, best_of: bestOf };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}`);
for (const [name, print] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(name)) print();
