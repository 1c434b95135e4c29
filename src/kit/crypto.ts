// Cryptography, only from node:crypto: hashes, keyed hashes, derived keys, sealing.
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';

/** SHA-256 as hex text. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** HMAC-SHA-256 as bytes. */
export function hmac(key: Uint8Array, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HMAC-SHA-256 of parts one after the other, none of which is copied into one. */
export function hmacParts(key: Uint8Array, parts: Iterable<string | Uint8Array>): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** A 256-bit key derived from another one (HKDF-SHA-256, RFC 5869). */
export function deriveKey(key: Uint8Array, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, 32));
}

export type Sealing = { readonly key: Uint8Array; readonly aad: string };

/** AES-256-GCM: 12 bytes nonce, ciphertext, 16 bytes tag. The nonce is given by the caller and must be random. */
export function seal(plain: Uint8Array, nonce: Uint8Array, { key, aad }: Sealing): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `seal` made, into a buffer of its own that the caller overwrites; throws when anything was changed. */
export function open(sealed: Uint8Array, { key, aad }: Sealing): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(sealed.subarray(sealed.length - 16));
  const plain = decipher.update(sealed.subarray(12, sealed.length - 16));
  decipher.final();
  return plain;
}
