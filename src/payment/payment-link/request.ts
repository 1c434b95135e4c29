// The request for a payment link (contract 5.3): the fields of the checkouts that it will make, and who may pay how
// much.
import { DAY_MS, MINUTE_MS } from '../../core/durations.ts';
import { cursorId, datetime, int, money, oneOf, text, withoutCard } from '../../core/fields.ts';
import { toMinor } from '../../core/money.ts';
import { type Read, type Reading, type Shape, listOf, required } from '../../core/shape.ts';
import type { Notes } from '../../kit/http/schema.ts';
import { GROUP_NOTES, PAYMENT_NOTES } from '../checkout/field-notes.ts';
import { DESCRIPTION, GROUPS, MERCHANT_DATA, RETURN_URLS } from '../checkout/groups.ts';
import { CHECKOUT_FIELDS } from '../checkout/request.ts';

/** A notification tells them all, and is at most 20 kB. */
const MOST_DATA = 10;
const LONGEST_LIFE_MS = 5 * 366 * DAY_MS;

/** Handed on to every checkout as they are. */
const HANDED_ON = {
  operation_type: CHECKOUT_FIELDS.operation_type,
  payment_method_name: CHECKOUT_FIELDS.payment_method_name,
  // what people write about a link is kept in the audit, from which nothing is ever taken
  order_description: withoutCard(DESCRIPTION),
  locale: GROUPS.locale,
  website_url: GROUPS.website_url,
  authentication_indicator: GROUPS.authentication_indicator,
  merchant_contract: GROUPS.merchant_contract,
  dynamic_descriptor_authorization: GROUPS.dynamic_descriptor_authorization,
  merchant_store_id: GROUPS.merchant_store_id,
  max_attempts: GROUPS.max_attempts,
  ...RETURN_URLS,
  merchant_data: listOf(
    { ...MERCHANT_DATA, key: required(withoutCard(text(50))), value: withoutCard(MERCHANT_DATA.value) },
    MOST_DATA,
  ),
} as const satisfies Shape;

export const PAYMENT_LINK = {
  usage: oneOf('once', 'many'),
  amount: money,
  amount_least: money,
  amount_most: money,
  currency: required(CHECKOUT_FIELDS.currency),
  // behind it stands a number, of a link that many pay
  order_merchant_id: required(withoutCard(text(240))),
  expiration_date: datetime,
  ...HANDED_ON,
} as const satisfies Shape;

export type LinkRequest = Read<typeof PAYMENT_LINK>;

export const LINK_CHANGE = { status: required(oneOf('active', 'paused', 'ended')) } as const satisfies Shape;

export const LINK_QUERY = { limit: int(1, 100), cursor: cursorId } as const satisfies Shape;

/** Fixed, or within bounds that a payer keeps to: one of both, and the least not above the most. */
export function checkLink(body: Partial<LinkRequest>, reading: Reading, { now }: { readonly now: Date }): void {
  const { amount, amount_least, amount_most, currency, expiration_date } = body;
  if (currency !== undefined) reading.checkAmounts(currency);
  checkAmount(body, reading);
  if (amount === undefined && amount_least !== undefined && amount_most !== undefined && currency !== undefined) {
    const [least, most] = [toMinor(amount_least, currency), toMinor(amount_most, currency)];
    if ('minor' in least && 'minor' in most && least.minor > most.minor)
      reading.refuse('amount_least', 'must not be above amount_most');
  }
  if (expiration_date === undefined) return;
  const life_ms = new Date(expiration_date).getTime() - now.getTime();
  if (life_ms < MINUTE_MS || life_ms > LONGEST_LIFE_MS)
    reading.refuse('expiration_date', 'must be 1 minute to 5 years ahead');
}

function checkAmount({ amount, amount_least, amount_most }: Partial<LinkRequest>, reading: Reading): void {
  const wrong = new Set(reading.problems.map(({ field }) => field));
  const bounds = { amount_least, amount_most };
  if (amount !== undefined || wrong.has('amount')) {
    for (const [name, value] of Object.entries(bounds))
      if (value !== undefined) reading.refuse(name, 'is for links without a fixed amount');
    return;
  }
  for (const [name, value] of Object.entries(bounds))
    if (value === undefined && !wrong.has(name))
      reading.refuse(name, 'is required where no amount is fixed', 'parameter_missing');
}

const { operation_type, payment_method_name, currency } = PAYMENT_NOTES;
const [ADDRESSES, MORE] = ['Return addresses', 'More on the payment'] as const;

export const LINK_NOTES: Readonly<Record<string, Notes>> = {
  'The link': {
    usage:
      'once: one payment in all, however many people open it. many: every payer makes a payment of their own. Default once',
    amount: 'Fixed amount in major units. Absent: the payer says it, within the two bounds',
    amount_least: 'The least that a payer may pay; needed where no amount is fixed',
    amount_most: 'The most that a payer may pay; needed where no amount is fixed',
    currency,
    order_merchant_id:
      'Your own reference. Orders of a link that many pay have it with a number behind: stand-1, stand-2',
    expiration_date: 'From then on it opens no payment. 1 minute to 5 years ahead; default never',
    merchant_data: 'Your own data, at most 10: on every checkout and order of the link, and in their notifications',
    operation_type: `${operation_type}. Default direct_capture`,
    payment_method_name,
  },
  [ADDRESSES]: GROUP_NOTES[ADDRESSES] ?? {},
  [MORE]: GROUP_NOTES[MORE] ?? {},
};

export const LINK_EXAMPLE = {
  usage: 'once',
  amount: '42.50',
  currency: 'EUR',
  order_merchant_id: 'invoice-1881',
  order_description: 'Repair of a lamp',
};

export const LINK_CHANGE_NOTES: Readonly<Record<string, Notes>> = {
  'The link': { status: 'paused: opens no payment until it is active again. ended: for good' },
};
