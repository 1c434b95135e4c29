// The seeded table of faults. The fault of a call depends on the seed, its reference, its operation and how often that
// was called, never on the order in which calls arrive. So the same seed, calls and clock give the same outcomes.
import { createHash } from 'node:crypto';
import { isRecord } from '../entry.ts';
import { type Called, type FaultName, LATE_S, PLAIN, type Twist } from './fault.ts';

export type Chaos = {
  readonly seed: string;
  /**
   * The share of calls that have a fault, 0 to 1. Of inquiries and reversals, 0.2857 of this share is lost and as much
   * is not answered.
   */
  readonly rate: number;
  /** The delay of a late answer and of a late commit; it is longer than the sender's deadline. */
  readonly late_ms: number;
  /** The longest time that an operation is pending. */
  readonly pending_ms: number;
};

const DEFAULTS = { rate: 0.35, late_ms: LATE_S * 1000, pending_ms: 5_000 } as const;

/** The thirteen kinds; faults in one row share its weight. */
const KINDS: readonly (readonly FaultName[])[] = [
  ['refuse_connection'],
  ['drop_before'],
  ['timeout_not_taken'],
  ['timeout_taken'],
  ['close_mid_response'],
  ['late_answer'],
  ['late_commit'],
  ['http_500_before'],
  ['http_500_after'],
  ['garbage'],
  ['wrong_amount', 'wrong_currency', 'wrong_reference'],
  ['answer_twice', 'callback_first', 'callback_twice', 'callback_never'],
  ['reset'],
];
/**
 * Captures and refunds can also be pending, and end by a message. A late commit has twice the weight, because it turns
 * a capture that is sent again too early into a real second one.
 */
const FOLLOW_UP_KINDS: readonly (readonly FaultName[])[] = [...KINDS, ['pending'], ['late_commit']];
/** Faults of the directory and the bank, whose messages move no money. */
const ASKING_KINDS: readonly (readonly FaultName[])[] = [
  ['refuse_connection'],
  ['drop_before'],
  ['timeout_not_taken', 'timeout_taken'],
  ['close_mid_response'],
  ['http_500_before', 'http_500_after'],
  ['garbage'],
  ['callback_twice', 'callback_never'],
];
const LOST: readonly FaultName[] = ['drop_before', 'reset', 'refuse_connection', 'http_500_before'];
const UNANSWERED: readonly FaultName[] = ['timeout_taken', 'close_mid_response', 'http_500_after'];
/** Faults of inquiries and reversals: 10 % lost, 10 % unanswered, at the usual rate of 35 %. */
const LOOKING_SHARE = 0.2857;

export type Lot = { readonly called: Called; readonly reference: string; readonly nth: number };

export function draw(chaos: Chaos, { called, reference, nth }: Lot): Twist {
  const lots = createHash('sha256').update(`${chaos.seed}|${reference}|${called}|${nth}`).digest();
  const first = lots.readUInt32BE(0) / 0x1_0000_0000;
  const pick = <T>(list: readonly T[], at: number): T | undefined => list[lots.readUInt32BE(at) % list.length];
  if (called === 'inquiry' || called === 'reversal') {
    const each = chaos.rate * LOOKING_SHARE;
    const from = first < each ? LOST : first < 2 * each ? UNANSWERED : undefined;
    const fault = from && pick(from, 4);
    return fault === undefined ? PLAIN : { fault };
  }
  if (first >= chaos.rate) return PLAIN;
  const kinds =
    called === 'authentication' ? ASKING_KINDS : called === 'capture' || called === 'refund' ? FOLLOW_UP_KINDS : KINDS;
  const fault = pick(pick(kinds, 4) ?? [], 8);
  if (fault === undefined) return PLAIN;
  if (fault === 'pending' || fault === 'callback_never') {
    return { fault, seconds: (lots.readUInt32BE(12) % (chaos.pending_ms + 1)) / 1000 };
  }
  if (fault === 'late_commit') return { fault, seconds: chaos.late_ms / 1000 };
  return fault === 'late_answer' ? { fault, delay_ms: chaos.late_ms } : { fault };
}

/** Reads a table from a control request or from the journal; returns the name of a wrong member. */
export function readChaos(value: unknown): Chaos | { readonly member: string } {
  if (!isRecord(value)) return { member: '' };
  const { seed, rate = DEFAULTS.rate, late_ms = DEFAULTS.late_ms } = value;
  const { pending_ms = DEFAULTS.pending_ms } = value;
  if (typeof seed !== 'string' || seed === '' || seed.length > 64) return { member: 'seed' };
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) return { member: 'rate' };
  if (!isMs(late_ms)) return { member: 'late_ms' };
  if (!isMs(pending_ms)) return { member: 'pending_ms' };
  return { seed, rate, late_ms, pending_ms };
}

const isMs = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 60_000;
