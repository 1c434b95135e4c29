// Histories that are drawn at random, and the orders they lead to: orders that can exist.
import fc from 'fast-check';
import type { OrderFacts } from '../../../src/payment/order/facts/order-facts.ts';
import { type Command, type Model, modelOf } from './apply.ts';
import { playCommand, playSight } from './explore.ts';
import { EARLY, POLICIES, everythingSeen, freshOrder } from './facts.ts';

export const aStart = fc.record({
  amount_minor: fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(1n, 10n ** 12n)),
  currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
  with_capture: fc.boolean(),
});
/** One step of a drawn history: which of the things that can happen now. */
type Drawn = { readonly what: number; readonly which: number; readonly policy: number; readonly again: boolean };

const aStep: fc.Arbitrary<Drawn> = fc
  .nat({ max: 2 ** 30 - 1 })
  .map((n) => ({ what: n % 64, which: (n >> 6) % 65_536, policy: (n >> 22) % 4, again: n >> 24 === 0 }));

export function playDrawn(model: Model, drawn: Drawn): Model {
  const { operations } = model.order;
  if (drawn.what < 20) return playCommand(model, commandOf(model, drawn)) ?? model;
  // the newest operations are the ones that something happens to
  const operation = operations[operations.length - 1 - Math.min(drawn.what % 4, operations.length - 1)];
  if (!operation) return model;
  const seen = everythingSeen(model.order, operation);
  const policy = POLICIES[drawn.policy] ?? EARLY;
  const [, what] = (drawn.what < 40 ? seen[0] : seen[drawn.which % seen.length]) ?? [];
  return what ? playSight(model, operation, { seen: what, policy }) : model;
}

function commandOf({ order }: Model, { what, which }: Drawn): Command {
  const share = (most: bigint) => 1n + (BigInt(which) % (most > 1n ? most : 1n));
  if (what < 9) return { do: 'capture', amount_minor: share(order.authorized_minor), final: which % 4 === 0 };
  if (what < 16) return { do: 'refund', amount_minor: share(order.captured_minor) };
  return { do: what < 18 ? 'cancel' : 'lapse' };
}

export const someSteps = fc.array(aStep, { minLength: 4, maxLength: 16, size: 'max' });

/** What orders are drawn by, for the title of a test: FLORIN_TEST_SEED draws the same ones again. */
export const SEED = Number(process.env['FLORIN_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Each is met on the way of a history of its own account; small amounts, so that every border is met often. */
export function drawnOrders(count: number): readonly OrderFacts[] {
  const orders: OrderFacts[] = [];
  const start = fc.record({
    amount_minor: fc.bigInt(1n, 9n),
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
    with_capture: fc.boolean(),
  });
  for (let seed = SEED; orders.length < count; seed++)
    for (const [first, steps] of fc.sample(fc.tuple(start, someSteps), { numRuns: 500, seed })) {
      let model = modelOf(freshOrder(first));
      for (const step of steps) {
        const after = playDrawn(model, step);
        if (after !== model) orders.push(after.order);
        model = after;
      }
    }
  return orders.slice(0, count);
}
