// Payment links: made, shared, paused and ended by people, with what payers paid by them.
import { toCount } from '../core/money.ts';
import { refuseProblems } from '../core/refusals.ts';
import { Reading } from '../core/shape.ts';
import type { Answer } from '../kit/http/route.ts';
import { checkReturnHosts } from '../payment/checkout/return-hosts.ts';
import { changeLink, createLink, getLink, pageOfLinks, pageOfOrders } from '../payment/payment-link/manage.ts';
import { LINK_CHANGE, LINK_QUERY, type LinkRequest, PAYMENT_LINK, checkLink } from '../payment/payment-link/request.ts';
import type { LinkRow } from '../payment/payment-link/store.ts';
import { linkStatus, linkUrl } from '../payment/payment-link/view.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from './context.ts';
import { asRequest } from './verb.ts';
import type { LinkChange, LinkOrderPage, LinkPage, PaymentLink, ReturnUrls } from './wire/links.ts';

export function linkRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'links' } as const;
  const idOf = ({ params }: BackofficeRequest) => params['link_id'] ?? '';
  return [
    backofficeRoute(context, {
      route: 'GET /links',
      right: 'read',
      query: LINK_QUERY,
      handle: async ({ db, query }): Promise<LinkPage> => {
        const { links, next_cursor } = await pageOfLinks(db, query);
        return { links: links.map((row) => viewOf(context, row)), next_cursor };
      },
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /links',
      body: PAYMENT_LINK,
      handle: (asked) => create(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      route: 'GET /links/:link_id',
      right: 'read',
      handle: async (asked) => viewOf(context, await getLink(asked.db, idOf(asked))),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /links/:link_id',
      body: LINK_CHANGE,
      handle: (asked) => change(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      route: 'GET /links/:link_id/orders',
      right: 'read',
      query: LINK_QUERY,
      handle: (asked) => readOrders(asked, asked.query),
    }),
  ];
}

function viewOf({ tools }: BackofficeContext, row: LinkRow): PaymentLink {
  const count = (minor: bigint | null) => (minor === null ? null : toCount(minor));
  const { body } = row;
  return {
    id: row.id,
    status: linkStatus(row, tools.clock.now()),
    url: linkUrl(row, tools.addresses.vault_url),
    many: row.many,
    currency: row.currency,
    amount_minor: count(row.amount_minor),
    least_minor: count(row.least_minor),
    most_minor: count(row.most_minor),
    reference: body.order_merchant_id ?? '',
    description: body.order_description ?? '',
    operation_type: body.operation_type ?? '',
    return_urls: returnUrlsOf(body),
    merchant_data: (body.merchant_data ?? []).map(({ key, value = '' }) => ({ key, value })),
    opened: row.opened,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function returnUrlsOf({
  accept_url,
  decline_url,
  cancel_url,
  pending_url,
  exception_url,
}: LinkRow['body']): ReturnUrls {
  return {
    ...(accept_url !== undefined && { accept_url }),
    ...(decline_url !== undefined && { decline_url }),
    ...(cancel_url !== undefined && { cancel_url }),
    ...(pending_url !== undefined && { pending_url }),
    ...(exception_url !== undefined && { exception_url }),
  };
}

async function create(context: BackofficeContext, asked: BackofficeRequest, body: LinkRequest): Promise<PaymentLink> {
  const { tools } = context;
  const request = await asRequest(context, asked, body);
  const reading = new Reading(tools.environment === 'production');
  checkLink(body, reading, { now: tools.clock.now() });
  checkReturnHosts(body, reading, request.caller);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const { usage = 'once', amount, amount_least, amount_most, currency, order_merchant_id } = body;
  const detail = { usage, amount, amount_least, amount_most, currency, order_merchant_id };
  const made = await createLink(tools, {
    ...request,
    also: (tx, { id }) => asked.record(tx, { action: 'payment link created', object: id, detail }),
  });
  return again(context, asked, made);
}

async function change(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { status }: LinkChange,
): Promise<PaymentLink> {
  const changed = await changeLink(context.tools, {
    ...(await asRequest(context, asked, { status })),
    also: (tx, { id }) => asked.record(tx, { action: 'payment link changed', object: id, detail: { status } }),
  });
  return again(context, asked, changed);
}

/** The link that an answer of the API is about. */
async function again(
  context: BackofficeContext,
  { db }: BackofficeRequest,
  answer: Pick<Answer, 'body'>,
): Promise<PaymentLink> {
  const { link } = answer.body;
  const id = typeof link === 'object' && link !== null && 'link_id' in link ? String(link.link_id) : '';
  return viewOf(context, await getLink(db, id));
}

async function readOrders(
  { db, params }: BackofficeRequest,
  query: Parameters<typeof pageOfOrders>[2],
): Promise<LinkOrderPage> {
  const { orders, next_cursor } = await pageOfOrders(db, params['link_id'] ?? '', query);
  return {
    orders: orders.map(({ id, order_merchant_id, status, amount_minor, currency, is_in_doubt, created_at }) => ({
      id,
      reference: order_merchant_id,
      status,
      amount_minor: toCount(amount_minor),
      currency,
      in_doubt: is_in_doubt,
      created_at: created_at.toISOString(),
    })),
    next_cursor,
  };
}
