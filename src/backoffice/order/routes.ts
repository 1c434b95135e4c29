// The pages of orders.
import { type BackofficeContext, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { actionRoutes } from './actions.ts';
import { readOrderDetail } from './detail.ts';
import { telephoneRoutes } from './by-telephone.ts';
import { findingRoutes } from '../report/findings.ts';
import { inDoubtRoutes } from './in-doubt.ts';
import { linkRoutes } from '../payment-links.ts';
import { orderListRoutes } from './list.ts';
import { noteRoutes } from './notes/notes.ts';
import { parkedRoutes } from './parked.ts';
import { readRelated } from './related.ts';
import { refundRequestRoutes } from './refunds/requests.ts';
import { retryRoutes } from './retries.ts';
import { viewRoutes } from './views.ts';

export function orderRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const detail = backofficeRoute(context, {
    route: 'GET /orders/:id',
    right: 'read',
    handle: (asked) => readOrderDetail(context, asked, asked.params['id'] ?? ''),
  });
  const related = backofficeRoute(context, {
    route: 'GET /orders/:id/related',
    right: 'read',
    handle: (asked) => readRelated(asked, asked.params['id'] ?? ''),
  });
  const lists = [
    ...orderListRoutes(context),
    ...viewRoutes(context),
    ...noteRoutes(context),
    ...inDoubtRoutes(context),
    ...parkedRoutes(context),
    ...findingRoutes(context),
    ...retryRoutes(context),
    ...refundRequestRoutes(context),
    ...linkRoutes(context),
    ...telephoneRoutes(context),
  ];
  return [detail, related, ...actionRoutes(context), ...lists];
}
