// What a trial says of the cost of other rules: exact where nothing moves, an estimate where the sample carries it, and
// why there is none otherwise.
import { expect, test } from 'vitest';
import { result } from '../../src/core/results.ts';
import { NO_ORDERS, type SnipsSums, addedSums, sumsOf } from '../../src/core/routing/learn/snips.ts';
import { judgeCost } from '../../src/core/routing/learn/trial-cost.ts';
import { furtherUnder } from '../../src/payment/routing/trial/cost.ts';
import { seeded } from '../seeded.ts';

const NEW = new Map([['b', 1]]);

/** Orders of 10 to 100, drawn for `b` with a share; a takes 3 %, b takes 1 % where it approves 8 of 10. */
function drawn(orders: number, share: number, seed: number) {
  const random = seeded(seed);
  const then = new Map([
    ['a', 1 - share],
    ['b', share],
  ]);
  let outcome: SnipsSums = NO_ORDERS;
  let truth = 0;
  for (let i = 0; i < orders; i++) {
    const amount = 1000 + Math.floor(random() * 9000);
    const at_b = random() < 0.8 ? amount / 100 : 0;
    truth += at_b;
    const chosen = random() < share ? 'b' : 'a';
    const cost = chosen === 'b' ? at_b : amount * 0.03;
    outcome = addedSums(outcome, sumsOf(chosen, cost, { then, now: NEW }));
  }
  const sums = { known: orders, known_minor: 0, same: 0, same_minor: 0, unknown: 0, outcome };
  return { sums, truth };
}

test('if each contract was drawn for a share, the interval contains the true cost in 92 to 98 of 100 months', () => {
  let held = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const { sums, truth } = drawn(3000, 0.2, seed);
    const judged = judgeCost(sums);
    if (typeof judged === 'string' || 'why' in judged) throw new Error('there is an estimate');
    expect(judged.orders).toBe(3000);
    expect(judged.then).toBeGreaterThan(judged.now);
    if (judged.from <= truth && truth <= judged.to) held += 1;
  }
  expect(held).toBeGreaterThan(276);
  expect(held).toBeLessThanOrEqual(294);
});

test('with few of them, with none where they would go, or without fees there is no number', () => {
  expect(judgeCost(drawn(300, 0.2, 1).sums)).toMatchObject({ why: 'few' });
  const { sums } = drawn(3000, 0.2, 1);
  const outcome = { ...sums.outcome, unseen: 61 };
  expect(judgeCost({ ...sums, outcome })).toMatchObject({ why: 'unseen' });
  expect(judgeCost({ ...sums, outcome: NO_ORDERS })).toMatchObject({ why: 'none' });
  expect(judgeCost({ ...sums, unknown: 62 })).toBe('fees');
  expect(judgeCost({ ...sums, unknown: 61 })).toMatchObject({ orders: 3000 });
});

test('an attempt that goes to the same contract costs the same, whether anything was drawn or not', () => {
  expect(judgeCost({ ...drawn(10, 0.2, 1).sums, same: 10 })).toBe('exact');
});

test('further tries stay where the draft has the same ones, fall away where it has none, and are not known where it has others', () => {
  const [b, c] = [{ id: 'b' }, { id: 'c' }];
  const declined = { state: 'declined', code: result('acquirer_unreachable').code };
  const went = { ...declined, further: [{ contract_id: 'b', state: 'declined' }] };
  expect(furtherUnder(went, { then: () => [b], now: [b] })).toEqual(went.further);
  expect(furtherUnder(went, { then: () => [b], now: [] })).toEqual([]);
  expect(furtherUnder(went, { then: () => [b], now: [c] })).toBe(undefined);
  const alone = { ...declined, further: [] };
  expect(furtherUnder(alone, { then: () => [], now: [c] })).toBe(undefined);
  // it could have gone on and did not: nor would it to another one
  expect(furtherUnder(alone, { then: () => [b], now: [c] })).toEqual([]);
  const funds = { ...alone, code: result('funds_insufficient').code };
  expect(furtherUnder(funds, { then: () => [], now: [c] })).toEqual([]);
  expect(furtherUnder({ ...alone, state: 'successful', code: null }, { then: () => [], now: [c] })).toEqual([]);
});

test('an order whose further try is not known is none that can be judged, unless the draft never sends one there', () => {
  const then = new Map([
    ['a', 0.5],
    ['b', 0.5],
  ]);
  expect(sumsOf('a', 10, { then, now: then, y: undefined })).toMatchObject({ unseen: 1, w: 1, y: 10 });
  expect(sumsOf('a', 10, { then, now: NEW, y: undefined })).toMatchObject({ unseen: 0, w: 0 });
  expect(sumsOf('a', 17, { then, now: then, y: 10 })).toMatchObject({ unseen: 0, y: 17, wy: 10, w2yy: 100 });
});
