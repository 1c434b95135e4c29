// A transaction of an order as a read shows it (contract 7.5). Absent values are null here.
import { result } from '../../../core/results.ts';
import { CLASSES } from '../../../core/retries/classes.ts';
import { LEFT_OUT } from '../../../core/routing/route.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import {
  type Members,
  flag,
  id,
  isoDate,
  isoDateOrNull,
  list,
  number,
  object,
  text,
  textOrNull,
  word,
} from '../../../kit/http/schema.ts';
import { echoedMembers } from '../../checkout/answer-schema.ts';
import { isCustomerField } from '../facts/attempt-fields.ts';

const STATUSES = Object.keys(ORDER_STATUSES);
const PROGRESS = [null, 'pending', 'success', 'failure'];
const STATES = ['requested', 'successful', 'declined', 'in_doubt'];
const KINDS = ['authorization', 'authentication', 'risk_assessment', 'capture', 'refund', 'cancellation', 'reversal'];
const DONE_AT = '2024-08-16T09:16:05.006Z';

const IDENTITY: Members = {
  id: id('Id of the transaction', '66bf18d25d1c9a0e47b2f318'),
  type: word('authorize or direct_capture', ['authorize', 'direct_capture']),
  amount: number('Amount in major units', 42.5),
  amount_formatted: text('Amount and currency, to show', '42.50 EUR'),
  currency: text('ISO 4217 code', 'EUR'),
  status: word('Where the transaction stands', STATUSES, 'authorization_successful'),
  order_merchant_id: text('Your own reference', 'cart-1881'),
  payment_channel: textOrNull('As sent, or e-commerce', 'e-commerce'),
  payment_method_name: text('Card scheme', 'visa'),
  payment_method_type: textOrNull('As sent', null),
  merchant_contract: textOrNull('Contract with the provider', '66bf18a35d1c9a0e47b2f2aa'),
  payin_partner: textOrNull('Provider', 'simulator'),
  is_new_transaction: flag('A new attempt, not a fallback of the one before', true),
  is_order_last_transaction: flag('The last one: the top level speaks of it', true),
  is_fallback: flag('Another provider was tried within the same attempt'),
  recurring: flag('Paid on the channel recurring'),
  occurrence: { type: ['integer', 'null'], description: 'Number of the payment in its subscription', examples: [null] },
};

function progressOf(name: string, example: { date: string | null; word: string | null }): Members {
  return {
    [`${name}_request_date`]: isoDateOrNull(`When the last ${name} was asked for`, example.date),
    [`${name}_request_status`]: word(`How that stands`, PROGRESS, example.word),
    [`${name}_date`]: isoDateOrNull(`When it was decided`, example.date),
    [`${name}_result`]: word(`Its outcome`, PROGRESS, example.word),
  };
}

const NEVER = { date: null, word: null };

const OPERATIONS: Members = {
  ...progressOf('authorization', { date: DONE_AT, word: 'success' }),
  authorization_status: word('Same as authorization_result', PROGRESS, 'success'),
  ...['capture', 'refund', 'cancellation'].reduce<Members>(
    (members, name) => ({
      ...members,
      ...progressOf(name, NEVER),
      [`${name}_status`]: word(`Same as ${name}_result`, PROGRESS),
    }),
    {},
  ),
  authentication_request_date: isoDateOrNull('When the authentication was asked for', null),
  authentication_request_status: word('How that stands', PROGRESS),
  authentication_date: isoDateOrNull('When it was decided', null),
  authentication_result: textOrNull('Its outcome', null),
  authentication_indicator: textOrNull('no_3ds, ask_3ds or force_3ds', 'no_3ds'),
  authentication_partner: textOrNull('Who authenticated the payer', null),
  authentication_partner_api_name: textOrNull('The same, as its interface names it', null),
  refund_reason: textOrNull('Reason of the last refund', null),
};

