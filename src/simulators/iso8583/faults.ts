// Faults of the simulated acquirer, armed for the next matching messages.
import { familyOf } from './message.ts';

export const FAULT_KINDS = [
  /** The message has its effect at once, and its answer comes `ms` later. */
  'late_answer',
  /** The message has its effect and its answer only `ms` later. */
  'late_commit',
  /** The message has its effect, and gets no answer. */
  'drop_answer',
  /** The message has no effect and gets no answer. */
  'ignore',
  'close_before_commit',
  'close_after_commit',
  'answer_twice',
  /** The answer is sent right after the next answer. */
  'out_of_order',
  'wrong_trace',
  'wrong_amount',
  'wrong_currency',
  'wrong_reference',
  'garbage',
  /** The next `times` answers are kept back, and then sent together in another order. */
  'shuffle',
  /** This fault and the next one apply to messages about the line (08xx) only. */
  'refuse_sign_on',
  'ignore_network',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault = {
  readonly kind: FaultKind;
  /** The type of message that it applies to, repeats included; absent: all messages that move money. */
  readonly type?: string;
  readonly times?: number;
  readonly ms?: number;
};

const ABOUT_LINE: ReadonlySet<FaultKind> = new Set(['refuse_sign_on', 'ignore_network']);

export class Faults {
  private armed: { readonly fault: Fault; left: number }[] = [];
  private outage: { readonly code: string; readonly until: number } | undefined;

  arm(fault: Fault): void {
    this.armed.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.armed = [];
    this.outage = undefined;
  }

  /** Every authorization gets this code until then. */
  answerAll(code: string, until: number): void {
    this.outage = { code, until };
  }

  outageAt(now: number): string | undefined {
    return this.outage && now < this.outage.until ? this.outage.code : undefined;
  }

  /** Takes the first fault that matches, and counts it once. */
  next(type: string): Fault | undefined {
    const is_line = type.startsWith('08');
    const found = this.armed.find(
      ({ fault }) =>
        ABOUT_LINE.has(fault.kind) === is_line && (fault.type === undefined || familyOf(fault.type) === familyOf(type)),
    );
    if (!found) return undefined;
    found.left--;
    if (found.left === 0) this.armed = this.armed.filter((one) => one !== found);
    return found.fault;
  }
}
