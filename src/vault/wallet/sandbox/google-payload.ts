// Makes a payload as Google Pay does (ECv2), for a sandbox and for tests.
import { type KeyObject, createCipheriv, createPublicKey, generateKeyPairSync, hkdfSync, sign } from 'node:crypto';
import { hmac } from '../../../kit/crypto.ts';
import { lengthPrefixed } from '../google-pay.ts';
import { sharedSecret } from '../payload.ts';

export type GoogleSender = {
  readonly root: KeyObject;
  readonly intermediate: KeyObject;
  readonly intermediate_ends: Date;
  /** Public key of the merchant. */
  readonly to: KeyObject;
  readonly recipient_id: string;
};

/** The text that a shop gets from the wallet as its token. */
export function makeGooglePayload(message: string, sender: GoogleSender): string {
  const signed_key = JSON.stringify({
    keyValue: createPublicKey(sender.intermediate).export({ type: 'spki', format: 'der' }).toString('base64'),
    keyExpiration: String(sender.intermediate_ends.getTime()),
  });
  const signed_message = JSON.stringify(encrypted(Buffer.from(message), sender.to));
  const above = sign('sha256', lengthPrefixed('Google', 'ECv2', signed_key), sender.root);
  const signature = sign(
    'sha256',
    lengthPrefixed('Google', sender.recipient_id, 'ECv2', signed_message),
    sender.intermediate,
  );
  return JSON.stringify({
    protocolVersion: 'ECv2',
    signature: signature.toString('base64'),
    intermediateSigningKey: { signedKey: signed_key, signatures: [above.toString('base64')] },
    signedMessage: signed_message,
  });
}

function encrypted(plain: Buffer, to: KeyObject) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  const both = Buffer.concat([point, sharedSecret(privateKey, to)]);
  const keys = Buffer.from(hkdfSync('sha256', both, Buffer.alloc(32), 'Google', 64));
  const ciphertext = createCipheriv('aes-256-ctr', keys.subarray(0, 32), Buffer.alloc(16)).update(plain);
  return {
    encryptedMessage: ciphertext.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: hmac(keys.subarray(32), ciphertext).toString('base64'),
  };
}
