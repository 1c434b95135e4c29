// Statements on saved cards: the cvc entered again, tokens of partners, and removal.
import { type Runner, bytes } from '../../kit/database.ts';
import type { Once, StoredCard } from '../store.ts';

/**
 * A saved card of this account, to enter its cvc again: never a one-shot token, a partner's, or one that was removed.
 */
export async function findSavedCard(
  db: Runner,
  question: { token_hash: string; merchant_account_id: string; environment: string },
): Promise<StoredCard | undefined> {
  const rows = await db.run<StoredCard>(
    'find_saved_card',
    `SELECT
       kind, scheme, schemes, first6, last4, exp_month, exp_year, created_at, checkout_id,
       card_unique_id, partner, subscription_id, token_kind
     FROM vault.cards
     WHERE token_hash = :token_hash
       AND merchant_account_id = :merchant_account_id
       AND environment = :environment
       AND kind = 'recurring'
       AND partner IS NULL
       AND delete_after IS NULL`,
    {
      ...question,
      token_hash: bytes(question.token_hash),
      merchant_account_id: bytes(question.merchant_account_id),
    },
  );
  return rows[0];
}

/**
 * Keeps an Idempotency-Key that a cvc is entered again with. The card notes the time: the next payment takes the cvc.
 * Undefined: the key is taken, or the data key is closed.
 */
export async function keepUsedKey(
  db: Runner,
  used: Once & { readonly merchant_account_id: string; readonly token_hash: string; readonly data_key_id: bigint },
): Promise<true | undefined> {
  const rows = await db.run(
    'keep_used_key',
    `WITH new_key AS (
       INSERT INTO vault.idempotency_keys (
         merchant_account_id, key, fingerprint, token_hash, token_sealed)
       SELECT :merchant_account_id, :key, :fingerprint, :token_hash, :token_sealed
       WHERE EXISTS (
         SELECT 1
         FROM vault.data_keys
         WHERE id = :data_key_id
           AND state IN ('active', 'retired')
       )
       ON CONFLICT DO NOTHING
       RETURNING created_at
     ),
     entered AS (
       UPDATE vault.cards
       SET cvc_entered_at = new_key.created_at
       FROM new_key
       WHERE token_hash = :token_hash
         AND merchant_account_id = :merchant_account_id
     )
     SELECT 1 FROM new_key`,
    { ...used, merchant_account_id: bytes(used.merchant_account_id), token_hash: bytes(used.token_hash) },
  );
  return rows.length > 0 ? true : undefined;
}

export async function putPartner(db: Runner, merchant_account_id: string, name: string): Promise<void> {
  await db.run(
    'put_partner',
    `INSERT INTO vault.partners (merchant_account_id, name)
     VALUES (:merchant_account_id, :name)
     ON CONFLICT DO NOTHING`,
    { merchant_account_id: bytes(merchant_account_id), name },
  );
}

export async function hasPartner(db: Runner, merchant_account_id: string, name: string): Promise<boolean> {
  const rows = await db.run(
    'find_partner',
    `SELECT 1
     FROM vault.partners
     WHERE merchant_account_id = :merchant_account_id
       AND name = :name`,
    { merchant_account_id: bytes(merchant_account_id), name },
  );
  return rows.length > 0;
}

export type NewForeign = Pick<StoredCard, 'scheme' | 'first6' | 'last4' | 'exp_month' | 'exp_year' | 'created_at'> & {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly sealed: Buffer;
  readonly data_key_id: bigint;
  readonly partner: string;
  readonly subscription_id: string;
};

/**
 * Stores a partner's token, and in the same commit the Idempotency-Key it came with. False: that key has been used, or
 * the data key is closed.
 */
