// best_of: shares from what was seen, the choice that reads them, and the group that keeps the rule's own order.
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { firstShares, learnShares, sharesOf } from '../../src/core/routing/learn/weights.ts';
import type { WeightsInForce } from '../../src/core/routing/learn/in-force.ts';
import { guardOf } from '../../src/core/routing/learn/verdict.ts';
import { type World, compiled, propensityOf, route } from '../../src/core/routing/route.ts';
import type { RouteTable } from '../../src/core/routing/table.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { drawerOf } from '../../src/payment/routing/facts.ts';
import { CONTRACTS, randomFacts, randomTable, randomWeights, randomWorld } from './random.ts';
import { seeded } from '../seeded.ts';

const FULL = process.env['FLORIN_TEST_FULL'] === '1';
const KEY = createSecretKey(Buffer.alloc(32, 9));
const drawer = (i: number) =>
  drawerOf(KEY, {
    merchant_account_id: '0a'.repeat(12),
    order_id: sha256(`order ${i}`).slice(0, 24),
    customer_id: null,
    card_digest: null,
    attempt: 1,
  });

const seenOf = (tried: number, rate: number) => ({ tried, approved: tried * rate });
const two = { arms: 2, floor: 200 };

test('shares add up, nobody has less than the floor, and the one that is best has most', () => {
  const random = seeded(41);
  for (let i = 0; i < (FULL ? 20_000 : 300); i++) {
    const arms = 2 + Math.floor(random() * 4);
    const floor = 50 + Math.floor(random() * 950);
    const cells = new Map(
      ['', 'EUR visa payer', 'USD visa payer'].map((cell) => [
        cell,
        Array.from({ length: arms }, () => seenOf(Math.floor(random() ** 3 * 200_000), random())),
      ]),
    );
    const learnt = learnShares(cells, { arms, floor });
    for (const shares of [learnt.shares, ...Object.values(learnt.cells)]) {
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(10_000);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(floor);
    }
  }
  const clear = learnShares(new Map([['x', [seenOf(5000, 0.8), seenOf(5000, 0.9), seenOf(5000, 0.7)]]]), {
    arms: 3,
    floor: 200,
  });
  expect(clear).toEqual({ missing: null, shares: [200, 9600, 200], cells: { x: [200, 9600, 200] } });
  // the same counts give the same shares, wherever
  expect(sharesOf([0.5, 0.3, 0.2], 200)).toEqual([7544, 1786, 670]);
});

test('while one of them has too few outcomes, the rule keeps its own order and the floor explores', () => {
  const few = learnShares(new Map([['x', [seenOf(90_000, 0.5), seenOf(199, 0.9)]]]), two);
  expect(few).toEqual({ missing: 199, shares: [9800, 200], cells: {} });
  const small = learnShares(
    new Map([
      ['x', [seenOf(90_000, 0.8), seenOf(500, 0.9)]],
      ['y', [seenOf(9, 1), seenOf(9, 0)]],
    ]),
    two,
  );
  // a cell with little of its own has the shares of all cells together
  expect(Object.keys(small.cells)).toEqual(['x']);
});

const TABLE: RouteTable = {
  rules: [
    {
      name: 'best',
      when: {},
      since: 3,
      then: { best_of: ['acq-a', 'acq-b', 'acq-c'], by: 'approval', floor: 200, control: 1000 },
    },
  ],
  otherwise: 'priority',
  cascade: 1,
  contracts: CONTRACTS,
};
const WEIGHTS: WeightsInForce = {
  version: 7,
  rules: [{ rule: 'best', since: 3, from_hour: 0, stopped: null, shares: [200, 9000, 800], cells: {} }],
};
const world = (draw: World['draw'], weights: WeightsInForce | undefined = WEIGHTS): World => ({
  contracts: CONTRACTS.map(({ id }) => ({ id, provider: id })),
  leftOut: () => undefined,
  draw,
  weights,
});

