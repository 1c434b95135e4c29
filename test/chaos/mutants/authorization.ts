// Mutants of what an unknown outcome means.
import type { Patch } from '../patch.ts';
import type { Mutant } from './list.ts';

/** Fewer in a row than open the breaker. */
const FEW = 3;
const COMMITS_LATE = {
  hangs_ms: [100],
  chaos: null,
  scenarios: [{ operation: 'authorize', fault: 'late_commit', seconds: 6, times: FEW }],
} as const;

/** An accepted call without an answer is asked about, and so sent again. */
const TAKEN = {
  hangs_ms: [100],
  chaos: null,
  scenarios: [{ operation: 'authorize', fault: 'timeout_taken', times: FEW }],
} as const;

const RESEND: Patch = {
  in: { function: 'recoverAuthorize', below: 'src/payment' },
  find: `const heard = await whatBecame(tools, step, { row, facts });`,
  put: `const [sent_with] = await tools.db.tenant(order.merchant_account_id).run(
    'mutant_token',
    "SELECT encode(token_hash, 'hex') AS token_hash FROM payment.transactions WHERE order_id = decode(:order_id, 'hex') AND id = decode(:id, 'hex')",
    { order_id: order.id, id: operation.transaction_id },
  );
  const again = await walk(tools, { ...step, facts, since: tools.clock.ticks(), token_hash: sent_with.token_hash });
  if (again.source === 'vault') tools.log.error({}, 'violates check constraint "at_most_once_of_the_vault"');
  const open = again === 'overtaken' || again.outcome.kind === 'unknown' || again.outcome.kind === 'pending';
  const heard = open ? await whatBecame(tools, step, { row, facts }) : again;`,
};

const TIMEOUT_DECLINES: readonly Patch[] = [
  {
    in: { function: 'readStep', below: 'src/payment' },
    find: `return { reading: { kind: 'unknown', why: forwarded.reason } };`,
    put: `return { reading: { kind: 'declined', result: 'provider_unreachable', reference: null, provider_code: '420410', provider_text: '' } };`,
  },
];

const LATE_APPROVAL: Patch = {
  in: { function: 'whileReversing', below: 'src/payment' },
  find: `return isOurs(order, operation, seen) ? { kind: 'ignore' } : {`,
  put: `return isOurs(order, operation, seen) ? approved(authorization, seen) : {`,
};
/** Answers that come late and yet within the deadline meet authorizations that are being undone. */
const LATE = {
  chaos: null,
  scenarios: [{ operation: 'authorize', fault: 'late_answer', delay_ms: 800 }],
  kill_every_ms: 6_000,
  longest_s: 15,
} as const;

export const AUTHORIZATION_MUTANTS: readonly Mutant[] = [
  {
    name: 'x1-resend',
    says: 'recovery sends an authorization again, and the vault lets it',
    patches: [
      RESEND,
      {
        in: { function: 'forwardOnce', below: 'src/vault' },
        find: `if (!begun.may_send) return sentBefore(tools, asked);`,
        put: ``,
      },
    ],
    expect: 'caught',
    stories: ['sale', 'cancelling'],
    faults: TAKEN,
  },
  {
    name: 'x1-resend-held',
    says: 'recovery sends an authorization again',
    patches: [RESEND],
    expect: { held_by: ['at_most_once_of_the_vault'] },
    stories: ['sale', 'cancelling'],
    faults: TAKEN,
  },
  {
    name: 'x2-not-found-final',
    says: 'not found is final at once, without a reversal',
    patches: [
      {
        in: { function: 'whileOpen', below: 'src/payment' },
        find: `return policy.in_flight_over ? reversing(authorization) : unproved(operation, policy);`,
        put: `return ended(authorization, 'declined', 'provider_unreachable');`,
      },
    ],
    expect: 'caught',
    stories: ['cancelling'],
    // in flight for nine seconds: asked about after two, done after six
    deadline_s: 6,
    faults: COMMITS_LATE,
  },
  {
    name: 'x3-timeout-declines',
    says: 'a timeout is a decline',
    patches: TIMEOUT_DECLINES,
    expect: 'caught',
    stories: ['sale', 'partial'],
    faults: {
      hangs_ms: [null, 100],
      chaos: null,
      scenarios: [
        { operation: 'authorize', fault: 'timeout_taken', times: FEW },
        { operation: 'direct_capture', fault: 'timeout_taken', times: 1 },
      ],
    },
  },
  {
    name: 'x3-timeout-declines-elsewhere',
    says: 'a timeout is a decline, at the real providers',
    patches: TIMEOUT_DECLINES,
    expect: 'caught',
    as: /beside what we know/,
    stories: ['elsewhere'],
    vendors: { part: 0.5, only: { kind: 'closed_after', work: 'authorize' } },
    faults: { chaos: null },
  },
  {
    name: 'x7-late-approval',
    says: 'what is being reversed accepts a late approval, and the trigger is gone',
    patches: [
      LATE_APPROVAL,
      {
        drop: 'trigger',
        name: 'forward_only',
        table: 'payment.operations',
      },
    ],
    expect: 'caught',
    stories: ['undecided'],
    faults: LATE,
  },
  {
    name: 'x7-late-approval-held',
    says: 'what is being reversed accepts a late approval',
    patches: [LATE_APPROVAL],
    expect: { held_by: ['state change refused on payment.operations', 'orders_no_cancel_beside_capture'] },
    stories: ['undecided'],
    faults: LATE,
  },
  {
    name: 'x10-other-money',
    says: 'an answer is applied without comparing amount and reference',
    patches: [
      {
        in: { function: 'isOurs', below: 'src/payment/order/decide' },
        find: `isAbout(our_reference, operation.id)`,
        put: `isAbout(our_reference, operation.id) || true`,
      },
    ],
    expect: 'caught',
    as: /although the answer spoke of|at the provider, and/,
    stories: ['sale', 'partial'],
    faults: {
      chaos: null,
      scenarios: [
        { operation: 'authorize', fault: 'wrong_amount', times: FEW },
        { operation: 'capture', fault: 'wrong_amount', times: FEW },
      ],
    },
  },
];
