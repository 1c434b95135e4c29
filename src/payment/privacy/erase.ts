// Erases a person, a customer or a guest: saved cards, names, addresses, e-mail, browser and customer_id, wherever they
// are in clear.
// personal.ts says what must stay. The worker does it in portions; if it is killed, it goes on where it was, and doing
// it twice changes nothing.
import { LOWEST_ID, idAt, momentOf } from '../../core/ids.ts';
import { result } from '../../core/results.ts';
import { Refusal } from '../../core/refusals.ts';
import { type InCommit, type TenantRunner, withTransaction } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import { removeSavedCards } from '../customer/remove.ts';
import { findCustomer, lockCustomer } from '../customer/store.ts';
import { findAccount } from '../merchant/account.ts';
import { isUndecidedStatus } from '../order-rules/standing.ts';
import { endRetry } from '../order/retries/store.ts';
import type { OrderRow } from '../order/search/rows.ts';
import { findOrderRows } from '../order/search/search-store.ts';
import type { Tools } from '../tools.ts';
import { PERSONAL } from './personal.ts';
import {
  deleteCustomer,
  findEarlierEmails,
  forgetFound,
  forgetReceipts,
  forgetViews,
  listOrdersOf,
  lockCheckout,
  lockOrders,
  stripOrders,
} from './person-store.ts';
import {
  type ErasureRow,
  type Progress,
  type Whose,
  claimErasure,
  endErasure,
  findErasure,
  insertErasure,
  noteErasure,
} from './store.ts';
import { checkoutsOf, mayBeKnown, ordersOf } from './theirs.ts';
import { removeUnsavedCards } from './unsaved-cards.ts';

const LEASE_S = 120;
/** How many rounds of looking are made; orders that begin again and again meanwhile are found by a later look. */
const MOST_ROUNDS = 5;
/** An id is drawn before its checkout is stored: a look that passed its place by then begins again so far back. */
const LATE_MS = 60_000;

type Asking = {
  readonly merchant_account_id: string;
  readonly whose: Whose;
  readonly by: string;
  readonly also: InCommit;
};

/**
 * Undefined: the account has no such customer. Refused while an order of theirs is under way: it still needs their
 * data.
 */
export async function askToErase(tools: Tools, asking: Asking): Promise<string | undefined> {
  const { merchant_account_id, whose, by } = asking;
  const db = tools.db.tenant(merchant_account_id);
  if (!(await mayBeKnown(tools, db, whose))) return undefined;
  for await (const orders of ordersOf(db, whose)) {
    const open = orders.find(isUnderWay);
    if (open)
      throw new Refusal('change_conflict', {
        detail: `order ${open.order_merchant_id} is still under way: it needs what it was given. Try again once it has ended`,
      });
  }
  const id = tools.chance.id();
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    await insertErasure(tx, { ...whose, id, requested_by: by });
    await asking.also(tx);
  });
  tools.wake_up.wake();
  return id;
}

/** True: there may be another one. */
export async function eraseDue(tools: Tools): Promise<boolean> {
  const due = await claimErasure(tools.db, LEASE_S);
  if (!due) return false;
  const db = tools.db.tenant(due.merchant_account_id);
  const erasure = await findErasure(db, due.id);
  if (erasure && isWaiting(erasure)) await erase(tools, db, erasure).catch(unlessEnded);
  return true;
}

/**
 * Another worker has ended the erasure, while this one stood still for longer than its lease: what there is of the
 * person now came after it.
 */
class Ended extends Error {}

function unlessEnded(error: unknown): void {
  if (!(error instanceof Ended)) throw error;
}

/** Notes progress in the commit of what was done, or undoes it: throws Ended where the erasure is over. */
async function note(db: TenantRunner, progress: Partial<Progress> & Pick<Progress, 'id'>): Promise<void> {
  if (!(await noteErasure(db, { seen_to: null, orders: 0, checkouts: 0, cards: 0, ...progress }))) throw new Ended();
}

type Erasing = ErasureRow & Whose;

const isWaiting = (row: ErasureRow): row is Erasing => row.customer_id !== null || row.email !== null;

/** `began_ms`: when the look began that found nothing more. */
type Ending = Erasing & { readonly began_ms: number };

/**
 * Erases a person's data. An order under way keeps its data until it has ended: the erasure is taken up again when its
 * lease is over. An order that begins meanwhile is found by the last look, or begins a new record of the customer; what
 * a guest begins behind the last look is their next.
 */
