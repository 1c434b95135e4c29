// Digests of values that the money zone must recognize and may not store, under its own key (docs/decisions/0052). A
// card is such a value: the card_unique_id that POST /token answers is in none of its tables, so a copy of them does
// not tell whether a number is the right one.
import { type KeyObject, createSecretKey } from 'node:crypto';
import { deriveKey, hmac } from '../kit/crypto.ts';

const KEYS = new WeakMap<KeyObject, KeyObject>();

/**
 * 64 hex. The text says what kind of value it is and whose, so that equal values of two accounts have nothing in
 * common.
 */
export function digestOf(secret_key: KeyObject, text: string): string {
  let key = KEYS.get(secret_key);
  if (!key) {
    key = createSecretKey(deriveKey(secret_key, 'florin', 'risk subjects'));
    KEYS.set(secret_key, key);
  }
  return hmac(key, text).toString('hex');
}

/** The digest of a card of this account, by its card_unique_id in lower case. */
export function cardDigest(secret_key: KeyObject, merchant_account_id: string, card_unique_id: string): string {
  return digestOf(secret_key, `${merchant_account_id}|card|${card_unique_id}`);
}
