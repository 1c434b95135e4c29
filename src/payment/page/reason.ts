// Why a payment was declined, as far as a payer may know it: what they can do something about. What a bank suspects,
// what a rule of the merchant found and what is said of a card by its issuer stay with the merchant.
import { type ResultName, findResult } from '../../core/results.ts';
import type { OrderFacts } from '../order/facts/order-facts.ts';
import { orderResult } from '../order/show/order-view.ts';

export type Reason = 'declined' | 'no_funds' | 'card_expired' | 'wrong_details' | 'bank_undone';

const MAY_KNOW: Partial<Record<ResultName, Reason>> = {
  funds_insufficient: 'no_funds',
  card_expired: 'card_expired',
  card_expired_at_tokenization: 'card_expired',
  card_data_invalid: 'wrong_details',
  authentication_timed_out: 'bank_undone',
  payer_left_authentication: 'bank_undone',
};

/** The text that says it. */
export function reasonOf(order: OrderFacts | undefined): Reason {
  const name = order && findResult(orderResult(order).code)?.name;
  return (name && MAY_KNOW[name]) ?? 'declined';
}
