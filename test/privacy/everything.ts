// One of everything that a person's request asks of the database: for the test of all statements.
import { PERSONAL } from '../../src/payment/privacy/personal.ts';
import {
  deleteCustomer,
  findCheckouts,
  findNotesOf,
  forgetFound,
  forgetReceipts,
  forgetViews,
  listOrdersOf,
  lockCheckout,
  findEarlierEmails,
  lockOrders,
  readBodies,
  stripOrders,
} from '../../src/payment/privacy/person-store.ts';
import {
  claimErasure,
  endErasure,
  findErasure,
  insertErasure,
  listErasures,
  noteErasure,
} from '../../src/payment/privacy/store.ts';
import {
  insertCardRemovals,
  listRecurringTokens,
  listSavedTokens,
  listTokenUses,
} from '../../src/payment/privacy/unsaved-cards-store.ts';
import type { World } from '../world.ts';

export async function everyPrivacyStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  const id = tools.chance.id();
  const whose = { customer_id: 'nobody at all', email: null };
  const { customer_id } = whose;
  await insertErasure(db, { ...whose, id, requested_by: 'a test' });
  await findErasure(db, id);
  await findNotesOf(db, [id]);
  await listErasures(db);
  await claimErasure(tools.db, 1);
  await noteErasure(db, { id, seen_to: id, orders: 0, checkouts: 0, cards: 0 });
  await lockCheckout(db, id);
  await listOrdersOf(db, id);
  await lockOrders(db, [id]);
  await findEarlierEmails(db, [id]);
  await stripOrders(db, { checkout_id: id, ids: [id], ...whose, pattern: PERSONAL });
  await readBodies(db, [id]);
  await findCheckouts(db, { ...whose, after: id, room: 1 });
  await forgetReceipts(db, [id]);
  await listRecurringTokens(db, [id]);
  await listSavedTokens(db, [id]);
  await listTokenUses(db, [id]);
  await insertCardRemovals(db, []);
  await forgetViews(db, { customer_id, emails: [] });
  await forgetFound(db, { ids: [id], customer_id, emails: [] });
  await deleteCustomer(db, customer_id);
  await endErasure(db, id);
}
