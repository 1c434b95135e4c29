// The card in a wallet's payload, from what was encrypted: numbers and cryptograms stay bytes (docs/decisions/0010).
import { CURRENCY_NUMBERS } from '../../core/three-ds/currency-numbers.ts';
import { privateCopy } from '../../kit/crypto.ts';
import { Members, digitsOf, isAllDigits, smallNumberOf } from '../card/byte-fields.ts';
import { type JsonBody, type JsonNode, readJsonBytes } from '../card/json-bytes.ts';
import { WalletRefused } from './refused.ts';

export type Wallet = 'google_pay' | 'apple_pay';

/** Number, cryptogram and holder are the caller's to overwrite. */
export type WalletCard = {
  readonly wallet: Wallet;
  readonly number: Buffer;
  readonly holder: Buffer;
  readonly exp_month: number;
  readonly exp_year: number;
  /** Base64, as it goes on. Undefined: the number is the card's own, and the payer must be authenticated. */
  readonly cryptogram: Buffer | undefined;
  readonly eci: string | undefined;
  /** The wallet's own id of the payload, which is accepted only once. */
  readonly message_id: string;
  /** No payload of this name is taken after that. */
  readonly ends: Date;
  /** The amount that the payer approved, if the wallet tells it. */
  readonly approved: Approved | undefined;
};

export type Approved = { readonly amount_minor: bigint; readonly currency: string };

const NOBODY = Buffer.alloc(0);

/** Reads and overwrites what Google Pay encrypted. */
export function readGoogleCard(plain: Buffer, now: Date): WalletCard {
  return reading(plain, (message) => {
    if (wordOf(message.get('paymentMethod')) !== 'CARD') throw new WalletRefused('method');
    const ends = new Date(Number(digitsText(message.get('messageExpiration'), 15)));
    if (!(ends > now)) throw new WalletRefused('expired');
    const details = inner(message, 'paymentMethodDetails');
    const method = wordOf(details.get('authMethod'));
    if (method !== 'PAN_ONLY' && method !== 'CRYPTOGRAM_3DS') throw new WalletRefused('method');
    const is_token = method === 'CRYPTOGRAM_3DS';
    return {
      wallet: 'google_pay',
      message_id: wordOf(message.get('messageId')),
      ends,
      approved: undefined,
      exp_month: numberOf(details.get('expirationMonth')),
      exp_year: numberOf(details.get('expirationYear')),
      eci: is_token ? eciOf(details.get('eciIndicator')) : undefined,
      holder: NOBODY,
      cryptogram: is_token ? cryptogramOf(details.get('cryptogram')) : undefined,
      number: cardNumberOf(details.get('pan')),
    };
  });
}

/** Reads and overwrites what Apple Pay encrypted. */
export function readAppleCard(
  plain: Buffer,
  opened: { readonly transaction_id: string; readonly ends: Date },
): WalletCard {
  return reading(plain, (message) => {
    if (wordOf(message.get('paymentDataType')) !== '3DSecure') throw new WalletRefused('method');
    const data = inner(message, 'paymentData');
    const date = digitsText(message.get('applicationExpirationDate'), 6);
    const holder = message.get('cardholderName');
    return {
      wallet: 'apple_pay',
      message_id: opened.transaction_id,
      ends: opened.ends,
      approved: approvedOf(message),
      exp_month: Number(date.slice(2, 4)),
      exp_year: 2000 + Number(date.slice(0, 2)),
      eci: eciOf(data.get('eciIndicator')),
      holder: holder?.kind === 'text' ? privateCopy(holder.bytes) : NOBODY,
      cryptogram: cryptogramOf(data.get('onlinePaymentCryptogram')),
      number: cardNumberOf(message.get('applicationPrimaryAccountNumber')),
    };
  });
}

function reading(plain: Buffer, read: (message: Members) => WalletCard): WalletCard {
  let body: JsonBody | undefined;
  try {
    body = readJsonBytes(plain);
    return read(new Members(body.members));
  } catch (error) {
    throw error instanceof WalletRefused ? error : new WalletRefused('malformed');
  } finally {
    body?.wipe();
    plain.fill(0);
  }
}

function inner(members: Members, name: string): Members {
  const node = members.get(name);
  if (node?.kind !== 'object') throw new WalletRefused('malformed');
  return new Members(node.members);
}

const MOST_DIGITS = 20;

/** Never of a number or a cryptogram: a text cannot be overwritten. */
function wordOf(node: JsonNode | undefined): string {
  if (node?.kind !== 'text' || node.bytes.length > 256) throw new WalletRefused('malformed');
  return node.bytes.toString('utf8');
}

function digitsText(node: JsonNode | undefined, most: number): string {
  const is_digits = (node?.kind === 'text' || node?.kind === 'number') && isAllDigits(node.bytes);
  if (!is_digits || node.bytes.length === 0 || node.bytes.length > most) throw new WalletRefused('malformed');
  return node.bytes.toString('latin1');
}

function numberOf(node: JsonNode | undefined): number {
  const read = node && smallNumberOf(node);
  if (!read) throw new WalletRefused('malformed');
  return read.value;
}

function eciOf(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const eci = digitsText(node, 2);
  return eci.padStart(2, '0');
}

/** 20 bytes at most schemes; as base64, which it goes on in. */
function cryptogramOf(node: JsonNode | undefined): Buffer {
  if (node?.kind !== 'text' || !isCryptogram(node.bytes)) throw new WalletRefused('malformed');
  return privateCopy(node.bytes);
}

/** Base64 of 8 to 64 signs. */
export function isCryptogram(bytes: Buffer): boolean {
  if (bytes.length < 8 || bytes.length > 64) return false;
  return bytes.every((byte, at) => isBase64(byte) || (byte === EQUALS && at >= bytes.length - 2));
}

const EQUALS = 0x3d;
const isBase64 = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2b ||
  byte === 0x2f;

function cardNumberOf(node: JsonNode | undefined): Buffer {
  const number = node?.kind === 'text' ? digitsOf(node.bytes) : undefined;
  if (!number) throw new WalletRefused('malformed');
  return number;
}

/** In minor units and the digits of ISO 4217. */
function approvedOf(message: Members): Approved | undefined {
  const [amount, code] = [message.get('transactionAmount'), message.get('currencyCode')];
  if (amount === undefined && code === undefined) return undefined;
  const wanted = digitsText(code, 3).padStart(3, '0');
  const currency = [...CURRENCY_NUMBERS].find(([, digits]) => digits === wanted)?.[0];
  if (currency === undefined) throw new WalletRefused('method');
  return { amount_minor: BigInt(digitsText(amount, MOST_DIGITS)), currency };
}
