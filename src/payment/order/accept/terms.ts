// The terms of an order (the order's fields laid over the checkout's), and every refusal that needs no card (contract
// 7.3).
import { toMinor } from '../../../core/money.ts';
import { Refusal, refuseField, refuseProblems } from '../../../core/refusals.ts';
import type { Reading } from '../../../core/shape.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { NO_RETRIES } from '../../../core/retries/policy.ts';
import { indicatorOf } from '../../order-rules/indicator.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import type { RouteRequest } from '../../../kit/http/route.ts';
import { DEFAULT_ATTEMPTS } from '../../checkout/create.ts';
import { echoed } from '../../checkout/groups.ts';
import { HOSTED_TYPES, type StoredCheckout } from '../../checkout/request.ts';
import { isSubscription } from '../../customer/store.ts';
import type { Account } from '../../merchant/account.ts';
import type { CardInfo } from '../../vault-link.ts';
import type { OrderContext } from '../facts/order-context-store.ts';
import type { OrderRequest, StoredOrder } from './request.ts';

export type Terms = {
  readonly token: string;
  readonly operation_type: 'authorize' | 'direct_capture';
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly order_merchant_id: string;
  readonly payment_channel: string;
  readonly max_attempts: number;
  readonly attempts_used: number;
  readonly authentication_indicator: string;
  /** The order's own accepted fields, as they are stored. */
  readonly own: StoredOrder;
  /** The order's fields laid over the checkout's fields. */
  readonly body: StoredOrder;
};

const NOT_THE_CHECKOUTS = "is not the checkout's: leave it out, or send what the checkout has";

const ALONE = ['token', 'operation_type', 'amount', 'currency', 'order_merchant_id'] as const;

/**
 * An order without a checkout: the fields that it must give itself are reported together with the wrong ones. A gift
 * card has its own currency.
 */
export function checkAlone(body: Partial<OrderRequest>, reading: Reading): void {
  const wrong = new Set(reading.problems.map((problem) => problem.field));
  // which checkout was meant is not known, but none gives a token
  const needed = wrong.has('checkout_id') ? (['token'] as const) : ALONE;
  if (body.checkout_id === undefined)
    for (const name of needed) if (body[name] === undefined && !wrong.has(name)) refuseMissing(reading, name);
  checkGiftcard(body, reading, body.currency);
  checkPolicy(body, reading);
}

/** A card is never sent here: who looks for the place of it is told where that is. */
export function refuseMissing(reading: Reading, name: string): void {
  const how = name === 'token' ? ': POST /token of the vault makes it of a card' : '';
  reading.refuse(name, `is required${how}`, 'parameter_missing');
}

/** No payer agreed to be charged later, behind their back. */
export function checkPolicy(body: Partial<OrderRequest>, reading: Reading): void {
  if (body.retry_policy === undefined) return;
  const { checkout_id = null } = body;
  if (initiatorOf({ body, checkout_id }) === 'p')
    reading.refuse('retry_policy', 'is for payments without the payer: payment_channel recurring, without a checkout');
}

/**
 * Checks the decimals of a gift card's amount, in its own currency or that of the order; undefined: the checkout knows
 * the currency.
 */
export function checkGiftcard(body: Partial<OrderRequest>, reading: Reading, of_order: string | undefined): void {
  const currency = body.giftcard_currency ?? of_order;
  if (body.giftcard_amount === undefined || currency === undefined) return;
  const read = toMinor(body.giftcard_amount, currency);
  if ('problem' in read) reading.refuse('giftcard_amount', read.problem);
}

/** Reads the terms, or throws the first refusal of contract 7.3 that holds. */
export function readTerms(request: RouteRequest<Account, OrderRequest, unknown>, context: OrderContext): Terms {
  const { checkout } = context;
  if (request.body.checkout_id !== undefined && !checkout?.open)
    throw refuseField('checkout_id', 'parameter_invalid', 'is unknown, cancelled or expired: create a new checkout');
  const { token, checkout_id, amount, currency, order_merchant_id, subscription_first_id, ...given } = request.body;
  const fields = { ...given, ...subscriptionOf(request.body) };
  const own = withReceipt(request, withPolicy(request, echoed(fields)), checkout?.body);
  const body: StoredOrder = { payment_channel: 'e-commerce', ...checkout?.body, ...own };
  const money = readMoney(request, checkout);
  const operation_type =
    body['operation_type'] === 'authorize' || body['operation_type'] === 'direct_capture'
      ? body['operation_type']
      : undefined;
  const reference = order_merchant_id ?? body['order_merchant_id'];
  const max_attempts = Number(fields.max_attempts ?? checkout?.max_attempts ?? DEFAULT_ATTEMPTS);
  // a checkout that named none takes the order's (contract 5.2)
  if (checkout?.body['max_attempts'] !== undefined && max_attempts > checkout.max_attempts)
    request.reading.refuse('max_attempts', "must not be above the checkout's");
  const missing = { token, operation_type, order_merchant_id: reference };
  for (const [name, value] of Object.entries(missing)) if (value === undefined) refuseMissing(request.reading, name);
  const refusal = refuseProblems(request.reading.problems);
  if (refusal) throw refusal;
  if (token === undefined || operation_type === undefined || typeof reference !== 'string' || !money)
    throw new Error('the terms were checked');
  const attempts_used = checkout?.attempts ?? 0;
  refuseAttempts(context, max_attempts);
  return {
    token,
    operation_type,
    ...money,
    order_merchant_id: reference,
    payment_channel: String(body['payment_channel']),
    max_attempts,
    attempts_used,
    authentication_indicator:
      indicatorOf({ body, checkout_id: checkout_id ?? null }) ?? defaultIndicator(request.caller, checkout?.body),
    own,
    body,
  };
}

