// The fields of POST /payment/order (contract 7.1). Nothing but the token is required by itself: a checkout may give
// the rest.
import { anything, bool, id24, money0, oneOf, text, token64 } from '../../../core/fields.ts';
import { POLICY_NAMES } from '../../../core/retries/policy.ts';
import { type Field, type Read, type Shape, objectOf } from '../../../core/shape.ts';
import type { Stored } from '../../checkout/groups.ts';
import { CHECKOUT_FIELDS } from '../../checkout/request.ts';

/** Outside authentication; replaces our own. */
const THREE_DS_DATA = {
  network_score: text(64),
  cavv: text(64),
  cavv_algorithm: text(64),
  ucaf_aav: text(64),
  eci: text(64),
  x_id: text(64),
  pares_status: text(64),
  directory_veres: text(64),
  version: text(64),
} as const satisfies Shape;

/** Null, empty and unknown members count as absent (contract 2.2): what has no other ones authenticates nobody. */
function unlessEmpty<T extends object>(object: Field<T, false>): Field<T, false> {
  const read: Field<T>['read'] = (value, name, reading) => {
    const said = object.read(value, name, reading);
    return said && Object.keys(said).length > 0 ? said : undefined;
  };
  return { ...object, read };
}

export const ORDER = {
  token: token64,
  checkout_id: id24,
  ...CHECKOUT_FIELDS,
  subscription_first_id: id24,
  '3ds_data': unlessEmpty(objectOf(THREE_DS_DATA)),
  giftcard_used: bool,
  giftcard_amount: money0,
  giftcard_currency: CHECKOUT_FIELDS.currency,
  giftcard_number: text(64),
  airline_data: anything,
  insurance_data: anything,
  car_rental_data: anything,
  lodging_data: anything,
  retry_policy: oneOf(...POLICY_NAMES),
} as const satisfies Shape;

export type OrderRequest = Read<typeof ORDER>;

/**
 * An order as it is stored: its own fields, or those of its checkout too. What has a column of its own is not in it.
 */
export type StoredOrder = Stored<
  Omit<OrderRequest, 'token' | 'checkout_id' | 'amount' | 'currency' | 'subscription_first_id'>
> & {
  /** Set if the account mails receipts and the payer's address is known, so that other orders need no further look. */
  readonly mail_receipt?: true;
  /** Set if the last attempt was paid with a card's own number that a wallet gave. */
  readonly wallet_card?: true;
};
