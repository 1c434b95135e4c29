// Statements of the card zone. No statement carries a card number in clear: sealed bytes and a keyed hash only.
import { type Parameters, type Batching, type Runner, bytes } from '../kit/database.ts';

export type NewCard = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly kind: 'oneshot' | 'recurring';
  readonly checkout_id: string | null;
  readonly new_unique_id: string;
  readonly key_id: bigint;
  readonly mac: Buffer;
  /** While the fingerprint key rotates: the other key, under which the card may be known. */
  readonly old_key_id: bigint | null;
  readonly old_mac: Buffer | null;
  readonly sealed: Buffer;
  readonly data_key_id: bigint;
  readonly scheme: string;
  /** All brands of a co-badged card, by commas; null: one brand. */
  readonly schemes: string | null;
  readonly first6: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly delete_after: Date | null;
  readonly max_tokens: number;
  /** Null: its number was typed. */
  readonly token_kind: TokenKind | null;
  readonly is_network_token: boolean;
  readonly approved_minor: bigint | null;
  readonly approved_currency: string | null;
};

/** What a card came in, where it was not typed. */
export type TokenKind = 'google_pay' | 'apple_pay' | 'network_token';

/**
 * Stores a card under its token; the same work for a new and a known card. Undefined: the checkout has its tokens already, or
 * one of the keys is closed (a rotation is about to destroy it).
 */
export async function storeCard(db: Batching, card: NewCard): Promise<string | undefined> {
  const rows = await db.batch<{ card_unique_id: string }>(
    'store_card',
    `WITH known AS (
       SELECT card_unique_id
       FROM vault.fingerprints
       WHERE merchant_account_id = :merchant_account_id
         AND key_id = :old_key_id::bigint
         AND mac = :old_mac::bytea
     ),
     fingerprint AS (
       INSERT INTO vault.fingerprints (
         merchant_account_id, key_id, mac,
         card_unique_id)
       SELECT
         :merchant_account_id, :key_id, :mac,
         coalesce((SELECT card_unique_id FROM known), :new_unique_id::uuid)
       WHERE (:checkout_id::bytea IS NULL
           OR (
             SELECT count(*)
             FROM vault.cards
             WHERE checkout_id = :checkout_id
               AND merchant_account_id = :merchant_account_id
           ) < :max_tokens)
         AND (
           SELECT count(*)
           FROM vault.data_keys
           WHERE id IN (:data_key_id, :key_id)
             AND state IN ('active', 'retired')
         ) = 2
       ON CONFLICT (merchant_account_id, key_id, mac) DO UPDATE SET seen_at = vault.now()
       RETURNING card_unique_id
     )
     INSERT INTO vault.cards (
       token_hash, merchant_account_id, environment, kind, checkout_id, card_unique_id,
       sealed, data_key_id, scheme, schemes, first6, last4, exp_month, exp_year,
       created_at, expires_at, delete_after, token_kind, is_network_token, approved_minor,
       approved_currency)
     SELECT
       :token_hash, :merchant_account_id, :environment, :kind, :checkout_id, card_unique_id,
       :sealed, :data_key_id, :scheme, :schemes, :first6, :last4, :exp_month, :exp_year,
       :created_at, :expires_at, :delete_after, :token_kind, :is_network_token::boolean,
       :approved_minor::bigint, :approved_currency
     FROM fingerprint
     RETURNING card_unique_id`,
    cardParameters(card),
  );
  return rows[0]?.card_unique_id;
}

export type Once = { readonly key: string; readonly fingerprint: Buffer; readonly token_sealed: Buffer };

