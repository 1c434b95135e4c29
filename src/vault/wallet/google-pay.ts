// Google Pay's payment method token (developers.google.com/pay/api, "payment data cryptography"): who signed it, for
// whom, and what it holds. Nothing of it is decrypted before its signatures hold.
import { createDecipheriv, hkdfSync, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { hmac } from '../../kit/crypto.ts';
import type { JsonObject } from '../../core/json.ts';
import { asText, base64Of, memberOf, objectOf, pointOf, publicKeyOf, sharedSecret, textOf } from './payload.ts';
import { WalletRefused } from './refused.ts';

type Version = keyof typeof VERSIONS;

export type GoogleRoot = { readonly version: Version; readonly key: KeyObject; readonly expires: Date | undefined };

export type GoogleRecipient = {
  readonly roots: readonly GoogleRoot[];
  /** `merchant:12345678901234567890`, or `gateway:name` behind a gateway. */
  readonly recipient_id: string;
  /** Private keys of P-256: one, or two while they are changed. */
  readonly keys: readonly KeyObject[];
  readonly now: Date;
};

const SENDER = 'Google';
/**
 * Length of the AES key; that of the HMAC is the same. `chain`: an intermediate key stands between root and message.
 */
const VERSIONS = {
  ECv1: { key_bytes: 16, cipher: 'aes-128-ctr', chain: false },
  ECv2: { key_bytes: 32, cipher: 'aes-256-ctr', chain: true },
} as const;

/** Opens a payload of Google Pay, into a buffer that the caller overwrites; throws a WalletRefused. */
export function openGooglePay(payload: string, recipient: GoogleRecipient): Buffer {
  const token = objectOf(payload);
  const version = textOf(token, 'protocolVersion');
  if (version !== 'ECv1' && version !== 'ECv2') throw new WalletRefused('version');
  const signed_message = textOf(token, 'signedMessage');
  const signers = VERSIONS[version].chain ? [intermediateOf(token, recipient)] : rootsOf(recipient, version);
  const signed = lengthPrefixed(SENDER, recipient.recipient_id, version, signed_message);
  if (!isSigned(signed, signers, [textOf(token, 'signature')])) throw new WalletRefused('signature');
  return decrypt(objectOf(signed_message), VERSIONS[version], recipient.keys);
}

/** Root keys of that version which have not expired. */
function rootsOf({ roots, now }: GoogleRecipient, version: Version): readonly KeyObject[] {
  const valid = roots.filter((root) => root.version === version && (root.expires === undefined || root.expires > now));
  return valid.map(({ key }) => key);
}

function intermediateOf(token: JsonObject, recipient: GoogleRecipient): KeyObject {
  const stated = memberOf(token, 'intermediateSigningKey');
  const signed_key = textOf(stated, 'signedKey');
  const signatures = stated.get('signatures');
  if (!Array.isArray(signatures)) throw new WalletRefused('malformed');
  const signed = lengthPrefixed(SENDER, 'ECv2', signed_key);
  if (!isSigned(signed, rootsOf(recipient, 'ECv2'), signatures.map(asText))) throw new WalletRefused('signature');
  const key = objectOf(signed_key);
  const expires = textOf(key, 'keyExpiration');
  if (!/^\d{10,15}$/.test(expires)) throw new WalletRefused('malformed');
  if (Number(expires) <= recipient.now.getTime()) throw new WalletRefused('signer_expired');
  return publicKeyOf(base64Of(textOf(key, 'keyValue')));
}

/** One valid signature by one of the keys is enough: while Google changes a key there are two of each. */
function isSigned(signed: Buffer, keys: readonly KeyObject[], signatures: readonly string[]): boolean {
  const given = signatures.map(base64Of);
  return given.some((signature) => keys.some((key) => verify('sha256', signed, key, signature)));
}

/** Each part behind its length: four bytes, little end first. */
export function lengthPrefixed(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

function decrypt(message: JsonObject, version: (typeof VERSIONS)[Version], keys: readonly KeyObject[]): Buffer {
  const point = base64Of(textOf(message, 'ephemeralPublicKey'));
  const encrypted = base64Of(textOf(message, 'encryptedMessage'));
  const tag = base64Of(textOf(message, 'tag'));
  for (const key of keys) {
    const plain = decryptWith(derived(key, point, 2 * version.key_bytes), { encrypted, tag, cipher: version.cipher });
    if (plain) return plain;
  }
  throw new WalletRefused('recipient');
}

/** HKDF (RFC 5869) over the ephemeral key and the shared secret. */
function derived(key: KeyObject, point: Buffer, length: number): Buffer {
  const secret = sharedSecret(key, pointOf(point));
  const both = Buffer.concat([point, secret]);
  const keys = Buffer.from(hkdfSync('sha256', both, Buffer.alloc(32), SENDER, length));
  secret.fill(0);
  both.fill(0);
  return keys;
}

type Encrypted = { readonly encrypted: Buffer; readonly tag: Buffer; readonly cipher: string };

/** Decrypts with these keys, which are then overwritten. Undefined: it is not encrypted with them. */
function decryptWith(keys: Buffer, { encrypted, tag, cipher }: Encrypted): Buffer | undefined {
  const half = keys.length / 2;
  try {
    const expected = hmac(keys.subarray(half), encrypted);
    if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return undefined;
    return createDecipheriv(cipher, keys.subarray(0, half), Buffer.alloc(16)).update(encrypted);
  } finally {
    keys.fill(0);
  }
}

/** Google's list of root keys, as it publishes it: those of ECv2. Throws where it is no such list. */
export function readGoogleRoots(text: string): readonly GoogleRoot[] {
  const keys = objectOf(text).get('keys');
  if (!Array.isArray(keys)) throw new WalletRefused('malformed');
  return keys.flatMap((each) => {
    if (!(each instanceof Map)) throw new WalletRefused('malformed');
    if (each.get('protocolVersion') !== 'ECv2') return [];
    const expires = each.get('keyExpiration');
    return {
      version: 'ECv2' as const,
      key: publicKeyOf(base64Of(textOf(each, 'keyValue'))),
      expires: expires === undefined ? undefined : new Date(Number(asText(expires))),
    };
  });
}
