// Erases a person: saved cards, names, addresses, e-mail, browser and customer_id, wherever they are in clear.
// personal.ts says what must stay. The worker does it in portions; if it is killed, it goes on where it was, and doing
// it twice changes nothing.
import { result } from '../../core/results.ts';
import { Refusal } from '../../core/refusals.ts';
import { type InCommit, type TenantRunner, withTransaction } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import { removeSavedCards } from '../customer/remove.ts';
import { findCustomer, lockCustomer } from '../customer/store.ts';
import { findAccount } from '../merchant/account.ts';
import { isUndecidedStatus } from '../order-rules/standing.ts';
import { endRetry } from '../order/retries/store.ts';
import { type OrderRow, searchOrders } from '../order/search/rows.ts';
import { findOrderRows } from '../order/search/search-store.ts';
import type { Tools } from '../tools.ts';
import { PERSONAL } from './personal.ts';
import {
  deleteCustomer,
  findCheckouts,
  forgetFound,
  forgetReceipts,
  forgetViews,
  listOrdersOf,
  lockCheckout,
  lockOrders,
  stripOrders,
} from './person-store.ts';
import { type ErasureRow, claimErasure, endErasure, findErasure, insertErasure, noteErasure } from './store.ts';

const LEASE_S = 120;
const ORDERS = 100;
const CHECKOUTS = 1000;
/** How many rounds of looking are made; orders that begin again and again meanwhile are found by a later look. */
const MOST_ROUNDS = 5;
const FIRST_ID = '0'.repeat(24);

type Asking = {
  readonly merchant_account_id: string;
  readonly customer_id: string;
  readonly by: string;
  readonly also: InCommit;
};

/**
 * Undefined: the account has no such customer. Refused while an order of theirs is under way: it still needs their
 * data.
 */
export async function askToErase(tools: Tools, asking: Asking): Promise<string | undefined> {
  const { merchant_account_id, customer_id, by } = asking;
  const db = tools.db.tenant(merchant_account_id);
  const [row, first] = await Promise.all([
    lookUp(tools, merchant_account_id, customer_id),
    searchOrders(db, { filters: { customer_id }, limit: 1 }),
  ]);
  if (!row && first.rows.length === 0) return undefined;
  for await (const orders of ordersOf(db, customer_id)) {
    const open = orders.find(isUnderWay);
    if (open)
      throw new Refusal('change_conflict', {
        detail: `order ${open.order_merchant_id} is still under way: it needs what it was given. Try again once it has ended`,
      });
  }
  const id = tools.chance.id();
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    await insertErasure(tx, { id, customer_id, requested_by: by });
    await asking.also(tx);
  });
  tools.wake_up.wake();
  return id;
}

async function* ordersOf(db: TenantRunner, customer_id: string): AsyncGenerator<readonly OrderRow[]> {
  for (let before: string | null | undefined; before !== null;) {
    const page = await searchOrders(db, {
      filters: { customer_id },
      limit: ORDERS,
      ...(before !== undefined && { before }),
    });
    if (page.rows.length > 0) yield page.rows;
    before = page.next;
  }
}

/** True: there may be another one. */
export async function eraseDue(tools: Tools): Promise<boolean> {
  const due = await claimErasure(tools.db, LEASE_S);
  if (!due) return false;
  const db = tools.db.tenant(due.merchant_account_id);
  const erasure = await findErasure(db, due.id);
  if (erasure?.customer_id) await erase(tools, db, { ...erasure, customer_id: erasure.customer_id });
  return true;
}

type Erasing = ErasureRow & { readonly customer_id: string };

/**
 * Erases a person's data. An order under way keeps its data until it has ended: the erasure is taken up again when its
 * lease is over. An order that begins meanwhile is found by the last look, or begins a new record of the customer.
 */
async function erase(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const cards = await removeCards(tools, db, erasing.customer_id);
    await noteErasure(db, { id: erasing.id, seen_to: null, orders: 0, checkouts: 0, cards });
    if (!(await eraseOrders(tools, db, erasing)) || !(await eraseCheckouts(tools, db, erasing))) return;
    if (await end(tools, db, erasing)) return;
  }
}

/**
 * False: something has begun or been saved since. An order of a customer waits for their record, which is held here.
 */
