// One of everything that the checks of the ledger, the reconciliation and the review ask of the database: for the test
// of all statements.
import { insertFees } from '../../src/payment/ledger/reconcile/fees-store.ts';
import { findSettledAgain, insertSettled } from '../../src/payment/ledger/reconcile/settled-store.ts';
import {
  findFinding,
  findOpenFindingsAfter,
  keepFindings,
  listFindings,
  resolveFindings,
  settleFindings,
  sumOpenFindings,
} from '../../src/payment/ledger/reconcile/finding-store.ts';
import { findStrayFindings, settleStrayFinding } from '../../src/payment/ledger/reconcile/stray-store.ts';
import { findNow, findOwnOrders, findOwnOrdersAfter } from '../../src/payment/ledger/reconcile/store.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import {
  findLastSights,
  findResolutions,
  findUndecided,
  findWhere,
  insertResolution,
} from '../../src/payment/order/review/review-store.ts';
import {
  askContradictionIn,
  claimContradictions,
  endContradiction,
  insertContradiction,
} from '../../src/payment/order/engine/contradiction-store.ts';
import { recordDisputedRefund } from '../../src/payment/order/engine/operation-store.ts';
import { withTransaction } from '../../src/kit/database.ts';
import type { World } from '../world.ts';

export async function everyLedgerStatement(w: World): Promise<void> {
  const { tools, demo } = w.service;
  const db = tools.db.tenant(demo?.merchant_account_id ?? '');
  await verifyLedger({ db: tools.db, progress: () => undefined });
  const now = await findNow(tools.db);
  const id = tools.chance.id();
  await findOwnOrders(db, { ids: [id], now });
  await findOwnOrdersAfter(db, { after: id, room: 1, now });
  const fee = { entry: 'txn_1', fee_minor: 1n, currency: 'EUR' };
  await insertFees(db, [{ ...fee, provider: 'simulator', order_id: id, operation_id: id }]);
  const settled = { order_id: id, provider: 'simulator', what: 'capture', reference: id, sent_back: false } as const;
  await insertSettled(db, { source: 'a test', settled: [{ ...settled, provider_ref: 'ch_1', entry: 'txn_1' }] });
  await findSettledAgain(db, [{ ...settled, provider_ref: 'ch_1', entry: 'txn_1' }]);
  await findUndecided(tools.db, 1);
  await findWhere(tools.db, id);
  await findLastSights(db, { operations: [{ id, transaction_id: id }], room: 1 });
  const words = { ruling: 'done', reason: 'a test', provider_ref: null, by_name: 'anna', person_id: null } as const;
  await insertResolution(db, { ...words, order_id: id, operation_id: id });
  await findResolutions(db, id);
  await everyContradictionStatement(w);
  await everyFindingStatement(w);
}

async function everyFindingStatement({ service: { tools, demo } }: World): Promise<void> {
  const merchant_account_id = demo?.merchant_account_id ?? '';
  const db = tools.db.tenant(merchant_account_id);
  const id = tools.chance.id();
  const about = { merchant_account_id, provider: 'simulator', order_id: id, reference: id, operation_id: null };
  const found = { kind: 'amount', what: 'capture', ours: '1', theirs: '2', apart_minor: 1n, currency: 'EUR' } as const;
  const after = { tells: undefined, line: undefined, became: '', applied: false };
  await keepFindings(db, { source: 'a test', books_to: null }, [{ ...about, ...found, ...after }]);
  await findOpenFindingsAfter(db, { after: id, room: 1 });
  await findStrayFindings(tools.db, 1);
  await settleStrayFinding(db, { id, note: 'a test', by_name: 'anna' });
  await listFindings(db, { states: ['open'], before: id, room: 1 });
  await findFinding(db, id);
  await sumOpenFindings(db);
  await settleFindings(db, { of: { id }, note: 'a test', by_name: 'anna' });
  await resolveFindings(db, { ids: [id], resolved_by: 'a test' });
}

async function everyContradictionStatement(w: World): Promise<void> {
  const { tools, demo } = w.service;
  const account = demo?.merchant_account_id ?? '';
  const db = tools.db.tenant(account);
  const id = tools.chance.id();
  const named = { order_id: id, operation_id: id };
  const said = { provider_ref: null, provider_code: null, http_status: null, answer: null, request_id: null } as const;
  await insertContradiction(db, {
    ...named,
    ...said,
    id,
    transaction_id: id,
    version: 1,
    provider: 'simulator',
    kind: 'capture',
    about: 'capture',
    held: 'declined',
    said: 'approved',
    source: 'webhook',
    outcome: 'approved',
    amount_minor: 1n,
    currency: 'EUR',
  });
  await askContradictionIn(db, { ...named, retry_s: 0 });
  await claimContradictions(tools.db, { room: 1, lease_s: 1 });
  await endContradiction(db, account, { ...named, version: null, state: 'ours' });
  await withTransaction(tools.db, account, (tx) =>
    recordDisputedRefund(tx, { ...named, asked_by: 'the test of all statements' }),
  );
}
