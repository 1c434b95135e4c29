// What the rules promise is what a request is then told: nothing is promised that every request would be refused, and
// what is not promised is refused whatever is asked for. Orders that can exist, with disputes and contradictions drawn
// over them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDecimal } from '../../src/core/money.ts';
import { Refusal } from '../../src/core/refusals.ts';
import { type OrderStatus, ORDER_STATUSES } from '../../src/core/states.ts';
import { isAllowed, mayCancel, mayCapture, mayRefund, mayRetry } from '../../src/payment/order-rules/allowed.ts';
import { askedFor } from '../../src/payment/order-rules/standing.ts';
import { SAYINGS, isFinal } from '../../src/payment/order/decide/decision.ts';
import { planCancel, planCapture, planRefund } from '../../src/payment/order/maintenance/plan.ts';
import type { OrderFacts } from '../../src/payment/order/facts/order-facts.ts';
import { standingOf } from '../../src/payment/order/facts/standing.ts';
import { simulator } from '../../src/provider/simulator/simulator.ts';
import { SEED, drawnOrders } from './decide/drawn.ts';
import { AUTHORIZE, freshOrder, operationFacts } from './decide/facts.ts';

const CAN = simulator('simulator', 'Simulator', 10).can;
const ONE = { ...CAN, captures: 'one' } as const;

/** A reference that nobody used: nothing is a repetition. */
const OWN = { operation_merchant_id: 'new' };

function isTaken(plan: () => unknown): boolean {
  try {
    plan();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Every amount that the order could bear. */
function amountsOf({ amount_minor, currency }: OrderFacts): readonly string[] {
  return Array.from({ length: Number(amount_minor) + 1 }, (_, i) => toDecimal(BigInt(i + 1), currency));
}

function isAnyRefundTaken(order: OrderFacts, even_if_disputed: boolean): boolean {
  return askedFor(order, 'capture').some(({ id }) =>
    amountsOf(order).some((amount) =>
      isTaken(() => planRefund(order, { ...OWN, amount, capture_id: id, even_if_disputed })),
    ),
  );
}

/** With what nobody plays in histories: what a provider contradicted, and what payers' banks took back. */
function troubled(order: OrderFacts): OrderFacts {
  const [by_chance, one, other] = fc.sample(fc.nat(), 3) as [number, number, number];
  const ended = order.operations.filter(isFinal);
  const about = ended[one % Math.max(1, ended.length)];
  const captures = askedFor(order, 'capture').filter(({ state }) => state === 'successful');
  const disputed = captures[other % Math.max(1, captures.length)];
  const at = order.created_at;
  return {
    ...order,
    contradictions:
      about && by_chance % 3 !== 0
        ? [
            {
              id: 'contradiction',
              operation_id: about.id,
              provider_ref: null,
              opened_at: at,
              held: about.state as 'successful' | 'declined' | 'not_sent',
              said: SAYINGS[one % SAYINGS.length] ?? 'approved',
            },
          ]
        : [],
    disputes:
      disputed && by_chance % 2 === 0
        ? [
            {
              id: 'dispute',
              operation_id: disputed.id,
              round: 1,
              opened_at: at,
              told_at: at,
              reference: null,
              state: (['opened', 'lost', 'won'] as const)[other % 3] ?? 'opened',
              amount_minor: 1n + (BigInt(one) % disputed.amount_minor),
              reason: 'fraud',
              reason_code: '10.4',
            },
          ]
        : [],
  };
}

/** As much as a reader of a failure needs. */
function inWords(order: OrderFacts): string {
  const { status, authorized_minor, released_minor, captured_minor, refunded_minor } = order;
  const about = order.contradictions.map(({ operation_id, held, said }) => `${operation_id} ${held}, said ${said}`);
  const disputes = order.disputes.map(
    ({ operation_id, state, amount_minor }) => `${operation_id} ${state} ${amount_minor}`,
  );
  const amounts = [authorized_minor, released_minor, captured_minor, refunded_minor].join(' ');
  return `${status} ${amounts}; contradicted: ${about.join()}; disputed: ${disputes.join()}`;
}

describe(`over 3,000 orders by the seed ${SEED}, most of them disputed or contradicted`, () => {
  const orders = drawnOrders(3_000).map((order, i) => (i % 4 === 0 ? order : troubled(order)));
  /** Orders of which the rules and the plan say different things; how many are promised. */
  const compared = (promised: (order: OrderFacts) => boolean, taken: (order: OrderFacts) => boolean) => {
    const yes = orders.filter(promised);
    const differ = orders.filter((order) => promised(order) !== taken(order));
    return { differ: differ.slice(0, 3).map(inWords), many: yes.length > 100 };
  };

  test.each([
    ['a provider that takes many', CAN],
    ['a provider that takes one', ONE],
  ])('a capture is promised exactly where one would be accepted, at %s', (_, can) => {
    const result = compared(
      (order) => isAllowed(mayCapture(standingOf(order), can)),
      (order) => amountsOf(order).some((amount) => isTaken(() => planCapture(order, { ...OWN, amount }, can))),
    );
    expect(result).toEqual({ differ: [], many: true });
  });

  test.each([false, true])('a refund is promised exactly where one would be accepted, even if disputed: %s', (even) => {
    const result = compared(
      (order) => isAllowed(mayRefund(standingOf(order), { even_if_disputed: even })),
      (order) => isAnyRefundTaken(order, even),
    );
    expect(result).toEqual({ differ: [], many: true });
  });

  test('a cancel is promised exactly where it would be accepted', () => {
    const result = compared(
      (order) => isAllowed(mayCancel(standingOf(order))),
      (order) => isTaken(() => planCancel(order, OWN)),
    );
    expect(result).toEqual({ differ: [], many: true });
  });

  test('no more may be used than the amounts of the order leave', () => {
    const most = orders.flatMap((order) => {
      const standing = standingOf(order);
      return [mayCapture(standing, CAN), mayRefund(standing), mayCancel(standing)];
    });
    expect(most.filter(({ left_minor, most_minor }) => most_minor < 0n || most_minor > left_minor)).toEqual([]);
  });
});

const HELD: OrderFacts = {
  ...freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: false }),
  status: 'authorization_successful',
  winner_id: AUTHORIZE,
  authorized_minor: 4250n,
  operations: [operationFacts({ id: AUTHORIZE, kind: 'authorize', amount_minor: 4250n, state: 'successful' })],
};
const times = (n: number, kind: 'capture' | 'refund', state: 'declined' | 'successful') =>
  Array.from({ length: n }, (_, i) => operationFacts({ id: `${kind}${i}`, kind, amount_minor: 10n, state }));

