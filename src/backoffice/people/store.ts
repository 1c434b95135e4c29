// Statements on members of a merchant account, invitations to it, and the account itself.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { RoleColumns } from '../rights.ts';
import { SIGNED_IN } from '../session/store.ts';
import type { MailState } from '../../payment/mail/store.ts';
import type { RoleKey } from '../wire/session.ts';

export type MemberRow = RoleColumns & {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly totp: boolean;
  readonly last_login_at: Date | null;
  readonly locked_until: Date | null;
  readonly sessions: number;
  /** The person who invited them; null: they are the first owner, or from before this was stored. */
  readonly invited_by: string | null;
  /** They came by a link that was mailed to their address. */
  readonly address_proved: boolean;
};

export async function listMembers(db: TenantRunner): Promise<readonly MemberRow[]> {
  return db.run<MemberRow>(
    'list_members',
    `SELECT
       p.id, p.email, p.name, m.role, r.name AS role_name, r.rights AS role_rights,
       p.totp_confirmed_at IS NOT NULL AS totp, p.last_login_at,
       p.address_proved_at IS NOT NULL AS address_proved,
       (
         SELECT max(l.until)
         FROM (
           SELECT p.locked_until AS until
           UNION ALL
           SELECT k.locked_until FROM payment.known_networks k WHERE k.person_id = p.id
         ) l
         WHERE l.until > clock_timestamp()
       ) AS locked_until,
       (
         SELECT i.invited_by
         FROM payment.invitations i
         WHERE i.accepted_by = p.id
           AND i.merchant_account_id = :merchant_account_id
         ORDER BY i.accepted_at DESC
         LIMIT 1
       ) AS invited_by,
       (
         SELECT count(*)::int
         FROM payment.sessions s
         WHERE s.person_id = p.id
           AND coalesce(s.sign_on_account, m.merchant_account_id) = m.merchant_account_id
           AND NOT m.merchant_account_id = ANY (s.shut_accounts)
           AND ${SIGNED_IN}
       ) AS sessions
     FROM payment.members m
     JOIN payment.people p ON p.id = m.person_id
     LEFT JOIN payment.roles r
       ON r.merchant_account_id = m.merchant_account_id
       AND r.id = m.role_id
     WHERE m.merchant_account_id = :merchant_account_id
     ORDER BY p.email`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/**
 * The members of an account, held until the end of the transaction: who is the last owner does not change until then.
 */
export async function lockMembers(db: TenantRunner): Promise<void> {
  await db.run(
    'lock_members',
    `SELECT person_id
     FROM payment.members
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY person_id
     FOR UPDATE`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Adds a member; a person who is one already keeps their role. False: they were a member. */
export async function insertMember(db: TenantRunner, person_id: string, role: RoleKey): Promise<boolean> {
  const rows = await db.run(
    'insert_member',
    `INSERT INTO payment.members (merchant_account_id, person_id, role)
     VALUES (:merchant_account_id, :person_id, :role)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id), role },
  );
  return rows.length > 0;
}

export async function updateRole(db: TenantRunner, person_id: string, role: RoleKey): Promise<void> {
  await db.run(
    'update_role',
    `UPDATE payment.members
     SET role = :role
     WHERE merchant_account_id = :merchant_account_id
       AND person_id = :person_id`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id), role },
  );
}

export async function deleteMember(db: TenantRunner, person_id: string): Promise<void> {
  await db.run(
    'delete_member',
    `DELETE FROM payment.members
     WHERE merchant_account_id = :merchant_account_id
       AND person_id = :person_id`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id) },
  );
}

export type NewInvitationRow = {
  readonly id: string;
  readonly digest: string;
  readonly email: string | null;
  readonly role: RoleKey;
  readonly invited_by: string;
  readonly inviter_id: string | null;
  readonly hours: number;
  /** The link was mailed, and not shown to the inviter. */
  readonly mailed: boolean;
};

export async function insertInvitation(db: TenantRunner, invitation: NewInvitationRow): Promise<void> {
  await db.run(
    'insert_invitation',
    `INSERT INTO payment.invitations (
       id, merchant_account_id, digest, email, role, invited_by, inviter_id, mailed,
       expires_at)
     VALUES (
       :id, :merchant_account_id, :digest, :email, :role, :invited_by, :inviter_id, :mailed,
       clock_timestamp() + make_interval(hours => :hours))`,
    {
      ...invitation,
      id: bytes(invitation.id),
      inviter_id: bytes(invitation.inviter_id),
      digest: bytes(invitation.digest),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

export type InvitationRow = RoleColumns & {
  readonly id: string;
  readonly email: string;
  readonly invited_by: string;
  /** Null: a command or the start invited them. */
  readonly inviter_id: string | null;
  readonly expires_at: Date;
  /** The state of the mail; null: there is none. */
  readonly mail_state: MailState | null;
  readonly mail_note: string | null;
};

/** Open invitations to an address. */
export async function listInvitations(db: TenantRunner): Promise<readonly InvitationRow[]> {
  return db.run<InvitationRow>(
    'list_invitations',
    `SELECT
       i.id, i.email, i.role, r.name AS role_name, r.rights AS role_rights, i.invited_by,
       encode(i.inviter_id, 'hex') AS inviter_id, i.expires_at, e.state AS mail_state,
       e.note AS mail_note
     FROM payment.invitations i
     LEFT JOIN payment.mails e
       ON e.merchant_account_id = i.merchant_account_id
       AND e.kind = 'invitation'
       AND e.about_id = i.id
       AND e.address = i.email
     LEFT JOIN payment.roles r
       ON r.merchant_account_id = i.merchant_account_id
       AND r.id = i.role_id
     WHERE i.merchant_account_id = :merchant_account_id
       AND i.email IS NOT NULL
       AND i.accepted_at IS NULL
       AND i.withdrawn_at IS NULL
       AND i.expires_at > clock_timestamp()
     ORDER BY i.id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** These by their ids, or every one to this address (null: those to the first owner). Answers how many. */
export async function withdrawInvitations(
  db: TenantRunner,
  which: { readonly ids: readonly string[] } | { readonly email: string | null },
): Promise<number> {
  const rows = await db.run(
    'withdraw_invitations',
    `UPDATE payment.invitations
     SET withdrawn_at = clock_timestamp()
     WHERE merchant_account_id = :merchant_account_id
       AND accepted_at IS NULL
       AND withdrawn_at IS NULL
       AND CASE
         WHEN :ids::bytea[] IS NOT NULL THEN id = ANY (:ids::bytea[])
         ELSE email IS NOT DISTINCT FROM :email::text
       END
     RETURNING 1`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      ids: 'ids' in which ? which.ids.map((id) => bytes(id)) : null,
      email: 'email' in which ? which.email : null,
    },
  );
  return rows.length;
}

/** Once. False: another request was quicker, or it is over. */
export async function acceptInvitation(db: TenantRunner, id: string, person_id: string): Promise<boolean> {
  const rows = await db.run(
    'accept_invitation',
    `UPDATE payment.invitations
     SET accepted_at = clock_timestamp(), accepted_by = :person_id
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND accepted_at IS NULL
       AND withdrawn_at IS NULL
       AND expires_at > clock_timestamp()
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), person_id: bytes(person_id) },
  );
  return rows.length > 0;
}

export type LinkRow = RoleColumns & {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly account_name: string;
  readonly email: string | null;
  readonly invited_by: string;
  readonly expires_at: Date;
  readonly mailed: boolean;
};

/** The invitation of a link. Undefined: the link was used, withdrawn, is over, or never existed. */
export async function findLink(db: Runner, digest: string): Promise<LinkRow | undefined> {
  const rows = await db.run<LinkRow>(
    'find_invitation_of_link',
    `-- any account: the link says which one it is
     SELECT
       id, merchant_account_id, account_name, email, role, role_name, role_rights, invited_by,
       expires_at, mailed
     FROM payment.invitation_of_link(:digest)`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

/** They came by a link that was mailed to their address, and shown nowhere else. */
export async function proveAddress(db: Runner, id: string): Promise<void> {
  await db.run(
    'prove_address',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET address_proved_at = coalesce(address_proved_at, clock_timestamp())
     WHERE id = :id`,
    { id: bytes(id) },
  );
}

/** Takes the address from who holds it, if they do; what they did keeps their id, and so do they. */
export async function freeAddress(
  db: Runner,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await db.run(
    'free_address',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET email = left(encode(id, 'hex') || ' was ' || email, 254)
     WHERE id = :id
       AND email = :email`,
    { id: bytes(id), email },
  );
}
