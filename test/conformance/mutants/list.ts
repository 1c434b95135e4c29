// The product broken on purpose, and the story of each provider that must see it (X1 to X10, and P1 to P5 of the
// provider prototype; P6 stood in the product for a day). Where a mutant makes no difference at a provider its row says
// why.
import type { Patch } from '../../chaos/patch.ts';
import type { At } from '../at/contract.ts';

export type Story = {
  /** In test/conformance. */
  readonly file: 'again' | 'declines' | 'later' | 'messages' | 'no-answer' | 'payer';
  /** Its title, without the numbers of its scenarios. */
  readonly title: string;
};

/** Seen by a story, or not at all, and why. */
export type Seen = Story | { readonly not: string };

export type Mutant = {
  readonly name: string;
  readonly says: string;
  readonly patches: readonly Patch[];
  seenAt(at: At): Seen;
};

/** What has nothing to do with a provider. */
export type Elsewhere = { readonly name: string; readonly says: string; readonly held_by: string };

const ENGINE = 'src/payment/order/engine/';
const DECIDE = 'src/payment/order/decide/';

const lost = (at: At): Story => ({
  file: 'no-answer',
  title: `a authorize whose ${at.steps.authorize.at(-1)} is silent_after is healed`,
});
const told = (title: string): Story => ({ file: 'messages', title });
const LOOKED = told('what a message tells when we have looked already, and nothing is undone yet, is believed');

/** Its message tells the truth all the same, as long as it comes: only what was looked at before that is wrong. */
const tellsAll = ({ name }: At) => name === 'adyen';
/** Money and card go in different steps. */
const cardMovesNothing = ({ name }: At) => name === 'stripe' || name === 'paypal';
const isSimulator = ({ name }: At) => name.startsWith('simulator');

