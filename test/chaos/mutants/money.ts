// Mutants of captures, refunds, reversals and what is booked of them.
import type { Mutant } from './list.ts';

/** Fewer in a row than open the breaker. */
const FEW = 3;

export const MONEY_MUTANTS: readonly Mutant[] = [
  {
    name: 'x2-follow-up-resent',
    says: 'a capture or refund is sent again at the first "not found"',
    patches: [
      {
        in: { function: 'recoverFollowUp', below: 'src/payment' },
        find: `if (operation.kind !== 'cancel' && !policy.in_flight_over) return record(tools, order, { ...step, observation });`,
        put: ``,
      },
    ],
    expect: 'caught',
    as: /took effect 2 times/,
    stories: ['partial', 'sale'],
    // in flight for nine seconds: asked about after two, done after six
    deadline_s: 6,
    faults: {
      hangs_ms: [100],
      chaos: null,
      scenarios: [
        { operation: 'capture', fault: 'late_commit', seconds: 6, times: FEW },
        { operation: 'refund', fault: 'late_commit', seconds: 6, times: FEW },
      ],
      // ends as soon as it is caught
      longest_s: 90,
    },
  },
  {
    name: 'm1-reversal-forgotten',
    says: 'a reversal without an answer counts as acknowledged',
    patches: [
      {
        in: { function: 'decideReversal', below: 'src/payment' },
        find: `case 'not_sent': return { kind: 'note', state: operation.state, waits_for: 'call' };`,
        put: `case 'unknown': return settled(order, operation, { ...policy, in_flight_over: true }); case 'not_sent': return { kind: 'note', state: operation.state, waits_for: 'call' };`,
      },
    ],
    expect: 'caught',
    as: /has \w+ (?:held|captured|pending)/,
    stories: ['undecided'],
    faults: {
      hangs_ms: [100],
      chaos: null,
      scenarios: [
        { operation: 'authorize', fault: 'timeout_taken', times: FEW },
        { operation: 'reversal', fault: 'drop_before', times: FEW },
      ],
    },
  },
  {
    name: 'm2-ledger-twice',
    says: 'every posting is written twice',
    patches: [
      {
        in: { function: 'postingLines', below: 'src/payment' },
        find: `transfers.map((transfer, index) => ({`,
        put: `[...transfers, ...transfers].map((transfer, index) => ({`,
      },
    ],
    expect: 'caught',
    as: /ledger/,
  },
  {
    name: 'm3-refund-of-other-capture',
    says: 'a refund is sent for the first capture of the order, whichever it is of',
    patches: [
      {
        in: { function: 'providerFacts', below: 'src/payment' },
        find: `const target = order.operations.find((one) => one.id === target_id);`,
        put: `const first = order.operations.find((o) => o.kind === 'capture' && o.state === 'successful');
  const target = operation.kind === 'refund' ? first : order.operations.find((one) => one.id === target_id);`,
      },
    ],
    expect: 'caught',
    as: /is of \w+ here, and of/,
    stories: ['partial'],
    faults: { chaos: null },
  },
  {
    name: 'm5-release-unbooked',
    says: 'what a cancel releases is not booked',
    patches: [
      {
        in: { function: 'released', below: 'src/payment' },
        find: `counters: { ...NOTHING, released: amount_minor }, postings: [{ source: 'operation', posting: 'book', transfers: bookRelease(amount_minor) }],`,
        put: `counters: { ...NOTHING, released: amount_minor },`,
      },
    ],
    expect: 'caught',
    as: /ledger/,
    stories: ['cancelling', 'race'],
  },
  {
    name: 'm6-refund-without-event',
    says: 'a refund that is done moves the status without an event',
    patches: [
      {
        in: { function: 'done', below: 'src/payment' },
        find: `...told('refund_successful', 'refund_successful'),`,
        put: `...{ ...told('refund_successful', 'refund_successful'), events: [] },`,
      },
    ],
    expect: 'caught',
    as: /not the last event/,
    stories: ['sale', 'partial'],
    faults: { chaos: null },
  },
  {
    name: 'm4-tombstone-lies',
    says: 'an authorization whose answer was lost counts as never sent',
    patches: [
      {
        in: { function: 'fromVault', below: 'src/payment' },
        find: `if (!tombstone.sent) return {`,
        put: `if (!tombstone.answer) return {`,
      },
    ],
    expect: 'caught',
    as: /has \w+ (?:held|captured)|refused|declined/,
    stories: ['sale', 'cancelling'],
    faults: { scenarios: [{ operation: 'authorize', fault: 'timeout_taken', times: FEW }] },
  },
];
