// The faults that a call at the simulated provider can have (contract 15.4), as data: what happens to the operation,
// and what happens to the answer. Cards, armed scenarios and the chaos table all choose from this one list.
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
 * How an answer is sent. `refused` stands for a connection that was refused. One port cannot refuse a single call, so
 * the answer has status 599, which the sandbox's sender reads as "not sent" (src/sandbox/egress.ts).
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
 * `now`: the operation happens. `never`: it does not happen. `late`: it happens later, and no answer shows it before.
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
  // messages to our side: before the answer; twice and out of order; pending, and never a message
  callback_first: { effect: 'now', answer: 'plain' },
  callback_twice: { effect: 'now', answer: 'plain' },
  callback_never: { effect: 'now', answer: 'plain' },
  provider_down: { effect: 'never', answer: 'refused' },
  // Only for the chaos table, not in the contract's list: done after the deadline; connection cut while we write. The
  // time of a late one counts from its arrival: where the clock is moved while it is on its way, it is done later than
  // any provider does something, and so twice.
  late_commit: { effect: 'late', answer: 'none' },
  reset: { effect: 'never', answer: 'reset' },
} as const satisfies Record<string, Plan>;

export type FaultName = keyof typeof FAULTS;

export const isFault = (name: unknown): name is FaultName => typeof name === 'string' && Object.hasOwn(FAULTS, name);

/** An inquiry only looks and a reversal only undoes, so faults about an operation's own result do not apply to them. */
const ENDINGS: readonly FaultName[] = ['decline', 'callback_first', 'callback_twice', 'callback_never', 'late_commit'];

/** An authentication has no amount in its answer, and the payer decides its result, so it cannot happen late. */
const OF_MONEY: readonly FaultName[] = ['wrong_amount', 'wrong_currency', 'late_commit'];

export function fits(fault: FaultName, called: Called): boolean {
  if (called === 'authentication') return !OF_MONEY.includes(fault);
  if (called === 'inquiry') return !ENDINGS.includes(fault);
  return called !== 'reversal' || !(ENDINGS.includes(fault) || fault === 'pending');
}

export type LaterKind =
  /** A pending operation is decided. */
  | 'settle'
  /** An operation that was done at once is reported only later. */
  | 'tell'
  /** A call that came earlier takes effect only now. */
  | 'commit'
  /** An operation that was done fails after all. */
  | 'fail'
  /** The hold ends. */
  | 'lapse'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost';

/** A later change of an operation that was done, in seconds of the sandbox clock. */
export type Afterwards = { readonly after_s: number; readonly does: LaterKind; readonly ends?: ResultName };

/** How one call differs from a plain one; an absent member means no difference. */
export type Twist = {
  readonly fault?: FaultName;
  /** The result of the operation; for a pending one, its later result. */
  readonly ends?: ResultName;
  /** How long the operation is pending, how long the provider is down, or when the call takes effect. */
  readonly seconds?: number;
  /** The answer is sent only after this time. */
  readonly delay_ms?: number;
  readonly afterwards?: readonly Afterwards[];
  /** The operation happens only after its reversal. */
  readonly after_reversal?: true;
  /** The provider's risk score, 0 to 100, in the answer of an approval. */
  readonly risk_score?: number;
  /** The scheme's codes in the answer of a decline. */
  readonly scheme?: SchemeWords;
  /** The call becomes a plain one if a try of the same order was declined at least this long ago. */
  readonly passes_after_s?: number;
};

export const PLAIN: Twist = {};
/**
 * How long an operation is pending if the fault does not say. Late effects and late answers come after the deadline of
 * ten seconds.
 */
export const PENDING_S = 60;
export const LATE_S = 12;

/** True if the operation's result is decided later. */
export const isPending = ({ fault }: Twist): boolean => fault === 'pending' || fault === 'callback_never';
