// One of everything that reports ask of the database: for the test of all statements.
import {
  findCostAttempts,
  findSettled,
  listBookings,
  listDisputesOfSpan,
  listOperations,
} from '../../src/payment/report/rows-store.ts';
import { deletePieces, findPiece, insertPiece } from '../../src/payment/report/piece-store.ts';
import {
  countWaiting,
  claimRun,
  deleteReport,
  dropRun,
  findDueReports,
  findReport,
  findRun,
  forgetReports,
  holdRun,
  insertReport,
  insertRun,
  listReports,
  listRuns,
  moveReport,
  noteRun,
  sumKept,
} from '../../src/payment/report/store.ts';
import type { World } from '../world.ts';

export async function everyReportStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  const id = tools.chance.id();
  const at = new Date(0);
  const about = { id, name: 'a test', kind: 'orders', format: 'csv', zone: 'UTC' } as const;
  await insertReport(db, { ...about, every: 'daily', next_at: at, created_by: 'a test' });
  await findReport(db, id);
  await listReports(db);
  await findDueReports(tools.db, 1);
  await moveReport(db, { id, next_at: at }, at);
  await insertRun(db, { ...about, report_id: id, from_at: at, to_at: at, requested_by: 'a test' });
  await findRun(db, id);
  await listRuns(db, new Date(0));
  await countWaiting(db);
  await sumKept(db, id);
  await claimRun(tools.db, 1);
  await holdRun(db, { id, tries: 1 });
  await insertPiece(db, { run_id: id, n: 0, sealed: Buffer.alloc(1) });
  await findPiece(db, id, 0);
  await noteRun(db, { id, state: 'failed', rows: 0, size: 0, note: '' });
  await dropRun(db, id);
  await deletePieces(db, id);
  await deleteReport(db, id);
  await forgetReports(tools.db, 1, at);
  await listOperations(db, { kind: 'capture', low: id, high: id, after: id, room: 1 });
  await findCostAttempts(db, [id]);
  await findSettled(db, [id]);
  const after = { source_id: id, posting: 'book', line: 0 } as const;
  await listBookings(db, { from: at, to: at, after, room: 1 });
  await listDisputesOfSpan(db, { low: id, high: id, room: 1 });
}
