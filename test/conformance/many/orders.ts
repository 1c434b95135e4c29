// npm run test:orders: thousands of orders over all providers, three in ten of them in trouble, and then everything
// compared with everything.
//
// FLORIN_ORDERS says how many (10,000), FLORIN_SEED what is drawn, FLORIN_ORDERS_SECONDS when no more are begun
// (1,500). The same seed draws the same orders and the same troubles, not the same interleaving. The mutants after it
// must be caught by the same comparison.
import { expect, test } from 'vitest';
import { chanceOf } from '../../chaos/chance.ts';
import { type Stand, openStand } from '../stand.ts';
import { PROVIDERS } from '../providers.ts';
import { type Compared, type Sums, compare, endAll } from './compare.ts';
import { hearLog, tablesHolding } from './leaks.ts';
import { type Wish, playOrder } from './merchant.ts';
import { MUTANTS } from './mutants.ts';
import { type Plan, openTroubles } from './trouble.ts';

const { FLORIN_ORDERS = '10000', FLORIN_ORDERS_SECONDS = '1500' } = process.env;
const SEED = process.env['FLORIN_SEED'] ?? Math.floor(Math.random() * 1e9).toString(36);
const AT_ONCE = 40;
const PART = 0.3;
/** What is open for so long is wrong; of a mutant sooner. */
const END_S = 300;
const MUTANT_END_S = 60;

const say = (line: string) => void process.stdout.write(`${line}\n`);

type Played = { readonly wishes: readonly Wish[]; readonly troubles: ReadonlyMap<string, number> };

/** A number of merchants at once, each with the next order, until there are enough or the time is over. */
type Many = { readonly orders: number; readonly seconds: number; readonly plan: Plan };

async function play({ w }: Stand, seed: string, many: Many) {
  const began = performance.now();
  const troubles = openTroubles(w, PROVIDERS, many.plan);
  const wishes: Wish[] = [];
  let next = 0;
  const merchant = async () => {
    while (next < many.orders && performance.now() - began < many.seconds * 1000) {
      const number = next++;
      const chance = chanceOf(seed, String(number));
      const at = chance.pick(PROVIDERS);
      await troubles.before(at, chance);
      wishes.push(await playOrder({ w, at, chance, name: `many-${number}`, stories: many.plan.stories }));
      if (number % 500 === 499) say(`${number + 1} orders after ${Math.round((performance.now() - began) / 1000)} s`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, merchant));
  await troubles.end();
  const played: Played = { wishes, troubles: troubles.count };
  return played;
}

async function judge(stand: Stand, { wishes }: Played, end_s: number): Promise<Compared> {
  const open = await endAll(stand.w, end_s);
  // all that was ever told is told once more, the newest first: nothing of it changes anything
  for (const at of PROVIDERS) await at.drive(stand.w).retell();
  if (open.length === 0) open.push(...(await endAll(stand.w, end_s)));
  const compared = await compare(stand.w, PROVIDERS, wishes);
  return { ...compared, wrong: [...compared.wrong, ...open] };
}

test('many orders with many troubles: nothing twice, nothing lost, all books agree', async () => {
  say(`seed ${SEED}, ${FLORIN_ORDERS} orders, ${Math.round(PART * 100)} % in trouble`);
  await using stand = await openStand();
  const log = hearLog(stand.w);
  const began = performance.now();
  const played = await play(stand, SEED, {
    orders: Number(FLORIN_ORDERS),
    seconds: Number(FLORIN_ORDERS_SECONDS),
    plan: { part: PART },
  });
  const load_s = (performance.now() - began) / 1000;
  const { wrong, ours, theirs } = await judge(stand, played, END_S);
  const all_s = (performance.now() - began) / 1000;
  const { wishes, troubles } = played;
  say(`${wishes.length} orders in ${Math.round(load_s)} s, ended and compared after ${Math.round(all_s)} s`);
  say(`troubles: ${[...troubles].map(([what, n]) => `${what} ${n}`).join(', ')}`);
  for (const [name, sums] of theirs) say(`${name}: here ${shown(ours.get(name))}; there ${shown(sums)}`);
  for (const line of wrong.slice(0, 40)) say(`WRONG ${line}`);
  expect(wrong).toEqual([]);
  expect(wishes.length).toBeGreaterThan(0);

  const names = PROVIDERS.flatMap((at) => at.names);
  const secrets = [...(stand.w.service.simulators ?? [])]
    .flatMap(([, { credentials }]) => Object.entries(credentials))
    .flatMap(([name, value]) => (names.includes(name) ? [] : [value]));
  const cards = PROVIDERS.flatMap(({ cards: { good, declined } }) => [good, ...Object.keys(declined)]);
  const texts = [...new Set([...cards, ...secrets])];
  expect(await tablesHolding(stand.w, texts)).toEqual([]);
  expect(log.holding(texts)).toEqual([]);
  say(`${texts.length} card numbers and credentials in no table and in none of ${log.count} log lines; seed ${SEED}`);
  expect(log.count).toBeGreaterThan(0);
}, 3_600_000);

const MUTANT_ORDERS = 150;

test.each(Object.entries(MUTANTS))(
  'a Florin that %s is caught',
  async (name, { breaks, plan }) => {
    await using stand = await openStand();
    breaks(stand.w);
    const played = await play(stand, SEED, { orders: MUTANT_ORDERS, seconds: 300, plan });
    const { wrong: found } = await judge(stand, played, MUTANT_END_S);
    say(`a Florin that ${name}: ${found.length} differences, as ${found[0] ?? 'none'}; seed ${SEED}`);
    expect(found.filter((line) => line.startsWith('order ') || line.startsWith('many-'))).not.toEqual([]);
  },
  900_000,
);

const shown = (sums: Sums | undefined): string =>
  sums
    ? Object.entries(sums)
        .map(([name, sum]) => `${name} ${sum}`)
        .join(', ')
    : 'nothing';
