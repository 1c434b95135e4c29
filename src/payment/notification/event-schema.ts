// The bodies of notifications, for openapi.json and the reference (contract 13.1): what body.ts writes, described.
import { result } from '../../core/results.ts';
import { ORDER_STATUSES } from '../../core/states.ts';
import {
  type Members,
  flag,
  id,
  integer,
  list,
  number,
  object,
  resultOf,
  text,
  textOrNull,
  word,
} from '../../kit/http/schema.ts';
import type { Told } from '../../kit/http/reference/webhooks.ts';
import { RETRY } from '../retry-told.ts';
import { EVENTS } from './events.ts';

const UNTIL_THERE = '"" while there is none';

function head(events: readonly string[], sequence: number): Members {
  return {
    event: word('What happened', events),
    sequence: integer('Counts the events of the order from 1, without a gap, subscribed or not', sequence),
    previous_sequence: {
      type: ['integer', 'null'],
      description: 'The last one meant for this endpoint: a gap is seen by it; null before the first',
      examples: [sequence === 1 ? null : sequence - 1],
    },
  };
}

const ASKED = { request_id: text('The request that made it happen, "" where none did', '66bf18d25d1c9a0e47b2f316') };
const WHEN = { action_date: text('When it happened', '2024-08-16T09:16:05+0000') };
const ACCOUNT = { merchant_account: id('Your account', '66bf18a05d1c9a0e47b2f200') };
const MONEY = {
  amount: number('Amount of the order, in major units', 42.5),
  currency: text('ISO 4217 code', 'EUR'),
};

const ORDER_MEMBERS: Members = {
  order_version: integer('Grows with each change of the order: of two bodies, drop the one with the lower', 4),
  ...ASKED,
  order_id: id('The order', '66bf18d25d1c9a0e47b2f317'),
  transaction_id: text(`The last transaction, ${UNTIL_THERE}`, '66bf18d25d1c9a0e47b2f318'),
  merchant_order_id: text('Your order_merchant_id; so named here', 'cart-1881'),
  merchant_contract_id: text(`Contract with the provider, ${UNTIL_THERE}`, '66bf18a05d1c9a0e47b2f210'),
  status: word('Status of the order at this event', Object.keys(ORDER_STATUSES), 'authorization_successful'),
  ...MONEY,
  payin_partner: text(`Provider, ${UNTIL_THERE}`, 'simulator'),
  payin_transaction_id: text(`Reference at the provider, ${UNTIL_THERE}`, 'sim_66bf18d25d1c9a0e'),
  payin_transaction_description: text(`What the provider said, ${UNTIL_THERE}`, 'approved'),
  authentication_partner: text(`3-D Secure server, ${UNTIL_THERE}`, ''),
  authentication_result: word(
    'Outcome of 3-D Secure',
    ['', 'success', 'attempted', 'accepted', 'not_available', 'failed'],
    '',
  ),
  risk_assessment_partner: text(`Who assessed the risk, ${UNTIL_THERE}`, ''),
  risk_assessment_result: word('What it said', ['accepted', 'refused', ''], ''),
  payment_method: text('Payment method, in upper case', 'VISA'),
  capture_total_amount: number('Captured in all', 0),
  refund_total_amount: number('Refunded in all', 0),
  is_capturable: flag('A capture can be asked for', true),
  is_refundable: flag('A refund can be asked for'),
  is_cancellable: flag('A cancel can be asked for', true),
  card_6_digits: text(`First six digits of the card, ${UNTIL_THERE}`, '424242'),
  card_4_digits: text(`Last four digits of the card, ${UNTIL_THERE}`, '4242'),
  card_validity_month: text(`Two digits, ${UNTIL_THERE}`, '12'),
  card_validity_year: text(`Two digits, ${UNTIL_THERE}`, '34'),
  card_issuer: text('Bank that issued the card, "" where it is not known', ''),
  card_country: text('Country of the bank, "" where it is not known', ''),
  token: text('Always "": a token that can pay again is kept sealed', ''),
  is_order_last_transaction: flag('Always true', true),
  ...WHEN,
  link_interface: text('The order in the back office, "" where its address is not set', ''),
  ...ACCOUNT,
};

const RESULT = resultOf('authorization_successful');

const OF_LINK: Members = {
  link_id: id('The payment link that it was paid by, where it was', '66bf18a35d1c9a0e47b2f3a1'),
  merchant_data: list('Your own data of that link', { type: 'object' }, []),
};

const SOMETIMES: Members = {
  checkout_id: id('The checkout, where there is one', '66bf18c55d1c9a0e47b2f310'),
  ...OF_LINK,
  result: { ...RESULT, description: 'The result of the operation, where the event has one' },
  capture_id: id('The capture that it is about', '66bf19015d1c9a0e47b2f330'),
  refund_id: id('The refund that it is about', '66bf19125d1c9a0e47b2f340'),
  operation_merchant_id: text('Your own id of that operation', 'shipment-1'),
};

const DISPUTE_MEMBERS: Members = {
  chargeback_amount: number('Amount that the payer takes back', 42.5),
  chargeback_date: text('When', '2024-08-20T00:00:00.000Z'),
  chargeback_reason: text('Why, in words', 'fraud'),
  chargeback_reason_code: text('Why, as the scheme codes it', '10.4'),
  chargeback_due_date: textOrNull(
    'Until when it is to be answered; null where it is not known',
    '2024-09-05T00:00:00+0000',
  ),
};