test('after fifty captures none is promised, though some of the money is left', () => {
  const after = (n: number) => ({ ...HELD, operations: [...HELD.operations, ...times(n, 'capture', 'declined')] });
  const promised = (n: number) => isAllowed(mayCapture(standingOf(after(n)), CAN));
  expect([promised(49), promised(50)]).toEqual([true, false]);
  expect(isTaken(() => planCapture(after(50), { amount: '1' }, CAN))).toBe(false);
});

test('after fifty refunds none is promised, though some of the money is left', () => {
  const sold = { ...HELD, captured_minor: 4250n };
  const capture = operationFacts({ id: 'capture', kind: 'capture', amount_minor: 4250n, state: 'successful' });
  const after = (n: number) => ({
    ...sold,
    operations: [...sold.operations, capture, ...times(n, 'refund', 'declined')],
  });
  const promised = (n: number) => isAllowed(mayRefund(standingOf(after(n))));
  expect([promised(49), promised(50)]).toEqual([true, false]);
  expect(isTaken(() => planRefund(after(50), { amount: '1' }))).toBe(false);
});

test('another attempt may be made of an order that ended declined, while attempts are left and nothing contradicts it', () => {
  const declined = { status: 'authorization_declined', attempts_remaining: 1, contradictions: [] } as const;
  const contradiction = { operation_id: AUTHORIZE, held: 'declined', said: 'approved' } as const;
  expect(mayRetry(declined)).toBe('yes');
  expect(mayRetry({ ...declined, attempts_remaining: 0 })).toBe('used_up');
  expect(mayRetry({ ...declined, contradictions: [contradiction] })).toBe('contradicted');
  const retried = (Object.keys(ORDER_STATUSES) as OrderStatus[]).filter(
    (status) => mayRetry({ ...declined, status }) === 'yes',
  );
  expect(retried).toEqual(['risk_assessment_declined', 'authentication_declined', 'authorization_declined']);
});
