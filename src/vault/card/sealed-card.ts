// A card number at rest: a sealed record, padded so that its length says nothing, bound by its associated data to
// merchant, token, kind, expiry and moment.
import { privateCopy } from '../../kit/crypto.ts';
import { type DataKey, type Place, openRecord, sealRecord } from '../keys/record.ts';

const BLOCK = 128;
const NETWORK_TOKEN = 1;

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

export type CardSecrets = {
  readonly number: Buffer;
  readonly holder: Buffer;
  /** The number is a network token, which is paid with a cryptogram and the indicator that came with it. */
  readonly network_token?: { readonly eci: string };
};

export function sealCard(
  { number, holder, network_token }: CardSecrets,
  binding: CardBinding,
  { key, nonce }: { key: DataKey; nonce: Uint8Array },
): Buffer {
  const end = 3 + number.length + holder.length;
  const length = end + (network_token ? 2 + network_token.eci.length : 0);
  const plain = Buffer.alloc(Math.ceil(length / BLOCK) * BLOCK);
  plain[0] = number.length;
  plain.set(number, 1);
  plain.writeUInt16BE(holder.length, 1 + number.length);
  plain.set(holder, 3 + number.length);
  if (network_token) {
    // in a record of before there are zeros, if anything
    plain[end] = NETWORK_TOKEN;
    plain[end + 1] = network_token.eci.length;
    plain.write(network_token.eci, end + 2, 'latin1');
  }
  const record = sealRecord(plain, nonce, { key, place: cardPlace(binding) });
  plain.fill(0);
  return record;
}

/** Opens a record; the buffers are the caller's to overwrite. Throws when anything about the row was changed. */
export function openCard(record: Buffer, binding: CardBinding, key: DataKey): CardSecrets {
  const plain = openRecord(record, { key, place: cardPlace(binding) });
  const length = plain[0] ?? 0;
  const number = privateCopy(plain.subarray(1, 1 + length));
  const holder_length = plain.readUInt16BE(1 + length);
  const holder = privateCopy(plain.subarray(3 + length, 3 + length + holder_length));
  const end = 3 + length + holder_length;
  const eci = plain.toString('latin1', end + 2, end + 2 + (plain[end + 1] ?? 0));
  const is_token = plain[end] === NETWORK_TOKEN;
  plain.fill(0);
  return { number, holder, ...(is_token && { network_token: { eci } }) };
}

/** The facts that a card's record is bound to. */
export function cardPlace(binding: CardBinding): Place {
  const { environment, merchant_account_id, token_hash, kind, exp_month, exp_year, created_at } = binding;
  const rest = [environment, token_hash, kind, String(exp_month), String(exp_year), created_at.toISOString()];
  return ['vault.cards.sealed', merchant_account_id, ...rest];
}
