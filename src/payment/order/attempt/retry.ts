// PUT /payment/order/{order_id}: another attempt of an order that was declined, with another token (contract 7.4).
import { isId } from '../../../core/ids.ts';
import { toDecimal, toMinor } from '../../../core/money.ts';
import { Refusal, refuseProblems, refuseUnknown } from '../../../core/refusals.ts';
import type { OrderStatus } from '../../../core/states.ts';
import { sha256 } from '../../../kit/crypto.ts';
import { afterCommit } from '../../../kit/database.ts';
import type { Answer, Incoming } from '../../../kit/http/route.ts';
import { mismatch } from '../../checkout/create.ts';
import type { Account } from '../../merchant/account.ts';
import { assess } from '../../risk/assess.ts';
import type { Tools } from '../../tools.ts';
import { answerOrder, answerStored, getOrder } from '../answer.ts';
import { accepted, findCard, newOrder, refuseUse, startOrder, unusableToken } from '../create.ts';
import { membersOf } from '../maintenance/plan.ts';
import type { OrderFacts } from '../read/facts.ts';
import { findOrder, findOrderContext } from '../read/store.ts';
import { requested } from '../../checkout/groups.ts';
import type { OrderRequest } from '../request.ts';
import { type Terms, checkGiftcard, readTerms, refuseSubscription } from '../terms.ts';
import { refuseInProcess } from './in-process.ts';
import { retryOrder } from './store.ts';

type Retry = Incoming<Account, OrderRequest, unknown>;

const RETRIED: ReadonlySet<OrderStatus> = new Set([
  'risk_assessment_declined',
  'authentication_declined',
  'authorization_declined',
]);
const MAX_ROUNDS = 5;

export async function retryAnswer(tools: Tools, request: Retry): Promise<Answer> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await tryAgain(tools, request);
    if (answer) return answer;
  }
  throw new Error('an attempt could neither be accepted nor refused');
}

/** Undefined: another request was quicker; the next round finds what it left. */
async function tryAgain(tools: Tools, request: Retry): Promise<Answer | undefined> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  const order_id = request.params['order_id'] ?? '';
  const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
  if (!order) throw refuseUnknown('order');
  const asked = asOrder(request, order);
  const route = `PUT ${asked.path}`;
  const fingerprint = sha256(request.canonical());
  const token_hash = request.body.token === undefined ? null : sha256(Buffer.from(request.body.token, 'hex'));
  const { caller, idempotency_key } = request;
  const context = await findOrderContext(db, {
    checkout_id: order.checkout_id,
    token_hash,
    order_merchant_id: asked.body.order_merchant_id ?? order.order_merchant_id,
    route,
    key: idempotency_key ?? null,
    unique: caller.settings.unique_order_merchant_id,
  });
  if (context.used_key && context.used_key.fingerprint !== fingerprint) throw mismatch();
  const repeated = context.spent_by === order.id && context.spent_fingerprint === fingerprint.slice(0, 32);
  if (context.used_key || repeated) return answerStored(tools, request, order.id);
  refuseState(order);
  const terms = readTerms(asked, context);
  await refuseInProcess(db, context.in_process, order.checkout_id);
  refuseAttempts(order, context.checkout !== null);
  const card = await findCard(tools, asked, token_hash ?? '');
  if (!card || context.spent_by !== null) throw unusableToken();
  refuseUse(asked, terms, card);
  await refuseSubscription(db, request.body, { ...context, card });
  const risk = await assess(tools, { account: caller, order_id: order.id, terms, card });
  const next = newOrder(tools, {
    request: asked,
    route,
    terms: whole(terms),
    card,
    fingerprint,
    token_hash: token_hash ?? '',
    risk,
  });
  const attempt = order.transactions.length + 1;
  const stored = () =>
    retryOrder(tools.db, db.merchant_account_id, {
      ...next,
      order_id: order.id,
      checkout_id: order.checkout_id,
      version: order.version,
      attempt,
    });
  tools.crash.at('t1_before');
  if (!(await accepted(stored))) return undefined;
  tools.crash.at('t1_committed');
  return afterCommit(async () => {
    const facts = await getOrder(tools, caller.merchant_account_id, order.id);
    return answerOrder(tools, request, { facts, ...startOrder(tools, facts, { order: next, account: caller }) });
  });
}

/**
 * The order as a new one would have been asked for: what it was, and over it what is said now. An authentication made elsewhere
 * was of the card before, and no other's.
 */
function asOrder(request: Retry, order: OrderFacts): Retry {
  const { checkout_id, amount, currency, ...fields } = request.body;
  const differs = (name: string) => request.reading.refuse(name, "is not the order's");
  if (checkout_id !== undefined && checkout_id !== order.checkout_id) differs('checkout_id');
  if (currency !== undefined && currency !== order.currency) differs('currency');
  else if (amount !== undefined) {
    const read = toMinor(amount, order.currency);
    if ('problem' in read) request.reading.refuse('amount', read.problem);
    else if (read.minor !== order.amount_minor) differs('amount');
  }
  if (currency === undefined) request.reading.checkAmounts(order.currency);
  checkGiftcard(request.body, request.reading, order.currency);
  const refusal = refuseProblems(request.reading.problems);
  if (refusal) throw refusal;
  const { '3ds_data': _, ...kept } = requested<Omit<OrderRequest, 'token'>>(order.body);
  const body: OrderRequest = {
    ...kept,
    amount: toDecimal(order.amount_minor, order.currency),
    currency: order.currency,
    order_merchant_id: order.order_merchant_id,
    ...fields,
    ...(order.checkout_id !== null && { checkout_id: order.checkout_id }),
  };
  return { ...request, body, path: request.path.replace(':order_id', order.id) };
}

/** Everything is stored with the order: what the earlier attempt was given holds for this one too. */
function whole(terms: Terms): Terms {
  return { ...terms, own: terms.body };
}

function refuseState(order: OrderFacts): void {
  if (order.contradictions.length > 0)
    throw new Refusal('order_in_process', {
      detail: 'the provider contradicts what is known of this order: it cannot be tried again until that has ended',
      members: membersOf(order),
    });
  if (RETRIED.has(order.status)) return;
  throw new Refusal('order_in_process', {
    detail: `only a declined order can be tried again, and this one is ${order.status}`,
    members: membersOf(order),
  });
}

function refuseAttempts(order: OrderFacts, has_checkout: boolean): void {
  if (order.attempts_remaining > 0) return;
  const whose = has_checkout ? 'checkout' : 'order';
  throw new Refusal('attempts_used_up', {
    detail: `all attempts of the ${whose} are used: create a new ${whose}`,
    members: membersOf(order),
  });
}
