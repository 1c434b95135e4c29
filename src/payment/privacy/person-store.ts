// Statements on the data of a person: orders and checkouts are found and locked, members are taken out of them, and
// rows that are about the person alone are deleted.
import { type TenantRunner, bytes } from '../../kit/database.ts';
import type { Whose } from './store.ts';

/** Locks a checkout until the commit: an order that is being accepted counts its attempt in the same row. */
export async function lockCheckout(db: TenantRunner, id: string): Promise<void> {
  await db.run(
    'lock_checkout',
    `SELECT 1
     FROM payment.checkouts
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
     FOR UPDATE`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The ids of all orders of a checkout. */
export async function listOrdersOf(db: TenantRunner, checkout_id: string): Promise<readonly string[]> {
  const rows = await db.run<{ id: string }>(
    'list_orders_of_checkout',
    `SELECT l.id
     FROM payment.orders l
     WHERE l.checkout_id = :checkout_id
       AND l.merchant_account_id = :merchant_account_id
       AND l.live
     UNION ALL
     SELECT d.id
     FROM payment.orders d
     WHERE d.checkout_id = :checkout_id
       AND d.merchant_account_id = :merchant_account_id
       AND NOT d.live`,
    { checkout_id: bytes(checkout_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ id }) => id);
}

/** Locks orders until the commit: every other change of them waits for it. */
export async function lockOrders(db: TenantRunner, ids: readonly string[]): Promise<void> {
  await db.run(
    'lock_orders',
    `SELECT 1
     FROM payment.orders
     WHERE merchant_account_id = :merchant_account_id
       AND id = ANY (:ids::bytea[])
     ORDER BY id
     FOR UPDATE`,
    { ids: ids.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** With which attempts before the last one of these orders were sent, where that was another e-mail. */
export async function findEarlierEmails(db: TenantRunner, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db.run<{ email: string }>(
    'find_earlier_emails',
    `SELECT DISTINCT t.otherwise ->> 'customer_email' AS email
     FROM payment.transactions t
     WHERE t.order_id = ANY (:ids::bytea[])
       AND t.merchant_account_id = :merchant_account_id
       AND t.otherwise ->> 'customer_email' IS NOT NULL`,
    { ids: ids.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ email }) => email);
}

export type Taking = Whose & {
  readonly checkout_id: string | null;
  /** The orders of the checkout, or the one order that has none. */
  readonly ids: readonly string[];
  readonly pattern: string;
};

export type Taken = { readonly orders: readonly string[]; readonly checkouts: bigint };

/**
 * Takes members out of a checkout, and out of those of its orders that are theirs. Notes that people of the
 * account wrote about these orders are deleted, too, and a checkout that could still be paid ends, as if the payer had
 * left. All of these rows are locked before.
 */
export async function stripOrders(
  db: TenantRunner,
  { checkout_id, ids, customer_id, email, pattern }: Taking,
): Promise<Taken> {
  const rows = await db.run<Taken>(
    'strip_orders',
    `WITH theirs AS MATERIALIZED (
       SELECT o.id, o.winner_id
       FROM payment.orders o
       LEFT JOIN payment.checkouts c
         ON c.id = o.checkout_id
         AND c.merchant_account_id = :merchant_account_id
       WHERE o.merchant_account_id = :merchant_account_id
         AND o.id = ANY (:ids::bytea[])
         AND payment.is_whose(o.body, c.body, :customer_id, :email)
     ),
     of_checkout AS (
       UPDATE payment.checkouts c
       SET
         body = payment.without_members(c.body, :pattern),
         status = CASE
           WHEN c.status = 'created'
             AND c.expires_at > payment.now()
             AND NOT EXISTS (
               SELECT 1
               FROM theirs
               WHERE theirs.winner_id IS NOT NULL
             )
           THEN 'cancelled'
           ELSE c.status
         END
       WHERE c.id = :checkout_id
         AND c.merchant_account_id = :merchant_account_id
         AND (payment.is_whose(NULL, c.body, :customer_id, :email) OR EXISTS (SELECT 1 FROM theirs))
       RETURNING 1
     ),
     forgotten_notes AS (
       DELETE FROM payment.order_notes n
       USING theirs
       WHERE n.order_id = theirs.id
         AND n.merchant_account_id = :merchant_account_id
       RETURNING 1
     ),
     stripped_attempts AS (
       UPDATE payment.transactions t
       SET otherwise = payment.without_members(t.otherwise, :pattern)
       FROM theirs
       WHERE t.order_id = theirs.id
         AND t.merchant_account_id = :merchant_account_id
         AND t.otherwise IS NOT NULL
     ),
     stripped AS (
       UPDATE payment.orders o
       SET body = payment.without_members(o.body, :pattern), version = o.version + 1
       FROM theirs
       WHERE o.id = theirs.id
         AND o.merchant_account_id = :merchant_account_id
       RETURNING o.id
     )
     SELECT
       coalesce(json_agg(encode(stripped.id, 'hex')), '[]') AS orders,
       (
         SELECT count(*)
         FROM of_checkout
       ) AS checkouts
     FROM stripped`,
    {
      checkout_id: bytes(checkout_id),
      ids: ids.map((id) => bytes(id)),
      customer_id,
      email,
      pattern,
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows[0] ?? { orders: [], checkouts: 0n };
}

/**
 * The account's next checkouts after an id, `room` at a time, and which of them are theirs. `last` null: these
 * were the last.
 */
export async function findCheckouts(
  db: TenantRunner,
  { after, customer_id, email, room }: Whose & { readonly after: string; readonly room: number },
): Promise<{ readonly last: string | null; readonly theirs: readonly string[] }> {
  const rows = await db.run<{ id: string; is_theirs: boolean }>(
    'find_checkouts_of_person',
    `SELECT c.id, payment.is_whose(NULL, c.body, :customer_id, :email) AS is_theirs
     FROM payment.checkouts c
     WHERE c.id > :after
       AND c.merchant_account_id = :merchant_account_id
     ORDER BY c.id
     LIMIT :room`,
    { after: bytes(after), customer_id, email, room, merchant_account_id: bytes(db.merchant_account_id) },
  );
  const theirs = rows.flatMap(({ id, is_theirs }) => (is_theirs ? [id] : []));
  return { last: rows.at(-1)?.id ?? null, theirs };
}

export type CheckoutRow = { readonly id: string; readonly body: unknown };

/** The stored bodies of these checkouts. */
export async function readBodies(db: TenantRunner, ids: readonly string[]): Promise<readonly CheckoutRow[]> {
  return db.run<CheckoutRow>(
    'read_bodies_of_checkouts',
    `SELECT c.id, c.body
     FROM payment.checkouts c
     WHERE c.id = ANY (:ids::bytea[])
       AND c.merchant_account_id = :merchant_account_id
     ORDER BY c.id`,
    { ids: ids.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type Noted = { readonly order_id: string; readonly text: string; readonly written_at: Date };

/**
 * Notes that people of the account wrote on these orders, for the customer who asks for their data; without the
 * authors.
 */
export async function findNotesOf(db: TenantRunner, orders: readonly string[]): Promise<readonly Noted[]> {
  return db.run<Noted>(
    'find_notes_of_orders',
    `SELECT order_id, text, created_at AS written_at
     FROM payment.order_notes
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = ANY (:orders::bytea[])
     ORDER BY id`,
    { orders: orders.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Makes the search forget what was erased: it knows these orders only by their present data. */
export async function forgetFound(
  db: TenantRunner,
  { ids, customer_id, emails }: { ids: readonly string[]; customer_id: string | null; emails: readonly string[] },
): Promise<void> {
  await db.run(
    'forget_found',
    `-- any account: the function takes the merchant_account_id of the session
     SELECT payment.forget_found(:ids, :customer_id, :emails)`,
    { ids: ids.map((id) => bytes(id)), customer_id, emails },
  );
}

/** Deletes the saved views that search for the person, or are named so. A name is others' too, and is left. */
export async function forgetViews(
  db: TenantRunner,
  { customer_id, emails }: { customer_id: string | null; emails: readonly string[] },
): Promise<void> {
  await db.run(
    'forget_views',
    `DELETE FROM payment.saved_views
     WHERE merchant_account_id = :merchant_account_id
       AND (lower(trim(filters ->> 'search')) = ANY (:marks::text[])
         OR lower(trim(name)) = ANY (:marks::text[]))`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      marks: [customer_id ?? [], ...emails].flat().map((mark) => mark.trim().toLowerCase()),
    },
  );
}

/**
 * Deletes the customer's record with everything that belongs to it, and notifications about it. Cards are removed
 * before.
 */
export async function deleteCustomer(db: TenantRunner, customer_id: string): Promise<void> {
  await db.run(
    'delete_customer',
    `WITH orders AS (
       DELETE FROM payment.customer_orders
       WHERE merchant_account_id = :merchant_account_id
         AND customer_id = :customer_id
     ),
     methods AS (
       DELETE FROM payment.customer_methods
       WHERE merchant_account_id = :merchant_account_id
         AND customer_id = :customer_id
     ),
     customer AS (
       DELETE FROM payment.customers
       WHERE merchant_account_id = :merchant_account_id
         AND customer_id = :customer_id
       RETURNING id
     )
     SELECT payment.forget_customer_told(customer.id) FROM customer`,
    { customer_id, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Deletes receipts of these orders, mailed or waiting. */
export async function forgetReceipts(db: TenantRunner, ids: readonly string[]): Promise<void> {
  await db.run(
    'forget_receipts',
    `DELETE FROM payment.mails m
     USING payment.operations p
     WHERE p.order_id = ANY (:ids::bytea[])
       AND p.merchant_account_id = :merchant_account_id
       AND p.kind IN ('capture', 'refund')
       AND m.merchant_account_id = :merchant_account_id
       AND m.kind = 'receipt'
       AND m.about_id = p.id`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((id) => bytes(id)) },
  );
}
