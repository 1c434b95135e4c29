// The list of orders: search, filters, pages, and the same taken out as a file that streams.
import type { Answer } from '../../kit/http/route.ts';
import { Readable } from 'node:stream';
import { holdsCardNumber } from '../../core/card.ts';
import { currency, datetime, int, oneOf, text, textOfForm } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { toMinor, toCount } from '../../core/money.ts';
import { refuseField } from '../../core/refusals.ts';
import type { Read } from '../../core/shape.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../core/states.ts';
import { withTransaction } from '../../kit/database.ts';
import { ORDER_COLUMNS, orderCells } from '../../payment/order/search/cells.ts';
import {
  type OrderFilters,
  type OrderRow,
  exportOrders,
  isTooWide,
  searchOrders,
} from '../../payment/order/search/rows.ts';
import { listCurrencies } from '../../payment/overview/store.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { csvLine } from '../../kit/sheet/csv.ts';
import { fileHeaders } from '../file.ts';
import type { Currencies, OrderPage, OrderRow as WireRow } from '../wire/orders.ts';

const PAGE = 50;
const amount = textOfForm(/^\d{1,13}(?:\.\d{1,4})?$/, 'an amount');

const FILTERS = {
  search: text(255),
  status: text(600),
  outcome: oneOf('captured', 'refunded', 'authorized', 'released', 'declined', 'open'),
  code: textOfForm(/^\d{6}$/, 'a result code of six digits'),
  currency,
  provider: text(64),
  method: text(64),
  amount_from: amount,
  amount_to: amount,
  created_from: datetime,
  created_to: datetime,
  in_doubt: oneOf('true'),
  suspicious: oneOf('true'),
  disputed: oneOf('true'),
};
const LIST = { ...FILTERS, limit: int(1, 200), cursor: textOfForm(/^[0-9a-f]{24}$/, 'one of ours') };
const FILE = { ...FILTERS, format: oneOf('csv', 'jsonl') };

export function orderListRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /orders',
      right: 'read',
      query: LIST,
      handle: ({ db, query }) => listPage(db, query),
    }),
    backofficeRoute(context, {
      route: 'GET /currencies',
      right: 'read',
      handle: async ({ db }): Promise<Currencies> => ({ currencies: await listCurrencies(db) }),
    }),
    backofficeRoute(context, {
      route: 'GET /orders/export',
      right: 'export',
      query: FILE,
      handle: (asked) => exportFile(context, asked, asked.query),
    }),
  ];
}

async function listPage(db: BackofficeRequest['db'], query: Read<typeof LIST>): Promise<OrderPage> {
  const { limit = PAGE, cursor = null } = query;
  const { rows, next, too_many_people } = await searchOrders(db, { filters: filtersOf(query), before: cursor, limit });
  return { orders: rows.map(viewRow), next_cursor: next, too_many_people };
}

function filtersOf(query: Read<typeof FILTERS>): OrderFilters {
  const { search, status, method, provider, created_from, created_to } = query;
  const statuses = status?.split(',').filter((word): word is OrderStatus => Object.hasOwn(ORDER_STATUSES, word));
  return {
    ...(search !== undefined && { text: search }),
    ...(statuses !== undefined && { statuses }),
    ...(query.outcome !== undefined && { outcome: query.outcome }),
    ...(query.code !== undefined && { codes: [query.code] }),
    ...(query.currency !== undefined && { currencies: [query.currency] }),
    ...(provider !== undefined && { provider }),
    ...(method !== undefined && { payment_method_name: method }),
    ...(query.amount_from !== undefined && { amount_from: minorOf(query, 'amount_from') }),
    ...(query.amount_to !== undefined && { amount_to: minorOf(query, 'amount_to') }),
    ...(created_from !== undefined && { created_from: new Date(created_from) }),
    ...(created_to !== undefined && { created_to: new Date(created_to) }),
    ...(query.in_doubt !== undefined && { in_doubt: true as const }),
    ...(query.suspicious !== undefined && { is_suspicious: true }),
    ...(query.disputed !== undefined && { disputed: true as const }),
  };
}

function minorOf(query: Read<typeof FILTERS>, name: 'amount_from' | 'amount_to'): bigint {
  if (query.currency === undefined)
    throw refuseField('currency', 'parameter_missing', 'is required where amounts are compared');
  const read = toMinor(query[name] ?? '', query.currency);
  if ('problem' in read) throw refuseField(name, 'parameter_invalid', read.problem);
  return read.minor;
}

export function viewRow(row: OrderRow): WireRow {
  const { id, order_merchant_id, customer_id, customer_email, currency: code, status } = row;
  return {
    id,
    created_at: row.created_at.toISOString(),
    order_merchant_id,
    customer_id,
    customer_email,
    amount_minor: toCount(row.amount_minor),
    currency: code,
    status,
    code: row.code,
    method: row.payment_method_name,
    last4: row.last4,
    provider: row.provider,
    captured_minor: toCount(row.captured_minor),
    refunded_minor: toCount(row.refunded_minor),
    in_doubt: row.is_in_doubt,
    suspicious: row.is_suspicious,
    dispute: row.dispute,
  };
}

const COLUMNS = ['id', ...ORDER_COLUMNS];
const fileRow = (row: OrderRow) => orderCells(row, (time) => time.toISOString());

type FileRequest = Read<typeof FILE>;

/**
 * The filters as the audit keeps them for good. A card number is replaced: people may type anything into a filter. So
 * is what was searched for, unless it is an id of ours: it may name a payer.
 */
function shownOf({ format: _, ...filters }: FileRequest): object {
  const shown = (name: string, value: unknown) => {
    if (holdsCardNumber(String(value))) return '(a card number)';
    return name === 'search' && !isId(String(value)) ? '(a text)' : value;
  };
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, shown(name, value)]));
}

/**
 * Portion by portion: a slow reader delays no other and nothing grows. A reader that stops leaves no "finished" behind.
 */
async function exportFile(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { format = 'csv', ...query }: FileRequest,
): Promise<Answer> {
  const filters = filtersOf(query);
  // a file that lacks orders does not show it
  if (await isTooWide(asked.db, filters))
    throw refuseField('search', 'parameter_invalid', 'matches too many people: type more letters');
  const record = (action: 'export started' | 'export finished', detail: object) =>
    withTransaction(tools.db, asked.account_id, (tx) =>
      asked.record(tx, { action, object: 'orders', detail: { format, ...detail } }),
    );
  await record('export started', { filters: shownOf(query) });
  const lines = async function* () {
    let orders = 0;
    if (format === 'csv') yield csvLine(COLUMNS);
    for await (const rows of exportOrders(asked.db, filters)) {
      orders += rows.length;
      yield rows
        .map((row) =>
          format === 'csv'
            ? csvLine(fileRow(row))
            : `${JSON.stringify(Object.fromEntries(fileRow(row).map((value, i) => [COLUMNS[i], value])))}\n`,
        )
        .join('');
    }
    await record('export finished', { orders });
  };
  return { body: {}, file: Readable.from(lines()), headers: fileHeaders('orders', format) };
}
