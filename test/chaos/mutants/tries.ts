// Mutants of tries that Florin makes by itself: later ones, and which contract they and all others are made at.
import type { FaultPlan } from '../faults.ts';
import type { Patch } from '../patch.ts';
import type { Mutant } from './list.ts';

/** Fewer in a row than open the breaker. */
const FEW = 3;
/** Taken, and the answer is lost: asked about after two seconds. */
const LOST: Partial<FaultPlan> = {
  hangs_ms: [100],
  chaos: null,
  scenarios: [{ operation: 'authorize', fault: 'timeout_taken', times: FEW }],
};

/** A try is planned by what is not known, and begun without a look at it. */
const UNPROVED: readonly Patch[] = [
  {
    in: { function: 'keepNote', below: 'src/payment' },
    find: `const operations = order.operations.map(`,
    put: `const of = { merchant_account_id: order.merchant_account_id, order_id: order.id };
  const now = tools.clock.now();
  const move = { policy: 'default', began_at: now, until: new Date(now.getTime() + 86_400_000), next_at: now, cause: 'technical' } as const;
  if (order.body['retry_policy'] === 'default' && !order.retry)
    await withTransaction(tools.db, order.merchant_account_id, (tx) => moveRetry(tx, of, move));
  const operations = order.operations.map(`,
  },
  {
    in: { function: 'verdictOf', below: 'src/payment/order/accept' },
    find: `if (open || (order.live && order.winner_id === null)) return LATER_S;`,
    put: ``,
  },
  {
    in: { function: 'verdictOf', below: 'src/payment/order/accept' },
    find: `order.winner_id !== null || order.status !== 'authorization_declined'`,
    put: `order.winner_id !== null`,
  },
  { in: { statement: 'take_retry' }, find: `AND NOT live`, put: `` },
  { in: { function: 'retryOrderIn', below: 'src/payment' }, find: `AND NOT orders.live`, put: `` },
];

export const TRIES_MUTANTS: readonly Mutant[] = [
  {
    name: 't1-later-in-doubt',
    says: 'a later try does not look whether the try before is still in doubt, and both indexes that refuse it are gone',
    patches: [
      ...UNPROVED,
      { drop: 'index', name: 'one_live_attempt', table: 'payment.transactions' },
      { drop: 'index', name: 'one_at_provider', table: 'payment.operations' },
    ],
    expect: 'caught',
    as: /began while|authorized \d+ times/,
    stories: ['renewing'],
    faults: LOST,
  },
  {
    name: 't2-no-caps',
    says: 'tries of our own ask no limit of a scheme',
    patches: [
      {
        in: { function: 'guardOfOwn', below: 'src/payment' },
        find: `return card === null ? undefined : { ...trying, card, opens: true };`,
        put: `return undefined;`,
      },
    ],
    expect: 'caught',
    as: /declines of one card/,
    stories: ['renewing'],
    faults: { chaos: null },
  },
  {
    name: 't3-drawn-anew',
    says: 'which contract an order is drawn for is chance, and not the order',
    patches: [
      {
        in: { function: 'drawOf', below: 'src/payment/routing' },
        find: `return Number.parseInt(hashedBy(secret_key)(words.join('\\0')).slice(0, BITS / 4), 16) / 2 ** BITS;`,
        put: `return Math.random();`,
      },
    ],
    expect: 'caught',
    as: /do not come out again/,
    stories: ['sale', 'renewing'],
    routed: true,
    faults: { chaos: null, longest_s: 12 },
  },
];
