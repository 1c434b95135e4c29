// Customers, their saved cards and orders; a card is removed here as at the API.
import { id24, text } from '../../core/fields.ts';
import { required } from '../../core/shape.ts';
import { findAccount } from '../../payment/merchant/account.ts';
import { lookUp } from '../../payment/customer/record.ts';
import { removeSavedCards } from '../../payment/customer/remove.ts';
import type { SavedRow } from '../../payment/customer/store.ts';
import { searchOrders } from '../../payment/order/search/rows.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute, unknown } from '../desk.ts';
import { viewRow } from '../order/list.ts';
import { REASON } from '../reason.ts';
import type { CardRemovalForm, CustomerDetail, CustomerPage, SavedCard } from '../wire/orders.ts';
import { findCustomers } from './store.ts';

const PAGE = 50;
const ORDERS = 50;
const CUSTOMER_ID = text(255);

export function customerRoutes(desk: Desk): readonly DeskRoute[] {
  return [
    deskRoute(desk, {
      route: 'GET /customers',
      right: 'read',
      query: { search: CUSTOMER_ID, cursor: text(600) },
      handle: ({ db, query }) => list(db, query),
    }),
    deskRoute(desk, {
      route: 'GET /customers/one',
      right: 'read',
      query: { customer_id: required(CUSTOMER_ID) },
      handle: (asked) => readOne(desk, asked, asked.query.customer_id),
    }),
    deskRoute(desk, {
      route: 'DELETE /customers/card',
      right: 'cards',
      body: { customer_id: required(CUSTOMER_ID), id: required(id24), reason: REASON },
      handle: (asked) => removeCard(desk, asked, asked.body),
    }),
  ];
}

async function list(
  db: Asked['db'],
  { search = '', cursor }: { readonly search?: string; readonly cursor?: string },
): Promise<CustomerPage> {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8').replaceAll('\0', '');
  const found = await findCustomers(db, { search, after, room: PAGE + 1 });
  const customers = found.slice(0, PAGE).map(({ created_at, updated_at, ...row }) => ({
    ...row,
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  }));
  const last = customers.at(-1);
  const more = found.length > PAGE && last;
  return { customers, next_cursor: more ? Buffer.from(last.customer_id).toString('base64url') : null };
}

async function readOne({ tools }: Desk, { db, account_id }: Asked, customer_id: string): Promise<CustomerDetail> {
  const row = await lookUp(tools, account_id, customer_id);
  if (!row) throw unknown('customer');
  const { rows } = await searchOrders(db, { filters: { customer_id }, limit: ORDERS });
  return {
    ...{ customer_id, ip: row.ip, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() },
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
  desk: Desk,
  asked: Asked,
  { customer_id, id, reason }: CardRemovalForm,
): Promise<CustomerDetail> {
  const account = await findAccount(desk.tools, asked.account_id);
  if (!account) throw unknown('customer');
  await removeSavedCards(desk.tools, {
    ...{ caller: account, body: { customer_id, id }, request_id: asked.request_id, idempotency_key: undefined },
    canonical: () => asked.canonical(),
    also: (tx) => asked.record(tx, { action: 'card removed', object: id, reason, detail: { customer_id } }),
  });
  return readOne(desk, asked, customer_id);
}
