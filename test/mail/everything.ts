// One of everything that mails ask of the database: for the test of all statements.
import {
  claimMails,
  countMails,
  endMail,
  findWaitingMail,
  forgetMails,
  insertMail,
  isInvitationOpen,
  isProvedAddress,
  listKeptMails,
  tryMailLater,
} from '../../src/payment/mail/store.ts';
import type { World } from '../world.ts';

export async function everyMailStatement(w: World): Promise<void> {
  const { tools, demo } = w.service;
  const db = tools.db.tenant(demo?.merchant_account_id ?? '');
  const id = tools.chance.id();
  const mail = { id, kind: 'report', about_id: id, address: 'x@shop.example', sealed: Buffer.alloc(1) } as const;
  await insertMail(db, { ...mail, state: 'waiting', hours: 1 });
  await countMails(db);
  await findWaitingMail(db, id);
  await listKeptMails(db);
  await isInvitationOpen(db, id);
  await isProvedAddress(db, 'x@shop.example', false);
  await claimMails(tools.db, 1, 1);
  await tryMailLater(db, { id, wait_s: 1, note: 'a test' });
  await endMail(db, { id, state: 'sent', note: '' });
  await forgetMails(tools.db, 1, 30);
}
