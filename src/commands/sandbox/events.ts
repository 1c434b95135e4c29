// The events that florin trigger can make, one in each row: by a merchant's calls, with the card numbers of contract
// 15.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { result } from '../../core/results.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { StartError } from '../../kit/start-error.ts';
import { codeNumber } from './cards.ts';
import { type Json, type Merchant, isJson, problemOf } from './session.ts';

/** The order that was made, or the checkout or customer. */
export type Made = { readonly what: 'order' | 'checkout' | 'customer'; readonly id: string };

export type Trigger = {
  readonly says: string;
  /** The status that the order or checkout then has; undefined if it shows none. */
  readonly status?: string;
  /** Further steps for the reader, beside the usual ones. */
  readonly next?: string;
  run(merchant: Merchant): Promise<Made>;
};

const APPROVED = '4242424242424242';

type Pay = { readonly card?: string; readonly fields?: object; readonly wait_s?: number };

/** Pays a new order and returns its id. */
async function pay(merchant: Merchant, { card = APPROVED, fields = {}, wait_s = 10 }: Pay = {}): Promise<string> {
  const order = {
    operation_type: 'authorize',
    amount: '42.50',
    currency: 'EUR',
    order_merchant_id: newReference(),
    token: await merchant.token(card),
    ...fields,
  };
  const headers = { prefer: `wait=${wait_s}`, 'idempotency-key': newReference() };
  const { status, body } = await merchant.ask('/payment/order', { body: order, headers });
  if (typeof body['order_id'] === 'string') return body['order_id'];
  throw new StartError(`The order was refused with ${status}: ${problemOf(body)}`);
}

const newReference = (): string => `trigger-${systemChance(systemClock()).id()}`;
const sale = { operation_type: 'direct_capture' };

async function maintain(
  merchant: Merchant,
  order_id: string,
  { kind, wait_s = 10 }: { kind: string; wait_s?: number },
) {
  const asking = { body: {}, headers: { prefer: `wait=${wait_s}`, 'idempotency-key': newReference() } };
  const { status, body } = await merchant.ask(`/payment/maintenance/${kind}/${order_id}`, asking);
  // a decline is also an answer; a request that is refused before any call to a provider has none
  if (status !== 200 && typeof body['order_id'] !== 'string')
    throw new StartError(`The ${kind} was refused with ${status}: ${problemOf(body)}`);
}

const advance = (merchant: Merchant, seconds: number): Promise<Json> =>
  merchant.get('/sandbox/clock/advance', { body: { seconds } });

/** A trigger that pays an order in this way. */
function paying(status: string, says: string, how: Pay & { readonly next?: string } = {}): Trigger {
  const { next } = how;
  return {
    says,
    status,
    ...(next && { next }),
    run: async (merchant) => ({ what: 'order', id: await pay(merchant, how) }),
  };
}

/** A trigger that pays an order, and then captures, refunds or cancels it. */
function following(
  status: string,
  says: string,
  how: Pay & { readonly kind: string; readonly next?: string },
): Trigger {
  const { kind, next } = how;
  return {
    says,
    status,
    ...(next && { next }),
    run: async (merchant) => {
      const id = await pay(merchant, kind === 'refund' ? { ...how, wait_s: 10, fields: sale } : { ...how, wait_s: 10 });
      await maintain(merchant, id, { kind, ...(how.wait_s !== undefined && { wait_s: how.wait_s }) });
      return { what: 'order', id };
    },
  };
}

/** A trigger that then moves the clock, for the whole sandbox. */
function later(seconds: number, trigger: Trigger): Trigger {
  const span = seconds < DAY_S ? `${seconds / HOUR_S} h` : `${Math.floor(seconds / DAY_S)} d`;
  return {
    ...trigger,
    says: `${trigger.says}; moves the clock ${span} ahead`,
    run: async (merchant) => {
      const made = await trigger.run(merchant);
      await advance(merchant, seconds + 60);
      return made;
    },
  };
}

/** A dispute has no order status of its own. */
function disputed(says: string, card: string): Trigger {
  return { says, run: async (merchant) => ({ what: 'order', id: await pay(merchant, { card, fields: sale }) }) };
}

const SECURE = { authentication_indicator: 'force_3ds' };

