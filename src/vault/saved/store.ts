// Statements on saved cards that came without a number: the cvc entered again, and tokens of partners.
import { type Runner, bytes } from '../../kit/database.ts';
import type { Once, StoredCard } from '../store.ts';

/** A saved card of this account, to enter its cvc again: never a one-shot token, never a partner's. */
export async function findSavedCard(
  db: Runner,
  question: { token_hash: string; merchant_account_id: string; environment: string },
): Promise<StoredCard | undefined> {
  const rows = await db.run<StoredCard>(
    'find_saved_card',
    `SELECT kind, scheme, schemes, first6, last4, exp_month, exp_year, created_at, checkout_id, card_unique_id, partner, subscription_id FROM vault.cards
     WHERE token_hash = :token_hash AND merchant_account_id = :merchant_account_id AND environment = :environment AND kind = 'recurring' AND partner IS NULL`,
    {
      ...question,
      token_hash: bytes(question.token_hash),
      merchant_account_id: bytes(question.merchant_account_id),
    },
  );
  return rows[0];
}

/** Keeps an Idempotency-Key whose token is there already; one that lost a race is kept by the winner. */
export async function keepUsedKey(
  db: Runner,
  used: Once & { readonly merchant_account_id: string; readonly token_hash: string },
): Promise<void> {
  await db.run(
    'keep_used_key',
    `INSERT INTO vault.idempotency_keys (merchant_account_id, key, fingerprint, token_hash, token_sealed)
     VALUES (:merchant_account_id, :key, :fingerprint, :token_hash, :token_sealed) ON CONFLICT DO NOTHING`,
    { ...used, merchant_account_id: bytes(used.merchant_account_id), token_hash: bytes(used.token_hash) },
  );
}

export async function putPartner(db: Runner, merchant_account_id: string, name: string): Promise<void> {
  await db.run(
    'put_partner',
    `INSERT INTO vault.partners (merchant_account_id, name) VALUES (:merchant_account_id, :name) ON CONFLICT DO NOTHING`,
    { merchant_account_id: bytes(merchant_account_id), name },
  );
}

export async function hasPartner(db: Runner, merchant_account_id: string, name: string): Promise<boolean> {
  const rows = await db.run(
    'find_partner',
    `SELECT 1 FROM vault.partners WHERE merchant_account_id = :merchant_account_id AND name = :name`,
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

/** Stores a partner's token, and in the same commit the Idempotency-Key it came with. False: that key was used meanwhile. */
export async function storeForeign(db: Runner, card: NewForeign, once: Once | undefined): Promise<boolean> {
  const rows = await db.run(
    'store_foreign_token',
    `WITH k AS (INSERT INTO vault.idempotency_keys (merchant_account_id, key, fingerprint, token_hash, token_sealed)
         SELECT :merchant_account_id, :key, :fingerprint, :token_hash, :token_sealed WHERE :key::text IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1)
     INSERT INTO vault.cards (token_hash, merchant_account_id, environment, kind, sealed, data_key_id, scheme, first6, last4, exp_month, exp_year,
       created_at, partner, subscription_id)
     SELECT :token_hash, :merchant_account_id, :environment, 'recurring', :sealed, :data_key_id, :scheme, :first6, :last4, :exp_month, :exp_year,
       :created_at, :partner, :subscription_id
     WHERE :key::text IS NULL OR EXISTS (SELECT 1 FROM k) RETURNING 1`,
    {
      ...{ key: null, fingerprint: null, token_sealed: null, ...once },
      ...card,
      token_hash: bytes(card.token_hash),
      merchant_account_id: bytes(card.merchant_account_id),
      subscription_id: bytes(card.subscription_id),
    },
  );
  return rows.length > 0;
}
