// An Idempotency-Key at the vault (contract 2.9): what it made is answered again for 72 hours. The token is kept sealed
// for that, and the request as a keyed hash without its cvc.
import { refuseField } from '../core/refusals.ts';
import { deriveKey, privateCopy } from '../kit/crypto.ts';
import { keyMismatch, repeatOf, replayed } from '../kit/http/idempotency.ts';
import type { Answer } from '../kit/http/route.ts';
import { answerOf } from './answer.ts';
import { type Members, digitsOf, keyedHash } from './card/byte-fields.ts';
import type { Member } from './card/json-bytes.ts';
import type { CvcBounds } from './card/cvcs.ts';
import type { VaultCaller } from './keys/callers.ts';
import { holdsOwnNumber } from './forward/scrub/own-number.ts';
import { type DataKey, keyIdOf, openRecord, sealRecord, tokenPlace } from './keys/record.ts';
import { type Once, type UsedKeyRow, findUsedKey } from './store.ts';
import type { VaultTools } from './tools.ts';

/** A key, and the members of the request it came with. */
export type Key = { readonly key: string; readonly members: readonly Member[] };

/**
 * A key is kept as it was sent, and asked for by a statement: a shop that wants one token for each card must not take
 * the card's number for it.
 */
export function refuseNumberInKey(members: Members, key: string): void {
  const node = members.get('card_number');
  const number = node?.kind === 'text' ? digitsOf(node.bytes) : undefined;
  if (!number) return;
  const text = Buffer.from(key);
  const holds = holdsOwnNumber(text, number);
  text.fill(0);
  number.fill(0);
  if (holds)
    throw refuseField('Idempotency-Key', 'parameter_invalid', 'holds the card number, and is kept: take a random text');
}

export type Earlier = UsedKeyRow & { readonly token: Buffer };

/**
 * The token that was made with the key before. Another body under the key is refused, and any body once its card has
 * been removed.
 */
export async function findEarlier(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { key, members }: Key,
): Promise<Earlier | undefined> {
  const used = await findUsedKey(tools.db, merchant_account_id, key);
  if (!used) return undefined;
  if (used.token_hash === null) throw keyMismatch('was used for a card that has been removed');
  const record = Buffer.from(used.token_sealed, 'hex');
  const data_key = await tools.keys.cardById(keyIdOf(record), merchant_account_id);
  const token = openRecord(record, { key: data_key, place: tokenPlace(merchant_account_id, key) });
  repeatOf(used, { fingerprint: fingerprintOf(token, members).toString('hex') });
  return { ...used, token };
}

export function answerEarlier(earlier: Earlier): Answer {
  return replayed({ body: answerOf(earlier, earlier.token) });
}

type Keeping = CvcBounds & { readonly token_hash: string; readonly digits: Buffer };

/**
 * Keeps a copy of the cvc that came with a token, or of the cryptogram. Under an Idempotency-Key an equal request may
 * have been answered before, and its token been paid with while we were at it: after its authorization a cvc is not
 * kept (PCI DSS 3.3.1), so it is taken out again.
 */
export async function keepCvc(
  tools: VaultTools,
  { caller, once }: { readonly caller: VaultCaller; readonly once: Key | undefined },
  { token_hash, digits, ...bounds }: Keeping,
): Promise<void> {
  await tools.cvcs.keep(token_hash, privateCopy(digits), bounds);
  const used = once && (await findUsedKey(tools.db, caller.merchant_account_id, once.key));
  if (!used || (used.token_hash !== null && !used.spent)) return;
  (await tools.cvcs.take(token_hash, bounds.checkout_id))?.digits.fill(0);
}

/** The stored row of an Idempotency-Key: its token, sealed under the data key, to be answered again. */
export function onceOf(
  { chance }: Pick<VaultTools, 'chance'>,
  { key, members }: Key,
  made: { readonly token: Buffer; readonly merchant_account_id: string; readonly data_key: DataKey },
): Once {
  const { token, merchant_account_id, data_key } = made;
  const place = tokenPlace(merchant_account_id, key);
  return {
    key,
    fingerprint: fingerprintOf(token, members),
    token_sealed: sealRecord(token, chance.bytes(12), { key: data_key, place }),
  };
}

/**
 * A keyed hash of a request: equal requests are equal, and nothing can be read from it (contract 2.9). Its key comes
 * from the token it was answered with, which is kept sealed beside it: so no rotation of keys makes a repeat look like
 * another request.
 */
function fingerprintOf(token: Buffer, members: readonly Member[]): Buffer {
  return keyedHash(deriveKey(token, 'request', 'idempotency fingerprint'), members, 'cvc');
}
