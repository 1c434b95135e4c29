// What the vault says of an operation that nobody knows the outcome of: it never left and never will, or how long ago
// it was sent.
import type { ForwardAnswer } from '../../core/link/verbs.ts';
import { lookAtClock } from '../clock/watch.ts';
import type { VaultTools } from '../tools.ts';
import { storedAnswer } from './forward.ts';
import { findForward, insertTombstone } from './store.ts';

/** Then the operation can never be sent: tombstone and forward insert the same primary key, and exactly one wins. */
export async function tombstone(tools: VaultTools, operation_id: string): Promise<Tombstone> {
  await tools.answers.flush(operation_id);
  if (await insertTombstone(tools.db, operation_id)) return { sent: false };
  const row = await findForward(tools.db, operation_id);
  if (row?.state === 'tombstone' || row?.state === 'not_sent') return { sent: false };
  const answer = row && (await storedAnswer(tools, operation_id, row));
  return { sent: true, ...(row && { sent_s: await sincePassed(tools, row.sent_s) }), ...(answer && { answer }) };
}

/** A clock that was set forward since makes no call older than it is (decision 177). */
async function sincePassed(tools: VaultTools, sent_s: number): Promise<number> {
  // behind the reading of it
  await lookAtClock(tools);
  return Math.max(0, sent_s - tools.database_clock.setForward_ms() / 1000);
}

type Tombstone = { readonly sent: boolean; readonly answer?: ForwardAnswer; readonly sent_s?: number };
