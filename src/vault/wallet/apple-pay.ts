// Apple Pay's payment token, EC_v1 (Apple's "Payment Token Format Reference"): who signed it and when, for whom, and
// what it holds. Nothing of it is decrypted before its signature holds.
import { type KeyObject, type X509Certificate, createDecipheriv, createPublicKey } from 'node:crypto';
import { MINUTE_MS } from '../../core/durations.ts';
import { type JsonObject } from '../../core/json.ts';
import { verifyCms } from './cms.ts';
import { base64Of, hexOf, memberOf, objectOf, publicKeyOf, sha256Bytes, sharedSecret, textOf } from './payload.ts';
import { WalletRefused } from './refused.ts';

export type AppleRecipient = {
  /** Apple Root CA - G3; the sandbox's own in a sandbox. */
  readonly root: X509Certificate;
  readonly merchant_id: string;
  /** Private keys of payment processing certificates: one, or two while they are changed. */
  readonly keys: readonly KeyObject[];
  readonly now: Date;
};

export type AppleOpened = {
  /** The decrypted bytes, in a buffer that the caller overwrites. */
  readonly plain: Buffer;
  readonly transaction_id: string;
  /** A payload with this transaction id is taken until then. */
  readonly ends: Date;
};

/** Between the payer's word in the wallet and this request. */
const APPLE_MS = 10 * MINUTE_MS;
/** Clocks differ. */
const AHEAD_MS = 2 * MINUTE_MS;

/** Opens a payload of Apple Pay; throws a WalletRefused. */
export function openApplePay(payload: string, recipient: AppleRecipient): AppleOpened {
  const token = objectOf(payload);
  if (textOf(token, 'version') !== 'EC_v1') throw new WalletRefused('version');
  const header = memberOf(token, 'header');
  const data = base64Of(textOf(token, 'data'));
  const ephemeral = base64Of(textOf(header, 'ephemeralPublicKey'));
  const transaction_id = textOf(header, 'transactionId');
  const signed = [ephemeral, data, hexOf(transaction_id), applicationDataOf(header)];
  const signed_at = verifyCms(base64Of(textOf(token, 'signature')), signed, recipient.root);
  const ends = new Date(signed_at.getTime() + APPLE_MS);
  if (ends <= recipient.now) throw new WalletRefused('expired');
  if (signed_at.getTime() > recipient.now.getTime() + AHEAD_MS) throw new WalletRefused('early');
  const key = keyFor(header, recipient.keys);
  const secret = sharedSecret(key, publicKeyOf(ephemeral));
  const symmetric = appleKey(secret, recipient.merchant_id);
  secret.fill(0);
  try {
    return { plain: decrypt(data, symmetric), transaction_id: transaction_id.toLowerCase(), ends };
  } finally {
    symmetric.fill(0);
  }
}

/** A hash that the shop's app may have given; signed where it is there. */
function applicationDataOf(header: JsonObject): Buffer {
  return header.has('applicationData') ? hexOf(textOf(header, 'applicationData')) : Buffer.alloc(0);
}

/** The key whose public half it was encrypted to, by its hash. */
function keyFor(header: JsonObject, keys: readonly KeyObject[]): KeyObject {
  const wanted = base64Of(textOf(header, 'publicKeyHash'));
  const key = keys.find((one) =>
    sha256Bytes(createPublicKey(one).export({ type: 'spki', format: 'der' })).equals(wanted),
  );
  if (!key) throw new WalletRefused('recipient');
  return key;
}

const ALGORITHM = Buffer.from('\u000did-aes256-GCM');
const PARTY = Buffer.from('Apple');
const COUNTER = Buffer.from([0, 0, 0, 1]);

/** The key derivation of NIST SP 800-56A 5.8.1 with SHA-256, one round. */
export function appleKey(secret: Buffer, merchant_id: string): Buffer {
  return sha256Bytes(COUNTER, secret, ALGORITHM, PARTY, sha256Bytes(Buffer.from(merchant_id)));
}

const TAG_BYTES = 16;

function decrypt(data: Buffer, key: Buffer): Buffer {
  if (data.length <= TAG_BYTES) throw new WalletRefused('malformed');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  const plain = decipher.update(data.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return plain;
  } catch (error) {
    plain.fill(0);
    throw new WalletRefused('recipient', { cause: error });
  }
}
