// A sealed record: `1 version | 8 data_key_id | 12 nonce | ciphertext | 16 tag`. Its associated data names the
// place it stands at, its owner and its key: taken to another row, column, merchant or key it does not open.
import type { KeyObject } from 'node:crypto';
import { open, seal } from '../../kit/crypto.ts';

export type DataKey = { readonly id: bigint; readonly key: KeyObject };

/** A record that was changed, cut off, or taken from another place: it is refused and audited, never repaired. */
export class RecordUnreadable extends Error {}

const VERSION = 1;
const HEAD = 9;

/** Column, then what identifies the row there and what may not be changed without being noticed. */
export type Place = readonly [column: string, merchant_account_id: string, ...rest: readonly string[]];

export function sealRecord(
  plain: Uint8Array,
  nonce: Uint8Array,
  { key, place }: { key: DataKey; place: Place },
): Buffer {
  const head = Buffer.alloc(HEAD);
  head[0] = VERSION;
  head.writeBigUInt64BE(key.id, 1);
  return Buffer.concat([head, seal(plain, nonce, { key: key.key, aad: aadOf(place, key) })]);
}

/**
 * Opens a record into a buffer that is the caller's to overwrite. Throws RecordUnreadable when anything about it was
 * changed.
 */
export function openRecord(record: Buffer, { key, place }: { key: DataKey; place: Place }): Buffer {
  if (record.length < HEAD + 28 || record[0] !== VERSION || keyIdOf(record) !== key.id)
    throw new RecordUnreadable('a record of another version or key');
  try {
    return open(record.subarray(HEAD), { key: key.key, aad: aadOf(place, key) });
  } catch (error) {
    throw new RecordUnreadable('a record that does not open where it stands', { cause: error });
  }
}

/** The data key a record says it is sealed with. Throws RecordUnreadable when it is too short to be one. */
export function keyIdOf(record: Buffer): bigint {
  if (record.length < HEAD) throw new RecordUnreadable('a record that was cut off');
  return record.readBigUInt64BE(1);
}

function aadOf(place: Place, key: DataKey): string {
  return JSON.stringify([...place, String(key.id)]);
}

/** The facts that a provider's stored answer is bound to. */
export function answerPlace(operation_id: string, merchant_account_id: string): Place {
  return ['vault.forwards.answer_sealed', merchant_account_id, operation_id];
}

/**
 * The facts that the credentials of a contract are bound to: those of another account, contract or provider do not
 * open.
 */
export function contractPlace(of: {
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly destination: string;
}): Place {
  return ['vault.contracts.credentials_sealed', of.merchant_account_id, of.contract_id, of.destination];
}

/** The facts that the token of an Idempotency-Key is bound to. */
export function tokenPlace(merchant_account_id: string, key: string): Place {
  return ['vault.idempotency_keys.token_sealed', merchant_account_id, key];
}