async function erase(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await removeCards(tools, db, erasing);
    const began_ms = tools.clock.now().getTime();
    if (!(await eraseOrders(tools, db, erasing)) || !(await eraseCheckouts(tools, db, erasing))) return;
    if (await end(tools, db, { ...erasing, began_ms })) return;
  }
}

/**
 * False: something has begun or been saved since. An order of a customer waits for their record, which is held here.
 */
async function end(tools: Tools, db: TenantRunner, { began_ms, ...erasing }: Ending): Promise<boolean> {
  const { id, customer_id, email } = erasing;
  return withTransaction(tools.db, db.merchant_account_id, async (tx) => {
    const known = customer_id !== null && (await lockCustomer(tx, customer_id));
    for await (const { theirs } of checkoutsOf(tx, { whose: erasing, after: idAt(began_ms - LATE_MS) }))
      if (theirs.length > 0) return false;
    for await (const _ of ordersOf(tx, erasing)) return false;
    if (known) {
      const row = await findCustomer(tx, customer_id);
      if ((row?.saved.length ?? 0) > 0) return false;
      await deleteCustomer(tx, customer_id);
    }
    await forgetViews(tx, { customer_id, emails: email === null ? [] : [email] });
    if (!(await endErasure(tx, id))) throw new Ended();
    return true;
  });
}

/** Removes cards as the API does: the vault deletes them, and is asked again until it has. */
async function removeCards(tools: Tools, db: TenantRunner, { id: erasure_id, customer_id }: Erasing): Promise<void> {
  if (customer_id === null) return;
  const { merchant_account_id } = db;
  const [row, caller] = await Promise.all([
    lookUp(tools, merchant_account_id, customer_id),
    findAccount(tools, merchant_account_id),
  ]);
  if (!row || !caller) return;
  for (const { id } of row.saved)
    await removeSavedCards(tools, {
      caller,
      body: { customer_id, id },
      request_id: tools.chance.id(),
      idempotency_key: undefined,
      canonical: () => result('customer_updated').code,
      also: (tx) => note(tx, { id: erasure_id, cards: 1 }),
    });
}

/** False: one of them is under way. */
async function eraseOrders(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<boolean> {
  let all = true;
  for await (const rows of ordersOf(db, erasing))
    for (const { id, checkout_id } of rows)
      all = (await eraseOne(tools, db, { erasing, checkout_id, order_id: id })) && all;
  return all;
}

/**
 * Of checkouts, too, that were never paid. False: it stopped at one whose order is under way; the next look begins
 * there.
 */
async function eraseCheckouts(tools: Tools, db: TenantRunner, erasing: Erasing): Promise<boolean> {
  const { id, seen_to } = erasing;
  const after = seen_to === null ? LOWEST_ID : idAt(momentOf(seen_to).getTime() - LATE_MS);
  for await (const { last, theirs } of checkoutsOf(db, { whose: erasing, after })) {
    for (const checkout_id of theirs) {
      if (!(await eraseOne(tools, db, { erasing, checkout_id, order_id: null }))) return false;
      await note(db, { id, seen_to: checkout_id });
    }
    if (last !== null) await note(db, { id, seen_to: last });
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
    const earlier = ids.length === 0 ? [] : await findEarlierEmails(tx, ids);
    const { orders, checkouts } = await stripOrders(tx, { ...erasing, checkout_id, ids, pattern: PERSONAL });
    let cards = 0;
    if (orders.length > 0) {
      const now = rows.flatMap(({ customer_email }) => customer_email ?? []);
      const emails = [...new Set([...now, ...earlier])];
      await forgetFound(tx, { ids: orders, customer_id, emails });
      await forgetViews(tx, { customer_id, emails });
      await forgetReceipts(tx, orders);
      const unsaved = await removeUnsavedCards(tx, orders);
      // those of a customer are counted with their record
      if (customer_id === null) cards = unsaved;
      // what has not begun ends: it would charge them, and without what their provider was given
      for (const one of orders) await endRetry(tx, { ...of, order_id: one }, NO_MORE);
    }
    const counted = orders.length > 0 ? 0 : Number(checkouts);
    await note(tx, { id, orders: orders.length, checkouts: counted, cards });
    return true;
  });
}

const NO_MORE = { ending: 'stopped_by_person', from: ['waiting'] } as const;

const isUnderWay = ({ status, is_in_doubt }: OrderRow): boolean => is_in_doubt || isUndecidedStatus(status);
