// POST /payment/order: a new order.
import type { Answer, Repeated } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { type OrderRouteRequest, payOrder, replayAttempt } from './attempt.ts';
import type { OrderRequest } from './request.ts';

export function createOrder(tools: Tools, request: OrderRouteRequest): Promise<Answer> {
  return payOrder(tools, async () => ({
    request,
    given: request.body,
    route: routeOf(request),
    order: undefined,
  }));
}

export function replayOrder(tools: Tools, request: Repeated<Account, OrderRequest>): Promise<Answer | undefined> {
  return replayAttempt(tools, request, { route: routeOf(request) });
}

/** With the alias as it was called: a key belongs to the full path. */
const routeOf = ({ path }: Pick<OrderRouteRequest, 'path'>) => `POST ${path}`;