const FLAGS: Members = {
  is_authorized: flag('The amount is held', true),
  is_captured: flag('Something is captured'),
  is_cancelled: flag('The authorization is cancelled'),
  is_refunded: flag('Something is refunded'),
  is_chargebacked: flag('The payer disputed it'),
  is_authenticated: flag('The liability is shifted to the issuer'),
  is_suspicious: flag('The risk score is high, or a rule marked it'),
  is_capturable: flag('Something can be captured now', true),
  is_refundable: flag('Something can be refunded now'),
  is_cancellable: flag('The authorization can be cancelled now', true),
  is_multiple_captures_available: flag('The provider takes several captures', true),
  is_partial_capture_available: flag('The provider takes a part', true),
  is_multiple_refunds_available: flag('The provider takes several refunds', true),
  is_partial_refund_available: flag('The provider refunds a part', true),
  is_shipping_diff_billing: flag('Shipping and billing street differ'),
  is_customer_diff_billing: flag('Customer and billing street differ'),
  is_customer_diff_shipping: flag('Customer and shipping street differ'),
};

const MONEY: Members = {
  captured_amount: number('Captured so far', 0),
  capturable_amount: number('What can be captured now', 42.5),
  capture_amount_request: number('Asked to be captured, not yet decided', 0),
  refunded_amount: number('Refunded so far', 0),
  refundable_amount: number('What can be refunded now', 0),
  refund_amount_request: number('Asked to be refunded, not yet decided', 0),
};

const RISK: Members = {
  risk_assessment_date: isoDateOrNull('When the risk was assessed', null),
  risk_assessment_partner: textOrNull('Who assessed it', null),
  risk_assessment_partner_api_name: textOrNull('The same, as its interface names it', null),
  risk_assessment_partner_id: textOrNull("The assessor's own id", null),
  risk_assessment_result: word('Outcome', [null, 'accepted', 'refused']),
  risk_assessment_reason: textOrNull('Why it was refused or marked', null),
  risk_assessment_reason_code: textOrNull('The same as a code', null),
  risk_assessment_score: { type: ['integer', 'null'], description: '0 (good) to 100 (bad)', examples: [null] },
};

const ROUTING: Members = {
  routing: {
    type: ['object', 'null'],
    description: 'Why this contract; null: no routing rules were in force',
    properties: {
      version: number('Version of the rules; 0: none, and a provider that was not well was passed over', 12),
      rule: textOrNull('The rule that decided', 'EUR split'),
      because: word('What decided', ['named', 'rule', 'priority']),
      offered: {
        type: 'array',
        items: { type: 'string' },
        description: 'Contracts in the order in which they were to be tried',
        examples: [['66bf18a35d1c9a0e47b2f301', '66bf18a35d1c9a0e47b2f302']],
      },
      propensity: number('How likely the first of them came first, over all draws', 0.7),
      experiment: {
        type: ['object', 'null'],
        description: 'The experiment that the order is of; null: no versions of rules were compared',
        properties: {
          number: number('Number of the experiment', 3),
          group: word('By which version: a, the one in force; b, the other', ['b', 'a']),
        },
      },
      skipped: {
        type: 'array',
        description: 'Contracts that were left out, and why',
        items: {
          type: 'object',
          properties: {
            contract: text('Its id', '66bf18a35d1c9a0e47b2f303'),
            reason: word('Why', [...LEFT_OUT]),
          },
        },
      },
    },
    examples: [null],
  },
};

/** Of a transaction, and in every answer of an order that of its last transaction. */
export const RETRY_CLASS = word('What follows its decline; null: none, or not known', [null, ...CLASSES]);

const PROVIDER_AND_CARD: Members = {
  psp_transaction_id: textOrNull("The provider's reference", 'sim_7Qm2vW'),
  psp_transaction_date: isoDateOrNull('When the provider answered', DONE_AT),
  psp_token: { type: 'null', description: 'Always null', examples: [null] },
  psp_result_code: textOrNull("The provider's own code", '00'),
  psp_result_description: textOrNull("The provider's own text", 'approved'),
  retry_class: RETRY_CLASS,
  advice_code: textOrNull("What the card's scheme advised beside the decline: source and code", null),
  token: textOrNull(
    'Always null: a token that can pay again is kept sealed; payment_methods_saved of its customer has it',
    null,
  ),
  card_6_digits: textOrNull('First six digits', '424242'),
  card_4_digits: textOrNull('Last four digits', '4242'),
  card_validity_month: textOrNull('Two digits', '12'),
  card_validity_year: textOrNull('Two digits', '30'),
  card_issuer: textOrNull('Bank that issued the card', null),
  card_country: textOrNull('Its country', null),
};

