// The routes of payment links (contract 5.3).
import type { Reading } from '../../core/shape.ts';
import { type TableRoute, privateRoute } from '../../kit/http/route.ts';
import { noted } from '../../kit/http/schema.ts';
import { checkReturnHosts } from '../checkout/return-hosts.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { changeLink, createLink, readLink, readLinkOrders, readLinks, replayLink } from './manage.ts';
import {
  LINK_CHANGE,
  LINK_CHANGE_NOTES,
  LINK_EXAMPLE,
  LINK_NOTES,
  LINK_QUERY,
  type LinkRequest,
  PAYMENT_LINK,
  checkLink,
} from './request.ts';
import { LINK_ANSWER, LINK_LIST, LINK_ORDERS } from './schema.ts';

const tag = 'Payment link';

function check(body: Partial<LinkRequest>, reading: Reading, at: { readonly now: Date; readonly caller: Account }) {
  checkLink(body, reading, at);
  checkReturnHosts(body, reading, at.caller);
}

export function paymentLinkRoutes(): readonly TableRoute<Tools, Account>[] {
  const create = privateRoute({
    method: 'POST',
    path: '/payment/link',
    tag,
    scope: 'payments',
    operation_id: 'createPaymentLink',
    summary: 'Make a link that payers open and pay by',
    body: PAYMENT_LINK,
    answer: LINK_ANSWER,
    check,
    replay: replayLink,
    handle: createLink,
  });
  const change = privateRoute({
    method: 'POST',
    path: '/payment/link/:link_id',
    tag,
    scope: 'payments',
    operation_id: 'changePaymentLink',
    summary: 'Pause a link, go on with it, or end it',
    body: LINK_CHANGE,
    answer: LINK_ANSWER,
    refusals: ['object_unknown', 'change_conflict'],
    handle: changeLink,
  });
  return [
    noted(LINK_NOTES, 'PaymentLinkRequest', LINK_EXAMPLE)(create),
    noted(LINK_CHANGE_NOTES, 'PaymentLinkChange', { status: 'paused' })(change),
    privateRoute({
      method: 'GET',
      path: '/payment/link',
      tag,
      scope: 'read',
      operation_id: 'listPaymentLinks',
      summary: 'List payment links, newest first',
      query: LINK_QUERY,
      answer: LINK_LIST,
      handle: (tools, { caller, query }) => readLinks(tools, tools.db.tenant(caller.merchant_account_id), query),
    }),
    privateRoute({
      method: 'GET',
      path: '/payment/link/:link_id',
      tag,
      scope: 'read',
      operation_id: 'readPaymentLink',
      summary: 'Read a payment link as it stands now',
      answer: LINK_ANSWER,
      refusals: ['object_unknown'],
      handle: (tools, { caller, params }) =>
        readLink(tools, tools.db.tenant(caller.merchant_account_id), params['link_id'] ?? ''),
    }),
    privateRoute({
      method: 'GET',
      path: '/payment/link/:link_id/order',
      tag,
      scope: 'read',
      operation_id: 'listOrdersOfPaymentLink',
      summary: 'List the orders that payers made by a link',
      query: LINK_QUERY,
      answer: LINK_ORDERS,
      refusals: ['object_unknown'],
      handle: (tools, { caller, params, query }) =>
        readLinkOrders(tools.db.tenant(caller.merchant_account_id), params['link_id'] ?? '', query),
    }),
  ];
}
