// The amounts of an order in minor units, and what is left of each. Every rule and every view takes them from here;
// only the check of the ledger (ledger/verify) adds up for itself, on purpose.

export type Amounts = {
  readonly authorized_minor: bigint;
  readonly released_minor: bigint;
  readonly capturing_minor: bigint;
  readonly captured_minor: bigint;
  readonly refunding_minor: bigint;
  readonly refunded_minor: bigint;
};

/** Authorized and not released: what a cancel gives back before anything is captured. */
export function heldMinor({ authorized_minor, released_minor }: Amounts): bigint {
  return authorized_minor - released_minor;
}

/** Authorized, and neither released nor captured nor about to be. */
export function capturableMinor(order: Amounts): bigint {
  return atLeastNothing(heldMinor(order) - order.captured_minor - order.capturing_minor);
}

/** Captured, and neither refunded nor about to be. */
export function refundableMinor({ captured_minor, refunded_minor, refunding_minor }: Amounts): bigint {
  return atLeastNothing(captured_minor - refunded_minor - refunding_minor);
}

/**
 * A person may have booked what the provider did beyond the limits (contract 14.1): then nothing is left, and not less.
 */
export const atLeastNothing = (minor: bigint): bigint => (minor < 0n ? 0n : minor);
