// The answers of the routes of payment links (contract 5.3), as schemas.
import type { JsonSchema } from '../../core/shape.ts';
import { ORDER_STATUSES } from '../../core/states.ts';
import {
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
} from '../../kit/http/schema.ts';
import { answered, echoedMembers } from '../checkout/answer-schema.ts';
import { CHECKOUT_FIELDS } from '../checkout/request.ts';
import { LINK_EXAMPLE, PAYMENT_LINK } from './request.ts';
import { LINK_STATUSES } from './view.ts';

const RESULT = resultOf('request_completed');

function amountOrNull(description: string, example: number | null): JsonSchema {
  return { type: ['number', 'null'], description, examples: [example] };
}

const fixed = {
  link_id: id('Id of the link', '66bf18a35d1c9a0e47b2f3a1'),
  status: word('Where it stands: active and paused are yours to change', LINK_STATUSES),
  url: text(
    'The address to share: a page that makes a checkout for each payer who opens it',
    'https://vault.shop-pay.example/pay/478cabe3f0bc7e66d2f06defe94e0ef26190839b3859f2439acea05959d340a4',
  ),
  usage: word('once: one payment. many: any number of payers', ['once', 'many']),
  amount: amountOrNull('Fixed amount in major units; null: the payer says it', 42.5),
  amount_least: amountOrNull('The least that a payer may pay; null where the amount is fixed', null),
  amount_most: amountOrNull('The most that a payer may pay; null where the amount is fixed', null),
  currency: text('ISO 4217 code', 'EUR'),
  operation_type: text('As sent, or direct_capture', 'direct_capture'),
  order_merchant_id: text('As sent', 'invoice-1881'),
  merchant_data: { ...answered('merchant_data', CHECKOUT_FIELDS.merchant_data.schema), examples: [[]] },
  opened: integer('How many checkouts were made from it', 1),
  is_in_doubt: flag(
    'A payment of it is unpaid here, and its outcome is not known: no other is opened until it is. Of usage many false: see its orders',
  ),
  expiration_date: longDate('From when on it opens no payment'),
  createdAt: isoDate('When it was made'),
};

const PLAIN = object(fixed, {
  title: 'PaymentLink',
  optional: echoedMembers((name) => Object.hasOwn(PAYMENT_LINK, name) && !Object.hasOwn(fixed, name)),
});

/** The example is the link that the example of the request makes. */
const LINK = withExample(PLAIN, { order_description: LINK_EXAMPLE.order_description });

export const LINK_ANSWER: JsonSchema = object({ result: RESULT, link: LINK }, { title: 'PaymentLinkAnswer' });

const PAGING = {
  has_more: flag('There are older ones'),
  next_cursor: textOrNull('Send it as `cursor` for the next page; null on the last', null),
};

export const LINK_LIST: JsonSchema = object(
  { result: RESULT, links: list('Newest first', LINK), ...PAGING },
  { title: 'PaymentLinkList' },
);

const ORDER = object(
  {
    order_id: id('Id of the order'),
    checkout_id: id('Id of the checkout that a payer opened', '66bf18a35d1c9a0e47b2f301'),
    order_merchant_id: text('Reference of the link, with a number behind where many pay it', 'invoice-1881'),
    status: word('Status of the order', Object.keys(ORDER_STATUSES), 'capture_successful'),
    amount: number('Amount in major units', 42.5),
    currency: text('ISO 4217 code', 'EUR'),
    is_in_doubt: flag('Its outcome is not known, whatever its status says'),
    createdAt: isoDate('When the payer paid, or tried'),
  },
  { title: 'PaymentLinkOrder' },
);

export const LINK_ORDERS: JsonSchema = object(
  { result: RESULT, orders: list('Those of the checkout that was opened last come first', ORDER), ...PAGING },
  { title: 'PaymentLinkOrderList' },
);
