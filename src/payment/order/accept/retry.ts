// PUT /payment/order/{order_id}: another attempt of an order that was declined, with another token (contract 7.4).
import { isId } from '../../../core/ids.ts';
import { toDecimal } from '../../../core/money.ts';
import { Refusal, refuseUnknown } from '../../../core/refusals.ts';
import type { Answer, Repeated } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { mayRetry } from '../../order-rules/allowed.ts';
import type { Tools } from '../../tools.ts';
import { membersOf } from '../show/refusal-members.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { requested } from '../../checkout/groups.ts';
import type { OrderRequest } from './request.ts';
import { type Terms, checkGiftcard, checkPolicy, otherMoney, refuseMissing, subscriptionOf } from './terms.ts';
import { type OrderRouteRequest, payOrder, replayAttempt } from './attempt.ts';

export function retryAnswer(tools: Tools, request: OrderRouteRequest): Promise<Answer> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  const order_id = request.params['order_id'] ?? '';
  return payOrder(tools, async () => {
    const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
    if (!order) throw refuseUnknown('order');
    if (request.body.token === undefined) refuseMissing(request.reading, 'token');
    return {
      request: asOrder(request, order),
      given: request.body,
      route: routeOf(request, order.id),
      order,
      refuseState: () => refuseState(order),
      refuseAttempts: (terms) => refuseAttempts(order, terms),
    };
  });
}

export function replayRetry(tools: Tools, request: Repeated<Account, OrderRequest>): Promise<Answer | undefined> {
  const order_id = request.params['order_id'] ?? '';
  return replayAttempt(tools, request, { route: routeOf(request, order_id), order_id });
}

/** A key belongs to the full path. */
const routeOf = ({ path }: Pick<OrderRouteRequest, 'path'>, order_id: string) =>
  `PUT ${path.replace(':order_id', order_id)}`;

/**
 * The order as a new one would have been asked for: what it was, and over it what is said now. An authentication made
 * elsewhere was of the card before, and no other's. What is wrong with it is noted with the other problems of the
 * request.
 */
export function asOrder(request: OrderRouteRequest, order: OrderFacts): OrderRouteRequest {
  const { checkout_id, amount, currency, ...fields } = request.body;
  const differs = (name: string) => request.reading.refuse(name, "is not the order's");
  if (checkout_id !== undefined && checkout_id !== order.checkout_id) differs('checkout_id');
  for (const name of otherMoney(request.body, order)) differs(name);
  if (currency === undefined) request.reading.checkAmounts(order.currency);
  checkGiftcard(request.body, request.reading, order.currency);
  const channel = fields.payment_channel ?? order.body.payment_channel;
  checkPolicy({ ...fields, ...(channel && { payment_channel: channel }), ...ofCheckout(order) }, request.reading);
  if (fields.retry_policy !== undefined && order.retry)
    request.reading.refuse('retry_policy', 'is decided for this order: its later tries have begun or ended');
  const { '3ds_data': _, ...kept } = requested<Omit<OrderRequest, 'token'>>(order.body);
  const body: OrderRequest = {
    ...kept,
    amount: toDecimal(order.amount_minor, order.currency),
    currency: order.currency,
    order_merchant_id: order.order_merchant_id,
    ...fields,
    ...subscriptionOf(fields),
    ...ofCheckout(order),
  };
  return { ...request, body };
}

const ofCheckout = ({ checkout_id }: OrderFacts) => (checkout_id === null ? {} : { checkout_id });

function refuseState(order: OrderFacts): void {
  const may = mayRetry(order);
  if (may === 'contradicted')
    throw new Refusal('order_in_process', {
      detail: 'the provider contradicts what is known of this order: it cannot be tried again until that has ended',
      members: membersOf(order),
    });
  if (may !== 'not_declined') return;
  throw new Refusal('order_in_process', {
    detail: `only a declined order can be tried again, and this one is ${order.status}`,
    members: membersOf(order),
  });
}

/** By what was asked before, and by a `max_attempts` that this request lowers. */
function refuseAttempts(order: OrderFacts, { max_attempts }: Pick<Terms, 'max_attempts'>): void {
  if (mayRetry(order) !== 'used_up' && order.attempts_used < max_attempts) return;
  const whose = order.checkout_id === null ? 'order' : 'checkout';
  throw new Refusal('attempts_used_up', {
    detail: `all attempts of the ${whose} are used: create a new ${whose}`,
    members: membersOf(order),
  });
}
