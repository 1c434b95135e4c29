// The answer about an order: the flat members of contract 7.2, and the members that a read adds (7.5), as schemas.
import type { JsonSchema } from '../../../core/shape.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import {
  type Members,
  amountOrEmpty,
  flag,
  id,
  integer,
  isoDate,
  list,
  longDate,
  number,
  object,
  resultOf,
  text,
  textOrNull,
  withExample,
  word,
} from '../../../kit/http/schema.ts';
import { answered } from '../../checkout/answer-schema.ts';
import { CHECKOUT_FIELDS } from '../../checkout/request.ts';
import { RETRY } from '../../retry-told.ts';
import { RETRY_CLASS, TRANSACTION } from './transaction-schema.ts';

const OUTCOMES = ['', 'pending', 'success', 'failure'];
const APPROVED_AT = 'Fri Aug 16 2024 09:16:05 GMT+0000 (Coordinated Universal Time)';

const IDENTITY: Members = {
  order_id: id('Id of the order', '66bf18d25d1c9a0e47b2f317'),
  transaction_id: id('Id of its last attempt', '66bf18d25d1c9a0e47b2f318'),
  checkout_id: text('Its checkout, or ""', '66bf18a35d1c9a0e47b2f301'),
  order_merchant_id: text('Your own reference', 'cart-1881'),
  status: word(
    'Where the order stands; docs/states.md lists all',
    Object.keys(ORDER_STATUSES),
    'authorization_successful',
  ),
  type: word('Same as operation_type', ['authorize', 'direct_capture']),
  payment_channel: text('As sent, or e-commerce', 'e-commerce'),
  payment_method_name: text('Card scheme the order is paid with', 'visa'),
  order_amount: number('Amount in major units', 42.5),
  order_currency: text('ISO 4217 code', 'EUR'),
  order_description: text('As sent, or ""', ''),
};

const AUTHORIZATION: Members = {
  authorization_amount: number('Amount asked of the provider', 42.5),
  authorization_code: text('Code of the approval, or ""', 'A1B2C3'),
  authorization_date: longDate('When the authorization was decided', APPROVED_AT),
  authorization_result: word('Outcome of the authorization', OUTCOMES, 'success'),
  authentication_indicator: text('no_3ds, ask_3ds or force_3ds', 'no_3ds'),
  authentication_partner: text('Who authenticated the payer, or ""', ''),
  authentication_date: longDate('When the payer was authenticated'),
  authentication_result: word('Outcome of the authentication', [
    '',
    'success',
    'attempted',
    'accepted',
    'not_available',
    'failed',
  ]),
};

const FLAGS: Members = {
  is_authenticated: flag('The liability is shifted to the issuer'),
  is_captured: flag('Something is captured'),
  is_refunded: flag('Something is refunded, in full or in part'),
  is_cancelled: flag('The authorization is cancelled'),
  is_in_doubt: flag('The outcome of an operation is unknown and is being resolved, or a reversal has not ended'),
  is_suspicious: flag('Approved, but the risk score is high or a rule marked it: look before you ship'),
};

const RISK_AND_PROVIDER: Members = {
  risk_assessment_partner: text('Who assessed the risk: risk_rules (yours) or a provider; or ""', ''),
  risk_assessment_date: longDate('When the risk was assessed'),
  risk_assessment_result: word('Outcome of the risk assessment', ['', 'accepted', 'refused']),
  risk_assessment_reason: text('Why it was refused or marked: rule, version, what was seen; or ""', ''),
  risk_assessment_reason_code: text('Why it was refused, as a code; or ""', ''),
  payin_partner: text('Provider of the last attempt, or ""', 'simulator'),
  psp_result_code: text('The provider\'s own code, or ""', '00'),
  psp_result_description: text('The provider\'s own text, or ""', 'approved'),
  merchant_contract_id: text('Contract with the provider, or ""', '66bf18a35d1c9a0e47b2f2aa'),
  retry_class: RETRY_CLASS,
};

