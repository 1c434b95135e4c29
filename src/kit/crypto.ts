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
  // a shorter tag, as of something cut off, is refused: it would be easier to forge
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(sealed.subarray(Math.max(12, sealed.length - 16)));
  const plain = decipher.update(sealed.subarray(12, Math.max(12, sealed.length - 16)));
  try {
    decipher.final();
  } catch (error) {
    plain.fill(0);
    throw error;
  }
  return plain;
}