/** The same with an Idempotency-Key, in the same commit. Undefined: as above, or the Idempotency-Key is taken. */
export async function storeCardOnce(db: Batching, card: NewCard, once: Once): Promise<string | undefined> {
  const rows = await db.batch<{ card_unique_id: string }>(
    'store_card_once',
    `WITH known AS (
       SELECT card_unique_id
       FROM vault.fingerprints
       WHERE merchant_account_id = :merchant_account_id
         AND key_id = :old_key_id::bigint
         AND mac = :old_mac::bytea
     ),
     new_key AS (
       INSERT INTO vault.idempotency_keys (
         merchant_account_id, key, fingerprint, token_hash, token_sealed)
       SELECT :merchant_account_id, :key, :fingerprint, :token_hash, :token_sealed
       WHERE (:checkout_id::bytea IS NULL
           OR (
             SELECT count(*)
             FROM vault.cards
             WHERE checkout_id = :checkout_id
               AND merchant_account_id = :merchant_account_id
           ) < :max_tokens)
         AND (
           SELECT count(*)
           FROM vault.data_keys
           WHERE id IN (:data_key_id, :key_id)
             AND state IN ('active', 'retired')
         ) = 2
       ON CONFLICT DO NOTHING
       RETURNING 1
     ),
     fingerprint AS (
       INSERT INTO vault.fingerprints (
         merchant_account_id, key_id, mac,
         card_unique_id)
       SELECT
         :merchant_account_id, :key_id, :mac,
         coalesce((SELECT card_unique_id FROM known), :new_unique_id::uuid)
       FROM new_key
       ON CONFLICT (merchant_account_id, key_id, mac) DO UPDATE SET seen_at = vault.now()
       RETURNING card_unique_id
     )
     INSERT INTO vault.cards (
       token_hash, merchant_account_id, environment, kind, checkout_id, card_unique_id,
       sealed, data_key_id, scheme, schemes, first6, last4, exp_month, exp_year,
       created_at, expires_at, delete_after, token_kind, is_network_token, approved_minor,
       approved_currency)
     SELECT
       :token_hash, :merchant_account_id, :environment, :kind, :checkout_id, card_unique_id,
       :sealed, :data_key_id, :scheme, :schemes, :first6, :last4, :exp_month, :exp_year,
       :created_at, :expires_at, :delete_after, :token_kind, :is_network_token::boolean,
       :approved_minor::bigint, :approved_currency
     FROM fingerprint
     RETURNING card_unique_id`,
    { ...cardParameters(card), ...once },
  );
  return rows[0]?.card_unique_id;
}

function cardParameters(card: NewCard): Parameters {
  return {
    ...card,
    token_hash: bytes(card.token_hash),
    merchant_account_id: bytes(card.merchant_account_id),
    checkout_id: bytes(card.checkout_id),
  };
}

/** A stored card as it is answered; null: what a partner's token came without. */
export type StoredCard = Pick<NewCard, 'kind' | 'scheme' | 'schemes' | 'created_at' | 'checkout_id'> & {
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly card_unique_id: string | null;
  readonly partner: string | null;
  readonly subscription_id: string | null;
  readonly token_kind: TokenKind | null;
};

export type UsedKeyRow = StoredCard & {
  readonly fingerprint: string;
  readonly token_sealed: string;
  readonly token_hash: string;
  /** A payment has left since the key was used: with the cvc that came with it, if there was one. */
  readonly spent: boolean;
};

/** What an Idempotency-Key made within its 72 hours (contract 2.9). `token_hash` null: its card has been removed. */
export async function findUsedKey(
  db: Runner,
  merchant_account_id: string,
  key: string,
): Promise<UsedKeyRow | { readonly token_hash: null } | undefined> {
  const rows = await db.run<UsedKeyRow | { readonly token_hash: null }>(
    'find_used_vault_key',
    `SELECT
       k.fingerprint, k.token_sealed, c.token_hash, c.kind, c.scheme, c.schemes, c.first6, c.last4,
       c.exp_month, c.exp_year, c.created_at, c.checkout_id, c.card_unique_id, c.partner,
       c.subscription_id, c.token_kind, coalesce(c.spent_at >= k.created_at, false) AS spent
     FROM vault.idempotency_keys k
     LEFT JOIN vault.cards c
       ON c.token_hash = k.token_hash
       AND (c.kind = 'oneshot' OR c.delete_after IS NULL)
     WHERE k.merchant_account_id = :merchant_account_id
       AND k.key = :key`,
    { merchant_account_id: bytes(merchant_account_id), key },
  );
  return rows[0];
}

/**
 * Deletes what is past its time: cards, answers of providers after a day (by the index of their keys, which has no others), and
 * Idempotency-Keys after 72 hours (their cards live a little longer), payloads of wallets.
 */
