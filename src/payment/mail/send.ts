// Sends the mails that wait. Each is sent at least once: what a server took before this process died is sent again,
// under the same id.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Mailed } from '../../kit/mail/smtp.ts';
import type { Tools } from '../tools.ts';
import {
  type MailRow,
  type Whose,
  claimMails,
  endMail,
  findWaitingMail,
  hasMoved,
  isInvitationOpen,
  tryMailLater,
} from './store.ts';
import { openLetter } from './write.ts';

/** Longer than a try may take. */
const LEASE_S = 120;
/** Between tries; behind the last one a mail is given up. */
export const WAITS_S = [60, 300, 900, HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S];

/** True: there may be more at once. */
export async function sendMails(tools: Tools, room: number): Promise<boolean> {
  const { mail } = tools;
  if (mail.way !== 'sent') return false;
  const claimed = await claimMails(tools.db, room, LEASE_S);
  await Promise.all(claimed.map((whose) => sendOne(tools, mail.mailer, whose)));
  return claimed.length === room;
}

type Sender = Extract<Tools['mail'], { readonly way: 'sent' }>['mailer'];

async function sendOne(tools: Tools, mailer: Sender, { merchant_account_id, id }: Whose): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  const row = await findWaitingMail(db, id);
  if (!row) return;
  const withdrawn = await whyWithdrawn(db, row);
  if (withdrawn !== undefined) return endMail(db, { id, state: 'given_up', note: withdrawn });
  if (row.late) return endMail(db, { id, state: 'given_up', note: 'its time is over' });
  const letter = openLetter(tools, merchant_account_id, row);
  const came = await mailer.send({ id, to: row.address, letter });
  if (came.kind !== 'taken') tools.log.warn({ mail_id: id, tries: row.tries, says: came.says }, 'a mail was not taken');
  await note(tools, { merchant_account_id, row, came });
}

/** Why a mail is withdrawn: what it tells holds no more. Undefined: it still holds. */
async function whyWithdrawn(db: TenantRunner, { kind, about_id }: MailRow): Promise<string | undefined> {
  if (kind === 'invitation' && !(await isInvitationOpen(db, about_id))) return 'it was withdrawn before it was sent';
  if (kind === 'receipt' && !(await hasMoved(db, about_id)))
    return 'what it tells of was taken back before it was sent';
  return undefined;
}

type Came = { readonly merchant_account_id: string; readonly row: MailRow; readonly came: Mailed };

function note(tools: Tools, { merchant_account_id, row: { id, tries }, came }: Came): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  if (came.kind === 'taken') return endMail(db, { id, state: 'sent', note: '' });
  if (came.kind === 'refused') return endMail(db, { id, state: 'refused', note: came.says });
  const wait_s = WAITS_S[tries - 1];
  if (wait_s === undefined) return endMail(db, { id, state: 'given_up', note: came.says });
  return tryMailLater(db, { id, wait_s, note: came.says });
}
