// A message to the holder of a private key, in the form that every JOSE library reads: JWE compact serialization (RFC
// 7516) with RSA-OAEP-256 and A256GCM (RFC 7518), made with node:crypto alone.
import { type KeyObject, constants, createCipheriv, createPublicKey, publicEncrypt } from 'node:crypto';
import { sha256 } from '../../kit/crypto.ts';
import { StartError } from '../../kit/start-error.ts';

export type Receiver = {
  readonly key: KeyObject;
  /** SHA-256 of the key as SubjectPublicKeyInfo, in hex: what two people compare. */
  readonly fingerprint: string;
};

const SMALLEST_BITS = 3072;

/** Reads a public key (PEM, SubjectPublicKeyInfo or a certificate). StartError: it is none, or too weak. */
export function readReceiver(pem: string): Receiver {
  if (pem.includes('PRIVATE KEY')) throw new StartError("This is a private key. Give the receiver's public key only.");
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new StartError('The receiver\'s key must be a public key in PEM ("-----BEGIN PUBLIC KEY-----").');
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < SMALLEST_BITS)
    throw new StartError(`The receiver's key must be RSA of at least ${SMALLEST_BITS} bits.`);
  return { key, fingerprint: sha256(key.export({ type: 'spki', format: 'der' })) };
}

type Randomness = { readonly content_key: Buffer; readonly nonce: Buffer };

/**
 * Seals bytes to the receiver. `content_key` (32 bytes) and `nonce` (12) are random and used once; the key is
 * overwritten.
 */
export function sealTo(receiver: Receiver, plain: Uint8Array, { content_key, nonce }: Randomness): string {
  const header = messageHead(receiver);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: receiver.key, padding, oaepHash: 'sha256' }, content_key);
  const cipher = createCipheriv('aes-256-gcm', content_key, nonce).setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  content_key.fill(0);
  return [header, ...[wrapped, nonce, ciphertext, cipher.getAuthTag()].map(base64url)].join('.');
}

/** The protected header, with which every message to this receiver begins. */
export function messageHead({ fingerprint }: Receiver): string {
  return base64url(
    JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: fingerprint, cty: 'application/x-ndjson' }),
  );
}

function base64url(data: string | Buffer): string {
  return Buffer.from(data).toString('base64url');
}