export async function deleteOld(db: Runner): Promise<void> {
  await db.run(
    'delete_old_cards',
    `-- any account: retention is the same for all
     WITH old_cards AS (
       DELETE FROM vault.cards
       WHERE token_hash IN (
         SELECT token_hash
         FROM vault.cards
         WHERE delete_after < (SELECT vault.now())
         LIMIT 500
       )
     ),
     old_payloads AS (
       DELETE FROM vault.wallet_payloads
       WHERE delete_after < (SELECT vault.now())
     ),
     old_answers AS (
       UPDATE vault.forwards
       SET answer_sealed = NULL
       WHERE answer_sealed IS NOT NULL
         AND substring(answer_sealed FROM 2 FOR 8) > '\\x'
         AND sent_at < (SELECT vault.now()) - interval '24 hours'
     )
     DELETE FROM vault.idempotency_keys
     WHERE created_at < (SELECT vault.now()) - interval '72 hours'`,
  );
}

export type CardRow = {
  readonly kind: 'oneshot' | 'recurring';
  readonly scheme: string;
  readonly schemes: string | null;
  /** Null: what a partner's token came without. */
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly card_unique_id: string | null;
  /** Whose token it is in place of a card's number; null, as the next: it is a card. */
  readonly partner: string | null;
  readonly subscription_id: string | null;
  readonly token_kind: TokenKind | null;
  readonly is_network_token: boolean;
  readonly approved_minor: bigint | null;
  readonly approved_currency: string | null;
};

/** A card, or a partner's token, that can be used now by this account for this checkout: a saved card that was paid with, for any. */
export async function findUsableCard(
  db: Batching,
  question: { token_hash: string; merchant_account_id: string; checkout_id: string | null; environment: string },
): Promise<CardRow | undefined> {
  const rows = await db.batchRead<CardRow>(
    'find_usable_card',
    `SELECT
       kind, scheme, schemes, first6, last4, exp_month, exp_year, card_unique_id, partner,
       subscription_id, token_kind, is_network_token, approved_minor, approved_currency
     FROM vault.cards
     WHERE token_hash = :token_hash
       AND merchant_account_id = :merchant_account_id
       AND environment = :environment
       AND (kind = 'recurring' AND delete_after IS NULL
         OR kind = 'oneshot' AND spent_order_id IS NULL AND expires_at > vault.now())
       AND (checkout_id IS NULL
         OR checkout_id = :checkout_id
         OR kind = 'recurring' AND spent_at IS NOT NULL)`,
    {
      ...question,
      token_hash: bytes(question.token_hash),
      merchant_account_id: bytes(question.merchant_account_id),
      checkout_id: bytes(question.checkout_id),
    },
  );
  return rows[0];
}

/** Its sealed number, for what a sandbox wants to know of it. */
export async function findSealedCard(
  db: Runner,
  question: { token_hash: string; merchant_account_id: string },
): Promise<SealedRow | undefined> {
  const rows = await db.run<SealedRow>(
    'find_sealed_card',
    `SELECT kind, sealed, data_key_id, exp_month, exp_year, created_at
     FROM vault.cards
     WHERE token_hash = :token_hash
       AND merchant_account_id = :merchant_account_id`,
    { token_hash: bytes(question.token_hash), merchant_account_id: bytes(question.merchant_account_id) },
  );
  return rows[0];
}

type SealedRow = Omit<BegunRow, 'may_send'>;

export type Begin = {
  readonly operation_id: string;
  readonly order_id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly token_hash: string;
  readonly checkout_id: string | null;
  readonly destination: string;
  readonly digest: string;
  /** Whose token is wanted; null: a card. */
  readonly partner: string | null;
};

export type BegunRow = {
  readonly kind: 'oneshot' | 'recurring';
  readonly sealed: string;
  readonly data_key_id: bigint;
  /** Null: a partner's token came without. */
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly created_at: Date;
  readonly may_send: boolean;
};

/**
 * Spends a token for its order and writes the at-most-once record, in one commit. No row: the token cannot be used. A one-shot
 * token is its order's from now on; a saved card is free of the checkout it was typed for, and written only when this is its
 * first payment or the first since its cvc was entered again: so payments with one card do not wait for each other.
 */
