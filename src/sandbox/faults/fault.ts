// The faults that one call at the simulated provider can have (contract 15.4), as data: what happens to the operation,
// and what happens to the answer. A card, an armed scenario and the chaos table all choose from this one list.
import type { ResultName } from '../../core/results.ts';
import type { SchemeWords } from '../../core/retries/follow.ts';

/**
 * The kinds of calls. A direct capture is an authorization that captures in the same step. An authentication is a call
 * to the payer's bank.
 */
export const CALLED = [
  'authorize',
  'direct_capture',
  'capture',
  'refund',
  'cancel',
  'reversal',
  'inquiry',
  // at the simulated directory and bank (three-ds/)
  'authentication',
] as const;
export type Called = (typeof CALLED)[number];

/**
 * How an answer leaves. `refused` stands for a connection that was never had: one port cannot refuse one call only, so
 * it is an answer of status 599, which the sandbox's own sender reads as "not sent" (src/destinations.ts).
 */
export type Way =
  | 'plain'
  | 'none'
  | 'dropped'
  | 'reset'
  | 'refused'
  | 'half'
  | 'twice'
  | 'late'
  | 'failed'
  | 'garbage'
  | 'other_amount'
  | 'other_currency'
  | 'other_reference';

/**
 * `now`: the operation happens. `never`: it does not. `late`: it happens after a while; until then it is in no answer.
 */
type Plan = { readonly effect: 'now' | 'never' | 'late'; readonly answer: Way };

export const FAULTS = {
  refuse_connection: { effect: 'never', answer: 'refused' },
  drop_before: { effect: 'never', answer: 'dropped' },
  timeout_not_taken: { effect: 'never', answer: 'none' },
  timeout_taken: { effect: 'now', answer: 'none' },
  close_mid_response: { effect: 'now', answer: 'half' },
  answer_twice: { effect: 'now', answer: 'twice' },
  late_answer: { effect: 'now', answer: 'late' },
  http_500_before: { effect: 'never', answer: 'failed' },
  http_500_after: { effect: 'now', answer: 'failed' },
  garbage: { effect: 'never', answer: 'garbage' },
  wrong_amount: { effect: 'now', answer: 'other_amount' },
  wrong_currency: { effect: 'now', answer: 'other_currency' },
  wrong_reference: { effect: 'now', answer: 'other_reference' },
  decline: { effect: 'now', answer: 'plain' },
  pending: { effect: 'now', answer: 'plain' },
  // The messages to our side: before the answer; twice and out of order; pending, and without a message at any time.
  callback_first: { effect: 'now', answer: 'plain' },
  callback_twice: { effect: 'now', answer: 'plain' },
  callback_never: { effect: 'now', answer: 'plain' },
  provider_down: { effect: 'never', answer: 'refused' },
  // Not in the contract's list, for the chaos table: done after the deadline, and the line cut while we write.
  late_commit: { effect: 'late', answer: 'none' },
  reset: { effect: 'never', answer: 'reset' },
} as const satisfies Record<string, Plan>;

export type FaultName = keyof typeof FAULTS;

export const isFault = (name: unknown): name is FaultName => typeof name === 'string' && Object.hasOwn(FAULTS, name);

/** An inquiry and a reversal only look or undo: what is about an operation's own ending says nothing of them. */
const ENDINGS: readonly FaultName[] = ['decline', 'callback_first', 'callback_twice', 'callback_never', 'late_commit'];

/** An authentication answers no amount, and its ending is the payer's: it is not done after a while. */
const OF_MONEY: readonly FaultName[] = ['wrong_amount', 'wrong_currency', 'late_commit'];

export function fits(fault: FaultName, called: Called): boolean {
  if (called === 'authentication') return !OF_MONEY.includes(fault);
  if (called === 'inquiry') return !ENDINGS.includes(fault);
  return called !== 'reversal' || !(ENDINGS.includes(fault) || fault === 'pending');
}

export type LaterKind =
  /** A pending operation is decided. */
  | 'settle'
  /** An operation that was done at once is reported only now. */
  | 'tell'
  /** A call that came a while ago has its effect only now. */
  | 'commit'
  /** An operation that was done turns out to have failed. */
  | 'fail'
  /** The hold is gone. */
  | 'lapse'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost';

/** Something that happens to an operation after it was done, in seconds of the sandbox clock. */
export type Afterwards = { readonly after_s: number; readonly does: LaterKind; readonly ends?: ResultName };

/** How one call differs from a plain one; members that are absent are plain. */
export type Twist = {
  readonly fault?: FaultName;
  /** How the operation ends; if it is pending: how it ends later. */
  readonly ends?: ResultName;
  /** How long it is pending, how long the provider is down, or after how long the call has its effect. */
  readonly seconds?: number;
  /** The answer is sent only after this time. */
  readonly delay_ms?: number;
  readonly afterwards?: readonly Afterwards[];
  /** The operation happens only after it was reversed. */
  readonly after_reversal?: true;
  /** The provider's own risk score, 0 to 100, given with an approval. */
  readonly risk_score?: number;
  /** The scheme's own codes beside a decline. */
  readonly scheme?: SchemeWords;
  /** The call becomes a plain one, once a try of the same order was declined this long ago. */
  readonly passes_after_s?: number;
};

export const PLAIN: Twist = {};
/**
 * How long an operation is pending unless the fault says. Late effects and late answers come after the deadline of ten
 * seconds.
 */
export const PENDING_S = 60;
export const LATE_S = 12;

/** Does the operation wait for its ending? */
export const isPending = ({ fault }: Twist): boolean => fault === 'pending' || fault === 'callback_never';