async function end(tools: Tools, db: TenantRunner, { id, customer_id }: Erasing): Promise<boolean> {
  return withTransaction(tools.db, db.merchant_account_id, async (tx) => {
    const known = await lockCustomer(tx, customer_id);
    const [row, { rows }] = await Promise.all([
      findCustomer(tx, customer_id),
      searchOrders(tx, { filters: { customer_id }, limit: 1 }),
    ]);
    if (rows.length > 0 || (row?.saved.length ?? 0) > 0) return false;
    if (known) await deleteCustomer(tx, customer_id);
    await forgetViews(tx, { customer_id, emails: [] });
    await endErasure(tx, id);
    return true;
  });
}

/** Removes cards as the API does: the vault deletes them, and is asked again until it has. */
async function removeCards(tools: Tools, db: TenantRunner, customer_id: string): Promise<number> {
  const { merchant_account_id } = db;
  const [row, caller] = await Promise.all([
    lookUp(tools, merchant_account_id, customer_id),
    findAccount(tools, merchant_account_id),
  ]);
  if (!row || !caller) return 0;
  for (const { id } of row.saved)
    await removeSavedCards(tools, {
      caller,
      body: { customer_id, id },
      request_id: tools.chance.id(),
      idempotency_key: undefined,
      canonical: () => result('customer_updated').code,
    });
  return row.saved.length;
}

/** False: one of them is under way. */
async function eraseOrders(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<boolean> {
  let all = true;
  for await (const rows of ordersOf(db, erasing.customer_id))
    for (const { id, checkout_id } of rows)
      all = (await eraseOne(tools, db, { erasing, checkout_id, order_id: id })) && all;
  return all;
}

/**
 * No index leads from a customer to unpaid checkouts: all checkouts of the account are looked through, once. False: it
 * stopped at one whose order is under way; the next look begins there.
 */
async function eraseCheckouts(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<boolean> {
  const { id, customer_id, seen_to } = erasing;
  const nothing = { orders: 0, checkouts: 0, cards: 0 };
  for (let after: string | null = seen_to ?? FIRST_ID; after !== null;) {
    const { last, theirs }: Awaited<ReturnType<typeof findCheckouts>> = await findCheckouts(db, {
      after,
      customer_id,
      room: CHECKOUTS,
    });
    for (const checkout_id of theirs) {
      if (!(await eraseOne(tools, db, { erasing, checkout_id, order_id: null }))) return false;
      await noteErasure(db, { ...nothing, id, seen_to: checkout_id });
    }
    if (last !== null) await noteErasure(db, { ...nothing, id, seen_to: last });
    after = last;
  }
  return true;
}

type One = { readonly erasing: Erasing; readonly checkout_id: string | null; readonly order_id: string | null };

/**
 * A checkout with all its orders, or an order that has none, in one commit. An order that is being accepted was first,
 * and is seen, or finds its checkout ended and is refused. False: one of the orders is under way.
 */
async function eraseOne(tools: Tools, db: TenantRunner, { erasing, checkout_id, order_id }: One): Promise<boolean> {
  const { id, customer_id } = erasing;
  const of = { merchant_account_id: db.merchant_account_id };
  return withTransaction(tools.db, db.merchant_account_id, async (tx) => {
    if (checkout_id !== null) await lockCheckout(tx, checkout_id);
    const ids = checkout_id === null ? [order_id ?? ''] : await listOrdersOf(tx, checkout_id);
    if (ids.length > 0) await lockOrders(tx, ids);
    const rows = ids.length === 0 ? [] : await findOrderRows(tx, ids);
    if (rows.some(isUnderWay)) return false;
    const { orders, checkouts } = await stripOrders(tx, { checkout_id, ids, customer_id, pattern: PERSONAL });
    if (orders.length > 0) {
      const emails = [...new Set(rows.flatMap(({ customer_email }) => customer_email ?? []))];
      await forgetFound(tx, { ids: orders, customer_id, emails });
      await forgetViews(tx, { customer_id, emails });
      await forgetReceipts(tx, orders);
      // what has not begun ends: it would charge them, and without what their provider was given
      for (const one of orders) await endRetry(tx, { ...of, order_id: one }, NO_MORE);
    }
    const counted = orders.length > 0 ? 0 : Number(checkouts);
    await noteErasure(tx, { id, seen_to: null, orders: orders.length, checkouts: counted, cards: 0 });
    return true;
  });
}

const NO_MORE = { ending: 'stopped_by_person', from: ['waiting'] } as const;

const isUnderWay = ({ status, is_in_doubt }: OrderRow): boolean => is_in_doubt || isUndecidedStatus(status);
