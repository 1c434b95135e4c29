// Erases a person: saved cards, names, addresses, e-mail, browser and customer_id, wherever they stand in clear. What must stay says
// personal.ts. The worker does it, portion by portion; killed, it goes on where it was, and doing it twice changes nothing.
import { result } from '../../core/results.ts';
import { Refusal } from '../../core/refusals.ts';
import { type InCommit, type TenantRunner, withTransaction } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import { removeSavedCards } from '../customer/remove.ts';
import { findAccount } from '../merchant/account.ts';
import { isUndecidedStatus } from '../order-rules/standing.ts';
import { type OrderRow, searchOrders } from '../order/search/rows.ts';
import type { Tools } from '../tools.ts';
import { PERSONAL } from './personal.ts';
import {
  type ErasureRow,
  claimErasure,
  deleteCustomer,
  endErasure,
  findErasure,
  forgetFound,
  insertErasure,
  noteErasure,
  stripCheckouts,
  stripOrders,
} from './store.ts';

const LEASE_S = 120;
const ORDERS = 100;
const CHECKOUTS = 1000;
const FIRST_ID = '0'.repeat(24);

type Asking = {
  readonly merchant_account_id: string;
  readonly customer_id: string;
  readonly by: string;
  readonly also: InCommit;
};

/** Undefined: nobody here knows this customer. Refused while an order of theirs is under way: it still needs what it was given. */
export async function askToErase(tools: Tools, asking: Asking): Promise<string | undefined> {
  const { merchant_account_id, customer_id, by } = asking;
  const db = tools.db.tenant(merchant_account_id);
  const [row, first] = await Promise.all([
    lookUp(tools, merchant_account_id, customer_id),
    searchOrders(db, { filters: { customer_id }, limit: 1 }),
  ]);
  if (!row && first.rows.length === 0) return undefined;
  for await (const orders of ordersOf(db, customer_id)) {
    const open = orders.find(({ status, is_in_doubt }) => is_in_doubt || isUndecidedStatus(status));
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

async function erase(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<void> {
  const { id, customer_id } = erasing;
  const cards = await removeCards(tools, db, customer_id);
  await noteErasure(db, { id, seen_to: null, orders: 0, checkouts: 0, cards });
  await eraseOrders(tools, db, erasing);
  await eraseCheckouts(db, erasing);
  await withTransaction(tools.db, db.merchant_account_id, async (tx) => {
    await deleteCustomer(tx, customer_id);
    await endErasure(tx, id);
  });
}

/** As at the API: the vault deletes them, and is told again until it did. */
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

/** What was found once is found no more, so each look begins at the newest. */
async function eraseOrders(tools: Tools, db: TenantRunner, { id, customer_id }: Erasing): Promise<void> {
  for (;;) {
    const { rows } = await searchOrders(db, { filters: { customer_id }, limit: ORDERS });
    if (rows.length === 0) return;
    const emails = [...new Set(rows.flatMap(({ customer_email }) => customer_email ?? []))];
    const stripped = await withTransaction(tools.db, db.merchant_account_id, async (tx) => {
      const ids = rows.map((row) => row.id);
      const done = await stripOrders(tx, { ids, customer_id, pattern: PERSONAL });
      await forgetFound(tx, { ids, customer_id, emails });
      await noteErasure(tx, { id, seen_to: null, orders: done.length, checkouts: 0, cards: 0 });
      return done.length;
    });
    if (stripped === 0) return;
  }
}

/** Nothing leads from a customer to checkouts that nobody paid: all of the account are looked through, once. */
async function eraseCheckouts(db: TenantRunner, { id, customer_id, seen_to }: Erasing): Promise<void> {
  for (let after: string | null = seen_to ?? FIRST_ID; after !== null;) {
    const { last, stripped }: Awaited<ReturnType<typeof stripCheckouts>> = await stripCheckouts(db, {
      after,
      customer_id,
      pattern: PERSONAL,
      room: CHECKOUTS,
    });
    if (last !== null) await noteErasure(db, { id, seen_to: last, orders: 0, checkouts: Number(stripped), cards: 0 });
    after = last;
  }
}
