// Everything that is stored of a customer, as one JSON document for the person who asks for it. It comes as a stream,
// page by page and by the connections that only read: nothing grows, and no payment waits for it.
import { moneyText } from '../../core/money.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import type { OrderFacts } from '../order/facts/order-facts.ts';
import { findOrders } from '../order/facts/order-store.ts';
import { searchOrders } from '../order/search/rows.ts';
import type { Tools } from '../tools.ts';
import { STAYS } from './personal.ts';
import { type Noted, findCheckouts, findNotesOf, readBodies } from './person-store.ts';

const ORDERS = 50;
/** Looked through at once, and of those that are theirs so many are read at once. */
const CHECKOUTS = 1000;
const BODIES = 20;
const FIRST_ID = '0'.repeat(24);

type Whose = { readonly merchant_account_id: string; readonly customer_id: string };

/** Undefined: the account has no such customer. */
export async function dataOf(tools: Tools, whose: Whose): Promise<AsyncGenerator<string> | undefined> {
  const db = tools.db.reading(whose.merchant_account_id);
  const { customer_id } = whose;
  const row = await lookUp(tools, whose.merchant_account_id, customer_id);
  const { rows } = await searchOrders(db, { filters: { customer_id }, limit: 1 });
  if (!row && rows.length === 0) return undefined;
  const record = row && {
    first_seen: row.created_at,
    last_changed: row.updated_at,
    ip_address: row.ip,
    browser: row.browser,
    // a token pays: it is the merchant's, and says nothing of the person
    saved_cards: row.saved.map(({ token_sealed: _, ...card }) => card),
    methods_used: row.used,
  };
  const made_at = tools.clock.now().toISOString();
  return document(db, customer_id, { customer_id, made_at, record: record ?? null, kept_after_an_erasure: STAYS });
}

async function* document(db: TenantRunner, customer_id: string, head: object): AsyncGenerator<string> {
  yield `${JSON.stringify(head, undefined, 1).slice(0, -2)},\n "orders": [`;
  let comma = '\n';
  for (let before: string | null | undefined; before !== null;) {
    const page = await searchOrders(db, {
      filters: { customer_id },
      limit: ORDERS,
      ...(before !== undefined && { before }),
    });
    const ids = page.rows.map(({ id }) => id);
    const [orders, notes] = await Promise.all([findOrders(db, ids), findNotesOf(db, ids)]);
    const noted = Map.groupBy(notes, ({ order_id }) => order_id);
    for (const order of orders) {
      yield comma + JSON.stringify(ofOrder(order, noted.get(order.id) ?? []));
      comma = ',\n';
    }
    before = page.next;
  }
  yield '\n ],\n "checkouts": [';
  comma = '\n';
  for (let after: string | null = FIRST_ID; after !== null;) {
    const { last, theirs }: Awaited<ReturnType<typeof findCheckouts>> = await findCheckouts(db, {
      after,
      customer_id,
      room: CHECKOUTS,
    });
    for (let at = 0; at < theirs.length; at += BODIES)
      for (const { id, body } of await readBodies(db, theirs.slice(at, at + BODIES))) {
        yield comma + JSON.stringify({ checkout_id: id, given: body });
        comma = ',\n';
      }
    after = last;
  }
  yield '\n ]\n}\n';
}

function ofOrder(order: OrderFacts, notes: readonly Noted[]): object {
  const { id, order_merchant_id, status, currency, created_at, body, transactions, operations, disputes } = order;
  return {
    order_id: id,
    order_merchant_id,
    status,
    amount: moneyText(order.amount_minor, currency),
    currency,
    created_at,
    given: body,
    notes: notes.map(({ text, written_at }) => ({ text, written_at })),
    cards: transactions.map(({ payment_method_name, first6, last4, exp_month, exp_year }) => ({
      method: payment_method_name,
      first6,
      last4,
      exp_month,
      exp_year,
    })),
    operations: operations.map((operation) => ({
      kind: operation.kind,
      state: operation.state,
      amount: moneyText(operation.amount_minor, currency),
      at: operation.created_at,
    })),
    disputes: disputes.map(({ state, reason, reason_code, opened_at }) => ({ state, reason, reason_code, opened_at })),
  };
}
