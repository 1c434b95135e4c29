// Statements on the single sign-on of accounts, and on who came back from it.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { SignOnRole } from '../wire/sign-on.ts';
import type { NewSession } from '../session/store.ts';

export type SignOnRow = {
  readonly issuer: string;
  readonly client_id: string;
  /** Hex. */
  readonly secret_sealed: string;
  readonly domains: readonly string[];
  readonly passwords: boolean;
  readonly new_role: SignOnRole | null;
};

export async function findSignOn(db: TenantRunner): Promise<SignOnRow | undefined> {
  const rows = await db.run<SignOnRow>(
    'find_sign_on',
    `SELECT
       s.issuer, s.client_id, s.secret_sealed, s.passwords, s.new_role,
       ARRAY(
         SELECT d.domain
         FROM payment.sign_on_domains d
         WHERE d.merchant_account_id = s.merchant_account_id
         ORDER BY d.domain
       ) AS domains
     FROM payment.sign_on s
     WHERE s.merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

export async function putSignOn(
  db: TenantRunner,
  row: Omit<SignOnRow, 'secret_sealed' | 'domains'> & { readonly secret_sealed: Buffer },
): Promise<void> {
  await db.run(
    'put_sign_on',
    `INSERT INTO payment.sign_on (
       merchant_account_id, issuer, client_id, secret_sealed, passwords, new_role)
     VALUES (:merchant_account_id, :issuer, :client_id, :secret_sealed, :passwords, :new_role)
     ON CONFLICT (merchant_account_id) DO UPDATE SET
       issuer = excluded.issuer, client_id = excluded.client_id,
       secret_sealed = excluded.secret_sealed, passwords = excluded.passwords,
       new_role = excluded.new_role, updated_at = clock_timestamp()`,
    { ...row, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Replaces the account's domains; answers how many it has now: fewer if another account has one of them. */
export async function putDomains(db: TenantRunner, domains: readonly string[]): Promise<number> {
  const of = { merchant_account_id: bytes(db.merchant_account_id) };
  await db.run(
    'drop_sign_on_domains',
    `DELETE FROM payment.sign_on_domains WHERE merchant_account_id = :merchant_account_id`,
    of,
  );
  const rows = await db.run(
    'put_sign_on_domains',
    `INSERT INTO payment.sign_on_domains (domain, merchant_account_id)
     SELECT unnest(:domains::text[]), :merchant_account_id
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...of, domains },
  );
  return rows.length;
}

