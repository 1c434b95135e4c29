// Statements on mails that wait, were sent or are kept.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

export type MailKind = 'invitation' | 'report' | 'receipt' | 'alarm';
export type MailState = 'waiting' | 'sent' | 'refused' | 'given_up' | 'kept';

export type NewMail = {
  readonly id: string;
  readonly kind: MailKind;
  readonly about_id: string;
  readonly address: string;
  readonly sealed: Buffer;
  readonly state: 'waiting' | 'kept';
  /** Hours for which it is of use. */
  readonly hours: number;
};

/** Nothing where this address was written to about this before. */
export async function insertMail(db: TenantRunner, mail: NewMail): Promise<void> {
  await db.run(
    'insert_mail',
    `INSERT INTO payment.mails (
       id, merchant_account_id, kind, about_id, address, sealed, state, until)
     VALUES (
       :id, :merchant_account_id, :kind, :about_id, :address, :sealed, :state,
       clock_timestamp() + make_interval(hours => :hours))
     ON CONFLICT ON CONSTRAINT mails_once DO NOTHING`,
    {
      ...mail,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(mail.id),
      about_id: bytes(mail.about_id),
    },
  );
}

/**
 * How many were written to people of the back office in the last hour: receipts go with payments, which have limits of
 * their own.
 */
export async function countMails(db: TenantRunner): Promise<number> {
  const rows = await db.run<{ lately: number }>(
    'count_mails_lately',
    `SELECT count(*)::int AS lately
     FROM payment.mails
     WHERE merchant_account_id = :merchant_account_id
       AND kind <> 'receipt'
       AND created_at > clock_timestamp() - interval '1 hour'`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0]?.lately ?? 0;
}

export type MailRow = {
  readonly id: string;
  readonly kind: MailKind;
  readonly about_id: string;
  readonly address: string;
  /** Hex. */
  readonly sealed: string;
  readonly tries: number;
  /** The mail's time is over. */
  readonly late: boolean;
  readonly created_at: Date;
};

/** A mail that waits; undefined: it does not wait any more. */
export async function findWaitingMail(db: TenantRunner, id: string): Promise<MailRow | undefined> {
  const rows = await db.run<MailRow>(
    'find_waiting_mail',
    `SELECT
       id, kind, about_id, address, sealed, tries, until < clock_timestamp() AS late, created_at
     FROM payment.mails
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state = 'waiting'`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

/** Mails of a sandbox that are kept instead of being sent, the newest first. */
export async function listKeptMails(db: TenantRunner): Promise<readonly MailRow[]> {
  return db.run<MailRow>(
    'list_kept_mails',
    `SELECT id, kind, about_id, address, sealed, tries, false AS late, created_at
     FROM payment.mails
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'kept'
     ORDER BY id DESC
     LIMIT 50`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

type MailEnd = { readonly id: string; readonly state: 'sent' | 'refused' | 'given_up'; readonly note: string };

/** Deletes the letter: a link in it is for the receiver only. */
export async function endMail(db: TenantRunner, { id, state, note }: MailEnd): Promise<void> {
  await db.run(
    'end_mail',
    `UPDATE payment.mails
     SET state = :state::text, note = :note, sealed = ''
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state = 'waiting'`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), state, note },
  );
}

export async function tryMailLater(
  db: TenantRunner,
  { id, wait_s, note }: { readonly id: string; readonly wait_s: number; readonly note: string },
): Promise<void> {
  await db.run(
    'try_mail_later',
    `UPDATE payment.mails
     SET due_at = clock_timestamp() + make_interval(secs => :wait_s::double precision), note = :note
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state = 'waiting'`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), wait_s, note },
  );
}

/** An invitation that can still be accepted. */
export async function isInvitationOpen(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'is_invitation_open',
    `SELECT 1
     FROM payment.invitations
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND accepted_at IS NULL
       AND withdrawn_at IS NULL
       AND expires_at > clock_timestamp()`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}

/** The capture or refund that a receipt tells of was done, and still is. */
export async function hasMoved(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'has_moved',
    `SELECT 1
     FROM payment.operations
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND kind IN ('capture', 'refund')
       AND state = 'successful'`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}

/**
 * Is it the proved address of a member of the team? `kept`: in a sandbox that sends no mail, the address of any member.
 */
export async function isProvedAddress(db: TenantRunner, email: string, kept: boolean): Promise<boolean> {
  const rows = await db.run(
    'is_proved_address',
    `SELECT 1
     FROM payment.people p
     JOIN payment.members m ON m.person_id = p.id
     WHERE m.merchant_account_id = :merchant_account_id
       AND p.email = :email
       AND (:kept::boolean OR p.address_proved_at IS NOT NULL)`,
    { merchant_account_id: bytes(db.merchant_account_id), email, kept },
  );
  return rows.length > 0;
}

export type Whose = { readonly merchant_account_id: string; readonly id: string };

export async function claimMails(db: Runner, room: number, lease_s: number): Promise<readonly Whose[]> {
  return db.run<Whose>(
    'claim_mails',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, id
     FROM payment.claim_mails(:room, make_interval(secs => :lease_s::double precision))`,
    { room, lease_s },
  );
}

/** Deletes mails that were written this long ago, unless they are still to be sent; answers how many. */
export async function forgetMails(db: Runner, room: number, days: number): Promise<number> {
  const [row] = await db.run<{ forgotten: number }>(
    'forget_mails',
    `-- any account: the worker does it for all of them
     SELECT payment.forget_mails(
       :room, clock_timestamp() - make_interval(days => :days)) AS forgotten`,
    { room, days },
  );
  return row?.forgotten ?? 0;
}
