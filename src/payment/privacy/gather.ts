// Everything that is stored of a person, a customer or a guest, as one JSON document for the person who asks for it. It
// comes as a stream, page by page and by the connections that only read: nothing grows, and no payment waits for it.
import { LOWEST_ID } from '../../core/ids.ts';
import { moneyText } from '../../core/money.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import type { OrderFacts } from '../order/facts/order-facts.ts';
import { findOrders } from '../order/facts/order-store.ts';
import type { Tools } from '../tools.ts';
import { STAYS } from './personal.ts';
import { type Noted, findNotesOf, readBodies } from './person-store.ts';
import type { Whose } from './store.ts';
import { checkoutsOf, mayBeKnown, ordersOf } from './theirs.ts';

/** Bodies of checkouts that are read at once. */
const BODIES = 20;

/** Undefined: the account has no such customer. Of a guest who has left nothing here the lists are empty. */
export async function dataOf(
  tools: Tools,
  merchant_account_id: string,
  whose: Whose,
): Promise<AsyncGenerator<string> | undefined> {
  const db = tools.db.reading(merchant_account_id);
  if (!(await mayBeKnown(tools, db, whose))) return undefined;
  const { customer_id, email } = whose;
  const row = customer_id === null ? undefined : await lookUp(tools, merchant_account_id, customer_id);
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
  const named = customer_id === null ? { customer_email: email } : { customer_id };
  const head = { ...named, made_at, record: record ?? null, kept_after_an_erasure: STAYS };
  return document(db, whose, head);
}

async function* document(db: TenantRunner, whose: Whose, head: object): AsyncGenerator<string> {
  yield `${JSON.stringify(head, undefined, 1).slice(0, -2)},\n "orders": [`;
  let comma = '\n';
  for await (const rows of ordersOf(db, whose)) {
    const ids = rows.map(({ id }) => id);
    const [orders, notes] = await Promise.all([findOrders(db, ids), findNotesOf(db, ids)]);
    const noted = Map.groupBy(notes, ({ order_id }) => order_id);
    for (const order of orders) {
      yield comma + JSON.stringify(ofOrder(order, noted.get(order.id) ?? []));
      comma = ',\n';
    }
  }
  yield '\n ],\n "checkouts": [';
  comma = '\n';
  for await (const { theirs } of checkoutsOf(db, { whose, after: LOWEST_ID }))
    for (let at = 0; at < theirs.length; at += BODIES)
      for (const { id, body } of await readBodies(db, theirs.slice(at, at + BODIES))) {
        yield comma + JSON.stringify({ checkout_id: id, given: body });
        comma = ',\n';
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
    given_before: transactions.flatMap(({ otherwise }) => (otherwise ? [otherwise] : [])),
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
