// A card number at rest (vault.md 4): `1 version | 8 data_key_id | 12 nonce | ciphertext | 16 tag`, padded so that its length
// says nothing, bound by its associated data to merchant, token, kind, expiry and moment.
import { open, privateCopy, seal } from '../../kit/crypto.ts';
import type { DataKey } from '../keys/keys.ts';

const VERSION = 1;
const BLOCK = 128;

export type CardBinding = {
  readonly environment: string;
  readonly merchant_account_id: string;
  readonly token_hash: string;
  readonly kind: string;
  /** Null: a partner's token of a card whose expiry is not known. */
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly created_at: Date;
};

export type CardSecrets = { readonly number: Buffer; readonly holder: Buffer };

export function sealCard(
  { number, holder }: CardSecrets,
  binding: CardBinding,
  { key, nonce }: { key: DataKey; nonce: Uint8Array },
): Buffer {
  const length = 3 + number.length + holder.length;
  const plain = Buffer.alloc(Math.ceil(length / BLOCK) * BLOCK);
  plain[0] = number.length;
  plain.set(number, 1);
  plain.writeUInt16BE(holder.length, 1 + number.length);
  plain.set(holder, 3 + number.length);
  const head = Buffer.alloc(9);
  head[0] = VERSION;
  head.writeBigUInt64BE(key.id, 1);
  const record = Buffer.concat([head, seal(plain, nonce, { key: key.key, aad: aadOf(binding) })]);
  plain.fill(0);
  return record;
}

/** Opens a record; the buffers are the caller's to overwrite. Throws when anything about the row was changed. */
export function openCard(record: Buffer, binding: CardBinding, key: DataKey): CardSecrets {
  if (record[0] !== VERSION || record.readBigUInt64BE(1) !== key.id)
    throw new Error('a card record of another version or key');
  const plain = open(record.subarray(9), { key: key.key, aad: aadOf(binding) });
  const length = plain[0] ?? 0;
  const number = privateCopy(plain.subarray(1, 1 + length));
  const holder_length = plain.readUInt16BE(1 + length);
  const holder = privateCopy(plain.subarray(3 + length, 3 + length + holder_length));
  plain.fill(0);
  return { number, holder };
}

function aadOf(binding: CardBinding): string {
  const { environment, merchant_account_id, token_hash, kind, exp_month, exp_year, created_at } = binding;
  return [environment, merchant_account_id, token_hash, kind, exp_month, exp_year, created_at.toISOString()].join('|');
}
