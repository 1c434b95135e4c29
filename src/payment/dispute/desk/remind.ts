// Deadlines: reminds the merchant, from some days before the answer to an open dispute is due until a person answers
// it.
import { nextReminder } from '../../../core/dispute/due.ts';
import { toDecimal } from '../../../core/money.ts';
import { remindOfDispute } from '../store.ts';
import type { Tools } from '../../tools.ts';
import { type DueReminder, claimReminders, findDispute } from './store.ts';

/** How many were due. One that fails holds up no other, and is looked at again when its lease ends. */
export async function remindOfDisputes(tools: Tools, room: number): Promise<number> {
  const due = await claimReminders(tools.db, room);
  for (const one of due)
    await remind(tools, one).catch((error: unknown) =>
      tools.log.error({ dispute_id: one.id, error: String(error) }, 'a dispute is reminded of later'),
    );
  if (due.length > 0) tools.wake_up.wake();
  return due.length;
}

async function remind(tools: Tools, { merchant_account_id, order_id, id }: DueReminder): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  const dispute = await findDispute(db, id);
  if (!dispute?.due_at) return;
  const next_at = nextReminder(dispute.due_at, tools.clock.now()) ?? null;
  await remindOfDispute(db, { id, order_id, next_at, amount: toDecimal(dispute.amount_minor, dispute.currency) });
}
