// What a provider's own books show of one payment: for what a merchant did at the provider's own site, and not through
// us. Pure functions, as for every other answer.
import type { Answer, Facts, Kept, Next } from './contract.ts';

export type ShownPart = {
  readonly kind: 'capture' | 'refund';
  /** The provider's own id of it. */
  readonly reference: string;
  /** Our id, where the provider repeats one. */
  readonly ours: string | null;
  readonly amount_minor: bigint;
  readonly state: 'done' | 'open' | 'failed';
  /** The provider's own id of the capture that a refund is of. */
  readonly of: string | null;
};

export type Shown = {
  readonly kind: 'shown';
  /** Of what was authorized: something is held, nothing is held any more, or it has ended by itself. */
  readonly hold: 'held' | 'gone' | 'lapsed';
  readonly parts: readonly ShownPart[];
};

export type PaymentBooks = {
  /** The first step; every step of it only asks. Undefined: there is nothing to ask about. */
  first(facts: Facts): string | undefined;
  /** Undefined: the answer does not say. Never throws. */
  read(step: string, answer: Answer, facts: Facts, kept: Kept): Shown | Next | undefined;
};
