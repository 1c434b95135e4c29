// Statements on failed sign-ins and the locks that follow them: one for each network a person has signed in from
// before, and one for everywhere else together. All of them by the clock of the database server.
import { type Runner, bytes } from '../../../kit/database.ts';

/** A lock grows with the failures in a row: from `first` on a pause that doubles, from `many` on the longest. */
export type LockPolicy = {
  readonly first: number;
  readonly many: number;
  /** Minutes. */
  readonly longest: number;
  /** After this many hours without a failure the count begins again. */
  readonly forget_h: number;
};

type Where = { readonly person_id: string; readonly network: string };

/** Counts a failure where it happened. Answers until when it locks there; null: it does not. */
export async function countFailure(
  db: Runner,
  { person_id, network }: Where,
  policy: LockPolicy,
): Promise<Date | null> {
  const rows = await db.run<{ locked_until: Date | null }>(
    'count_login_failure',
    `-- any account: a person belongs to the deployment
     WITH known AS (
       UPDATE payment.known_networks k
       SET
         failures = k.failures + 1,
         locked_until = CASE
           WHEN k.failures + 1 >= :many::int THEN
             clock_timestamp() + make_interval(mins => :longest::int)
           WHEN k.failures + 1 >= :first::int THEN
             clock_timestamp() + make_interval(mins => (2 ^ (k.failures + 1 - :first::int))::int)
           ELSE k.locked_until
         END
       WHERE k.person_id = :person_id
         AND k.network = :network
       RETURNING k.locked_until
     ),
     elsewhere AS (
       UPDATE payment.people p
       SET
         failures = n.count,
         failed_at = clock_timestamp(),
         locked_until = CASE
           WHEN n.count >= :many::int THEN clock_timestamp() + make_interval(mins => :longest::int)
           WHEN n.count >= :first::int THEN
             clock_timestamp() + make_interval(mins => (2 ^ (n.count - :first::int))::int)
           ELSE p.locked_until
         END
       FROM (
         SELECT CASE
           WHEN q.failed_at < clock_timestamp() - make_interval(hours => :forget_h::int) THEN 1
           ELSE q.failures + 1
         END AS count
         FROM payment.people q
         WHERE q.id = :person_id
         FOR NO KEY UPDATE
       ) n
       WHERE p.id = :person_id
         AND NOT EXISTS (SELECT 1 FROM known)
       RETURNING p.locked_until
     )
     SELECT locked_until FROM known
     UNION ALL
     SELECT locked_until FROM elsewhere`,
    { person_id: bytes(person_id), network, ...policy },
  );
  return rows[0]?.locked_until ?? null;
}

/** Makes the network known. What was counted elsewhere stays, unless this was elsewhere until now. */
export async function noteLogin(db: Runner, { person_id, network }: Where): Promise<void> {
  await db.run(
    'note_login',
    `-- any account: a person belongs to the deployment
     WITH known AS (
       UPDATE payment.known_networks
       SET failures = 0, locked_until = NULL, seen_at = clock_timestamp()
       WHERE person_id = :person_id
         AND network = :network
       RETURNING 1
     ),
     added AS (
       INSERT INTO payment.known_networks (person_id, network)
       SELECT :person_id::bytea, :network::text
       WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT DO NOTHING
     )
     UPDATE payment.people
     SET
       failures = CASE WHEN EXISTS (SELECT 1 FROM known) THEN failures ELSE 0 END,
       locked_until = CASE WHEN EXISTS (SELECT 1 FROM known) THEN locked_until END,
       last_login_at = clock_timestamp()
     WHERE id = :person_id`,
    { person_id: bytes(person_id), network },
  );
}

/** Forgets networks without a sign-in for so many days. */
export async function forgetNetworks(db: Runner, person_id: string, days: number): Promise<void> {
  await db.run(
    'forget_networks',
    `-- any account: a person belongs to the deployment
     DELETE FROM payment.known_networks
     WHERE person_id = :person_id
       AND seen_at < clock_timestamp() - make_interval(days => :days::int)`,
    { person_id: bytes(person_id), days },
  );
}

/** Ends every lock of a person. False: there is no such person. */
export async function unlock(db: Runner, person_id: string): Promise<boolean> {
  const rows = await db.run(
    'unlock_person',
    `-- any account: a person belongs to the deployment
     WITH known AS (
       UPDATE payment.known_networks
       SET failures = 0, locked_until = NULL
       WHERE person_id = :person_id
     )
     UPDATE payment.people
     SET failures = 0, locked_until = NULL
     WHERE id = :person_id
     RETURNING 1`,
    { person_id: bytes(person_id) },
  );
  return rows.length > 0;
}
