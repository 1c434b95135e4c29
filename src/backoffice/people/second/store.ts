// Statements on two people of an account who are to agree, and on how one proves who they are at the command line.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { RoleColumns } from '../../rights.ts';

export type PairRow = RoleColumns & {
  readonly person_id: string;
  readonly email: string;
  /** Since they became a member, by the clock of the deployment. */
  readonly hours: number;
  /** The other person invited them, directly or through people whom that person invited. */
  readonly invited_by_other: boolean;
};

/** Those of the two people who are members now. */
export async function findPair(
  db: TenantRunner,
  { first, second }: { readonly first: string; readonly second: string },
): Promise<readonly PairRow[]> {
  return db.run<PairRow>(
    'find_pair_of_members',
    `WITH RECURSIVE line AS (
       SELECT i.accepted_by AS person_id, i.inviter_id
       FROM payment.invitations i
       WHERE i.merchant_account_id = :merchant_account_id
         AND i.accepted_by IN (:first, :second)
       UNION
       SELECT l.person_id, i.inviter_id
       FROM line l
       JOIN payment.invitations i ON i.accepted_by = l.inviter_id
       WHERE i.merchant_account_id = :merchant_account_id
     )
     SELECT
       m.person_id, p.email, m.role, r.name AS role_name, r.rights AS role_rights,
       extract(epoch FROM payment.now() - coalesce(m.since, m.created_at))::float8 / 3600 AS hours,
       EXISTS (
         SELECT 1
         FROM line l
         WHERE l.person_id = m.person_id
           AND l.inviter_id IN (:first, :second)
           AND l.inviter_id <> m.person_id
       ) AS invited_by_other
     FROM payment.members m
     JOIN payment.people p ON p.id = m.person_id
     LEFT JOIN payment.roles r
       ON r.merchant_account_id = m.merchant_account_id
       AND r.id = m.role_id
     WHERE m.merchant_account_id = :merchant_account_id
       AND m.person_id IN (:first, :second)`,
    { merchant_account_id: bytes(db.merchant_account_id), first: bytes(first), second: bytes(second) },
  );
}

type ProvedRow = RoleColumns & { readonly id: string };

/** A member whose secret for the command line this is. */
export async function findProved(
  db: TenantRunner,
  { email, digest }: { readonly email: string; readonly digest: string },
): Promise<ProvedRow | undefined> {
  const rows = await db.run<ProvedRow>(
    'find_proved_member',
    `SELECT p.id, m.role, r.name AS role_name, r.rights AS role_rights
     FROM payment.members m
     JOIN payment.people p ON p.id = m.person_id
     LEFT JOIN payment.roles r
       ON r.merchant_account_id = m.merchant_account_id
       AND r.id = m.role_id
     WHERE m.merchant_account_id = :merchant_account_id
       AND p.email = :email
       AND p.command_digest = :digest`,
    { merchant_account_id: bytes(db.merchant_account_id), email, digest: bytes(digest) },
  );
  return rows[0];
}

/** The hash of a person's secret for the command line; the one before is good no more. Null: they have none. */
export async function keepCommandDigest(db: Runner, person_id: string, digest: string | null): Promise<void> {
  await db.run(
    'keep_command_digest',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people SET command_digest = :digest WHERE id = :person_id`,
    { person_id: bytes(person_id), digest: bytes(digest) },
  );
}

/** Notes that the person of this session has just proved who they are. */
export async function noteProof(db: Runner, digest: string): Promise<void> {
  await db.run(
    'note_proof',
    `-- any account: a session belongs to a person
     UPDATE payment.sessions SET proved_at = clock_timestamp() WHERE digest = :digest`,
    { digest: bytes(digest) },
  );
}
