// The statement that stores a card, without and with an Idempotency-Key.
import { type RowStatement, rowStatement } from '../kit/database.ts';

const CARD = {
  token_hash: 'bytea',
  merchant_account_id: 'bytea',
  environment: 'text',
  kind: 'text',
  checkout_id: 'bytea',
  new_unique_id: 'uuid',
  key_id: 'bigint',
  mac: 'bytea',
  old_key_id: 'bigint',
  old_mac: 'bytea',
  sealed: 'bytea',
  data_key_id: 'bigint',
  scheme: 'text',
  schemes: 'text',
  first6: 'text',
  last4: 'text',
  exp_month: 'smallint',
  exp_year: 'smallint',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  delete_after: 'timestamptz',
  max_tokens: 'int',
  token_kind: 'text',
  is_network_token: 'boolean',
  approved_minor: 'bigint',
  approved_currency: 'text',
} as const;
const KEY = { key: 'text', fingerprint: 'bytea', token_sealed: 'bytea' } as const;

const storeStatement = (name: string, once: boolean): RowStatement =>
  rowStatement(
    name,
    {
      columns: once ? { ...CARD, ...KEY } : CARD,
      // tokens of a checkout are counted one after the other, and a card is known by the second
      apart: ({ checkout_id, mac, key = null }) => [
        typeof checkout_id === 'string' ? checkout_id : null,
        Buffer.isBuffer(mac) ? mac.toString('hex') : null,
        typeof key === 'string' ? `key ${key}` : null,
      ],
    },
    (asked) =>
      // one statement: a card, what it is known by and the key it was stored under are there together or not at all
      `WITH ${asked},
     allowed AS (
       SELECT *
       FROM asked
       WHERE (checkout_id IS NULL
           OR (
             SELECT count(*)
             FROM vault.cards
             WHERE cards.checkout_id = asked.checkout_id
               AND cards.merchant_account_id = asked.merchant_account_id
           ) < max_tokens)
         AND (
           SELECT count(*)
           FROM vault.data_keys
           WHERE id IN (asked.data_key_id, asked.key_id)
             AND state IN ('active', 'retired')
         ) = 2
     ),
     ${once ? KEYED : ''}
     known_card AS (
       INSERT INTO vault.fingerprints (
         merchant_account_id, key_id, mac,
         card_unique_id)
       SELECT
         merchant_account_id, key_id, mac,
         coalesce(
           (
             SELECT card_unique_id
             FROM vault.fingerprints AS older
             WHERE older.merchant_account_id = keyed.merchant_account_id
               AND older.key_id = keyed.old_key_id
               AND older.mac = keyed.old_mac
           ),
           new_unique_id)
       FROM ${once ? '' : 'allowed AS '}keyed
       ON CONFLICT (merchant_account_id, key_id, mac) DO UPDATE SET seen_at = vault.now()
       RETURNING merchant_account_id, mac, card_unique_id
     ),
     stored AS (
       SELECT keyed.*, known_card.card_unique_id
       FROM ${once ? '' : 'allowed AS '}keyed
       JOIN known_card USING (merchant_account_id, mac)
     ),
     new_card AS (
       INSERT INTO vault.cards (
         token_hash, merchant_account_id, environment, kind, checkout_id, card_unique_id,
         sealed, data_key_id, scheme, schemes, first6, last4, exp_month, exp_year,
         created_at, expires_at, delete_after, token_kind, is_network_token, approved_minor,
         approved_currency)
       SELECT
         token_hash, merchant_account_id, environment, kind, checkout_id, card_unique_id,
         sealed, data_key_id, scheme, schemes, first6, last4, exp_month, exp_year,
         created_at, expires_at, delete_after, token_kind, is_network_token, approved_minor,
         approved_currency
       FROM stored
     )
     SELECT n, card_unique_id FROM stored`,
  );

const KEYED = `new_key AS (
       INSERT INTO vault.idempotency_keys (
         merchant_account_id, key, fingerprint, token_hash, token_sealed)
       SELECT merchant_account_id, key, fingerprint, token_hash, token_sealed FROM allowed
       ON CONFLICT DO NOTHING
       RETURNING token_hash
     ),
     keyed AS (
       SELECT allowed.* FROM allowed JOIN new_key USING (token_hash)
     ),`;

export const STORE_CARD = storeStatement('store_card', false);
export const STORE_CARD_ONCE = storeStatement('store_card_once', true);