test('R4: orders go as the shares say, one in ten keeps the own order, and the two draws have nothing in common', () => {
  const facts = randomFacts(seeded(1));
  const orders = FULL ? 100_000 : 20_000;
  const firsts = new Map<string, number>();
  let [controlled, own] = [0, 0];
  const cells = Array.from({ length: 16 }, () => 0);
  for (let i = 0; i < orders; i++) {
    const draw = drawer(i);
    const routed = route(facts, compiled(TABLE), world(draw));
    const [first = ''] = routed.order;
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
    if (routed.learnt?.controlled === true) {
      controlled += 1;
      if (
        routed.order.join() ===
        CONTRACTS.slice(0, 3)
          .map(({ id }) => id)
          .join()
      )
        own += 1;
    }
    if (propensityOf(routed) !== EXACT[CONTRACTS.findIndex(({ id }) => id === first)]) throw new Error('no propensity');
    const asked = { rule: 'best', since: 3, by: 'order' } as const;
    const at = Math.floor(draw(asked) * 4) * 4 + Math.floor(draw({ ...asked, what: 'control' }) * 4);
    cells[at] = (cells[at] ?? 0) + 1;
  }
  expect(own).toBe(controlled);
  for (const [count, p] of [
    [controlled, 0.1],
    ...EXACT.map((points, i) => [firsts.get(CONTRACTS[i]?.id ?? '') ?? 0, points / 10_000]),
  ] as [number, number][])
    expect(Math.abs(count / orders - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / orders));
  // 15 degrees of freedom: above 37.7 once in a thousand
  const expected = orders / 16;
  expect(cells.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)).toBeLessThan(37.7);
});
/** 0.1 of the control group goes to the first, nine in ten by their shares. */
const EXACT = [1180, 8100, 720];

test('propensities of all contracts add up to one in any world, and the choice is one of them', () => {
  const random = seeded(77);
  let learnt = 0;
  for (let i = 0; i < (FULL ? 100_000 : 3000); i++) {
    const table = randomTable(random);
    const routed = route(randomFacts(random), compiled(table), {
      ...randomWorld(random),
      draw: drawer(i),
      weights: randomWeights(random, table),
    });
    if (routed.order.length === 0) continue;
    const sum = [...routed.chances.values()].reduce((all, one) => all + one, 0);
    if (Math.abs(sum - 1) > 1e-12 || !(propensityOf(routed) >= 1))
      throw new Error(JSON.stringify({ sum, table, routed }));
    if (routed.learnt) learnt += 1;
  }
  expect(learnt).toBeGreaterThan(80);
});

test('the same order and the same version of the weights give the same choice; another version may give another', () => {
  const facts = randomFacts(seeded(3));
  const other = { ...WEIGHTS, version: 8, rules: WEIGHTS.rules.map((one) => ({ ...one, shares: [9600, 200, 200] })) };
  let moved = 0;
  for (let i = 0; i < 500; i++) {
    const one = route(facts, compiled(TABLE), world(drawer(i)));
    expect(route(facts, compiled(TABLE), world(drawer(i), structuredClone(WEIGHTS)))).toEqual(one);
    if (route(facts, compiled(TABLE), world(drawer(i), other)).order[0] !== one.order[0]) moved += 1;
  }
  expect(moved).toBeGreaterThan(300);
});

test('nothing was learnt yet, or of another target: its own order and the floor; stopped: its own order', () => {
  const [a = '', b = '', c = ''] = CONTRACTS.map(({ id }) => id);
  const chances = (weights: WeightsInForce | undefined, leftOut: World['leftOut'] = () => undefined) => {
    const { chances: found, learnt } = route(randomFacts(seeded(3)), compiled(TABLE), {
      ...world(() => 0.5),
      weights,
      leftOut,
    });
    return [[a, b, c].map((id) => Math.round((found.get(id) ?? 0) * 10_000)), learnt?.weights];
  };
  expect(chances(undefined)).toEqual([[9640, 180, 180], 0]);
  const of = (more: object) => ({ ...WEIGHTS, rules: WEIGHTS.rules.map((one) => ({ ...one, ...more })) });
  expect(chances(of({ since: 2 }))).toEqual([[9640, 180, 180], 7]);
  const stopped = of({ stopped: 'worse', shares: firstShares(3, 0) });
  expect(chances(stopped)).toEqual([[10_000, 0, 0], 7]);
  expect(chances(stopped, (id) => (id === a ? 'open' : undefined))).toEqual([[0, 10_000, 0], 7]);
});

test('the guard speaks from 500 in each group on: by the sequential test over all, or by what is far worse within a day', () => {
  const sides = (kept: number, tried: number, n = 5000) => ({ kept: seenOf(n, kept), tried: seenOf(n, tried) });
  const none = sides(0.9, 0.9);
  expect(guardOf(sides(0.9, 0.7, 499), none)).toBe(undefined);
  expect(guardOf(sides(0.9, 0.7, 500), none)).toBe('20 points fewer approved than in the control group since it began');
  // the other way round nothing is to be stopped
  expect(guardOf(sides(0.7, 0.9), none)).toBe(undefined);
  expect(guardOf(sides(0.9, 0.899), none)).toBe(undefined);
  // over all it is nothing yet, today it is plain
  expect(guardOf(sides(0.9, 0.895), sides(0.9, 0.86, 1500))).toMatch(/^4 points .* within a day$/);
  expect(guardOf(sides(0.9, 0.895), sides(0.9, 0.88, 1500))).toBe(undefined);
});
