// GET /payment/order: the account's orders, newest first, page by page (contract 7.6).
import { currency, cursorOf, datetime, id24, int, oneOf, refuseCursor, text } from '../../../core/fields.ts';
import { HIGHEST_ID, isId } from '../../../core/ids.ts';
import { result } from '../../../core/results.ts';
import type { JsonSchema, Read, Shape } from '../../../core/shape.ts';
import { ORDER_STATUS_NAMES } from '../../../core/states.ts';
import { bytesOfCursor } from '../../../kit/cursor.ts';
import type { Answer } from '../../../kit/http/route.ts';
import { flag, list, object, resultOf, textOrNull } from '../../../kit/http/schema.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { LISTED_ORDER } from '../show/order-schema.ts';
import type { SearchFilters } from './filters.ts';
import { fillPage, findMatches, isExact } from './match.ts';
import { findOrders } from '../facts/order-store.ts';
import { redirectMember } from '../show/authentication-view.ts';
import { orderMembers } from '../show/order-view.ts';

/** The order that a cursor names. */
function orderOf(cursor: string): string | undefined {
  const id = bytesOfCursor(cursor)?.toString('hex') ?? '';
  return isId(id) ? id : undefined;
}

export const ORDER_QUERY = {
  order_merchant_id: text(255),
  checkout_id: id24,
  customer_id: text(255),
  status: oneOf(...ORDER_STATUS_NAMES),
  currency,
  payin_partner: text(64),
  is_in_doubt: oneOf('true'),
  created_from: datetime,
  created_to: datetime,
  limit: int(1, 100),
  cursor: cursorOf(64, orderOf),
} as const satisfies Shape;

export const ORDER_LIST: JsonSchema = object(
  {
    result: resultOf('request_completed'),
    orders: list('Newest first', LISTED_ORDER),
    has_more: flag('There are older ones'),
    next_cursor: textOrNull('Send it as `cursor` for the next page; null on the last one', null),
  },
  { title: 'OrderList' },
);

const PAGE = 25;

export async function listOrders(tools: Tools, account: Account, query: Read<typeof ORDER_QUERY>): Promise<Answer> {
  const { cursor, limit = PAGE, created_from, created_to, ...filters } = query;
  const { status, currency: one, payin_partner, is_in_doubt, ...names } = filters;
  const date = (name: 'created_from' | 'created_to', value: string | undefined) =>
    value === undefined ? {} : { [name]: new Date(value) };
  const db = tools.db.reading(account.merchant_account_id);
  const wanted: SearchFilters = {
    ...names,
    ...(status !== undefined && { statuses: [status] }),
    ...(one !== undefined && { currencies: [one] }),
    ...(payin_partner !== undefined && { provider: payin_partner }),
    ...(is_in_doubt !== undefined && { in_doubt: true }),
    ...date('created_from', created_from),
    ...date('created_to', created_to),
  };
  // orders are never deleted: a place that is none of the account's own was changed on its way, and would skip some
  if (cursor !== undefined && (await findOrders(db, [cursor])).length === 0) throw refuseCursor();
  const fits = isExact(wanted);
  const { rows, next } = await fillPage(
    { before: cursor ?? HIGHEST_ID, limit },
    {
      find: (page) => findMatches(db, wanted, page),
      read: (ids) => findOrders(db, ids),
      fits: ({ created_at, body: { customer_id = null } }) => fits({ created_at: new Date(created_at), customer_id }),
    },
  );
  return {
    body: {
      result: result('request_completed'),
      orders: rows.map((order) => ({
        ...orderMembers(order),
        ...redirectMember(order, tools.addresses.vault_url),
        _id: order.id,
        createdAt: order.created_at,
      })),
      has_more: next !== null,
      next_cursor: next === null ? null : Buffer.from(next, 'hex').toString('base64url'),
    },
  };
}