export async function beginOnce(db: Batching, begin: Begin): Promise<BegunRow | undefined> {
  const rows = await db.batch<BegunRow>(
    'begin_once',
    `WITH spent AS (
       UPDATE vault.cards
       SET
         spent_order_id = coalesce(spent_order_id, :order_id),
         spent_at = CASE kind
           WHEN 'oneshot' THEN coalesce(spent_at, vault.now())
           ELSE vault.now()
         END
       WHERE token_hash = :token_hash
         AND merchant_account_id = :merchant_account_id
         AND environment = :environment
         AND partner IS NOT DISTINCT FROM :partner::text
         AND CASE kind
           WHEN 'oneshot' THEN
             spent_order_id = :order_id OR spent_order_id IS NULL AND expires_at > vault.now()
           ELSE spent_at IS NULL OR spent_at < cvc_entered_at
         END
         AND (checkout_id IS NULL
           OR checkout_id = :checkout_id
           OR kind = 'recurring' AND spent_at IS NOT NULL)
       RETURNING kind, sealed, data_key_id, exp_month, exp_year, created_at
     ),
     card AS (
       SELECT * FROM spent
       UNION ALL
       SELECT kind, sealed, data_key_id, exp_month, exp_year, created_at
       FROM vault.cards
       WHERE NOT EXISTS (SELECT 1 FROM spent)
         AND token_hash = :token_hash
         AND merchant_account_id = :merchant_account_id
         AND environment = :environment
         AND kind = 'recurring'
         AND partner IS NOT DISTINCT FROM :partner::text
         AND (checkout_id IS NULL OR checkout_id = :checkout_id OR spent_at IS NOT NULL)
     ),
     new_forward AS (
       INSERT INTO vault.forwards (
         operation_id, merchant_account_id, order_id, destination, digest, policy, state)
       SELECT
         :operation_id, :merchant_account_id, :order_id, :destination, :digest, 'once', 'sending'
       FROM card
       ON CONFLICT (operation_id) DO NOTHING
       RETURNING operation_id
     )
     SELECT card.*, new_forward.operation_id IS NOT NULL AS may_send
     FROM card
     LEFT JOIN new_forward ON true`,
    {
      ...begin,
      operation_id: bytes(begin.operation_id),
      order_id: bytes(begin.order_id),
      merchant_account_id: bytes(begin.merchant_account_id),
      token_hash: bytes(begin.token_hash),
      checkout_id: bytes(begin.checkout_id),
      digest: bytes(begin.digest),
    },
  );
  return rows[0];
}

/** Writes the tombstone of an operation unless it was sent before. True: it never was, and never will be. */
export async function insertTombstone(db: Runner, operation_id: string): Promise<boolean> {
  const rows = await db.run(
    'insert_tombstone',
    `INSERT INTO vault.forwards (operation_id, policy, state)
     VALUES (:operation_id, 'tombstone', 'tombstone')
     ON CONFLICT (operation_id) DO NOTHING
     RETURNING 1`,
    { operation_id: bytes(operation_id) },
  );
  return rows.length > 0;
}

export type ForwardRow = {
  readonly state: 'sending' | 'answered' | 'not_sent' | 'tombstone';
  readonly http_status: number | null;
  readonly answer_sealed: string | null;
  readonly merchant_account_id: string | null;
};

export async function findForward(db: Runner, operation_id: string): Promise<ForwardRow | undefined> {
  const rows = await db.run<ForwardRow>(
    'find_forward',
    `SELECT state, http_status, answer_sealed, merchant_account_id
     FROM vault.forwards
     WHERE operation_id = :operation_id`,
    { operation_id: bytes(operation_id) },
  );
  return rows[0];
}

export async function updateForward(
  db: Runner,
  forward: {
    operation_id: string;
    state: 'answered' | 'not_sent';
    http_status: number | null;
    answer_sealed: Buffer | null;
  },
): Promise<void> {
  await db.run(
    'update_forward',
    `UPDATE vault.forwards
     SET state = :state, http_status = :http_status, answer_sealed = :answer_sealed
     WHERE operation_id = :operation_id
       AND state = 'sending'`,
    { ...forward, operation_id: bytes(forward.operation_id) },
  );
}