const DISPUTE: Members = {
  chargeback_date: isoDateOrNull('When the payer disputed it', null),
  chargeback_reason: textOrNull('Why', null),
  chargeback_reason_code: textOrNull('The same as a code', null),
  chargeback_amount: { type: ['number', 'null'], description: 'Disputed amount', examples: [null] },
};

const CAPTURE = object({
  capture_id: id('Id of the capture', '66bf18fb5d1c9a0e47b2f32c'),
  amount: number('Amount in major units', 42.5),
  refunded_amount: number('Refunded of it', 0),
  state: word('How it stands', STATES, 'successful'),
  date: isoDateOrNull('When it was decided'),
});

const REFUND = object({
  refund_id: id('Id of the refund'),
  capture_id: textOrNull('The capture it refunds', '66bf18fb5d1c9a0e47b2f32c'),
  amount: number('Amount in major units', 42.5),
  state: word('How it stands', STATES, 'successful'),
  date: isoDateOrNull('When it was decided'),
  refund_reason: textOrNull('As sent', null),
});

const HISTORY = object({
  status: text('Status the order took', 'authorization_successful'),
  code: textOrNull('Result code of that moment', result('authorization_successful').code),
  date: isoDate('When', DONE_AT),
  request_id: textOrNull('The request that caused it', '66bf18d25d1c9a0e47b2f316'),
});

const OPERATION = object(
  {
    _id: id('Id of the operation', '66bf18d25d1c9a0e47b2f319'),
    type: word('What was asked of the provider', KINDS),
    state: word('How it stands; docs/states.md explains it', STATES, 'successful'),
    amount: number('Amount in major units', 42.5),
    currency: text('ISO 4217 code', 'EUR'),
    request_date: isoDate('When it was asked for', '2024-08-16T09:16:02.118Z'),
    request_status: word('How that stands', PROGRESS, 'success'),
    request_response: textOrNull("The provider's text", 'approved'),
    request_result_date: isoDateOrNull('When it was decided', DONE_AT),
    result_date: isoDateOrNull('When it was decided', DONE_AT),
    result_status: word('Its outcome', PROGRESS, 'success'),
    result_response: textOrNull("The provider's text", 'approved'),
    partner_operation_id: textOrNull("The provider's reference", 'sim_7Qm2vW'),
    partner_result_code: textOrNull("The provider's own code", '00'),
    partner_result_description: textOrNull("The provider's own text", 'approved'),
    operation_merchant_id: textOrNull('Your own reference of the operation', null),
    transaction: id('The transaction it belongs to', '66bf18d25d1c9a0e47b2f318'),
    merchant_account: id('The account it belongs to', '66bf18a35d1c9a0e47b2f200'),
    createdAt: isoDate('When it was created'),
    createdBy: object({ name: text('Who asked for it', 'api') }),
    updatedAt: isoDate('Its last change', DONE_AT),
    updatedBy: object({ name: text('Who changed it', 'api') }),
    request_id: textOrNull('The request that caused it', '66bf18d25d1c9a0e47b2f316'),
  },
  { title: 'Operation' },
);

export const TRANSACTION = object(
  {
    ...IDENTITY,
    ...OPERATIONS,
    ...FLAGS,
    ...MONEY,
    ...RISK,
    ...ROUTING,
    ...PROVIDER_AND_CARD,
    ...DISPUTE,
    customer_ip: textOrNull('IP address of the payer; null where none was sent', '203.0.113.7'),
    customer_ip_country: textOrNull('Country of customer_ip', null),
    captures: list('Captures, oldest first', CAPTURE, []),
    refunds: list('Refunds, oldest first', REFUND, []),
    status_history: list(
      'Statuses the order took, oldest first: all in its last transaction, empty in the others',
      HISTORY,
    ),
    operations: list('What was asked of the provider, oldest first', OPERATION),
  },
  { title: 'Transaction', optional: echoedMembers((name) => isCustomerField(name) && name !== 'customer_ip') },
);
