// The advice of card schemes beside the reason of a decline, by code and day. Facts from public pages, each with its
// source. A change is a new row and an end date in the old one, never an edit.
import { type Day, isInForce } from './day.ts';

/**
 * Whose advice it is, and the adviser's own code. `visa`: the codes as PayPal words them, which gives other meanings to
 * Mastercard's numbers.
 */
export type Advice = { readonly source: 'mastercard' | 'visa'; readonly code: string };

/**
 * `by_result`: the reason alone decides. `update_card`: newer card data exist. `wait`: not before so long. `stop`:
 * never with this card at this acceptor. `stop_token`: the token is in trouble. `stop_order`: not this payment.
 * `stop_recurring`: nothing recurring with this card. `tell`: show it to a person, nothing else.
 */
export type Action =
  | 'by_result'
  | 'update_card'
  | 'wait'
  | 'stop'
  | 'stop_token'
  | 'stop_order'
  | 'stop_recurring'
  | 'tell';

export type AdviceRow = {
  readonly source: Advice['source'];
  readonly code: string;
  readonly meaning: string;
  readonly action: Action;
  /** For `wait`: the time to wait, in seconds. */
  readonly wait_s: number | null;
  /** Meant for payments without the payer alone (mit), or for any. */
  readonly who: 'any' | 'mit';
  readonly valid_from: Day;
  readonly valid_to: Day | null;
  readonly confirmed: string;
  readonly where: string;
};

const PUBLISHED = 'docs.everonet.com mastercard-merchant-advice-code; docs.solidgate.com merchant-advice-codes';
const ONE_PAGE = 'docs.payabl.com/docs/mastercard-merchant-advice-codes';
const BRAINTREE_TABAPAY =
  'developer.paypal.com/braintree merchant-advice-codes; developers.tabapay.com/docs/merchant-advice-code-mac';
const PAYPAL = 'paypal/PayPal-TypeScript-Server-SDK doc/models/payment-advice-code.md';

type Written = readonly [
  AdviceRow['source'],
  string,
  string,
  Action,
  number | null,
  AdviceRow['who'],
  Day,
  Day | null,
  string,
  string,
];

// prettier-ignore
const TABLE: readonly Written[] = [
  ['mastercard', '00', 'no advice', 'by_result', null, 'any', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '01', 'new account data exist', 'update_card', null, 'any', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '02', 'not now, later', 'wait', 259200, 'mit', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '03', 'do not try again', 'stop', null, 'any', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '04', 'token requirements not met', 'stop_token', null, 'any', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '05', 'negotiated value not approved', 'stop_order', null, 'any', '2021-11-01', null, 'unconfirmed', ONE_PAGE],
  ['mastercard', '21', 'payer cancelled the agreement', 'stop', null, 'mit', '2021-11-01', null, 'acquirer', PUBLISHED],
  ['mastercard', '22', 'merchant not eligible for the product', 'stop_order', null, 'any', '2021-11-01', null, 'unconfirmed', PUBLISHED],
  ['mastercard', '24', 'wait 1 h', 'wait', 3600, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '25', 'wait 24 h', 'wait', 86400, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '26', 'wait 48 h', 'wait', 172800, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '27', 'wait 96 h', 'wait', 345600, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '28', 'wait 144 h', 'wait', 518400, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '29', 'wait 192 h', 'wait', 691200, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '30', 'wait 240 h', 'wait', 864000, 'mit', '2023-10-09', null, 'acquirer', PUBLISHED],
  ['mastercard', '40', 'prepaid card, cannot be reloaded', 'tell', null, 'any', '2021-11-01', null, 'acquirer', BRAINTREE_TABAPAY],
  ['mastercard', '41', 'virtual card for one use', 'stop_recurring', null, 'mit', '2021-11-01', null, 'acquirer', 'developer.paypal.com/braintree merchant-advice-codes'],
  ['mastercard', '42', 'sanctions scoring', 'stop_order', null, 'any', '2021-11-01', null, 'unconfirmed', ONE_PAGE],
  ['mastercard', '43', 'virtual card for several uses', 'tell', null, 'any', '2021-11-01', null, 'acquirer', 'developer.paypal.com/braintree merchant-advice-codes; docs.antom.com/ac/ams/mac'],
  ['visa', '02', 'Visa through PayPal: this one payment is stopped', 'stop_order', null, 'mit', '2024-02-03', null, 'provider', PAYPAL],
  ['visa', '03', 'Visa through PayPal: all recurring payments at this merchant are stopped', 'stop_recurring', null, 'mit', '2024-02-03', null, 'provider', PAYPAL],
  ['visa', '21', 'Visa through PayPal: all recurring payments of the card are stopped', 'stop_recurring', null, 'mit', '2024-02-03', null, 'provider', PAYPAL],
];

export const ADVICE: readonly AdviceRow[] = TABLE.map(
  ([source, code, meaning, action, wait_s, who, valid_from, valid_to, confirmed, where]) => ({
    source,
    code,
    meaning,
    action,
    wait_s,
    who,
    valid_from,
    valid_to,
    confirmed,
    where,
  }),
);

/** Undefined: a code that no scheme has published, or none of that day. */
export function adviceOn(day: Day, { source, code }: Advice): AdviceRow | undefined {
  return ADVICE.find((row) => row.source === source && row.code === code && isInForce(row, day));
}

/**
 * May a card never be tried again by this code? Providers pass one code on for cards of every scheme. If the code means
 * "never again" at any scheme, the card is not tried again, whatever else the provider says. adviceOn says what follows
 * by scheme and day.
 */
export const forbidsRetry = (code: string): boolean => ADVICE.some((row) => row.code === code && row.action === 'stop');