const LATER: Members = {
  capture_date: longDate('When the last capture was decided'),
  capture_result: word('Outcome of the last capture', OUTCOMES),
  capture_amount: amountOrEmpty('Amount of the last capture; "" when there is none', ''),
  capture_total_amount: amountOrEmpty('Captured so far; "" when nothing is', ''),
  refund_date: longDate('When the last refund was decided'),
  refund_result: word('Outcome of the last refund', OUTCOMES),
  refund_total_amount: amountOrEmpty('Refunded so far; "" when nothing is', ''),
  cancellation_date: longDate('When the cancellation was decided'),
  cancellation_result: word('Outcome of the cancellation', OUTCOMES),
};

const ECHOED: Members = Object.fromEntries(
  [
    ['website_url', ''],
    ['accept_url', 'https://shop.example/back?status=accept&n=1881'],
    ['decline_url', ''],
    ['cancel_url', ''],
    ['pending_url', ''],
    ['exception_url', ''],
    ['customer_id', '5512'],
    ['customer_first_name', 'Ada'],
    ['customer_last_name', 'Martin'],
    ['customer_email', 'ada@shop.example'],
    ['customer_ip', '203.0.113.7'],
    ['customer_street_name', ''],
    ['customer_city', ''],
    ['customer_zip_code', ''],
    ['customer_country', 'FR'],
  ].map(([name = '', example]) => [name, text('As sent, or ""', example)]),
);

const MEMBERS: Members = {
  ...IDENTITY,
  ...AUTHORIZATION,
  ...FLAGS,
  ...RISK_AND_PROVIDER,
  ...LATER,
  ...ECHOED,
  attempts_remaining: integer('How often the payment can still be tried', 2),
};

const SOMETIMES: Members = {
  redirect_url: text(
    'Only while the payer must act: send the payer there',
    'https://vault.shop-pay.example/pay/478cabe3f0bc7e66d2f06defe94e0ef26190839b3859f2439acea05959d340a4',
  ),
  subscription_id: id('The subscription it belongs to, when there is one'),
  retry: RETRY,
};

const approved = resultOf('authorization_successful');
const pending = {
  status: 'authorization_requested',
  authorization_code: '',
  authorization_date: null,
  authorization_result: 'pending',
  psp_result_code: '',
  psp_result_description: '',
};

/** The answer to a created order; its example is the usual one, which does not wait for the outcome. */
export const ORDER_ANSWER: JsonSchema = withExample(
  object(
    { result: resultOf('authorization_pending'), ...MEMBERS },
    { title: 'OrderAnswer', description: 'A declined order is a 200 too: read result.code', optional: SOMETIMES },
  ),
  pending,
);

/** An order in a list: the flat members without `result`. */
export const LISTED_ORDER: JsonSchema = object(
  {
    ...MEMBERS,
    _id: id('Same as order_id', '66bf18d25d1c9a0e47b2f317'),
    createdAt: isoDate('When the order was created', '2024-08-16T09:16:02.118Z'),
  },
  { title: 'ListedOrder', optional: SOMETIMES },
);

const BASKET = object({
  basket_id: textOrNull('As sent', 'b-77'),
  basket_type: textOrNull('As sent', 'physical'),
  basket_content: list('As sent', { type: 'object' }),
});

const READ: Members = {
  _id: id('Same as order_id', '66bf18d25d1c9a0e47b2f317'),
  amount: number('Same as order_amount', 42.5),
  currency: text('Same as order_currency', 'EUR'),
  order_version: integer('Rises by one with every change of status', 4),
  giftcard_used: flag('As sent'),
  baskets: list('Baskets sent with the order', BASKET, []),
  merchant_data: {
    ...answered('merchant_data', CHECKOUT_FIELDS.merchant_data.schema),
    description: 'Your own data; an empty list when there are none',
    examples: [[]],
  },
  merchant_account: id('The account the order belongs to', '66bf18a35d1c9a0e47b2f200'),
  createdAt: isoDate('When the order was created', '2024-08-16T09:16:02.118Z'),
  updatedAt: isoDate('Its last change', '2024-08-16T09:16:05.011Z'),
  createdBy: object({ name: text('Who created it', 'api') }),
  transactions: list('One for each attempt or fallback, oldest first', TRANSACTION),
};

export const ORDER_READ: JsonSchema = object(
  { result: approved, ...MEMBERS, ...READ },
  { title: 'Order', description: 'The flat answer and transactions[], as they stand now', optional: SOMETIMES },
);
