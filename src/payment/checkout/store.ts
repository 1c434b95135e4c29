// Statements on checkouts.
import { type RowStatement, type TenantRunner, askRow, bytes, rowStatement } from '../../kit/database.ts';
import { type Key, keyParameters, newKeys } from '../store.ts';
import type { StoredCheckout } from './request.ts';

/** The orders `o` of a checkout, by the indexes of those that are live and of those that are not. */
export function ordersOf(checkout_id: string): string {
  return `(
       SELECT *
       FROM payment.orders l
       WHERE l.checkout_id = ${checkout_id}
         AND l.merchant_account_id = :merchant_account_id
         AND l.live
       UNION ALL
       SELECT *
       FROM payment.orders d
       WHERE d.checkout_id = ${checkout_id}
         AND d.merchant_account_id = :merchant_account_id
         AND NOT d.live
     ) o`;
}

/** A checkout has an order `o` that fits. Either `o.live` or `NOT o.live` is named: each has an index. */
export function hasOrder(checkout_id: string, fits: string): string {
  return `EXISTS (
         SELECT 1
         FROM payment.orders o
         WHERE o.checkout_id = ${checkout_id}
           AND o.merchant_account_id = :merchant_account_id
           AND ${fits}
       )`;
}

export type CheckoutRow = {
  readonly id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly status: 'created' | 'cancelled' | 'expired';
  readonly expires_at: Date;
  readonly body: StoredCheckout;
  readonly page_handle: string | null;
  readonly attempts: number;
  readonly max_attempts: number;
  /** The payment link that it was opened from. */
  readonly link_id: string | null;
};

export type NewCheckout = {
  readonly id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly now: Date;
  readonly expires_at: Date;
  readonly body: StoredCheckout;
  readonly page_handle: string | null;
  readonly max_attempts: number;
  readonly link_id: string | null;
  readonly key: Key | undefined;
};

/** Stores a checkout and, in the same commit, its Idempotency-Key. False: the key is taken, nothing was stored. */
export async function insertCheckout(db: TenantRunner, { key, ...row }: NewCheckout): Promise<boolean> {
  const inserted = await askRow(db.batch, key ? INSERT_CHECKOUT : INSERT_PLAIN_CHECKOUT, {
    ...row,
    ...keyParameters(key),
    id: bytes(row.id),
    body: JSON.stringify(row.body),
    merchant_account_id: bytes(db.merchant_account_id),
    page_handle: bytes(row.page_handle),
    link_id: bytes(row.link_id),
  });
  return inserted !== undefined;
}

const checkoutStatement = (name: string, keyed: boolean): RowStatement =>
  rowStatement(
    name,
    {
      columns: {
        id: 'bytea',
        amount_minor: 'bigint',
        currency: 'text',
        now: 'timestamptz',
        expires_at: 'timestamptz',
        body: 'json',
        page_handle: 'bytea',
        max_attempts: 'smallint',
        link_id: 'bytea',
        key: 'text',
        route: 'text',
        key_fingerprint: 'bytea',
      },
    },
    (asked) => `WITH ${asked},
     ${keyed ? `${newKeys('asked', 'id')},` : ''}
     accepted AS (
       SELECT asked.* FROM asked ${keyed ? 'JOIN new_key ON new_key.object_id = asked.id' : ''}
     ),
     new_checkout AS (
       INSERT INTO payment.checkouts (
         id, merchant_account_id, amount_minor, currency, created_at, expires_at, body,
         page_handle, max_attempts, link_id)
       SELECT
         id, :merchant_account_id, amount_minor, currency, now, expires_at, body,
         page_handle, max_attempts, link_id
       FROM accepted
     )
     SELECT n FROM accepted`,
  );

const INSERT_PLAIN_CHECKOUT = checkoutStatement('insert_plain_checkout', false);
const INSERT_CHECKOUT = checkoutStatement('insert_checkout', true);

export type CheckoutOrder = {
  readonly order_id: string;
  readonly status: string;
  readonly live: boolean;
  readonly won: boolean;
  readonly code: string | null;
};
export type CheckoutWithOrders = CheckoutRow & { readonly orders: readonly CheckoutOrder[]; readonly expired: boolean };

/** A checkout with its orders, newest first, and the code of each order's last event. */
export async function findCheckout(db: TenantRunner, id: string): Promise<CheckoutWithOrders | undefined> {
  const rows = await db.run<CheckoutWithOrders>(
    'find_checkout',
    `SELECT
       c.id, c.amount_minor, c.currency, c.status, c.expires_at, c.body, c.page_handle, c.attempts,
       c.max_attempts, c.link_id, c.expires_at <= payment.now() AS expired,
       coalesce(
         (
           SELECT json_agg(json_build_object(
             'order_id', encode(o.id, 'hex'), 'status', o.status, 'live', o.live,
             'won', o.winner_id IS NOT NULL,
             'code', (
               SELECT e.code
               FROM payment.events e
               WHERE e.subject_id = o.id
                 AND e.merchant_account_id = :merchant_account_id
                 AND e.code IS NOT NULL
               ORDER BY e.seq DESC
               LIMIT 1
             )) ORDER BY o.id DESC)
           FROM ${ordersOf('c.id')}
         ),
         '[]') AS orders
     FROM payment.checkouts c
     WHERE c.id = :id
       AND c.merchant_account_id = :merchant_account_id`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** The vault's question before it binds a token: could this checkout take an order now? */
export async function isCheckoutOpen(db: TenantRunner, id: string): Promise<boolean> {
  const parameters = { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) };
  return (await askRow(db.batchRead, IS_CHECKOUT_OPEN, parameters)) !== undefined;
}

const IS_CHECKOUT_OPEN = rowStatement(
  'is_checkout_open',
  { columns: { id: 'bytea' }, reads: true },
  (asked) => `WITH ${asked}
     SELECT asked.n
     FROM asked
     JOIN payment.checkouts c ON c.id = asked.id
     WHERE c.merchant_account_id = :merchant_account_id
       AND c.status = 'created'
       AND c.expires_at > payment.now()
       AND c.attempts < c.max_attempts
       AND NOT ${hasOrder('c.id', 'o.live')}
       AND NOT ${hasOrder('c.id', 'NOT o.live AND o.winner_id IS NOT NULL')}`,
);

/**
 * Ends a checkout that is neither paid nor being paid: its payer leaves, or another payer opens the link that it came
 * from. Only if nothing has happened since it was read: an order that is being accepted counts its attempt in the same
 * row, and wins. False: an order won, or the checkout had ended.
 */
export async function cancelCheckout(
  db: TenantRunner,
  { id, attempts }: Pick<CheckoutRow, 'id' | 'attempts'>,
): Promise<boolean> {
  const rows = await db.run(
    'cancel_checkout',
    `UPDATE payment.checkouts c
     SET status = 'cancelled'
     WHERE c.id = :id
       AND c.merchant_account_id = :merchant_account_id
       AND c.status = 'created'
       AND c.attempts = :attempts
       AND NOT ${hasOrder('c.id', 'o.live')}
     RETURNING 1`,
    { id: bytes(id), attempts, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}
