// What can be made to go wrong at the simulated acquirer, armed for the next messages that fit.
import { familyOf } from './message.ts';

export const FAULT_KINDS = [
  /** Done at once, answered `ms` later. */
  'late_answer',
  /** Nothing happens for `ms`, then it is done and answered. */
  'late_commit',
  /** Done, and never answered. */
  'drop_answer',
  /** Never done, never answered. */
  'ignore',
  'close_before_commit',
  'close_after_commit',
  'answer_twice',
  /** Answered right behind the next answer. */
  'out_of_order',
  'wrong_trace',
  'wrong_amount',
  'wrong_currency',
  'wrong_reference',
  'garbage',
  /** The next `times` answers are kept back and leave together, shuffled. */
  'shuffle',
  /** Of sign-on, and of everything about the line. */
  'refuse_sign_on',
  'ignore_network',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault = {
  readonly kind: FaultKind;
  /** Of messages of this type and their repeats; absent: of all that move money. */
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

  /** Until then every authorization is answered with this code. */
  answerAll(code: string, until: number): void {
    this.outage = { code, until };
  }

  outageAt(now: number): string | undefined {
    return this.outage && now < this.outage.until ? this.outage.code : undefined;
  }

  /** The first that fits; it is used up by one. */
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
