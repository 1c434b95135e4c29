// Statements on people and their second factors, by the clock of the database server, never the sandbox's.
import { type Runner, bytes } from '../../kit/database.ts';
import type { RoleColumns } from '../rights.ts';

export type PersonRow = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** They came by a link that was mailed to their address. */
  readonly address_proved: boolean;
  /** Hex; null: no second factor was begun. */
  readonly totp_sealed: string | null;
  readonly totp_confirmed: boolean;
  /** The sealed secret of a new second factor that will replace the present one; null: none is being set up. */
  readonly totp_next_sealed: string | null;
  readonly totp_step: bigint;
  /** The network that they come from now is locked for a while. */
  readonly locked: boolean;
  readonly network: string;
  readonly now_s: number;
};

type SessionQuery = { readonly id?: string | null; readonly email?: string | null; readonly network: string };

/**
 * Finds a person by id or by address; one of the two is null. `network`: the network they come from, for the lock that
 * holds there.
 */
export async function findPerson(
  db: Runner,
  { id = null, email = null, network }: SessionQuery,
): Promise<PersonRow | undefined> {
  const rows = await db.run<PersonRow>(
    'find_person',
    `-- any account: a person belongs to the deployment
     SELECT
       p.id, p.email, p.name, p.password, p.totp_sealed,
       p.address_proved_at IS NOT NULL AS address_proved,
       p.totp_confirmed_at IS NOT NULL AS totp_confirmed, p.totp_next_sealed, p.totp_step,
       coalesce(CASE WHEN k.network IS NULL THEN p.locked_until ELSE k.locked_until END
         > clock_timestamp(), false) AS locked,
       :network::text AS network, extract(epoch FROM clock_timestamp())::float8 AS now_s
     FROM payment.people p
     LEFT JOIN payment.known_networks k ON k.person_id = p.id AND k.network = :network
     WHERE p.id = :id::bytea
       OR p.email = :email::text`,
    { id: bytes(id), email, network },
  );
  return rows[0];
}

/** False: the address is taken. */
export async function insertPerson(
  db: Runner,
  person: Pick<PersonRow, 'id' | 'email' | 'name' | 'password'>,
): Promise<boolean> {
  const rows = await db.run(
    'insert_person',
    `-- any account: a person belongs to the deployment
     INSERT INTO payment.people (id, email, name, password)
     VALUES (:id, :email, :name, :password)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...person, id: bytes(person.id) },
  );
  return rows.length > 0;
}

export async function updatePassword(db: Runner, id: string, password: string): Promise<void> {
  await db.run(
    'update_password',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people SET password = :password WHERE id = :id`,
    { id: bytes(id), password },
  );
}

/**
 * Null takes the second factor away; what is offered is not in force before it is confirmed, and takes the place of
 * none that is.
 */
export async function offerTotp(db: Runner, id: string, sealed: Buffer | null): Promise<boolean> {
  const rows = await db.run(
    'offer_totp',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET
       totp_sealed = :sealed::bytea, totp_confirmed_at = NULL, totp_step = 0,
       totp_next_sealed = NULL
     WHERE id = :id
       AND (:sealed::bytea IS NULL OR totp_confirmed_at IS NULL)
     RETURNING 1`,
    { id: bytes(id), sealed },
  );
  return rows.length > 0;
}

/** Lies beside the one in force until its first code. */
export async function offerNextTotp(db: Runner, id: string, sealed: Buffer): Promise<void> {
  await db.run(
    'offer_next_totp',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET totp_next_sealed = :sealed
     WHERE id = :id
       AND totp_confirmed_at IS NOT NULL`,
    { id: bytes(id), sealed },
  );
}

/** Puts it in force. False: another one was offered since. */
export async function putNextTotp(
  db: Runner,
  id: string,
  { sealed, step }: { readonly sealed: string; readonly step: number },
): Promise<boolean> {
  const rows = await db.run(
    'put_next_totp',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET
       totp_sealed = totp_next_sealed, totp_next_sealed = NULL, totp_step = :step,
       totp_confirmed_at = clock_timestamp()
     WHERE id = :id
       AND totp_confirmed_at IS NOT NULL
       AND totp_next_sealed = :sealed
     RETURNING 1`,
    { id: bytes(id), sealed: bytes(sealed), step },
  );
  return rows.length > 0;
}

/** Takes the step of a code, once: false, when it or a later one was taken before. Confirms what was offered. */
export async function takeTotpStep(db: Runner, id: string, step: number): Promise<boolean> {
  const rows = await db.run(
    'take_totp_step',
    `-- any account: a person belongs to the deployment
     UPDATE payment.people
     SET totp_step = :step, totp_confirmed_at = coalesce(totp_confirmed_at, clock_timestamp())
     WHERE id = :id
       AND totp_step < :step
     RETURNING 1`,
    { id: bytes(id), step },
  );
  return rows.length > 0;
}

export async function replaceRecoveryCodes(db: Runner, id: string, digests: readonly string[]): Promise<void> {
  await db.run(
    'drop_recovery_codes',
    `-- any account: a person belongs to the deployment
     DELETE FROM payment.recovery_codes WHERE person_id = :id`,
    { id: bytes(id) },
  );
  await db.run(
    'insert_recovery_codes',
    `-- any account: a person belongs to the deployment
     INSERT INTO payment.recovery_codes (person_id, digest)
     SELECT :id, unnest(:digests::bytea[])`,
    { id: bytes(id), digests: digests.map((digest) => bytes(digest)) },
  );
}

/** Uses a recovery code, once. */
export async function takeRecoveryCode(db: Runner, id: string, digest: string): Promise<boolean> {
  const rows = await db.run(
    'take_recovery_code',
    `-- any account: a person belongs to the deployment
     UPDATE payment.recovery_codes
     SET used_at = clock_timestamp()
     WHERE person_id = :id
       AND digest = :digest
       AND used_at IS NULL
     RETURNING 1`,
    { id: bytes(id), digest: bytes(digest) },
  );
  return rows.length > 0;
}

export async function countRecoveryCodes(db: Runner, id: string): Promise<number> {
  const rows = await db.run<{ count: number }>(
    'count_recovery_codes',
    `-- any account: a person belongs to the deployment
     SELECT count(*)::int AS count
     FROM payment.recovery_codes
     WHERE person_id = :id
       AND used_at IS NULL`,
    { id: bytes(id) },
  );
  return rows[0]?.count ?? 0;
}

export type AccountRow = RoleColumns & {
  readonly merchant_account_id: string;
  readonly name: string;
  /** The account's people sign in only by single sign-on; its owners may also sign in otherwise. */
  readonly sign_on_alone: boolean;
};

/** The accounts in which a person is a member, by name. */
export async function findAccounts(db: Runner, person_id: string): Promise<readonly AccountRow[]> {
  return db.run<AccountRow>(
    'find_accounts_of_person',
    `-- any account: the person says which ones they are
     SELECT
       a.merchant_account_id, a.name, a.role, a.role_name, a.role_rights,
       alone.merchant_account_id IS NOT NULL AS sign_on_alone
     FROM payment.accounts_of_person(:person_id) a
     LEFT JOIN payment.sign_on_alone(:person_id) alone USING (merchant_account_id)
     ORDER BY a.name, a.merchant_account_id`,
    { person_id: bytes(person_id) },
  );
}
