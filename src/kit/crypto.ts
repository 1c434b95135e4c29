// Cryptography, only from node:crypto: hashes, keyed hashes, derived keys, sealing.
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
} from 'node:crypto';

/**
 * Up to this size V8 keeps a buffer's bytes in its own heap, and leaves copies behind when it moves or hands them out.
 */
const MOVED_BYTES = 64;

/** A buffer for what must be overwritten later: its bytes stay at one place. What it holds at first is not defined. */
export function privateBytes(length: number): Buffer {
  return Buffer.allocUnsafeSlow(Math.max(length, MOVED_BYTES + 1)).subarray(0, length);
}

/** A copy at one place, to be overwritten by its owner. */
export function privateCopy(bytes: Uint8Array): Buffer {
  const copy = privateBytes(bytes.length);
  copy.set(bytes);
  return copy;
}

/** SHA-256 as hex text. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/**
 * The key as an object that nothing shows, four times as fast to work with as its bytes, which are overwritten. OpenSSL
 * overwrites its own copy when the object is collected (decision 0093): a key that must be gone at a moment stays
 * bytes.
 */
export function secretKey(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/** HMAC-SHA-256 as bytes. */
export function hmac(key: Uint8Array | KeyObject, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

const BLOCK = 64;
/** Longer texts are hashed the usual way. */
const SHORT = 512;

/**
 * HMAC-SHA-256 as hex text, of many short texts under one key of 32 bytes: by two plain hashes, which make no object of
 * OpenSSL's each time and take half as long. The key stays in memory as bytes: for what is no secret of a card or a
 * person.
 */
export function hmacOften(key: Uint8Array): (text: string) => string {
  const inner = Buffer.alloc(BLOCK + SHORT);
  const outer = Buffer.alloc(BLOCK + 32);
  for (let i = 0; i < BLOCK; i++) {
    inner[i] = (key[i] ?? 0) ^ 0x36;
    outer[i] = (key[i] ?? 0) ^ 0x5c;
  }
  // of UTF-16 a unit is three bytes at most
  const most = SHORT / 3;
  return (text) => {
    if (text.length > most) return hmac(key, text).toString('hex');
    const end = BLOCK + inner.write(text, BLOCK);
    outer.write(hash('sha256', inner.subarray(0, end), 'hex'), BLOCK, 'hex');
    return hash('sha256', outer, 'hex');
  };
}

/** HMAC-SHA-256 of parts one after the other, none of which is copied into one. */
export function hmacParts(key: Uint8Array | KeyObject, parts: Iterable<string | Uint8Array>): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** A 256-bit key derived from another one (HKDF-SHA-256, RFC 5869). */
export function deriveKey(key: Uint8Array | KeyObject, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, 32));
}

export type Sealing = { readonly key: Uint8Array | KeyObject; readonly aad: string };

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
