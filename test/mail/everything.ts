// One of everything that mails ask of the database: for the test of all statements.
import {
  findAlarmAccounts,
  findAlarmMails,
  findToldToday,
  listAlarmed,
  putAlarmMails,
} from '../../src/backoffice/alarm/store.ts';
import {
  claimMails,
  countMails,
  endMail,
  findWaitingMail,
  forgetMails,
  insertMail,
  hasMoved,
  isInvitationOpen,
  isProvedAddress,
  listKeptMails,
  tryMailLater,
} from '../../src/payment/mail/store.ts';
import type { World } from '../world.ts';

export async function everyMailStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  const id = tools.chance.id();
  const mail = { id, kind: 'report', about_id: id, address: 'x@shop.example', sealed: Buffer.alloc(1) } as const;
  await insertMail(db, { ...mail, state: 'waiting', hours: 1 });
  await countMails(db);
  await findWaitingMail(db, id);
  await listKeptMails(db);
  await isInvitationOpen(db, id);
  await hasMoved(db, id);
  await isProvedAddress(db, 'x@shop.example', false);
  await claimMails(tools.db, 1, 1);
  await tryMailLater(db, { id, wait_s: 1, note: 'a test' });
  await endMail(db, { id, state: 'sent', note: '' });
  await findAlarmAccounts(tools.db);
  await listAlarmed(db);
  await findToldToday(db, [id]);
  await findAlarmMails(db, id);
  await putAlarmMails(db, { person_id: id, alarm_mails: false });
  await forgetMails(tools.db, 1, 30);
}
