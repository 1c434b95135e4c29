// Statements on customers, their orders not yet counted, and their saved cards.
import { type TenantRunner, bytes, isoText } from '../../kit/database.ts';

export type SavedRow = {
  readonly id: string;
  readonly scheme: string;
  readonly first6: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly token_sealed: string;
  readonly uses: number;
  readonly last_used_at: string | null;
};

export type UsedRow = { readonly name: string; readonly uses: number; readonly last_used_at: string };

export type CustomerRow = {
  readonly id: string;
  readonly customer_id: string;
  readonly browser: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly saved: readonly SavedRow[];
  readonly used: readonly UsedRow[];
  /** Orders that succeeded and are not in these lists yet. */
  readonly uncounted: boolean;
};

/** A customer with saved cards, newest use first, and methods used, the last one first. */
export async function findCustomer(db: TenantRunner, customer_id: string): Promise<CustomerRow | undefined> {
  const rows = await db.run<CustomerRow>(
    'find_customer',
    `SELECT
       c.id, c.customer_id, c.browser, c.ip, c.version, c.created_at, c.updated_at,
       (
         SELECT coalesce(json_agg(json_build_object(
           'id', encode(s.id, 'hex'), 'scheme', s.scheme, 'first6', s.first6, 'last4', s.last4,
           'exp_month', s.exp_month, 'exp_year', s.exp_year,
           'token_sealed', encode(s.token_sealed, 'hex'), 'uses', s.uses,
           'last_used_at', ${isoText('s.last_used_at')})
           ORDER BY coalesce(s.last_used_at, s.saved_at) DESC, s.id DESC), '[]')
         FROM payment.saved_cards s
         WHERE s.merchant_account_id = :merchant_account_id
           AND s.customer_id = :customer_id
       ) AS saved,
       (
         SELECT coalesce(json_agg(json_build_object(
           'name', m.name, 'uses', m.uses, 'last_used_at', ${isoText('m.last_used_at')})
           ORDER BY m.last_used_at DESC, m.name), '[]')
         FROM payment.customer_methods m
         WHERE m.merchant_account_id = :merchant_account_id
           AND m.customer_id = :customer_id
       ) AS used,
       EXISTS (
         SELECT 1
         FROM payment.customer_orders j
         JOIN payment.orders o ON o.id = j.order_id AND o.merchant_account_id = :merchant_account_id
         WHERE j.merchant_account_id = :merchant_account_id
           AND j.customer_id = :customer_id
           AND o.winner_id IS NOT NULL
       ) AS uncounted
     FROM payment.customers c
     WHERE c.merchant_account_id = :merchant_account_id
       AND c.customer_id = :customer_id`,
    { merchant_account_id: bytes(db.merchant_account_id), customer_id },
  );
  return rows[0];
}

/**
 * Locks a customer: until the end of the transaction no other one counts this customer's orders or removes cards.
 * False: unknown.
 */
export async function lockCustomer(db: TenantRunner, customer_id: string): Promise<boolean> {
  const rows = await db.run(
    'lock_customer',
    `SELECT 1 AS locked
     FROM payment.customers
     WHERE merchant_account_id = :merchant_account_id
       AND customer_id = :customer_id
     FOR NO KEY UPDATE`,
    { merchant_account_id: bytes(db.merchant_account_id), customer_id },
  );
  return rows.length > 0;
}

export type Seen = {
  readonly id: string;
  readonly customer_id: string;
  /** browser_info_* members of the request; what it did not give stays as it was. */
  readonly browser: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
};