export const TRIGGERS: Readonly<Record<string, Trigger>> = {
  risk_assessment_declined: paying('risk_assessment_declined', 'a card that our risk rules refuse', {
    card: '4100000000000019',
  }),
  authentication_requested: paying('authentication_requested', 'a payment that waits for the payer', {
    card: '4000002760003184',
    fields: SECURE,
    wait_s: 0,
    next: 'open the redirect_url of the order in a browser: 1234 is the right code',
  }),
  authentication_declined: paying('authentication_declined', 'a payer who cannot prove who they are', {
    card: codeNumber(result('authentication_incorrect').code),
    fields: SECURE,
  }),
  authorization_requested: paying('authorization_requested', 'a payment that the bank decides after 60 s', {
    card: '4000009901000110',
    wait_s: 0,
    next: 'florin clock advance 60s, and it is approved',
  }),
  authorization_successful: paying('authorization_successful', 'an approved payment', {
    next: 'capture or cancel it: POST /payment/maintenance/capture/ID',
  }),
  authorization_declined: paying('authorization_declined', 'a card without enough funds', { card: '4000000000009995' }),
  authorization_expired: later(
    HOUR_S,
    paying('authorization_expired', 'a hold that lapses', { card: '4000009902000051' }),
  ),
  authorization_cancel_requested: following('authorization_cancel_requested', 'a cancel whose answer is lost', {
    kind: 'cancel',
    card: '4000009904000026',
    wait_s: 0,
    next: 'florin clock advance 1m, and it is found to be done',
  }),
  authorization_cancelled: following('authorization_cancelled', 'a payment that is cancelled', { kind: 'cancel' }),
  authorization_cancel_declined: following('authorization_cancel_declined', 'a cancel that the bank refuses', {
    kind: 'cancel',
    card: '4000009904000018',
  }),
  capture_requested: following('capture_requested', 'a capture that is done after a day', {
    kind: 'capture',
    card: '4000009902000036',
    wait_s: 0,
    next: 'florin clock advance 1d, and it is done',
  }),
  capture_successful: paying('capture_successful', 'a card that is charged at once', {
    fields: sale,
    next: 'refund it: POST /payment/maintenance/refund/ID',
  }),
  capture_declined: following('capture_declined', 'a capture that the bank refuses', {
    kind: 'capture',
    card: '4000009902000010',
  }),
  refund_requested: following('refund_requested', 'a refund that is done after a day', {
    kind: 'refund',
    card: '4000009903000043',
    wait_s: 0,
    next: 'florin clock advance 1d, and it is done',
  }),
  refund_successful: following('refund_successful', 'a payment that is refunded', { kind: 'refund' }),
  refund_declined: following('refund_declined', 'a refund that the bank refuses', {
    kind: 'refund',
    card: '4000009903000019',
  }),
  'checkout.expired': {
    says: 'a checkout that is not paid in time; moves the clock 2 min ahead',
    status: 'expired',
    run: async (merchant) => {
      const { now } = await merchant.get('/sandbox/clock');
      const expiration_date = new Date(Date.parse(String(now)) + 90_000).toISOString();
      const terms = { type: 'api', operation_type: 'authorize', amount: '42.50', currency: 'EUR' };
      const body = { ...terms, order_merchant_id: newReference(), expiration_date };
      const { checkout } = await merchant.get('/payment/checkout', { body });
      await advance(merchant, 120);
      return { what: 'checkout', id: isJson(checkout) ? String(checkout['checkout_id']) : '' };
    },
  },
  'customer.updated': {
    says: 'a customer whose saved card is removed',
    run: async (merchant) => {
      const id = newReference();
      const token = await merchant.token(APPROVED, { token_type: 'recurring' });
      await pay(merchant, { fields: { ...sale, token, token_type: 'recurring', customer_id: id } });
      await merchant.get('/payment/information/id', { method: 'DELETE', body: { customer_id: id } });
      return { what: 'customer', id };
    },
  },
  'dispute.opened': later(DAY_S, disputed('a payer who disputes a payment', '4000000000000259')),
  'dispute.won': later(70 * DAY_S, disputed('a dispute that the merchant wins', '4000009906000024')),
  'dispute.lost': later(70 * DAY_S, disputed('a dispute that the merchant loses', '4000009906000016')),
};
