// POST /payment/order: a new order.
import type { Answer } from '../../../kit/http/route.ts';
import type { Tools } from '../../tools.ts';
import { type OrderRouteRequest, payOrder } from './attempt.ts';

export function createOrder(tools: Tools, request: OrderRouteRequest): Promise<Answer> {
  return payOrder(tools, async () => ({
    request,
    given: request.body,
    // with the alias as it was called: a key belongs to the full path
    route: `POST ${request.path}`,
    order: undefined,
  }));
}