/** Makes the record of a customer, or brings it up to date; a request that says nothing new changes nothing. */
export async function touchCustomer(db: TenantRunner, seen: Seen): Promise<void> {
  await db.run(
    'touch_customer',
    `INSERT INTO payment.customers AS c (merchant_account_id, customer_id, id, browser, ip)
     VALUES (:merchant_account_id, :customer_id, :id, :browser, :ip)
     ON CONFLICT (merchant_account_id, customer_id) DO UPDATE SET
       browser = c.browser || excluded.browser,
       ip = coalesce(excluded.ip, c.ip),
       version = c.version + 1,
       updated_at = payment.now()
     WHERE c.browser || excluded.browser <> c.browser
       OR coalesce(excluded.ip, c.ip) IS DISTINCT FROM c.ip`,
    {
      ...seen,
      id: bytes(seen.id),
      browser: JSON.stringify(seen.browser),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

/**
 * Counts the customer's orders that have succeeded since, and saves the cards they were to save: each order once,
 * because its row is deleted in the same commit. The customer is locked before. The first payment with a token that is
 * being saved is no use of a saved card.
 */
export async function countOrders(db: TenantRunner, customer_id: string): Promise<void> {
  await db.run(
    'count_customer_orders',
    // one statement: an order leaves the list and is counted in the same moment, so it counts once
    `WITH decided AS (
       DELETE FROM payment.customer_orders entry
       USING payment.orders o, payment.transactions t, payment.operations p
       WHERE entry.merchant_account_id = :merchant_account_id
         AND entry.customer_id = :customer_id
         AND o.id = entry.order_id
         AND o.merchant_account_id = :merchant_account_id
         AND o.winner_id IS NOT NULL
         AND t.order_id = o.id
         AND t.id = o.winner_id
         AND p.order_id = o.id
         AND p.id = o.winner_id
       RETURNING
         o.id AS order_id, t.payment_method_name, t.token_type, t.token_hash, t.card_digest,
         t.first6, t.last4, t.exp_month, t.exp_year,
         CASE WHEN entry.token_hash = t.token_hash THEN entry.token_sealed END AS token_sealed,
         entry.token_hash = t.token_hash AS won, coalesce(p.settled_at, o.updated_at) AS at
     ),
     counted_methods AS (
       INSERT INTO payment.customer_methods AS known (
         merchant_account_id, customer_id, name, uses, last_used_at)
       SELECT :merchant_account_id, :customer_id, payment_method_name, count(*), max(at)
       FROM decided
       WHERE won
       GROUP BY payment_method_name
       ON CONFLICT (merchant_account_id, customer_id, name) DO UPDATE SET
         uses = known.uses + excluded.uses,
         last_used_at = greatest(known.last_used_at, excluded.last_used_at)
     ),
     saved_uses AS (
       SELECT
         decided.*, token.token_hash IS NULL AS is_new,
         token.token_hash IS NOT NULL
           OR row_number()
             OVER (PARTITION BY decided.token_hash ORDER BY decided.at, decided.order_id) > 1
             AS is_use
       FROM decided
       LEFT JOIN payment.saved_card_tokens token
         ON token.merchant_account_id = :merchant_account_id
         AND token.token_hash = decided.token_hash
         AND token.customer_id = :customer_id
       WHERE decided.won
         AND decided.token_type = 'recurring'
         AND (token.token_hash IS NOT NULL
           OR decided.token_hash IN (SELECT token_hash FROM decided WHERE token_sealed IS NOT NULL))
     ),
     card_uses AS (
       SELECT
         saved_uses.card_digest,
         -- PostgreSQL has a least bytea since its version 18 only
         (array_agg(saved_uses.order_id ORDER BY saved_uses.order_id))[1] AS order_id,
         (array_agg(saved_uses.payment_method_name ORDER BY saved_uses.at DESC))[1] AS scheme,
         min(saved_uses.first6) AS first6, min(saved_uses.last4) AS last4,
         (array_agg(saved_uses.token_hash ORDER BY saved_uses.at DESC)
           FILTER (WHERE saved_uses.token_sealed IS NOT NULL))[1] AS token_hash,
         (array_agg(saved_uses.token_sealed ORDER BY saved_uses.at DESC)
           FILTER (WHERE saved_uses.token_sealed IS NOT NULL))[1] AS token_sealed,
         (array_agg(saved_uses.exp_month ORDER BY saved_uses.at DESC))[1] AS exp_month,
         (array_agg(saved_uses.exp_year ORDER BY saved_uses.at DESC))[1] AS exp_year,
         count(*) FILTER (WHERE saved_uses.is_use) AS uses,
         max(saved_uses.at) FILTER (WHERE saved_uses.is_use) AS last_used_at,
         max(saved_uses.at) AS at
       FROM saved_uses
       GROUP BY saved_uses.card_digest
     ),
     saved AS (
       INSERT INTO payment.saved_cards AS known (
         merchant_account_id, customer_id, card_digest, id,
         token_hash,
         token_sealed, scheme, first6,
         last4, exp_month, exp_year, uses,
         last_used_at, saved_at)
       SELECT
         :merchant_account_id, :customer_id, card_uses.card_digest,
         substring(card_uses.order_id FROM 1 FOR 6)
           || substring(sha256(card_uses.order_id
             || coalesce(card_uses.token_hash, kept.token_hash)) FROM 1 FOR 6),
         coalesce(card_uses.token_hash, kept.token_hash),
         coalesce(card_uses.token_sealed, kept.token_sealed), card_uses.scheme, card_uses.first6,
         card_uses.last4, card_uses.exp_month, card_uses.exp_year, card_uses.uses,
         card_uses.last_used_at, card_uses.at
       FROM card_uses
       LEFT JOIN payment.saved_cards kept
         ON kept.merchant_account_id = :merchant_account_id
         AND kept.customer_id = :customer_id
         AND kept.card_digest = card_uses.card_digest
       ON CONFLICT (merchant_account_id, customer_id, card_digest) DO UPDATE SET
         token_hash = excluded.token_hash,
         token_sealed = excluded.token_sealed,
         scheme = excluded.scheme,
         exp_month = excluded.exp_month,
         exp_year = excluded.exp_year,
         uses = known.uses + excluded.uses,
         last_used_at = greatest(known.last_used_at, excluded.last_used_at),
         saved_at = CASE
           WHEN excluded.token_hash = known.token_hash THEN known.saved_at
           ELSE excluded.saved_at
         END
     ),
     new_token AS (
       INSERT INTO payment.saved_card_tokens (
         merchant_account_id, token_hash, customer_id, card_digest)
       SELECT DISTINCT :merchant_account_id::bytea, token_hash, :customer_id::text, card_digest
       FROM saved_uses
       WHERE is_new
       ON CONFLICT DO NOTHING
     )
     UPDATE payment.customers
     SET version = version + 1, updated_at = payment.now()
     WHERE merchant_account_id = :merchant_account_id
       AND customer_id = :customer_id
       AND EXISTS (SELECT 1 FROM decided)`,
    { merchant_account_id: bytes(db.merchant_account_id), customer_id },
  );
}

/** A subscription is known when a checkout of the account made it (contract 11). */
export async function isSubscription(db: TenantRunner, subscription_id: string): Promise<boolean> {
  const rows = await db.run(
    'is_subscription',
    `SELECT 1 AS known
     FROM payment.checkouts
     WHERE merchant_account_id = :merchant_account_id
       AND subscription_id = :subscription_id
       AND body ->> 'payment_channel' = 'recurring'
       AND body ->> 'token_type' = 'recurring'
     LIMIT 1`,
    { merchant_account_id: bytes(db.merchant_account_id), subscription_id },
  );
  return rows.length > 0;
}
