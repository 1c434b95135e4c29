// Statements on the narrow rows that the worker keeps for searching. Each walks one index, newest first. paths.ts
// decides before which statement is the cheapest, because one plan serves all values. `IS TRUE` after a list of classes
// makes the list a hash beside the walk; as a join it would be walked from the list's side.
import { type Parameters, type TenantRunner, bytes } from '../../../../kit/database.ts';
import { doubtInQueue } from '../../in-doubt.ts';

type Found = { readonly order_id: string };

export type Sizes = {
  /** How many orders fit the filters on what orders have in common (their class). */
  readonly orders: bigint;
  readonly all_orders: bigint;
  /**
   * How many orders have this customer, e-mail, last four digits or amount, counted up to `most`; null if the filter is
   * not asked for.
   */
  readonly customer: bigint | null;
  readonly email: bigint | null;
  readonly last4: bigint | null;
  readonly amount: bigint | null;
};

/** How many orders fit, up to `most`; null: it is not asked for. */
const counted = (asked: string, fits: string) => `CASE
         WHEN ${asked} THEN (
           SELECT count(*)
           FROM (
             SELECT
             FROM payment.order_search s
             WHERE s.merchant_account_id = :merchant_account_id
               AND ${fits}
             LIMIT :most
           ) x
         )
       END`;

export async function findSizes(db: TenantRunner, parameters: Parameters): Promise<Sizes> {
  const [sizes] = await db.run<Sizes>(
    'search_sizes',
    `SELECT
       k.*,
       ${counted(':customer::bigint IS NOT NULL', 's.customer = :customer')} AS customer,
       ${counted(':email::bigint IS NOT NULL', 's.email = :email')} AS email,
       ${counted(':last4::smallint IS NOT NULL', 's.last4 = :last4')} AS last4,
       ${counted(':by_amount::boolean', AMOUNT)} AS amount
     FROM (
       SELECT
         coalesce(sum(c.orders) FILTER (WHERE ${CLASS}), 0)::bigint AS orders,
         coalesce(sum(c.orders), 0)::bigint AS all_orders
       FROM payment.order_classes c
       WHERE c.merchant_account_id = :merchant_account_id
     ) k`,
    parameters,
  );
  if (!sizes) throw new Error('search_sizes gives one row');
  return sizes;
}

/**
 * Finds orders by class, newest first. The classes with the newest rows are looked for first: the newest orders are in
 * them.
 */
export async function findByClass(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>(
    'search_by_class',
    `WITH classes AS MATERIALIZED (
       SELECT c.id FROM payment.order_classes c WHERE ${CLASS}
     ),
     newest AS MATERIALIZED (
       SELECT classes.id
       FROM classes
       CROSS JOIN LATERAL (
         SELECT s.order_id
         FROM payment.order_search s
         WHERE s.class_id = classes.id
           AND s.merchant_account_id = :merchant_account_id
           AND ${AMOUNT}
           AND ${PERSON}
           AND ${PLACE}
         ORDER BY s.order_id DESC
         LIMIT 1
       ) newest_order
       ORDER BY newest_order.order_id DESC
       LIMIT :room
     )
     SELECT found.order_id
     FROM newest
     CROSS JOIN LATERAL (
       SELECT s.order_id
       FROM payment.order_search s
       WHERE s.class_id = newest.id
         AND s.merchant_account_id = :merchant_account_id
         AND ${AMOUNT}
         AND ${PERSON}
         AND ${PLACE}
       ORDER BY s.order_id DESC
       LIMIT :room
     ) found
     ORDER BY found.order_id DESC
     LIMIT :room`,
    parameters,
  );
}

/** Orders by one filter on the person, which has an index of its own. */
function ofPerson(person: string): string {
  return `SELECT s.order_id
     FROM payment.order_search s
     WHERE ${person}
       AND s.merchant_account_id = :merchant_account_id
       AND ${AMOUNT}
       AND ${PLACE}
       AND ${IN_CLASS}
     ORDER BY s.order_id DESC
     LIMIT :room`;
}

export async function findByCustomer(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>('search_by_customer', ofPerson('s.customer = :customer'), parameters);
}

export async function findByEmail(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>('search_by_email', ofPerson('s.email = :email'), parameters);
}

export async function findByLast4(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>('search_by_last_four', ofPerson('s.last4 = :last4'), parameters);
}

/**
 * Finds all orders in the range of amounts, then takes the newest. The place in the list is no condition of the index:
 * with it, the plan would walk the key.
 */
export async function findByAmount(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>(
    'search_by_amount',
    `WITH matching AS MATERIALIZED (
       SELECT s.order_id
       FROM payment.order_search s
       WHERE s.merchant_account_id = :merchant_account_id
         AND ${AMOUNT}
         AND (${PLACE}) IS TRUE
         AND ${IN_CLASS}
     )
     SELECT order_id
     FROM matching
     ORDER BY order_id DESC
     LIMIT :room`,
    parameters,
  );
}

