// Statements of the card zone. No statement carries a card number in clear: sealed bytes and a keyed hash only.
import { type Parameters, type Batching, type Runner, askRow, bytes, rowStatement } from '../kit/database.ts';
import { KEY_HOURS } from '../kit/http/idempotency.ts';
import { STORE_CARD, STORE_CARD_ONCE } from './card-store.ts';

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

/** The source of a card that was not typed. */
export type TokenKind = 'google_pay' | 'apple_pay' | 'network_token';

/**
 * Stores a card under its token; the same work for a new and a known card. Undefined: the checkout has its tokens
 * already, or one of the keys is closed (a rotation is about to destroy it).
 */
export async function storeCard(db: Batching, card: NewCard): Promise<string | undefined> {
  return (await askRow<{ card_unique_id: string }>(db.batch, STORE_CARD, cardParameters(card)))?.card_unique_id;
}

export type Once = { readonly key: string; readonly fingerprint: Buffer; readonly token_sealed: Buffer };

/** Stores a card with an Idempotency-Key, in the same commit. Undefined: as above, or the Idempotency-Key is taken. */
export async function storeCardOnce(db: Batching, card: NewCard, once: Once): Promise<string | undefined> {
  const row = { ...cardParameters(card), ...once };
  return (await askRow<{ card_unique_id: string }>(db.batch, STORE_CARD_ONCE, row))?.card_unique_id;
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

/**
 * The token that an Idempotency-Key made within its 72 hours (contract 2.9). `token_hash` null: its card has been
 * removed.
 */
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
 * Deletes what is past its time: cards for one payment, answers of providers after a day (by the index of their keys,
 * which has no others), and Idempotency-Keys (their cards live a little longer), payloads of wallets.
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
           AND kind <> 'recurring'
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
     WHERE created_at < (SELECT vault.now()) - interval '${KEY_HOURS} hours'`,
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
  /** The partner whose token is stored instead of a card's number; null, like the next: it is a card. */
  readonly partner: string | null;
  readonly subscription_id: string | null;
  readonly token_kind: TokenKind | null;
  readonly is_network_token: boolean;
  readonly approved_minor: bigint | null;
  readonly approved_currency: string | null;
};

/**
 * A card, or a partner's token, that can be used now by this account for this checkout: a saved card that was paid
 * with, for any.
 */
export async function findUsableCard(
  db: Batching,
  question: { token_hash: string; merchant_account_id: string; checkout_id: string | null; environment: string },
): Promise<CardRow | undefined> {
  return askRow<CardRow>(db.batchRead, USABLE_CARD, {
    ...question,
    token_hash: bytes(question.token_hash),
    merchant_account_id: bytes(question.merchant_account_id),
    checkout_id: bytes(question.checkout_id),
  });
}

const USABLE_CARD = rowStatement(
  'find_usable_card',
  {
    columns: { token_hash: 'bytea', merchant_account_id: 'bytea', checkout_id: 'bytea', environment: 'text' },
    reads: true,
  },
  (asked) => `WITH ${asked}
     SELECT
       asked.n, kind, scheme, schemes, first6, last4, exp_month, exp_year, card_unique_id, partner,
       subscription_id, token_kind, is_network_token, approved_minor, approved_currency
     FROM asked
     JOIN vault.cards ON cards.token_hash = asked.token_hash
     WHERE cards.merchant_account_id = asked.merchant_account_id
       AND cards.environment = asked.environment
       AND (kind = 'recurring' AND delete_after IS NULL
         OR kind = 'oneshot' AND spent_order_id IS NULL AND expires_at > vault.now())
       AND (cards.checkout_id IS NULL
         OR cards.checkout_id = asked.checkout_id
         OR kind = 'recurring' AND spent_at IS NOT NULL)`,
);

/** The sealed number of a card, for questions of a sandbox. */
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

type SealedRow = Pick<CardRow, 'kind' | 'exp_month' | 'exp_year'> & {
  readonly sealed: string;
  readonly data_key_id: bigint;
  readonly created_at: Date;
};
