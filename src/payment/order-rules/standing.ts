// What the rules must know of an order. The facts that a read finds have all of it; a notification knows what was
// written down with its event.
import type { OPERATION_KINDS, OperationState, OrderStatus } from '../../core/states.ts';
import type { Amounts } from './amounts.ts';

export type StandingOperation = {
  readonly id: string;
  readonly kind: (typeof OPERATION_KINDS)[number];
  readonly origin: 'merchant' | 'recovery' | 'provider' | 'schedule' | 'operator';
  readonly state: OperationState;
  readonly amount_minor: bigint;
  /** Of a refund: its capture. */
  readonly target_id: string | null;
};

export type StandingDispute = {
  readonly operation_id: string;
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
};

/** An open one. */
export type StandingContradiction = {
  readonly operation_id: string;
  readonly held: 'successful' | 'declined' | 'not_sent';
  readonly said: string;
};

export type Standing = Amounts & {
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly amount_minor: bigint;
  readonly cancel_pending: boolean;
  /** An authorization or an authentication has no outcome yet. */
  readonly undecided: boolean;
  /** The payer left the authentication, and the order ended with that. */
  readonly ended_by_payer: boolean;
  readonly operations: readonly StandingOperation[];
  readonly disputes: readonly StandingDispute[];
  readonly contradictions: readonly StandingContradiction[];
};

/** Nothing is held yet, and the outcome is still to come: as a status says it, where the operations are not at hand. */
const UNDECIDED: ReadonlySet<OrderStatus> = new Set([
  'authentication_requested',
  'authentication_successful',
  'authorization_requested',
]);

export const isUndecidedStatus = (status: OrderStatus): boolean => UNDECIDED.has(status);

/** What the merchant asked for, oldest first, whatever became of it; and what they did at the provider's own site. */
export function askedFor<O extends StandingOperation>(
  { operations }: { readonly operations: readonly O[] },
  kind: O['kind'],
): readonly O[] {
  return operations.filter(({ kind: one, origin }) => one === kind && (origin === 'merchant' || origin === 'provider'));
}

const hasFailed = ({ state }: StandingOperation): boolean => state === 'declined' || state === 'not_sent';

/**
 * What can still be refunded of one capture. Of the order it may be less, where a later correction took another capture
 * back.
 */
export function refundableOf(order: Pick<Standing, 'operations'>, capture: StandingOperation): bigint {
  return askedFor(order, 'refund')
    .filter((refund) => refund.target_id === capture.id && !hasFailed(refund))
    .reduce((left, refund) => left - refund.amount_minor, capture.amount_minor);
}