/** Those of a few orders, newest first, that fit the filters. */
function ofFew(orders: string): string {
  return `SELECT x.order_id
     FROM (
       ${orders}
       ORDER BY 1 DESC
       OFFSET 0
     ) u
     CROSS JOIN LATERAL (
       SELECT s.order_id
       FROM payment.order_search s
       WHERE s.merchant_account_id = :merchant_account_id
         AND s.order_id = u.order_id
         AND ${AMOUNT}
         AND ${PERSON}
         AND ${IN_CLASS}
       LIMIT 1
     ) x
     ORDER BY u.order_id DESC
     LIMIT :room`;
}

/** Finds orders in doubt, from the queue of operations, which is short. */
export async function findInDoubt(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>(
    'search_in_doubt',
    ofFew(`SELECT w.order_id
       FROM (
         SELECT p.order_id
         FROM payment.operations p
         WHERE p.merchant_account_id = :merchant_account_id
           AND p.due_at > '-infinity'
           AND p.order_id < :before
           AND p.order_id >= :after
           AND ${doubtInQueue('p.')}
         UNION
         SELECT k.order_id
         FROM payment.contradictions k
         WHERE k.merchant_account_id = :merchant_account_id
           AND k.state = 'open'
           AND k.order_id < :before
           AND k.order_id >= :after
       ) w`),
    parameters,
  );
}

/** Finds orders with a dispute, from the disputes, of which there are few. */
export async function findDisputed(db: TenantRunner, parameters: Parameters): Promise<readonly Found[]> {
  return db.run<Found>(
    'search_disputed',
    ofFew(`SELECT DISTINCT d.order_id
       FROM payment.disputes d
       WHERE d.merchant_account_id = :merchant_account_id
         AND d.order_id < :before
         AND d.order_id >= :after`),
    parameters,
  );
}

/** Those of these orders that fit the filters on customer, e-mail and last four digits. */
export async function findAmong(
  db: TenantRunner,
  ids: readonly string[],
  parameters: Parameters,
): Promise<readonly Found[]> {
  return db.run<Found>(
    'search_among',
    `SELECT x.order_id
     FROM unnest(:ids::bytea[]) AS i (id)
     CROSS JOIN LATERAL (
       SELECT s.order_id
       FROM payment.order_search s
       WHERE s.merchant_account_id = :merchant_account_id
         AND s.order_id = i.id
         AND ${PERSON}
       LIMIT 1
     ) x
     ORDER BY x.order_id DESC`,
    { ...parameters, ids: ids.map((id) => bytes(id)) },
  );
}

/** Reads every order of a part of the list, and whether it fits: for filters that most orders fit. */
export async function walkOrders(
  db: TenantRunner,
  parameters: Parameters,
): Promise<readonly (Found & { readonly fits: boolean })[]> {
  return db.run<Found & { fits: boolean }>(
    'walk_orders',
    `SELECT
       s.order_id,
       (s.merchant_account_id = :merchant_account_id
         AND ${AMOUNT}
         AND ${PERSON}
         AND ${IN_CLASS})
         IS TRUE AS fits
     FROM (
       SELECT *
       FROM payment.order_search s
       WHERE s.merchant_account_id = :merchant_account_id
         AND ${PLACE}
       ORDER BY s.order_id DESC
       LIMIT :room
     ) s
     ORDER BY s.order_id DESC`,
    parameters,
  );
}

/** The filters on what orders have in common (their class). */
const CLASS = `c.merchant_account_id = :merchant_account_id
    AND (:statuses::text[] IS NULL OR c.status = ANY (:statuses))
    AND (:codes::text[] IS NULL OR c.code = ANY (:codes))
    AND (:currencies::text[] IS NULL OR c.currency = ANY (:currencies))
    AND (:provider::text IS NULL OR c.provider = :provider)
    AND (:payment_method_name::text IS NULL OR c.payment_method_name = :payment_method_name)
    AND (:operation_type::text IS NULL OR c.operation_type = :operation_type)
    AND (:is_suspicious::boolean IS NULL OR c.is_suspicious = :is_suspicious)
    AND (:outcome::text IS NULL OR c.outcome = :outcome)
    AND (c.digits BETWEEN :fewest_digits AND :most_digits) IS TRUE`;
const IN_CLASS = `(s.class_id IN (SELECT c.id FROM payment.order_classes c WHERE ${CLASS})) IS TRUE`;
const PLACE = 's.order_id < :before AND s.order_id >= :after';
const AMOUNT = 's.amount_minor BETWEEN :lowest AND :highest';
/** A filter on one of these three is answered from its index alone; all three together need the row. */
const PERSON = `(:customer::bigint IS NULL OR s.customer = :customer)
    AND (:email::bigint IS NULL OR s.email = :email)
    AND (:last4::smallint IS NULL OR s.last4 = :last4)`;
