// Statements on authorizations and checkouts whose time is over.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type Ended = { readonly order_id: string; readonly merchant_account_id: string };

/** How far a job has come: the last id it has seen, and the database's present moment. */
export async function findJob(
  db: Runner,
  name: string,
): Promise<{ position: string | null; at: Date | null; now: Date }> {
  const rows = await db.run<{ position: string | null; at: Date | null; now: Date }>(
    'find_job',
    `-- any account: the jobs of the deployment
     SELECT j.position, j.at, payment.now() AS now
     FROM (SELECT 1) one
     LEFT JOIN payment.jobs j ON j.name = :name`,
    { name },
  );
  const [row] = rows;
  if (!row) throw new Error('find_job gives one row');
  return row;
}

/**
 * Forward only, as several processes do the job at once. A job that is ahead of the clock goes back with it: the clock
 * was wrong for a while, and was set back.
 */
export async function moveJob(db: Runner, job: { name: string; position: string | null; at: Date }): Promise<void> {
  await db.run(
    'move_job',
    `-- any account: the jobs of the deployment
     INSERT INTO payment.jobs (name, position, at)
     VALUES (:name, :position, :at)
     ON CONFLICT (name) DO UPDATE SET
       position = greatest(
         CASE WHEN jobs.at <= payment.now() THEN jobs.position END, excluded.position),
       at = greatest(CASE WHEN jobs.at <= payment.now() THEN jobs.at END, excluded.at)`,
    { ...job, position: bytes(job.position) },
  );
}

export async function findAuthorizationDays(db: Runner): Promise<readonly number[]> {
  const rows = await db.run<{ days: number }>(
    'find_authorization_days',
    `-- any account: how long authorizations last, over all contracts
     SELECT d AS days FROM payment.authorization_days() d`,
  );
  return rows.map(({ days }) => days);
}

/** How long an authorization under this contract lasts. */
export async function findDaysOf(db: TenantRunner, contract_id: string): Promise<number | undefined> {
  const rows = await db.run<{ days: number }>(
    'find_days_of_contract',
    `SELECT authorization_days AS days
     FROM payment.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    { contract_id: bytes(contract_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0]?.days;
}

/** Orders with ids after one and up to another whose authorization is over and not used up. */
export async function findLapsing(
  db: Runner,
  { after, until, days, room }: { after: string; until: string; days: number; room: number },
): Promise<readonly Ended[]> {
  return db.run<Ended>(
    'find_lapsing',
    `-- any account: the authorizations of all of them
     SELECT order_id, merchant_account_id
     FROM payment.lapsing(:after, :until, :days, :room)`,
    { after: bytes(after), until: bytes(until), days, room },
  );
}

/** Orders that were undecided when their time was over. */
export async function findLapsesAgain(db: Runner, room: number): Promise<readonly Ended[]> {
  return db.run<Ended>(
    'find_lapses_again',
    `-- any account: the authorizations of all of them
     SELECT order_id, merchant_account_id FROM payment.lapses_again(:room)`,
    { room },
  );
}

export async function postponeLapse(db: TenantRunner, order_id: string, later_s: number): Promise<void> {
  await db.run(
    'postpone_lapse',
    `INSERT INTO payment.lapses (merchant_account_id, order_id, due_at)
     VALUES (:merchant_account_id, :order_id, payment.now() + make_interval(secs => :later_s))
     ON CONFLICT (merchant_account_id, order_id) DO UPDATE SET due_at = excluded.due_at`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id), later_s },
  );
}

export async function dropLapse(db: TenantRunner, order_id: string): Promise<void> {
  await db.run(
    'drop_lapse',
    `DELETE FROM payment.lapses
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id) },
  );
}

/**
 * Checkouts whose time ended between two moments, and that were not paid and are not being paid: so many by their id,
 * behind one. Answers the last that was looked at, if there may be more.
 */
export async function expireCheckouts(
  db: Runner,
  { after, until, behind, room }: { after: Date; until: Date; behind: string; room: number },
): Promise<string | null> {
  const rows = await db.run<{ last: string | null }>(
    'expire_checkouts',
    `-- any account: the checkouts of all of them
     SELECT payment.expire_checkouts(:after, :until, :behind, :room) AS last`,
    { after, until, behind: bytes(behind), room },
  );
  return rows[0]?.last ?? null;
}

/** Idempotency-Keys that were used between two moments: of orders and maintenance, or of all else. */
export async function forgetKeys(
  db: Runner,
  used: { readonly after: Date; readonly until: Date; readonly of_orders: boolean },
): Promise<void> {
  await db.run(
    'forget_keys',
    `-- any account: retention is the same for all
     SELECT payment.forget_keys(:after, :until, :of_orders)`,
    used,
  );
}
