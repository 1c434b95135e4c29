// Statements on requests to erase a person: stored, listed, taken up by the worker, ended.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

/**
 * Whose data: a customer's, by the merchant's id of them; or a guest's, by the e-mail of orders and checkouts that name
 * no customer.
 */
export type Whose =
  | { readonly customer_id: string; readonly email: null }
  | { readonly customer_id: null; readonly email: string };

/** Neither customer nor guest: the erasure is done, and whom it was about is not stored any more. */
export type ErasureRow = (Whose | { readonly customer_id: null; readonly email: null }) & {
  readonly id: string;
  readonly state: 'waiting' | 'done';
  readonly seen_to: string | null;
  readonly orders: number;
  readonly checkouts: number;
  readonly cards: number;
  readonly requested_by: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
};

export async function insertErasure(
  db: TenantRunner,
  { id, customer_id, email, requested_by }: Whose & { readonly id: string; readonly requested_by: string },
): Promise<void> {
  await db.run(
    'insert_erasure',
    `INSERT INTO payment.erasures (id, merchant_account_id, customer_id, email, requested_by)
     VALUES (:id, :merchant_account_id, :customer_id, :email, :requested_by)`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id), customer_id, email, requested_by },
  );
}

export async function findErasure(db: TenantRunner, id: string): Promise<ErasureRow | undefined> {
  const rows = await db.run<ErasureRow>(
    'find_erasure',
    `SELECT
       id, customer_id, email, state, seen_to, orders, checkouts, cards,
       requested_by, created_at, ended_at
     FROM payment.erasures
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** The newest first. */
export async function listErasures(db: TenantRunner): Promise<readonly ErasureRow[]> {
  return db.run<ErasureRow>(
    'list_erasures',
    `SELECT
       id, customer_id, email, state, seen_to, orders, checkouts, cards,
       requested_by, created_at, ended_at
     FROM payment.erasures
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY id DESC
     LIMIT 50`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type Progress = Pick<ErasureRow, 'id' | 'seen_to'> & {
  readonly orders: number;
  readonly checkouts: number;
  readonly cards: number;
};

/** Adds the work that was done since, and the place to go on from. False: another worker has ended it. */
export async function noteErasure(db: TenantRunner, progress: Progress): Promise<boolean> {
  const rows = await db.run(
    'note_erasure',
    `UPDATE payment.erasures
     SET
       seen_to = coalesce(:seen_to, seen_to), orders = orders + :orders,
       checkouts = checkouts + :checkouts, cards = cards + :cards,
       due_at = payment.now() + interval '2 minutes'
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state <> 'done'
     RETURNING 1`,
    {
      ...progress,
      id: bytes(progress.id),
      seen_to: bytes(progress.seen_to),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows.length > 0;
}

/** False: another worker has ended it. */
export async function endErasure(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'end_erasure',
    `UPDATE payment.erasures
     SET state = 'done', customer_id = NULL, email = NULL, ended_at = payment.now()
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state <> 'done'
     RETURNING 1`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

export async function claimErasure(
  db: Runner,
  lease_s: number,
): Promise<{ readonly merchant_account_id: string; readonly id: string } | undefined> {
  const rows = await db.run<{ merchant_account_id: string; id: string }>(
    'claim_erasure',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, id
     FROM payment.claim_erasure(make_interval(secs => :lease_s::double precision))`,
    { lease_s },
  );
  return rows[0];
}