const ONE_STEP = 'an authorization is one step there';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'X1',
    says: 'recovery sends an authorization again, under new keys, and the vault lets it',
    patches: [
      {
        in: { function: 'recoverAuthorize', below: ENGINE },
        find: `const heard = await whatBecame(tools, step, { row, facts });`,
        put: `const [sent_with] = await tools.db.tenant(order.merchant_account_id).run(
    'mutant_token',
    "SELECT encode(token_hash, 'hex') AS token_hash FROM payment.transactions WHERE order_id = decode(:order_id, 'hex') AND id = decode(:id, 'hex')",
    { order_id: order.id, id: operation.transaction_id },
  );
  const anew = { ...operation, step: null, kept: {}, key_round: operation.key_round + 1 };
  const heard = await walk(tools, { ...step, operation: anew, facts, since: tools.clock.ticks(), token_hash: sent_with.token_hash });`,
      },
      {
        in: { function: 'forwardOnce', below: 'src/vault' },
        find: `if (!begun.may_send) return sentBefore(tools, asked);`,
        put: ``,
      },
    ],
    seenAt: (at) => (tellsAll(at) ? LOOKED : lost(at)),
  },
  {
    name: 'X2',
    says: 'what is not found is final at once',
    patches: [
      {
        in: { function: 'whileOpen', below: DECIDE },
        find: `return policy.in_flight_over ? reversing(authorization) : unproved(operation, policy);`,
        put: `return ended(authorization, 'declined', 'provider_unreachable');`,
      },
      {
        in: { function: 'settled', below: DECIDE },
        find: `return policy.in_flight_over ? acknowledged(order, operation) : unproved(operation, policy);`,
        put: `return acknowledged(order, operation);`,
      },
    ],
    seenAt: (at) =>
      tellsAll(at)
        ? { not: 'it is undone only when its message was waited for, longer than anything is on its way' }
        : {
            file: 'no-answer',
            title: 'an authorization that is not there yet is not given up while it may still come',
          },
  },
  {
    name: 'X3',
    says: 'a timeout is a decline',
    patches: [
      {
        in: { function: 'readStep', below: ENGINE },
        find: `return { reading: { kind: 'unknown', why: forwarded.reason } };`,
        put: `return { reading: { kind: 'declined', result: 'provider_unreachable', reference: null, provider_code: '420410', provider_text: '' } };`,
      },
    ],
    seenAt: lost,
  },
  {
    name: 'X4',
    says: 'the provider is called inside the transaction that accepts the order',
    patches: [
      {
        in: { function: 'tryOnce', below: 'src/payment/order/accept' },
        find: `const begun = await begin(next, (one) => accept(tools, attempt, one));`,
        put: `if (!order && !next.authentication && next.operation_id !== null) {
    const started = await tools.db.begin(merchant_account_id, async (tx) => {
      const inner = { ...tx, batch: tx.run, batchRead: tx.run, merchant_account_id };
      // who dies commits nothing
      let died;
      const at = (point) => {
        try {
          tools.crash.at(point);
        } catch (error) {
          died = error;
          throw error;
        }
      };
      const inside = { ...tools, crash: { ...tools.crash, at }, db: { ...tools.db, tenant: () => inner, begin: (_, work) => work(inner) } };
      const begun = await begin(next, (one) => accept(inside, attempt, one));
      if (!begun) return undefined;
      at('t1_committed');
      const facts = await factsOf(inside, { attempt, next: begun, terms });
      const { asked, settled } = start(inside, facts, { next: begun, account: request.caller });
      const done = await settled;
      if (died) throw died;
      return { facts, asked, settled: Promise.resolve(done) };
    });
    return started && answerOrder(tools, request, started);
  }
  const begun = await begin(next, (one) => accept(tools, attempt, one));`,
      },
    ],
    seenAt: ({ steps }) => ({
      file: 'again',
      title: `a authorize that is cut at call_answered, passed ${steps.authorize.length - 1} times before, is healed`,
    }),
  },
  {
    name: 'X7 and P4',
    says: 'an approval is taken while its payment is being undone, and the trigger of the database is gone',
    patches: [
      {
        in: { function: 'whileReversing', below: DECIDE },
        find: `return isOurs(order, operation, seen) ? { kind: 'ignore' } : {`,
        put: `return isOurs(order, operation, seen) ? approved(authorization, seen) : {`,
      },
      { drop: 'trigger', name: 'forward_only', table: 'payment.operations' },
      { drop: 'constraint', name: 'orders_no_cancel_beside_capture', table: 'payment.orders' },
    ],
    seenAt: () => ({
      file: 'again',
      title: 'an approval in the hands of who stood still while another undid it changes nothing',
    }),
  },
  {
    name: 'X8',
    says: 'the vault writes that something was sent when its answer is there, not before',
    patches: [
      {
        in: { constant: 'BEGIN_ONCE', below: 'src/vault/forward' },
        find: `FROM begun ON CONFLICT`,
        put: `FROM begun WHERE false ON CONFLICT`,
      },
      {
        in: { constant: 'BEGIN_ONCE', below: 'src/vault/forward' },
        find: `new_forward.operation_id IS NOT NULL AS may_send`,
        put: `true AS may_send`,
      },
    ],
    seenAt: (at) =>
      cardMovesNothing(at)
        ? { not: 'what carries the card there moves no money, and what moves money goes out without the vault' }
        : tellsAll(at)
          ? LOOKED
          : lost(at),
  },
  {
    name: 'X9',
    says: 'an authorization in doubt counts as dead, and the next provider is tried',
    patches: [
      {
        in: { function: 'whileOpen', below: DECIDE },
        find: `case 'unknown': return unproved(operation, policy);`,
        put: `case 'unknown': return ended(authorization, 'not_sent', 'provider_unreachable');`,
      },
    ],
    seenAt: (at) => (tellsAll(at) ? LOOKED : lost(at)),
  },
  {
    name: 'X10',
    says: 'an answer is applied without comparing amount, currency and reference',
    patches: [
      {
        in: { function: 'isOurs', below: DECIDE },
        find: `return ( (amount_minor ?? operation.amount_minor) ===`,
        put: `return ( operation.id !== '' || (amount_minor ?? operation.amount_minor) ===`,
      },
    ],
    seenAt: () => ({ file: 'declines', title: 'an authorization that is answered with other_amount is undone' }),
  },
  {
    name: 'P1',
    says: 'what is sent once more goes under a key, or a number, of its own',
    patches: [
      {
        in: { function: 'keyOf', below: ENGINE },
        find: `key_round === 0 ?`,
        put: `key_round === 0 ? \`\${id}-\${step}-\${process.hrtime()[1]}\` : key_round === -1 ?`,
      },
      {
        in: { function: 'firstStep', below: ENGINE },
        find: `operation.kept['trace'] !== undefined || step === ''`,
        put: `step === ''`,
      },
    ],
    seenAt: (at) =>
      isSimulator(at)
        ? { not: 'nothing is known there by a key: P1b' }
        : { file: 'again', title: 'a refund whose answer is lost is given back once, with keys and without' },
  },
  {
    name: 'P1b',
    says: 'what the provider does not know by its key is sent once more without a proof',
    patches: [
      {
        in: { function: 'isRepeatable', below: ENGINE },
        find: `return step.operation.kind === 'reversal' ||`,
        put: `return step.operation.kind !== 'inquiry' ||`,
      },
    ],
    seenAt: (at) =>
      isSimulator(at)
        ? { file: 'again', title: 'a refund whose answer is lost is given back once, with keys and without' }
        : { not: 'every repeat is known there by its key: P1' },
  },
  {
    name: 'P2',
    says: 'every lost authorization counts as never sent',
    patches: [
      {
        in: { function: 'recoverAuthorize', below: ENGINE },
        find: `if (!mayHaveMoved(provider, operation, facts)) {`,
        put: `if (operation.waits_for === 'call') return learnt({ source: 'vault', outcome: NOT_SENT });
  if (!mayHaveMoved(provider, operation, facts)) {`,
      },
    ],
    seenAt: (at) => (tellsAll(at) ? LOOKED : lost(at)),
  },
  {
    name: 'P3',
    says: 'whether money was sent is asked of the step where it stands alone',
    patches: [
      {
        in: { function: 'mayHaveMoved', below: ENGINE },
        find: `return money_sent || (`,
        put: `return (`,
      },
    ],
    seenAt: ({ name, payer }) =>
      payer?.finishes === 'there'
        ? {
            file: 'payer',
            title:
              'the answer is lost when the payer is back, and no one looks until nothing can come any more: it is paid',
          }
        : {
            not:
              name === 'paypal' || payer
                ? 'no step comes there behind the one that moves money, but one that moves it, too'
                : ONE_STEP,
          },
  },
  {
    name: 'P5',
    says: 'the fence is gone: who was overtaken goes on',
    patches: [{ in: { statement: 'note_step' }, find: `AND tries = :tries`, put: `AND :tries::int >= 0` }],
    seenAt: ({ steps }) =>
      steps.authorize.length > 1
        ? { file: 'again', title: 'who stood still between two steps while another took over holds nothing' }
        : { not: ONE_STEP },
  },
  {
    name: 'P6',
    says: 'each look sends it once more under its key, and puts off the time from which "not found" is believed',
    patches: [
      {
        in: { function: 'nextLook_s', below: ENGINE },
        find: `return tries < QUICK_REPEATS ? waits_s : Math.max(waits_s, proves_s);`,
        put: `return Math.min(20, waits_s);`,
      },
    ],
    seenAt: ({ name }) =>
      name === 'stripe'
        ? {
            file: 'later',
            title: 'a refund whose first call failed is done within five minutes, with the waits that there are',
          }
        : { not: 'a failure is not kept there with its key' },
  },
];

export const ELSEWHERE: readonly Elsewhere[] = [
  {
    name: 'X5',
    says: 'commits do not wait for the disk',
    held_by:
      '`npm run chaos`, mutant `x5-commit-off`: what a crash of the database loses is the same for every provider',
  },
  {
    name: 'X6',
    says: 'the guards of a capture are gone',
    held_by:
      '`npm run chaos`, mutants `x6-no-guard` and `x6-no-guard-held`: they stand in the statement that accepts it, before any provider is known',
  },
];
