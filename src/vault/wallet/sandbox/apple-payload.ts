// Makes a payload as Apple Pay does (EC_v1), for a sandbox and for tests.
import { type KeyObject, type X509Certificate, createCipheriv, generateKeyPairSync, sign } from 'node:crypto';
import { explicit, integer, octets, oid, sequence, time, tlv } from '../../../kit/tls/der.ts';
import { appleKey } from '../apple-pay.ts';
import { CMS_OIDS } from '../cms.ts';
import { childrenOf, readElement } from '../der.ts';
import { sha256Bytes, sharedSecret } from '../payload.ts';

export type AppleSender = {
  readonly leaf: X509Certificate;
  readonly intermediate: X509Certificate;
  readonly leaf_key: KeyObject;
  readonly signed_at: Date;
  /** Public key of the merchant. */
  readonly to: KeyObject;
  readonly merchant_id: string;
  /** 32 bytes. */
  readonly transaction_id: Buffer;
  readonly application_data?: Buffer;
};

/** The text of the object that a shop gets from the wallet as its payment data. */
export function makeApplePayload(message: string, sender: AppleSender): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ephemeral = publicKey.export({ type: 'spki', format: 'der' });
  const key = appleKey(sharedSecret(privateKey, sender.to), sender.merchant_id);
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16));
  const data = Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()]);
  const application_data = sender.application_data ?? Buffer.alloc(0);
  const digest = sha256Bytes(ephemeral, data, sender.transaction_id, application_data);
  return JSON.stringify({
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signedData(digest, sender).toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: sha256Bytes(sender.to.export({ type: 'spki', format: 'der' })).toString('base64'),
      transactionId: sender.transaction_id.toString('hex'),
      ...(sender.application_data && { applicationData: application_data.toString('hex') }),
    },
  });
}

const set = (...parts: readonly Uint8Array[]) => tlv(0x31, ...parts);

/** CMS SignedData without content (RFC 5652 5.1). */
function signedData(digest: Buffer, { leaf, intermediate, leaf_key, signed_at }: AppleSender): Buffer {
  const sha256 = sequence(oid(CMS_OIDS.sha256));
  const attributes = [
    sequence(oid(CMS_OIDS.content_type), set(oid(CMS_OIDS.data))),
    sequence(oid(CMS_OIDS.signing_time), set(time(signed_at))),
    sequence(oid(CMS_OIDS.message_digest), set(octets(digest))),
  ];
  const signature = sign('sha256', set(...attributes), leaf_key);
  const info = sequence(
    integer([1]),
    sequence(issuerOf(leaf), integer(Buffer.from(leaf.serialNumber, 'hex'))),
    sha256,
    explicit(0, ...attributes),
    sequence(oid(CMS_OIDS.ecdsa_with_sha256)),
    octets(signature),
  );
  const signed = sequence(
    integer([1]),
    set(sha256),
    sequence(oid(CMS_OIDS.data)),
    explicit(0, leaf.raw, intermediate.raw),
    set(info),
  );
  return sequence(oid(CMS_OIDS.signed_data), explicit(0, signed));
}

function issuerOf(certificate: X509Certificate): Buffer {
  const [to_be_signed] = childrenOf(readElement(certificate.raw));
  const issuer = to_be_signed && childrenOf(to_be_signed)[3];
  if (!issuer) throw new Error('a certificate has an issuer');
  return issuer.whole;
}
