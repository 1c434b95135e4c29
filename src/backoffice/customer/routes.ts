// Customers, their saved cards and orders; a card is removed here as at the API.
import { id24, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { findAccount } from '../../payment/merchant/account.ts';
import { lookUp } from '../../payment/customer/record.ts';
import { removeSavedCards } from '../../payment/customer/remove.ts';
import type { SavedRow } from '../../payment/customer/store.ts';
import { searchOrders } from '../../payment/order/search/rows.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { viewRow } from '../order/list.ts';
import { REASON } from '../reason.ts';
import type { CardRemovalForm, CustomerDetail, CustomerPage, SavedCard } from '../wire/orders.ts';
import { findCustomers } from './store.ts';

const PAGE = 50;
const ORDERS = 50;
const CUSTOMER_ID = text(255);

export function customerRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /customers',
      right: 'read',
      query: { search: CUSTOMER_ID, cursor: text(600) },
      handle: ({ db, query }) => list(db, query),
    }),
    backofficeRoute(context, {
      route: 'GET /customers/one',
      right: 'read',
      query: { customer_id: required(CUSTOMER_ID) },
      handle: (asked) => readOne(context, asked, asked.query.customer_id),
    }),
    backofficeRoute(context, {
      route: 'DELETE /customers/card',
      right: 'cards',
      body: { customer_id: required(CUSTOMER_ID), id: required(id24), reason: REASON },
      handle: (asked) => removeCard(context, asked, asked.body),
    }),
  ];
}

async function list(
  db: BackofficeRequest['db'],
  { search = '', cursor }: { readonly search?: string; readonly cursor?: string },
): Promise<CustomerPage> {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8').replaceAll('\0', '');
  const found = await findCustomers(db, { search, after, room: PAGE + 1 });
  const customers = found.slice(0, PAGE).map(({ created_at, updated_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }));
  const last = customers.at(-1);
  const more = found.length > PAGE && last;
  return { customers, next_cursor: more ? Buffer.from(last.customer_id).toString('base64url') : null };
}

async function readOne(
  { tools }: BackofficeContext,
  { db, account_id }: BackofficeRequest,
  customer_id: string,
): Promise<CustomerDetail> {
  const row = await lookUp(tools, account_id, customer_id);
  if (!row) throw unknown('customer');
  const { rows } = await searchOrders(db, { filters: { customer_id }, limit: ORDERS });
  return {
    customer_id,
    ip: row.ip,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    cards: row.saved.map(viewCard),
    methods: row.used,
    orders: rows.map(viewRow),
  };
}

/** Never the token: it is for the merchant's server. */
function viewCard({ token_sealed: _, ...card }: SavedRow): SavedCard {
  return card;
}

async function removeCard(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { customer_id, id, reason }: CardRemovalForm,
): Promise<CustomerDetail> {
  const account = await findAccount(context.tools, asked.account_id);
  if (!account) throw unknown('customer');
  await removeSavedCards(context.tools, {
    caller: account,
    body: { customer_id, id },
    request_id: asked.request_id,
    idempotency_key: undefined,
    canonical: () => asked.canonical(),
    also: (tx) => asked.record(tx, { action: 'card removed', object: id, reason, detail: { customer_id } }),
  });
  return readOne(context, asked, customer_id);
}
