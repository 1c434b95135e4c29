// Functions that read the payloads of both wallets. Outside of its encrypted part a payload holds no card data, so it
// may be read as strings.
import { createHash, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { type JsonObject, JsonProblem, type JsonValue, parseJson } from '../../core/json.ts';
import { WalletRefused } from './refused.ts';

/** Reads one JSON object; any other payload is refused. */
export function objectOf(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (value instanceof Map) return value;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
  }
  throw new WalletRefused('malformed');
}

export function memberOf(object: JsonObject, name: string): JsonObject {
  const value = object.get(name);
  if (value instanceof Map) return value;
  throw new WalletRefused('malformed');
}

export function textOf(object: JsonObject, name: string): string {
  return asText(object.get(name));
}

export function asText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new WalletRefused('malformed');
}

/** Strict: what reads as the same bytes in two ways is taken in one. */
export function base64Of(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new WalletRefused('malformed');
  return bytes;
}

export function hexOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'hex');
  if (bytes.length === 0 || bytes.toString('hex') !== text.toLowerCase()) throw new WalletRefused('malformed');
  return bytes;
}

/** A public key of P-256 as SubjectPublicKeyInfo; anything else is refused. */
export function publicKeyOf(spki: Buffer): KeyObject {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (key.asymmetricKeyDetails?.namedCurve === P256) return key;
  } catch (error) {
    throw new WalletRefused('malformed', { cause: error });
  }
  throw new WalletRefused('malformed');
}

const P256 = 'prime256v1';
const SPKI_OF_P256 = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** A point of P-256 as it stands, uncompressed: `04`, x, y. */
export function pointOf(bytes: Buffer): KeyObject {
  if (bytes.length !== 65 || bytes[0] !== 4) throw new WalletRefused('malformed');
  return publicKeyOf(Buffer.concat([SPKI_OF_P256, bytes]));
}

/** The caller overwrites it. */
export function sharedSecret(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  return diffieHellman({ privateKey, publicKey });
}

export function sha256Bytes(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
}
