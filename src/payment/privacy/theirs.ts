// What is stored of a person, a customer or a guest: their orders, which the search finds, and their checkouts, to
// which no index leads.
import type { TenantRunner } from '../../kit/database.ts';
import { lookUp } from '../customer/record.ts';
import { type OrderRow, searchOrders } from '../order/search/rows.ts';
import type { Tools } from '../tools.ts';
import { findCheckouts } from './person-store.ts';
import type { Whose } from './store.ts';

/** Read at once: orders, and checkouts that are looked through. */
const ORDERS = 50;
const CHECKOUTS = 1000;

/**
 * False: there is no such customer. A guest may have left no more than a checkout, which only looking through all of
 * them finds.
 */
export async function mayBeKnown(tools: Tools, db: TenantRunner, whose: Whose): Promise<boolean> {
  const { customer_id } = whose;
  if (customer_id === null || (await lookUp(tools, db.merchant_account_id, customer_id))) return true;
  for await (const _ of ordersOf(db, whose)) return true;
  return false;
}

/** Their orders, the newest first, portion by portion. */
export async function* ordersOf(db: TenantRunner, { customer_id, email }: Whose): AsyncGenerator<readonly OrderRow[]> {
  const filters = customer_id === null ? { email } : { customer_id };
  for (let before: string | null | undefined; before !== null;) {
    const page = await searchOrders(db, { filters, limit: ORDERS, ...(before !== undefined && { before }) });
    // with the guest's e-mail a customer may have paid as well
    const rows = page.rows.filter((row) => row.customer_id === customer_id);
    if (rows.length > 0) yield rows;
    before = page.next;
  }
}

/** All checkouts of the account after an id are looked through, once, portion by portion; `theirs` of each portion. */
export async function* checkoutsOf(
  db: TenantRunner,
  { whose, after: first }: { readonly whose: Whose; readonly after: string },
): AsyncGenerator<Awaited<ReturnType<typeof findCheckouts>>> {
  for (let after: string | null = first; after !== null;) {
    const found: Awaited<ReturnType<typeof findCheckouts>> = await findCheckouts(db, {
      ...whose,
      after,
      room: CHECKOUTS,
    });
    yield found;
    after = found.last;
  }
}
