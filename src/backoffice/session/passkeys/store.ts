// Statements on passkeys and what authenticators are asked to sign. By the clock of the database server.
import { type Runner, bytes } from '../../../kit/database.ts';

/** Hex. */
export type Challenge = {
  readonly challenge: string;
  /** Hash of the session or ticket that it is for; null: the person is not known yet. */
  readonly holder: string | null;
};

/** Keeps one; those whose time is over go on the way. */
export async function keepChallenge(db: Runner, { challenge, holder }: Challenge): Promise<void> {
  await db.run(
    'keep_passkey_challenge',
    `-- any account: a person belongs to the deployment
     WITH over AS (
       DELETE FROM payment.passkey_challenges
       WHERE created_at < statement_timestamp() - interval '5 minutes'
     )
     INSERT INTO payment.passkey_challenges (challenge, holder)
     VALUES (:challenge, :holder)`,
    { challenge: bytes(challenge), holder: bytes(holder) },
  );
}

/** True once, within five minutes, for whom it was made. */
export async function takeChallenge(db: Runner, { challenge, holder }: Challenge): Promise<boolean> {
  const rows = await db.run(
    'take_passkey_challenge',
    `-- any account: a person belongs to the deployment
     DELETE FROM payment.passkey_challenges
     WHERE challenge = :challenge
       AND holder IS NOT DISTINCT FROM :holder::bytea
       AND created_at > clock_timestamp() - interval '5 minutes'
     RETURNING 1`,
    { challenge: bytes(challenge), holder: bytes(holder) },
  );
  return rows.length > 0;
}

export type PasskeyRow = {
  readonly id: string;
  readonly person_id: string;
  /** Hex, as the next. */
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: bigint;
  readonly synced: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
};

export type NewPasskey = Omit<PasskeyRow, 'created_at' | 'used_at'>;

/** False: the authenticator's key is registered already. */
export async function insertPasskey(db: Runner, passkey: NewPasskey): Promise<boolean> {
  const rows = await db.run(
    'insert_passkey',
    `-- any account: a person belongs to the deployment
     INSERT INTO payment.passkeys (id, person_id, credential_id, public_key, counter, synced, name)
     SELECT
       :id::bytea, p.id, :credential_id::bytea, :public_key::bytea, :counter::bigint,
       :synced::boolean, :name::text
     FROM payment.people p
     WHERE p.id = :person_id
       AND p.totp_confirmed_at IS NOT NULL
     FOR NO KEY UPDATE
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    {
      ...passkey,
      id: bytes(passkey.id),
      person_id: bytes(passkey.person_id),
      credential_id: bytes(passkey.credential_id),
      public_key: bytes(passkey.public_key),
    },
  );
  return rows.length > 0;
}

/** The oldest first. */
export async function listPasskeys(db: Runner, person_id: string): Promise<readonly PasskeyRow[]> {
  return db.run<PasskeyRow>(
    'list_passkeys',
    `-- any account: a person belongs to the deployment
     SELECT id, person_id, credential_id, public_key, counter, synced, name, created_at, used_at
     FROM payment.passkeys
     WHERE person_id = :person_id
     ORDER BY id
     LIMIT 100`,
    { person_id: bytes(person_id) },
  );
}

export async function findPasskey(db: Runner, credential_id: string): Promise<PasskeyRow | undefined> {
  const rows = await db.run<PasskeyRow>(
    'find_passkey',
    `-- any account: a person belongs to the deployment
     SELECT id, person_id, credential_id, public_key, counter, synced, name, created_at, used_at
     FROM payment.passkeys
     WHERE credential_id = :credential_id`,
    { credential_id: bytes(credential_id) },
  );
  return rows[0];
}

/** Notes a use. False: it was used as often before, or removed meanwhile: of two at once one is refused. */
export async function countPasskey(
  db: Runner,
  { id, counter, synced }: Pick<PasskeyRow, 'id' | 'counter' | 'synced'>,
): Promise<boolean> {
  const rows = await db.run(
    'count_passkey',
    `-- any account: a person belongs to the deployment
     UPDATE payment.passkeys
     SET counter = :counter, synced = :synced, used_at = clock_timestamp()
     WHERE id = :id
       AND (counter < :counter OR (counter = 0 AND :counter = 0))
     RETURNING 1`,
    { id: bytes(id), counter, synced },
  );
  return rows.length > 0;
}

/** The name of what was removed; undefined: the person has no such passkey. */
export async function deletePasskey(
  db: Runner,
  { id, person_id }: Pick<PasskeyRow, 'id' | 'person_id'>,
): Promise<string | undefined> {
  const rows = await db.run<{ name: string }>(
    'delete_passkey',
    `-- any account: a person belongs to the deployment
     DELETE FROM payment.passkeys
     WHERE id = :id
       AND person_id = :person_id
     RETURNING name`,
    { id: bytes(id), person_id: bytes(person_id) },
  );
  return rows[0]?.name;
}
