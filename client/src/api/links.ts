import { type Rows, rowsOf } from '../pages.ts';
import type { CallOptions, Connection } from '../send/send.ts';
import type {
  ListOrdersOfPaymentLinkQuery,
  ListPaymentLinksQuery,
  PaymentLink,
  PaymentLinkAnswer,
  PaymentLinkChange,
  PaymentLinkList,
  PaymentLinkOrder,
  PaymentLinkOrderList,
  PaymentLinkRequest,
} from '../wire/schemas.ts';
import { ask } from './call.ts';

export type Links = {
  /** POST /payment/link: an address to share, which payers open and pay by. */
  create(request: PaymentLinkRequest, options?: CallOptions): Promise<PaymentLinkAnswer>;
  /** GET /payment/link/{link_id}: the link as it stands now. */
  read(link_id: string, options?: CallOptions): Promise<PaymentLinkAnswer>;
  /** POST /payment/link/{link_id}: pauses it, goes on with it, or ends it for good. */
  change(link_id: string, change: PaymentLinkChange, options?: CallOptions): Promise<PaymentLinkAnswer>;
  /** GET /payment/link: newest first. */
  list(query?: ListPaymentLinksQuery, options?: CallOptions): Rows<PaymentLink>;
  /** GET /payment/link/{link_id}/order: what payers paid by it, or tried to. */
  orders(link_id: string, query?: ListOrdersOfPaymentLinkQuery, options?: CallOptions): Rows<PaymentLinkOrder>;
};

export function linksOf(connection: Connection): Links {
  return {
    create: (body, options) => ask(connection, 'createPaymentLink', { body, options }),
    read: (link_id, options) => ask(connection, 'readPaymentLink', { params: { link_id }, options }),
    change: (link_id, body, options) => ask(connection, 'changePaymentLink', { params: { link_id }, body, options }),
    list: (query = {}, options) =>
      rowsOf(async (cursor) => {
        const asked = { query: { ...query, cursor }, options };
        const list = await ask<PaymentLinkList>(connection, 'listPaymentLinks', asked);
        return { rows: list.links, next_cursor: list.next_cursor ?? undefined };
      }, query.cursor ?? undefined),
    orders: (link_id, query = {}, options) =>
      rowsOf(async (cursor) => {
        const asked = { params: { link_id }, query: { ...query, cursor }, options };
        const list = await ask<PaymentLinkOrderList>(connection, 'listOrdersOfPaymentLink', asked);
        return { rows: list.orders, next_cursor: list.next_cursor ?? undefined };
      }, query.cursor ?? undefined),
  };
}
