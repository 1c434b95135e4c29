// decide() and what is committed of it, played on orders in memory: every history of seven steps, and a crowd of longer
// ones. FLORIN_HISTORIES says how many are drawn; `npm run test:full` draws 1,000,000.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isOrderStatus, mayMove } from '../../src/core/states.ts';
import type { Policy, Seen } from '../../src/payment/order/decide/decision.ts';
import type { OperationFacts } from '../../src/payment/order/facts/order-facts.ts';
import { sizeOf } from '../sizes.ts';
import { type Model, modelOf, see } from './decide/apply.ts';
import { aStart, playDrawn, someSteps } from './decide/drawn.ts';
import { type Explored, explore, keyOf } from './decide/explore.ts';
import { EARLY, LATE, approval, decline, freshOrder } from './decide/facts.ts';
import { MOVES_BESIDES_THE_TABLE, balance, same } from './decide/rules.ts';

const DRAWN = sizeOf('FLORIN_HISTORIES', { usual: 5000, full: 1_000_000 });
const DEPTH = 7;

let explored: readonly Explored[] = [];
beforeAll(() => {
  explored = [false, true].map((with_capture) => explore({ amount_minor: 3n, currency: 'JPY', with_capture }, DEPTH));
}, 300_000);

test('no history of seven steps breaks a rule', () => {
  expect(explored.flatMap(({ problems }) => [...problems])).toEqual([]);
  // a search that finds nothing may have looked at nothing
  expect(explored.map(({ states }) => states.length)).toEqual([expect.any(Number), expect.any(Number)]);
  for (const { states, steps } of explored) expect([states.length > 5000, steps > 300_000]).toEqual([true, true]);
});

test('every move that is met is one of contract 14.2 or one that is known to be missing there', () => {
  const met = [...new Set(explored.flatMap(({ moves }) => [...moves]))];
  const named = (move: string) => {
    const [from = '', to = ''] = move.split(' -> ');
    return isOrderStatus(from) && isOrderStatus(to) && mayMove(from, to);
  };
  expect(met.filter((move) => !named(move)).toSorted()).toEqual([...MOVES_BESIDES_THE_TABLE].toSorted());
});

/** What may be seen of an operation that the provider has done, or has not done. */
function storiesOf(model: Model, operation: OperationFacts): readonly (readonly Asked[])[] {
  const at = (policy: Policy, ...seen: Seen[]): Asked[] => seen.map((one) => ({ operation, seen: one, policy }));
  const silence: Seen[] = [
    { kind: 'pending', reference: null },
    { kind: 'unknown', why: 'timeout' },
  ];
  const nothing: Seen[] = [{ kind: 'not_found' }, { kind: 'not_sent', result: 'provider_unreachable' }];
  return [
    at(EARLY, approval(model.order, operation), ...silence, { kind: 'not_found' }),
    [...at(EARLY, decline(operation), ...silence, ...nothing), ...at(LATE, decline(operation), ...silence)],
  ];
}

type Asked = { readonly operation: OperationFacts; readonly seen: Seen; readonly policy: Policy };

/** A cancel that waits for its authorization is never sent, so nothing is ever seen of it. */
const isSent = (model: Model) => (o: OperationFacts) => o.kind !== 'cancel' || model.order.winner_id !== null;

type Told = Asked & { readonly after: Model };

const told = (model: Model, { operation, seen, policy }: Asked): Model =>
  see(model, { operation_id: operation.id, seen, policy }).after;

const ACCOUNTS = ['authorized_hold', 'provider_receivable', 'merchant_payable', 'refunds'] as const;

/** Values, not text: millions of them are compared. */
function moneyOf({ order, ledger }: Model): readonly (bigint | boolean)[] {
  const { authorized_minor, released_minor, capturing_minor, captured_minor, refunding_minor, refunded_minor } = order;
  const counters = [authorized_minor, released_minor, capturing_minor, captured_minor, refunding_minor, refunded_minor];
  return [...counters, ...ACCOUNTS.map((account) => balance(ledger, account)), order.cancel_pending];
}

test('two pieces of news about an order end in the same money, whichever comes first', { timeout: 300_000 }, () => {
  const different = new Set<string>();
  let pairs = 0;
  for (const model of explored.flatMap(({ states }) => states.filter((_, i) => i < 300 || i % 16 === 0))) {
    const stories = model.order.operations
      .filter(isSent(model))
      .map((operation) =>
        storiesOf(model, operation).map((story) => story.map((one): Told => ({ ...one, after: told(model, one) }))),
      );
    for (const [i, of_one] of stories.entries())
      for (const [j, of_other] of stories.entries())
        for (const one of of_one.flat())
          for (const other of i === j ? (of_one.find((story) => story.includes(one)) ?? []) : of_other.flat()) {
            if (j < i) continue;
            pairs++;
            if (same(moneyOf(told(one.after, other)), moneyOf(told(other.after, one)))) continue;
            different.add(
              `${one.operation.id} ${one.seen.kind}, ${other.operation.id} ${other.seen.kind} at ${keyOf(model)}`,
            );
          }
  }
  expect([...different].slice(0, 5)).toEqual([]);
  expect(pairs).toBeGreaterThan(100_000);
});

test(`no rule is broken in ${DRAWN} histories of up to sixteen steps`, { timeout: 1_800_000 }, () => {
  const money = { ended: 0, refunded: 0 };
  fc.assert(
    fc.property(aStart, someSteps, (start, steps) => {
      let model = modelOf(freshOrder(start));
      for (const step of steps) model = playDrawn(model, step);
      if (!model.order.live) money.ended++;
      if (model.order.refunded_minor > 0n) money.refunded++;
    }),
    { numRuns: DRAWN },
  );
  // histories that never get to the money prove nothing
  expect([money.ended > DRAWN / 20, money.refunded > DRAWN / 50]).toEqual([true, true]);
});
