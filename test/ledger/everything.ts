// One of everything that the checks of the ledger, the reconciliation and the review ask of the database: for the test of all
// statements.
import { findNow, findOwnOrders, findOwnOrdersAfter } from '../../src/payment/ledger/reconcile/store.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import {
  findLastSights,
  findRulings,
  findUndecided,
  findWhere,
  insertRuling,
} from '../../src/payment/order/review/store.ts';
import type { World } from '../world.ts';

export async function everyLedgerStatement(w: World): Promise<void> {
  const { tools, demo } = w.service;
  const db = tools.db.tenant(demo?.merchant_account_id ?? '');
  await verifyLedger({ db: tools.db, progress: () => undefined });
  const now = await findNow(tools.db);
  const id = tools.chance.id();
  await findOwnOrders(db, { ids: [id], now });
  await findOwnOrdersAfter(db, { after: id, room: 1, now });
  await findUndecided(tools.db, 1);
  await findWhere(tools.db, id);
  await findLastSights(db, { operations: [{ id, transaction_id: id }], room: 1 });
  const words = { ruling: 'done', reason: 'a test', provider_ref: null, by_name: 'anna', person_id: null } as const;
  await insertRuling(db, { ...words, order_id: id, operation_id: id });
  await findRulings(db, id);
}
