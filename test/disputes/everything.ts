// One of everything that the disputes desk asks of the database: for the test of all statements.
import { HIGHEST_ID } from '../../src/core/ids.ts';
import {
  claimAnswers,
  findAnswer,
  insertAnswer,
  listAnswers,
  noteAnswer,
} from '../../src/payment/dispute/desk/answer-store.ts';
import {
  deleteFile,
  findContent,
  findEvidence,
  forgetEvidence,
  insertFile,
  listFiles,
  putEvidence,
} from '../../src/payment/dispute/desk/evidence-store.ts';
import {
  claimReminders,
  findDispute,
  listDisputes,
  listOpenDisputes,
  lockUnanswered,
  markAnswered,
  sumUnanswered,
} from '../../src/payment/dispute/desk/store.ts';
import { remindOfDispute } from '../../src/payment/dispute/store.ts';
import type { World } from '../world.ts';

export async function everyDisputeStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  const id = tools.chance.id();
  await listOpenDisputes(db, { after: id, unanswered: true, room: 1 });
  await listDisputes(db, { before: HIGHEST_ID, states: ['won'], room: 1 });
  await findDispute(db, id);
  await sumUnanswered(db);
  await lockUnanswered(db, id);
  await markAnswered(db, id, 'elsewhere');
  await putEvidence(db, { dispute_id: id, texts_sealed: Buffer.alloc(1), by: 'a test' });
  await findEvidence(db, id);
  const sha256 = '00'.repeat(32);
  const file = { id, dispute_id: id, field: 'receipt', name: 'a.pdf', type: 'application/pdf', size: 1, sha256 };
  await insertFile(db, { ...file, content_sealed: Buffer.alloc(1), by: 'a test' });
  await listFiles(db, id);
  await findContent(db, { id, dispute_id: id });
  await deleteFile(db, { dispute_id: id, field: 'receipt' });
  await insertAnswer(db, { id, dispute_id: id, kind: 'submit', requested_by: 'a test', reason: 'a test' });
  await findAnswer(db, id);
  await listAnswers(db, id);
  await noteAnswer(db, { id, state: 'refused', kept: {}, sending: false, note: '', again_s: 0, tries: null });
  await claimAnswers(tools.db, 1, 1);
  await claimReminders(tools.db, 1);
  await remindOfDispute(db, { id, order_id: id, next_at: null, amount: '1.00' });
  await forgetEvidence(tools.db, 1, new Date(0));
}