/**
 * Where nothing was said: the account's; with a hosted page at least ask_3ds, whoever sends the order (contract 1.3).
 */
function defaultIndicator({ settings }: Account, of_checkout: StoredCheckout | undefined): string {
  const { default_authentication_indicator: said } = settings;
  return said === 'no_3ds' && HOSTED_TYPES.includes(String(of_checkout?.['type'])) ? 'ask_3ds' : said;
}

/** The policy that holds for its later tries, also where the account says it. */
function withPolicy({ caller, body }: RouteRequest<Account, OrderRequest, unknown>, own: StoredOrder): StoredOrder {
  const { default_retry_policy } = caller.settings;
  const alone = initiatorOf({ body: own, checkout_id: body.checkout_id ?? null }) === 'm';
  if (!alone || own.retry_policy !== undefined || default_retry_policy === NO_RETRIES) return own;
  return { ...own, retry_policy: default_retry_policy };
}

/** Notes on the order if its captures are to send receipts, so that captures of other accounts need no look. */
function withReceipt(
  { caller: { settings } }: RouteRequest<Account, OrderRequest, unknown>,
  own: StoredOrder,
  of_checkout: StoredCheckout | undefined,
): StoredOrder {
  const known = own.customer_email ?? of_checkout?.customer_email;
  return settings.mail_receipts && known !== undefined ? { ...own, mail_receipt: true } : own;
}

/** Amount and currency: the order's own, or the checkout's; both given must be equal. */
function readMoney(
  { body, reading }: RouteRequest<Account, OrderRequest, unknown>,
  checkout: OrderContext['checkout'],
): { amount_minor: bigint; currency: string } | undefined {
  if (!checkout) {
    if (body.amount === undefined) reading.refuse('amount', 'is required', 'parameter_missing');
    if (body.currency === undefined) reading.refuse('currency', 'is required', 'parameter_missing');
    if (body.amount === undefined || body.currency === undefined) return undefined;
    const read = toMinor(body.amount, body.currency);
    return 'minor' in read ? { amount_minor: read.minor, currency: body.currency } : undefined;
  }
  if (body.currency === undefined) {
    reading.checkAmounts(checkout.currency);
    if (body.giftcard_currency === undefined) checkGiftcard(body, reading, checkout.currency);
  }
  const amount_minor = BigInt(checkout.amount_minor);
  const agreed = { amount_minor, currency: checkout.currency };
  for (const name of otherMoney(body, agreed)) reading.refuse(name, NOT_THE_CHECKOUTS);
  return agreed;
}

type Money = Pick<Terms, 'amount_minor' | 'currency'>;

/**
 * What was sent otherwise than agreed, both at once: 4250 JPY is not 42.50 EUR in either. Too many decimals are noted
 * where the amount is read, unless the currency sent allows them.
 */
export function otherMoney(
  { amount, currency }: Pick<Partial<OrderRequest>, 'amount' | 'currency'>,
  agreed: Money,
): readonly ('amount' | 'currency')[] {
  const is_other = currency !== undefined && currency !== agreed.currency;
  const read = amount === undefined ? undefined : toMinor(amount, agreed.currency);
  const differs = read && ('minor' in read ? read.minor !== agreed.amount_minor : is_other);
  return [...(is_other ? (['currency'] as const) : []), ...(differs === true ? (['amount'] as const) : [])];
}

function refuseAttempts({ checkout }: OrderContext, max_attempts: number): void {
  if (checkout && checkout.attempts >= max_attempts)
    throw new Refusal('attempts_used_up', {
      detail: `all ${max_attempts} attempts of the checkout are used: create a new checkout`,
    });
}

/** The subscription that is named, by either of its two names. */
export function subscriptionOf({
  subscription_id: id,
  subscription_first_id: synonym,
}: Partial<OrderRequest>): Pick<OrderRequest, 'subscription_id'> {
  const subscription_id = id ?? synonym;
  return subscription_id === undefined ? {} : { subscription_id };
}

/**
 * subscription_first_id is a synonym; a subscription is known when a checkout made it (contract 11), or with its token
 * (6.4).
 */
export async function refuseSubscription(
  db: TenantRunner,
  body: OrderRequest,
  { checkout, card }: Pick<OrderContext, 'checkout'> & { readonly card: CardInfo },
): Promise<void> {
  const { subscription_id: given } = subscriptionOf(body);
  // one of the two would say nothing of what is charged
  if (body.subscription_first_id !== undefined && body.subscription_first_id !== given)
    throw refuseField('subscription_first_id', 'parameter_invalid', 'names another subscription than subscription_id');
  if (given === undefined || given === checkout?.body['subscription_id'] || given === card.subscription_id) return;
  if (await isSubscription(db, given)) return;
  const name = body.subscription_id === undefined ? 'subscription_first_id' : 'subscription_id';
  throw refuseField(name, 'parameter_invalid', 'is unknown');
}