export async function deleteSignOn(db: TenantRunner): Promise<boolean> {
  const rows = await db.run(
    'delete_sign_on',
    `DELETE FROM payment.sign_on WHERE merchant_account_id = :merchant_account_id RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

export async function findSignOnOfDomain(
  db: Runner,
  domain: string,
): Promise<{ readonly merchant_account_id: string; readonly issuer: string } | undefined> {
  const rows = await db.run<{ merchant_account_id: string; issuer: string }>(
    'find_sign_on_of_domain',
    `-- any account: the domain says which one it is
     SELECT merchant_account_id, issuer FROM payment.sign_on_of_domain(:domain)`,
    { domain },
  );
  return rows[0];
}

export type Attempt = { readonly merchant_account_id: string; readonly issuer: string };

/** Keeps one for ten minutes; those whose time is over go on the way. */
export async function keepAttempt(db: Runner, attempt: Attempt & { readonly digest: string }): Promise<void> {
  await db.run(
    'keep_sign_on_attempt',
    `-- any account: the person is not signed in yet
     WITH over AS (
       DELETE FROM payment.sign_on_attempts
       WHERE created_at < statement_timestamp() - interval '10 minutes'
     )
     INSERT INTO payment.sign_on_attempts (digest, account_id, issuer)
     VALUES (:digest, :merchant_account_id, :issuer)`,
    {
      ...attempt,
      digest: bytes(attempt.digest),
      merchant_account_id: bytes(attempt.merchant_account_id),
    },
  );
}

/** Once, within ten minutes. */
export async function takeAttempt(db: Runner, digest: string): Promise<Attempt | undefined> {
  const rows = await db.run<Attempt>(
    'take_sign_on_attempt',
    `-- any account: the person is not signed in yet
     DELETE FROM payment.sign_on_attempts
     WHERE digest = :digest
       AND created_at > clock_timestamp() - interval '10 minutes'
     RETURNING account_id AS merchant_account_id, issuer`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

type Identity = { readonly issuer: string; readonly subject: string };

export async function findIdentity(
  db: TenantRunner,
  { issuer, subject }: Identity,
): Promise<{ readonly id: string; readonly email: string } | undefined> {
  const rows = await db.run<{ id: string; email: string }>(
    'find_sign_on_person',
    `SELECT p.id, p.email
     FROM payment.sign_on_people i
     JOIN payment.members m USING (merchant_account_id, person_id)
     JOIN payment.people p ON p.id = i.person_id
     WHERE i.merchant_account_id = :merchant_account_id
       AND i.issuer = :issuer
       AND i.subject = :subject`,
    { merchant_account_id: bytes(db.merchant_account_id), issuer, subject },
  );
  return rows[0];
}

/**
 * Was who signs on in the team before? By the provider's subject, by what they signed on as, or by an invitation that
 * they accepted. `person_id`: who has their address and is in no team now; null: nobody.
 */
export async function wasMember(
  db: TenantRunner,
  { issuer, subject, person_id }: Identity & { readonly person_id: string | null },
): Promise<boolean> {
  const rows = await db.run(
    'find_former_member',
    `SELECT 1
     FROM payment.sign_on_people
     WHERE merchant_account_id = :merchant_account_id
       AND (person_id = :person_id::bytea OR (issuer = :issuer AND subject = :subject))
     UNION ALL
     SELECT 1
     FROM payment.invitations
     WHERE merchant_account_id = :merchant_account_id
       AND accepted_by = :person_id::bytea
     LIMIT 1`,
    { merchant_account_id: bytes(db.merchant_account_id), issuer, subject, person_id: bytes(person_id) },
  );
  return rows.length > 0;
}

/** False: the person is another subject there, or the subject another person, until they leave the team. */
export async function insertIdentity(
  db: TenantRunner,
  { issuer, subject, person_id }: Identity & { readonly person_id: string },
): Promise<boolean> {
  const person = bytes(person_id);
  const of = { merchant_account_id: bytes(db.merchant_account_id), issuer, subject, person_id: person };
  await db.run(
    'forget_sign_on_people',
    `DELETE FROM payment.sign_on_people i
     WHERE i.merchant_account_id = :merchant_account_id
       AND i.issuer = :issuer
       AND (i.subject = :subject OR i.person_id = :person_id)
       AND NOT EXISTS (
         SELECT 1
         FROM payment.members m
         WHERE m.merchant_account_id = i.merchant_account_id
           AND m.person_id = i.person_id
       )`,
    of,
  );
  const rows = await db.run(
    'insert_sign_on_person',
    `INSERT INTO payment.sign_on_people (merchant_account_id, issuer, subject, person_id)
     VALUES (:merchant_account_id, :issuer, :subject, :person_id)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    of,
  );
  return rows.length > 0;
}

/**
 * A session for this account alone, which proves nothing beyond itself: the person was here, and wrong passwords and
 * known networks stay as they are.
 */
export async function insertSignedOn(
  db: TenantRunner,
  session: Omit<NewSession, 'stage' | 'account_id'> & { readonly sign_out_url: string | null },
): Promise<void> {
  await db.run(
    'insert_signed_on_session',
    `-- any account: a session belongs to a person
     WITH here AS (
       UPDATE payment.people SET last_login_at = clock_timestamp() WHERE id = :person_id
     )
     INSERT INTO payment.sessions (
       digest, id, person_id, account_id, sign_on_account, stage, source, browser, sign_out_url,
       proved_at)
     VALUES (
       :digest, :id, :person_id, :account_id, :account_id, 'in', :source, :browser, :sign_out_url,
       '-infinity')`,
    {
      ...session,
      account_id: bytes(db.merchant_account_id),
      digest: bytes(session.digest),
      id: bytes(session.id),
      person_id: bytes(session.person_id),
    },
  );
}

/** Ends what was begun by single sign-on; how many sessions. */
export async function deleteSignedOn(db: TenantRunner): Promise<number> {
  const rows = await db.run(
    'delete_signed_on_sessions',
    `-- any account: sessions of this one's people
     DELETE FROM payment.sessions s
     USING payment.members m
     WHERE m.merchant_account_id = :merchant_account_id
       AND s.person_id = m.person_id
       AND s.sign_on_account = :merchant_account_id
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length;
}
