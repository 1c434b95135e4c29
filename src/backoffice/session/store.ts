// Statements on sessions, by the clock of the database server, never the sandbox's.
import { SESSION } from '../../core/people/limits.ts';
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { PersonRow } from './person-store.ts';

export type NewSession = {
  readonly digest: string;
  readonly id: string;
  readonly person_id: string;
  readonly account_id: string | null;
  readonly stage: 'totp' | 'in';
  readonly source: string;
  readonly browser: string;
};

/** False: the password, the second factor or a lock is another one by now than when the person was looked at. */
export async function insertSession(
  db: Runner,
  session: NewSession,
  { password, totp_confirmed, network }: Pick<PersonRow, 'password' | 'totp_confirmed' | 'network'>,
): Promise<boolean> {
  const rows = await db.run(
    'insert_session',
    `-- any account: a session belongs to a person
     INSERT INTO payment.sessions (
       digest, id, person_id, account_id, stage, source,
       browser)
     SELECT
       :digest::bytea, :id::bytea, p.id, :account_id::bytea, :stage::text, :source::text,
       :browser::text
     FROM payment.people p
     WHERE p.id = :person_id
       AND p.password = :password
       AND (p.totp_confirmed_at IS NOT NULL) = :totp_confirmed
       AND coalesce(
         (
           SELECT coalesce(k.locked_until, '-infinity')
           FROM payment.known_networks k
           WHERE k.person_id = p.id
             AND k.network = :network
         ),
         p.locked_until, '-infinity') <= clock_timestamp()
     FOR NO KEY UPDATE
     RETURNING 1`,
    {
      ...session,
      password,
      totp_confirmed,
      network,
      digest: bytes(session.digest),
      id: bytes(session.id),
      person_id: bytes(session.person_id),
      account_id: bytes(session.account_id),
    },
  );
  return rows.length > 0;
}

export type SessionRow = {
  readonly id: string;
  readonly person_id: string;
  readonly account_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly totp: boolean;
  readonly passkeys: boolean;
  /** Begun by single sign-on, and for this account alone. */
  readonly sign_on_account: string | null;
  readonly sign_out_url: string | null;
  /** The accounts that ended the session for themselves. */
  readonly shut_accounts: readonly string[];
  readonly idle_at: Date;
  readonly ends_at: Date;
  /** They gave their password, and the code where there is a second factor, a short while ago. */
  readonly proved: boolean;
  /** The last use was noted a while ago, so it is noted again. */
  readonly stale: boolean;
};

const IDLE = `interval '${SESSION.idle_minutes} minutes'`;
const LONGEST = `interval '${SESSION.longest_hours} hours'`;
/** The session `s` has not been ended by anybody, and is not too old. */
const BEGUN = `s.stage = 'in'
       AND s.created_at > clock_timestamp() - ${LONGEST}`;
const AWAKE = `s.seen_at > clock_timestamp() - ${IDLE}`;
/** Somebody is signed in with the session `s`: it was not idle for too long, either. */
export const SIGNED_IN = `${BEGUN}
       AND ${AWAKE}`;

/** A session somebody is signed in with. `idle`: however long it has been idle. */
export async function findSession(db: Runner, digest: string, idle = false): Promise<SessionRow | undefined> {
  const rows = await db.run<SessionRow>(
    'find_session',
    `-- any account: a session belongs to a person
     SELECT
       s.id, s.person_id, s.account_id, p.email, p.name, p.totp_confirmed_at IS NOT NULL AS totp,
       EXISTS (SELECT 1 FROM payment.passkeys k WHERE k.person_id = p.id) AS passkeys,
       s.sign_on_account, s.sign_out_url,
       array(SELECT encode(shut, 'hex') FROM unnest(s.shut_accounts) shut) AS shut_accounts,
       s.seen_at + ${IDLE} AS idle_at, s.created_at + ${LONGEST} AS ends_at,
       s.seen_at < clock_timestamp() - interval '15 seconds' AS stale,
       s.proved_at > clock_timestamp() - make_interval(mins => :proved_minutes::int) AS proved
     FROM payment.sessions s
     JOIN payment.people p ON p.id = s.person_id
     WHERE s.digest = :digest
       AND ${BEGUN}
       AND (:idle OR ${AWAKE})`,
    { digest: bytes(digest), proved_minutes: PROVED_MINUTES, idle },
  );
  return rows[0];
}

