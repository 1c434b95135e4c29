// What can still be done with the money of an order. A ruling may have let the provider go beyond the counters (contract 14.1): then
// nothing is left, and not less than nothing.
import type { OrderFacts } from './facts.ts';

type Counters = Pick<
  OrderFacts,
  'authorized_minor' | 'released_minor' | 'captured_minor' | 'capturing_minor' | 'refunded_minor' | 'refunding_minor'
>;

/** Minor units that are authorized and neither captured, being captured nor released. */
export function capturableMinor(order: Counters): bigint {
  const { authorized_minor, released_minor, captured_minor, capturing_minor } = order;
  return atLeastNothing(authorized_minor - released_minor - captured_minor - capturing_minor);
}

/** Minor units that are captured and neither refunded nor being refunded. */
export function refundableMinor({ captured_minor, refunded_minor, refunding_minor }: Counters): bigint {
  return atLeastNothing(captured_minor - refunded_minor - refunding_minor);
}

const atLeastNothing = (minor: bigint): bigint => (minor < 0n ? 0n : minor);
