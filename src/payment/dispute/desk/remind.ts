// Deadlines: reminds the merchant, from some days before the answer to an open dispute is due until a person answers
// it.
import { nextReminder } from '../../../core/dispute/due.ts';
import { toDecimal } from '../../../core/money.ts';
import { remindOfDispute } from '../store.ts';
import type { Tools } from '../../tools.ts';
import { claimReminders, findDispute } from './store.ts';

/** How many were due. */
export async function remindOfDisputes(tools: Tools, room: number): Promise<number> {
  const due = await claimReminders(tools.db, room);
  for (const { merchant_account_id, order_id, id } of due) {
    const db = tools.db.tenant(merchant_account_id);
    const dispute = await findDispute(db, id);
    if (!dispute?.due_at) continue;
    const next_at = nextReminder(dispute.due_at, tools.clock.now()) ?? null;
    await remindOfDispute(db, { id, order_id, next_at, amount: toDecimal(dispute.amount_minor, dispute.currency) });
  }
  if (due.length > 0) tools.wake_up.wake();
  return due.length;
}