/** How long a proof counts as recent. */
const PROVED_MINUTES = 10;

/** Counts a try at the second step and gives whose it is, for five minutes and five tries. */
export async function tryTicket(db: Runner, digest: string): Promise<string | undefined> {
  const rows = await db.run<{ person_id: string }>(
    'try_login_ticket',
    `-- any account: a session belongs to a person
     UPDATE payment.sessions
     SET tries = tries + 1
     WHERE digest = :digest
       AND stage = 'totp'
       AND tries < 5
       AND created_at > clock_timestamp() - interval '5 minutes'
     RETURNING person_id`,
    { digest: bytes(digest) },
  );
  return rows[0]?.person_id;
}

/** The person of a ticket for the second step, without counting a try. */
export async function findTicket(db: Runner, digest: string): Promise<string | undefined> {
  const rows = await db.run<{ person_id: string }>(
    'find_login_ticket',
    `-- any account: a session belongs to a person
     SELECT person_id
     FROM payment.sessions
     WHERE digest = :digest
       AND stage = 'totp'
       AND tries < 5
       AND created_at > clock_timestamp() - interval '5 minutes'`,
    { digest: bytes(digest) },
  );
  return rows[0]?.person_id;
}

export async function touchSession(db: Runner, digest: string): Promise<void> {
  await db.run(
    'touch_session',
    `-- any account: a session belongs to a person
     UPDATE payment.sessions SET seen_at = clock_timestamp() WHERE digest = :digest`,
    { digest: bytes(digest) },
  );
}

export async function switchAccount(db: Runner, digest: string, account_id: string): Promise<void> {
  await db.run(
    'switch_session_account',
    `-- any account: a session belongs to a person
     UPDATE payment.sessions SET account_id = :account_id WHERE digest = :digest`,
    { digest: bytes(digest), account_id: bytes(account_id) },
  );
}

export async function deleteSession(db: Runner, digest: string): Promise<void> {
  await db.run(
    'delete_session',
    `-- any account: a session belongs to a person
     DELETE FROM payment.sessions WHERE digest = :digest`,
    { digest: bytes(digest) },
  );
}

/** Deletes one session by its id, or all sessions of a person except `except`; answers how many. */
export async function deleteSessions(
  db: Runner,
  { person_id, id = null, except = null }: { person_id: string; id?: string | null; except?: string | null },
): Promise<number> {
  const rows = await db.run(
    'delete_sessions',
    `-- any account: a session belongs to a person
     DELETE FROM payment.sessions
     WHERE person_id = :person_id
       AND (:id::bytea IS NULL OR id = :id)
       AND (:except::bytea IS NULL OR id <> :except)
     RETURNING 1`,
    { person_id: bytes(person_id), id: bytes(id), except: bytes(except) },
  );
  return rows.length;
}

/** Ends all of a person for one account; they go on in others, where it has no say. How many it ended. */
export async function shutSessions(db: TenantRunner, person_id: string): Promise<number> {
  const rows = await db.run(
    'shut_sessions',
    `UPDATE payment.sessions
     SET shut_accounts = shut_accounts || :merchant_account_id::bytea
     WHERE person_id = :person_id
       AND (sign_on_account IS NULL OR sign_on_account = :merchant_account_id)
       AND NOT :merchant_account_id = ANY (shut_accounts)
     RETURNING 1`,
    { person_id: bytes(person_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length;
}

export type OwnSessionRow = Pick<SessionRow, 'sign_on_account'> & {
  readonly id: string;
  readonly source: string;
  readonly browser: string;
  readonly created_at: Date;
  readonly seen_at: Date;
};

/** A person's sessions that still hold, the newest first; those that have ended are removed on the way. */
export async function listSessions(db: Runner, person_id: string): Promise<readonly OwnSessionRow[]> {
  return db.run<OwnSessionRow>(
    'list_sessions',
    `-- any account: a session belongs to a person
     WITH ended AS (
       DELETE FROM payment.sessions
       WHERE person_id = :person_id
         AND (created_at < clock_timestamp() - ${LONGEST}
           OR seen_at < clock_timestamp() - ${IDLE})
     )
     SELECT s.id, s.source, s.browser, s.created_at, s.seen_at, s.sign_on_account
     FROM payment.sessions s
     WHERE s.person_id = :person_id
       AND ${SIGNED_IN}
     ORDER BY s.created_at DESC
     LIMIT 100`,
    { person_id: bytes(person_id) },
  );
}
