// Statements on customers, their orders not yet counted, and their saved cards.
import { type Runner, type TenantRunner, bytes, isoText } from '../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../store.ts';

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

/** From here to the end of the transaction no other one counts this customer's orders or removes cards. False: unknown. */
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
 * Counts the customer's orders that have succeeded since, and saves the cards they were to save: each order once, because
 * its row is deleted in the same commit. The customer is locked before. The first payment with a token that is being saved is no use of a saved card.
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
         saved_uses.card_digest, min(saved_uses.order_id) AS order_id,
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

export type Removal = {
  readonly customer_id: string;
  /** What is to go: one item by its id, one by a token, or all when both are null. */
  readonly id: string | null;
  readonly token_hash: string | null;
  readonly request_id: string;
  readonly code: string;
  readonly key: Key | undefined;
};

/**
 * Removes saved cards, all or nothing: items and tokens go (also with another customer who was given the same token), every token is put on the list of those the vault still has to
 * delete, orders under way will not save it again, and the change is an event. The customer is locked before. No row: the
 * Idempotency-Key is taken, or nothing was named that is the customer's; the caller finds out which.
 */
export async function removeCards(
  db: TenantRunner,
  { key, ...removal }: Removal,
): Promise<readonly { readonly token_hash: string | null }[]> {
  return db.run<{ token_hash: string | null }>(
    'remove_saved_cards',
    // one statement: all or nothing, in one round trip while the customer is locked
    `WITH customer AS (
       SELECT id
       FROM payment.customers
       WHERE merchant_account_id = :merchant_account_id
         AND customer_id = :customer_id
     ),
     named_cards AS (
       SELECT saved.card_digest
       FROM payment.saved_cards saved, customer
       WHERE saved.merchant_account_id = :merchant_account_id
         AND saved.customer_id = :customer_id
         AND (:id::bytea IS NULL OR saved.id = :id)
         AND (:token_hash::bytea IS NULL
           OR saved.card_digest = (
             SELECT token.card_digest
             FROM payment.saved_card_tokens token
             WHERE token.merchant_account_id = :merchant_account_id
               AND token.token_hash = :token_hash
               AND token.customer_id = :customer_id
           ))
     ),
     may_take_key AS (
       SELECT customer.id
       FROM customer
       WHERE :id IS NULL AND :token_hash IS NULL
         OR EXISTS (SELECT 1 FROM named_cards)
     ),
     ${newKey('may_take_key', 'may_take_key.id')},
     may_begin AS (
       SELECT may_take_key.id
       FROM may_take_key
       WHERE :key IS NULL
         OR EXISTS (SELECT 1 FROM new_key)
     ),
     removed AS (
       SELECT token.token_hash
       FROM may_begin, named_cards, payment.saved_card_tokens token
       WHERE token.merchant_account_id = :merchant_account_id
         AND token.customer_id = :customer_id
         AND token.card_digest = named_cards.card_digest
     ),
     removed_tokens AS (
       DELETE FROM payment.saved_card_tokens token
       USING removed
       WHERE token.merchant_account_id = :merchant_account_id
         AND token.token_hash = removed.token_hash
       RETURNING token.token_hash, token.customer_id, token.card_digest
     ),
     removed_cards AS (
       DELETE FROM payment.saved_cards card
       USING removed_tokens
       WHERE card.merchant_account_id = :merchant_account_id
         AND card.customer_id = removed_tokens.customer_id
         AND card.card_digest = removed_tokens.card_digest
         AND (card.customer_id = :customer_id OR card.token_hash = removed_tokens.token_hash)
       RETURNING 1
     ),
     emptied AS (
       UPDATE payment.customer_orders entry
       SET token_sealed = NULL
       FROM removed
       WHERE entry.merchant_account_id = :merchant_account_id
         AND entry.customer_id = :customer_id
         AND entry.token_hash = removed.token_hash
     ),
     new_removals AS (
       INSERT INTO payment.card_removals (merchant_account_id, token_hash)
       SELECT :merchant_account_id, removed.token_hash
       FROM removed
       ON CONFLICT DO NOTHING
     ),
     changed AS (
       UPDATE payment.customers known
       SET version = version + 1, next_seq = next_seq + 1, updated_at = payment.now()
       FROM may_begin
       WHERE known.merchant_account_id = :merchant_account_id
         AND known.customer_id = :customer_id
         AND EXISTS (SELECT 1 FROM removed)
       RETURNING known.id, known.next_seq - 1 AS seq, known.updated_at
     ),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type, code, request_id,
         payload, at)
       SELECT
         changed.id, changed.seq, :merchant_account_id, 'customer.updated', :code, :request_id,
         json_build_object('customer_id', :customer_id::text), changed.updated_at
       FROM changed
     )
     SELECT removed.token_hash
     FROM may_begin
     LEFT JOIN removed ON true`,
    {
      ...removal,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(removal.id),
      token_hash: bytes(removal.token_hash),
      request_id: bytes(removal.request_id),
      ...keyParameters(key),
    },
  );
}

/** True while a removed token waits to be deleted by the vault: it is no longer good, whatever the vault still says. */
export async function isRemoved(db: TenantRunner, token_hash: string): Promise<boolean> {
  const rows = await db.run(
    'is_card_removed',
    `SELECT 1 AS removed
     FROM payment.card_removals
     WHERE merchant_account_id = :merchant_account_id
       AND token_hash = :token_hash`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
  return rows.length > 0;
}

/**
 * True when an attempt that is not over was accepted with this token: it still needs the card. Its authorization is not decided,
 * or is not there yet because the payer is authenticated first.
 */
export async function isNeeded(db: TenantRunner, token_hash: string): Promise<boolean> {
  const rows = await db.run(
    'is_card_needed',
    `SELECT 1 AS needed
     FROM payment.transactions t
     LEFT JOIN payment.operations p
       ON p.order_id = t.order_id
       AND p.id = t.id
       AND p.merchant_account_id = :merchant_account_id
     WHERE t.merchant_account_id = :merchant_account_id
       AND t.token_hash = :token_hash
       AND t.token_type = 'recurring'
       AND CASE
         WHEN p.id IS NULL THEN NOT t.dead
         ELSE p.state IN ('requested', 'in_doubt', 'reversing', 'review')
       END
     LIMIT 1`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
  return rows.length > 0;
}

export async function finishRemoval(db: TenantRunner, token_hash: string): Promise<void> {
  await db.run(
    'finish_card_removal',
    `DELETE FROM payment.card_removals
     WHERE merchant_account_id = :merchant_account_id
       AND token_hash = :token_hash`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
}

export type ClaimedRemoval = {
  readonly merchant_account_id: string;
  readonly token_hash: string;
  readonly tries: number;
};

/** Takes removals that are due, each for one worker at a time. */
export async function claimRemovals(
  db: Runner,
  claim: { room: number; lease_s: number },
): Promise<readonly ClaimedRemoval[]> {
  return db.run<ClaimedRemoval>(
    'claim_card_removals',
    `-- any account: the queue of all of them
     SELECT merchant_account_id, token_hash, tries
     FROM payment.claim_removals(:room, make_interval(secs => :lease_s))`,
    claim,
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
