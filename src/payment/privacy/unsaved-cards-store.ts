// Statements on cards that no customer's record lists: a shop keeps the recurring token itself.
import { type TenantRunner, bytes } from '../../kit/database.ts';

/** The recurring tokens that these orders were paid with. */
export async function listRecurringTokens(db: TenantRunner, orders: readonly string[]): Promise<readonly string[]> {
  const rows = await db.run<{ token_hash: string }>(
    'list_recurring_tokens',
    `SELECT DISTINCT token_hash
     FROM payment.transactions
     WHERE order_id = ANY (:orders::bytea[])
       AND merchant_account_id = :merchant_account_id
       AND token_type = 'recurring'
       AND token_hash IS NOT NULL`,
    { orders: orders.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ token_hash }) => token_hash);
}

export type TokenUse = {
  readonly token_hash: string;
  readonly payment_channel: string | null;
  /** The order has a customer or an e-mail. */
  readonly names_somebody: boolean;
};

/** What orders were paid with these tokens. */
export async function listTokenUses(db: TenantRunner, tokens: readonly string[]): Promise<readonly TokenUse[]> {
  return db.run<TokenUse>(
    'list_token_uses',
    `SELECT DISTINCT
       t.token_hash,
       coalesce(o.body ->> 'payment_channel', c.body ->> 'payment_channel') AS payment_channel,
       coalesce(
         o.body ->> 'customer_id', c.body ->> 'customer_id',
         o.body ->> 'customer_email', c.body ->> 'customer_email'
       ) IS NOT NULL AS names_somebody
     FROM payment.transactions t
     JOIN payment.orders o
       ON o.id = t.order_id
       AND o.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     WHERE t.merchant_account_id = :merchant_account_id
       AND t.token_type = 'recurring'
       AND t.token_hash = ANY (:tokens::bytea[])`,
    { tokens: tokens.map((hash) => bytes(hash)), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Those of these tokens that a customer's record lists. */
export async function listSavedTokens(db: TenantRunner, tokens: readonly string[]): Promise<readonly string[]> {
  const rows = await db.run<{ token_hash: string }>(
    'list_saved_tokens',
    `SELECT DISTINCT token_hash
     FROM payment.saved_card_tokens
     WHERE merchant_account_id = :merchant_account_id
       AND token_hash = ANY (:tokens::bytea[])`,
    { tokens: tokens.map((hash) => bytes(hash)), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ token_hash }) => token_hash);
}

/** Puts tokens on the list of those whose cards the vault deletes; answers how many were not there yet. */
export async function insertCardRemovals(db: TenantRunner, tokens: readonly string[]): Promise<number> {
  const rows = await db.run(
    'insert_card_removals',
    `INSERT INTO payment.card_removals (merchant_account_id, token_hash)
     SELECT :merchant_account_id, token_hash
     FROM unnest(:tokens::bytea[]) AS token_hash
     ON CONFLICT DO NOTHING
     RETURNING 1 AS inserted`,
    { tokens: tokens.map((hash) => bytes(hash)), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length;
}
