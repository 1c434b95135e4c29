// The meanings of the fields of an order request (contract 7.1): the checkout's fields, and its own.
import type { Notes } from '../../../kit/http/schema.ts';
import { GROUP_NOTES, PAYMENT_NOTES } from '../../checkout/field-notes.ts';

const { expiration_date: _, ...payment } = PAYMENT_NOTES;

const FROM_CHECKOUT = 'Without a checkout it is required; with one it must be equal';

const OWN = {
  token: 'The token of the card, from POST {vault_url}/token',
  checkout_id: 'The checkout to pay; every field missing here is taken from it',
  ...payment,
  amount: `${payment.amount}. ${FROM_CHECKOUT}`,
  currency: `${payment.currency}. ${FROM_CHECKOUT}`,
  operation_type: `${payment.operation_type}. Without a checkout it is required`,
  order_merchant_id: `${payment.order_merchant_id}. Without a checkout it is required`,
  token_type: 'recurring is sent to save the card; it never changes the token itself',
  payment_method_name: 'Chooses a brand of a co-badged card',
  retry_policy:
    'Of a payment without the payer: default tries it again later after a decline; none does not. Absent: as the account says',
} as const satisfies Notes;

export const ORDER_NOTES: Readonly<Record<string, Notes>> = {
  'The payment': OWN,
  ...GROUP_NOTES,
  'Outside authentication': {
    '3ds_data': 'Result of an authentication made elsewhere; it replaces our own',
  },
  'Gift card': {
    giftcard_used: 'A gift card paid a part',
    giftcard_amount: 'How much it paid',
    giftcard_currency: 'ISO 4217 code, in any case',
    giftcard_number: 'Its number; stored with the order',
  },
  'Lines of business': {
    airline_data: 'Object or list, stored and passed on where the provider takes it',
    insurance_data: 'Object or list, stored and passed on where the provider takes it',
    car_rental_data: 'Object or list, stored and passed on where the provider takes it',
    lodging_data: 'Object or list, stored and passed on where the provider takes it',
  },
  Subscription: {
    ...GROUP_NOTES['Subscription'],
    subscription_first_id: 'Id of the order that began the subscription',
  },
};

export const ORDER_EXAMPLE = {
  token: 'cf9fc0cc860214a8bb1bce449086112addf5cac7648fd2f1f3b381a8f47c8125',
  checkout_id: '66bf18a35d1c9a0e47b2f301',
  accept_url: 'https://shop.example/back?status=accept&n=1881',
};