/** Every event by its group, in the order in which a developer meets them. */
export const EVENT_GROUPS: readonly Told[] = [
  group('orders', 'Events of an order', {
    summary: 'What happened to an order: its event is its new status.',
    events: EVENTS.filter((name) => !name.includes('.')),
    title: 'OrderEvent',
    sequence: 2,
    members: ORDER_MEMBERS,
    optional: {
      ...SOMETIMES,
      redirect_url: text('Of authentication_requested: where the payer must go', 'https://vault.example/pay/66bf'),
    },
    example: {
      event: 'authorization_successful',
      checkout_id: '66bf18c55d1c9a0e47b2f310',
      result: result('authorization_successful'),
    },
  }),
  group('disputes', 'Disputes', {
    summary: 'A payer takes captured money back through the issuer, and how that ended. The status stays the order’s.',
    events: EVENTS.filter((name) => name.startsWith('dispute.')),
    title: 'DisputeEvent',
    sequence: 6,
    members: { ...ORDER_MEMBERS, ...DISPUTE_MEMBERS },
    optional: SOMETIMES,
    example: { status: 'capture_successful', is_capturable: false, is_cancellable: false, capture_total_amount: 42.5 },
  }),
  group('contradictions', 'Contradictions', {
    summary: 'A provider says something else than it said before: look at the order, and do nothing with it by itself.',
    events: ['order.contradicted'],
    title: 'ContradictionEvent',
    sequence: 5,
    members: {
      ...ORDER_MEMBERS,
      about: text('Which operation it is about', 'capture'),
      said: text('What the provider says now', 'declined'),
    },
    optional: SOMETIMES,
    example: { status: 'capture_successful', is_capturable: false, is_cancellable: false, capture_total_amount: 42.5 },
  }),
  group('retries', 'Later tries that ended', {
    summary: 'A payment without the payer is not tried again any more: it was approved, or retry.reason says why not.',
    events: ['order.retries_ended'],
    title: 'RetriesEvent',
    sequence: 8,
    members: { ...ORDER_MEMBERS, retry: RETRY },
    optional: SOMETIMES,
    example: {
      status: 'authorization_declined',
      is_capturable: false,
      is_cancellable: false,
      retry: {
        state: 'ended',
        policy: 'default',
        tries: 4,
        tries_left: 0,
        next_try_date: null,
        reason: 'tries_used_up',
      },
    },
  }),
  group('checkouts', 'Checkouts that expired', {
    summary: 'A checkout ended without a payment.',
    events: ['checkout.expired'],
    title: 'CheckoutEvent',
    sequence: 1,
    members: {
      ...ASKED,
      checkout_id: id('The checkout', '66bf18c55d1c9a0e47b2f310'),
      merchant_order_id: text('Your order_merchant_id', 'cart-1881'),
      ...MONEY,
      ...WHEN,
      ...ACCOUNT,
    },
    optional: { result: RESULT, ...OF_LINK },
    example: {},
  }),
  group('customers', 'Customers', {
    summary: 'Cards of a customer were saved or removed.',
    events: ['customer.updated'],
    title: 'CustomerEvent',
    sequence: 1,
    members: { ...ASKED, ...WHEN, ...ACCOUNT, customer_id: text('Your id of the customer', '5512') },
    optional: { result: RESULT },
    example: { result: result('customer_updated') },
  }),
  group('providers', 'Contracts and their providers', {
    summary: 'New payments do not go to a contract as usual any more, or do again. Told once for each turn.',
    events: ['provider.health_changed'],
    title: 'ProviderEvent',
    sequence: 1,
    members: {
      ...ASKED,
      ...WHEN,
      ...ACCOUNT,
      provider: text('Its provider', 'simulator'),
      contract: id('The contract', '66bf18c55d1c9a0e47b2f320'),
      scheme: textOrNull('With this scheme alone; null: with all', 'visa'),
      takes_payments: flag('Does it get new payments as usual?', false),
      from: text('What it was: closed (well), suspected, spread, half, open', 'closed'),
      to: text('What it is', 'half'),
      reason: text(
        'What was seen, what a person of the account said, or what the operator tells its accounts',
        '23 of 100 calls went unanswered or failed',
      ),
    },
    optional: {},
    example: { scheme: null },
  }),
  group('test', 'The test event', {
    summary: 'Sent when you ask for it, to look at your receiver.',
    events: ['test'],
    title: 'TestEvent',
    sequence: 1,
    members: { ...ASKED, ...WHEN, ...ACCOUNT },
    optional: {},
    example: {},
  }),
];

type Group = {
  readonly summary: string;
  readonly events: readonly string[];
  readonly title: string;
  readonly sequence: number;
  readonly members: Members;
  readonly optional: Members;
  readonly example: Readonly<Record<string, unknown>>;
};

function group(name: string, title: string, d: Group): Told {
  const members = { ...head(d.events, d.sequence), ...d.members };
  const schema = object(members, { title: d.title, optional: d.optional });
  const plain = Object.fromEntries(Object.entries(members).map(([key, { examples }]) => [key, exampleAt(examples)]));
  return {
    name,
    title,
    summary: d.summary,
    events: d.events,
    body: { ...schema, examples: [{ ...plain, ...d.example }] },
  };
}

function exampleAt(examples: unknown): unknown {
  return Array.isArray(examples) ? examples[0] : undefined;
}
