// The pages of orders.
import { type Desk, type DeskRoute, deskRoute } from '../desk.ts';
import { actionRoutes } from './actions.ts';
import { readOrderDetail } from './detail.ts';
import { inDoubtRoutes } from './in-doubt.ts';
import { orderListRoutes } from './list.ts';
import { refundRequestRoutes } from './refunds/requests.ts';
import { viewRoutes } from './views.ts';

export function orderRoutes(desk: Desk): readonly DeskRoute[] {
  const detail = deskRoute(desk, {
    route: 'GET /orders/:id',
    right: 'read',
    handle: (asked) => readOrderDetail(desk, asked, asked.params['id'] ?? ''),
  });
  const lists = [...orderListRoutes(desk), ...viewRoutes(desk), ...inDoubtRoutes(desk), ...refundRequestRoutes(desk)];
  return [detail, ...actionRoutes(desk), ...lists];
}