export async function storeForeign(db: Runner, card: NewForeign, once: Once | undefined): Promise<boolean> {
  const rows = await db.run(
    'store_foreign_token',
    `WITH data_key AS (
       SELECT 1
       FROM vault.data_keys
       WHERE id = :data_key_id
         AND state IN ('active', 'retired')
     ),
     new_key AS (
       INSERT INTO vault.idempotency_keys (
         merchant_account_id, key, fingerprint, token_hash, token_sealed)
       SELECT :merchant_account_id, :key, :fingerprint, :token_hash, :token_sealed
       FROM data_key
       WHERE :key::text IS NOT NULL
       ON CONFLICT DO NOTHING
       RETURNING 1
     )
     INSERT INTO vault.cards (
       token_hash, merchant_account_id, environment, kind, sealed, data_key_id,
       scheme, first6, last4, exp_month, exp_year, created_at, partner, subscription_id)
     SELECT
       :token_hash, :merchant_account_id, :environment, 'recurring', :sealed, :data_key_id,
       :scheme, :first6, :last4, :exp_month, :exp_year, :created_at, :partner, :subscription_id
     FROM data_key
     WHERE :key::text IS NULL
       OR EXISTS (SELECT 1 FROM new_key)
     RETURNING 1`,
    {
      key: null,
      fingerprint: null,
      token_sealed: null,
      ...once,
      ...card,
      token_hash: bytes(card.token_hash),
      merchant_account_id: bytes(card.merchant_account_id),
      subscription_id: bytes(card.subscription_id),
    },
  );
  return rows.length > 0;
}

export type KeptCard = {
  readonly kind: 'oneshot' | 'recurring';
  readonly sealed: string;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly created_at: Date;
};

/**
 * Ends a recurring card: from now on no new order may use it. It is deleted after a month at the latest, if no request
 * asks for its deletion. Undefined: there is no such card.
 */
export async function endCard(
  db: Runner,
  card: { token_hash: string; merchant_account_id: string },
): Promise<KeptCard | undefined> {
  const rows = await db.run<KeptCard>(
    'end_card',
    `UPDATE vault.cards
     SET delete_after = coalesce(delete_after, vault.now() + interval '30 days')
     WHERE token_hash = :token_hash
       AND merchant_account_id = :merchant_account_id
       AND kind = 'recurring'
     RETURNING kind, sealed, exp_month, exp_year, created_at`,
    { token_hash: bytes(card.token_hash), merchant_account_id: bytes(card.merchant_account_id) },
  );
  return rows[0];
}

/** Recurring cards that were ended, and whose month is over. */
export async function findEndedCards(
  db: Runner,
  room: number,
): Promise<readonly { readonly merchant_account_id: string; readonly token_hash: string }[]> {
  return db.run(
    'find_ended_cards',
    `-- any account: retention is the same for all
     WITH past AS MATERIALIZED (
       -- by the time alone: no plan reads the index of saved cards for it
       SELECT merchant_account_id, token_hash, kind
       FROM vault.cards
       WHERE delete_after < (SELECT vault.now())
       LIMIT 1000
     )
     SELECT merchant_account_id, token_hash
     FROM past
     WHERE kind = 'recurring'
     LIMIT :room`,
    { room },
  );
}

/** Deletes a recurring card, and with the last token of a card what its number is recognized by. */
export async function deleteCard(
  db: Runner,
  card: {
    token_hash: string;
    merchant_account_id: string;
    /** The fingerprints of the number under every key that is in use. */
    fingerprints: readonly { readonly key_id: bigint; readonly mac: Buffer }[];
  },
): Promise<void> {
  await db.run(
    'delete_card',
    `WITH deleted AS (
       DELETE FROM vault.cards
       WHERE token_hash = :token_hash
         AND merchant_account_id = :merchant_account_id
         AND kind = 'recurring'
       RETURNING card_unique_id
     )
     DELETE FROM vault.fingerprints f
     USING deleted
     WHERE f.merchant_account_id = :merchant_account_id
       AND (f.key_id, f.mac) IN (SELECT * FROM unnest(:key_ids::bigint[], :macs::bytea[]))
       AND f.card_unique_id = deleted.card_unique_id
       AND NOT EXISTS (
         SELECT 1
         FROM vault.cards c
         WHERE c.merchant_account_id = :merchant_account_id
           AND c.card_unique_id = deleted.card_unique_id
           AND c.kind = 'recurring'
           AND c.token_hash <> :token_hash
       )`,
    {
      token_hash: bytes(card.token_hash),
      merchant_account_id: bytes(card.merchant_account_id),
      key_ids: card.fingerprints.map(({ key_id }) => key_id),
      macs: card.fingerprints.map(({ mac }) => bytes(mac.toString('hex'))),
    },
  );
}
