// Statements on who gets alarms by mail, and what they were told.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { RoleColumns } from '../rights.ts';

/** Accounts of which at least one member wants them. */
export async function findAlarmAccounts(db: Runner): Promise<readonly string[]> {
  const rows = await db.run<{ merchant_account_id: string }>(
    'find_alarm_accounts',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id FROM payment.alarm_accounts()`,
  );
  return rows.map((row) => row.merchant_account_id);
}

export type Alarmed = RoleColumns & {
  readonly email: string;
  readonly address_proved: boolean;
  /** The name of the account. */
  readonly account: string;
};

export async function listAlarmed(db: TenantRunner): Promise<readonly Alarmed[]> {
  return db.run<Alarmed>(
    'list_alarmed',
    `SELECT
       p.email, p.address_proved_at IS NOT NULL AS address_proved, a.name AS account,
       m.role, r.name AS role_name, r.rights AS role_rights
     FROM payment.members m
     JOIN payment.people p ON p.id = m.person_id
     JOIN payment.merchant_accounts a ON a.merchant_account_id = m.merchant_account_id
     LEFT JOIN payment.roles r
       ON r.merchant_account_id = m.merchant_account_id
       AND r.id = m.role_id
     WHERE m.merchant_account_id = :merchant_account_id
       AND m.alarm_mails
     ORDER BY p.email`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type ToldAlarm = { readonly about_id: string; readonly address: string };

export async function findToldToday(db: TenantRunner, ids: readonly string[]): Promise<readonly ToldAlarm[]> {
  return db.run<ToldAlarm>(
    'find_told_alarms',
    `SELECT about_id, address
     FROM payment.mails
     WHERE merchant_account_id = :merchant_account_id
       AND kind = 'alarm'
       AND about_id = ANY (:ids::bytea[])`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((id) => bytes(id)) },
  );
}

type Wish = { readonly person_id: string; readonly alarm_mails: boolean };

/** False: they are no member of it. */
export async function putAlarmMails(db: TenantRunner, { person_id, alarm_mails }: Wish): Promise<boolean> {
  const rows = await db.run(
    'put_alarm_mails',
    `UPDATE payment.members
     SET alarm_mails = :alarm_mails::boolean
     WHERE merchant_account_id = :merchant_account_id
       AND person_id = :person_id
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id), alarm_mails },
  );
  return rows.length > 0;
}

/** Do they want them, and may they be sent there? */
export async function findAlarmMails(
  db: TenantRunner,
  person_id: string,
): Promise<{ readonly alarm_mails: boolean; readonly address_proved: boolean } | undefined> {
  const rows = await db.run<{ alarm_mails: boolean; address_proved: boolean }>(
    'find_alarm_mails',
    `SELECT m.alarm_mails, p.address_proved_at IS NOT NULL AS address_proved
     FROM payment.members m
     JOIN payment.people p ON p.id = m.person_id
     WHERE m.merchant_account_id = :merchant_account_id
       AND m.person_id = :person_id`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id) },
  );
  return rows[0];
}
