// POST /payment/checkout: one statement, one commit.
import { DAY_MS, MINUTE_MS } from '../../core/durations.ts';
import type { Reading } from '../../core/shape.ts';
import { toMinor } from '../../core/money.ts';
import { refuseField } from '../../core/refusals.ts';
import { isRepeat, keyOf, repeatOf, replayed } from '../../kit/http/idempotency.ts';
import type { Answer, RouteRequest, Repeated } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import { type UsedKey, findUsedKey } from '../store.ts';
import type { Tools } from '../tools.ts';
import { echoed } from './groups.ts';
import type { CustomerMethods } from './methods.ts';
import { readCheckout } from './read.ts';
import { type CheckoutRequest, HOSTED_TYPES, type StoredCheckout } from './request.ts';
import { type NewCheckout, insertCheckout } from './store.ts';
import { checkoutAnswer } from './view.ts';

const DEFAULT_LIFE_MS = 15 * MINUTE_MS;
const LONGEST_LIFE_MS = 30 * DAY_MS;
export const DEFAULT_ATTEMPTS = 3;
const ROUTE = 'POST /payment/checkout';

export async function createCheckout(
  tools: Tools,
  request: RouteRequest<Account, CheckoutRequest, unknown>,
  customers: CustomerMethods,
): Promise<Answer> {
  const { caller: account } = request;
  const db = tools.db.tenant(account.merchant_account_id);
  const checkout = newCheckout(tools, request);
  // a key that is used already has no effect, not even a customer
  const used = repeatOf(await findUsedKey(db, checkout.key), checkout.key);
  if (used) return answerRepeat(tools, { account, customers }, used);
  // before the checkout: whatever happens in between, a checkout never names a customer that is not known
  const known = await customers(account, checkout.body, 'new');
  if (await insertCheckout(db, checkout)) {
    const { vault_url } = tools.addresses;
    return checkoutAnswer({ row: checkout, status: 'created', account, known, vault_url });
  }
  const taken = repeatOf(await findUsedKey(db, checkout.key), checkout.key);
  if (!taken) throw new Error('a key that could not be taken is there');
  return answerRepeat(tools, { account, customers }, taken);
}

/** The checkout that an equal request made under this Idempotency-Key, as it stands now; its date may be past. */
export async function replayCheckout(
  tools: Tools,
  request: Repeated<Account>,
  customers: CustomerMethods,
): Promise<Answer | undefined> {
  const { caller: account } = request;
  const key = keyOf(request, ROUTE);
  const used = await findUsedKey(tools.db.tenant(account.merchant_account_id), key);
  return used && key && isRepeat(used, key) ? answerRepeat(tools, { account, customers }, used) : undefined;
}

type Reader = { readonly account: Account; readonly customers: CustomerMethods };

async function answerRepeat(tools: Tools, reader: Reader, { object_id }: UsedKey): Promise<Answer> {
  return replayed(await readCheckout(tools, reader, object_id));
}

/** expiration_date: 1 minute to 30 days ahead (contract 5.1). */
export function checkExpiration(
  body: Partial<CheckoutRequest>,
  reading: Reading,
  { now }: { readonly now: Date },
): void {
  if (body.expiration_date === undefined) return;
  const life_ms = new Date(body.expiration_date).getTime() - now.getTime();
  if (life_ms < MINUTE_MS || life_ms > LONGEST_LIFE_MS)
    reading.refuse('expiration_date', 'must be 1 minute to 30 days ahead');
}

function newCheckout(tools: Tools, request: RouteRequest<Account, CheckoutRequest, unknown>): NewCheckout {
  const { body } = request;
  const now = tools.clock.now();
  const expires_at =
    body.expiration_date === undefined ? new Date(now.getTime() + DEFAULT_LIFE_MS) : new Date(body.expiration_date);
  const amount = toMinor(body.amount, body.currency);
  if ('problem' in amount) throw refuseField('amount', 'parameter_invalid', amount.problem);
  return {
    id: tools.chance.id(),
    amount_minor: amount.minor,
    currency: body.currency,
    now,
    expires_at,
    body: bodyOf(tools, body),
    page_handle: HOSTED_TYPES.includes(body.type) ? tools.chance.bytes(32).toString('hex') : null,
    max_attempts: Number(body.max_attempts ?? DEFAULT_ATTEMPTS),
    link_id: null,
    key: keyOf(request, ROUTE),
  };
}

/** The fields that are stored and answered back: every accepted field except those with a column of their own. */
function bodyOf(tools: Tools, { amount, currency, expiration_date, ...fields }: CheckoutRequest): StoredCheckout {
  const body = echoed(fields);
  const subscribes = fields.payment_channel === 'recurring' && fields.token_type === 'recurring';
  return subscribes ? { subscription_id: tools.chance.id(), ...body } : body;
}
