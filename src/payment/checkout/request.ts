// The fields of POST /payment/checkout (contract 5.1).
import { currency, datetime, money, oneOf, text } from '../../core/fields.ts';
import { type Read, type Shape, required } from '../../core/shape.ts';
import { GROUPS, RETURN_URLS, type Stored } from './groups.ts';

export const CHECKOUT_FIELDS = {
  type: oneOf('api', 'hosted_page', 'hosted_fields', 'mobile_sdk', 'qrcode', 'mail_to_pay'),
  operation_type: oneOf('authorize', 'direct_capture'),
  amount: money,
  currency,
  order_merchant_id: text(255),
  payment_channel: oneOf('e-commerce', 'recurring', 'moto', 'pos'),
  token_type: oneOf('oneshot', 'recurring'),
  ...RETURN_URLS,
  payment_method_name: text(32),
  ...GROUPS,
} as const satisfies Shape;

export const CHECKOUT = {
  ...CHECKOUT_FIELDS,
  type: required(CHECKOUT_FIELDS.type),
  operation_type: required(CHECKOUT_FIELDS.operation_type),
  amount: required(money),
  currency: required(currency),
  order_merchant_id: required(CHECKOUT_FIELDS.order_merchant_id),
  expiration_date: datetime,
} as const satisfies Shape;

export type CheckoutRequest = Read<typeof CHECKOUT>;

/** A checkout as it is stored: what has a column of its own is not in it. */
export type StoredCheckout = Stored<Omit<CheckoutRequest, 'amount' | 'currency' | 'expiration_date'>>;

/** Types that are paid on our hosted page: the answer carries redirect_url instead of payment_methods. */
export const HOSTED_TYPES: readonly string[] = ['hosted_page', 'qrcode', 'mail_to_pay'];
