// The keys of the sandbox's wallets. They come from public words, so everyone has them: they are trusted in a sandbox
// and nowhere else.
import { type KeyObject, X509Certificate, createECDH, createPrivateKey, createPublicKey } from 'node:crypto';
import { sha256 } from '../../../kit/crypto.ts';
import { CMS_OIDS } from '../cms.ts';
import { makeCertificate } from '../../../kit/tls/certificate.ts';

/** A private key of P-256 that is the same everywhere. */
export function demoKey(name: string): KeyObject {
  const ecdh = createECDH('prime256v1');
  const d = Buffer.from(sha256(`florin sandbox wallet: ${name}`), 'hex');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: 'EC', crv: 'P-256', d: url(d), x: url(x), y: url(y) };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

const url = (bytes: Buffer) => bytes.toString('base64url');

const publicOf = (key: KeyObject) => createPublicKey(key);

/** Valid for the time that sandboxes live in. */
const FROM = new Date('2020-01-01T00:00:00Z');
const UNTIL = new Date('2069-01-01T00:00:00Z');

export type AppleAuthority = {
  readonly root: X509Certificate;
  readonly intermediate: X509Certificate;
  readonly leaf: X509Certificate;
  readonly leaf_key: KeyObject;
};

type Change = { readonly name?: string; readonly leaf_marker?: string; readonly until?: Date };

/** Three certificates as Apple's stand: root, intermediate, and the leaf that signs payloads. */
export function demoAppleAuthority({
  name = 'Sandbox',
  leaf_marker = CMS_OIDS.leaf,
  until = UNTIL,
}: Change = {}): AppleAuthority {
  const keys = { root: demoKey(`${name} root`), above: demoKey(`${name} intermediate`), leaf: demoKey(`${name} leaf`) };
  const names = { root: `${name} wallet root`, above: `${name} wallet authority`, leaf: `${name} wallet` };
  const time = { not_before: FROM, not_after: UNTIL };
  const root = {
    ...time,
    subject: names.root,
    issuer: names.root,
    public_key: publicOf(keys.root),
    authority_key: keys.root,
  };
  const above = {
    ...time,
    subject: names.above,
    issuer: names.root,
    public_key: publicOf(keys.above),
    authority_key: keys.root,
  };
  const leaf = {
    not_before: FROM,
    not_after: until,
    subject: names.leaf,
    issuer: names.above,
    public_key: publicOf(keys.leaf),
    authority_key: keys.above,
  };
  return {
    root: new X509Certificate(makeCertificate({ ...root, serial: [1], for: 'authority', below: 1 })),
    intermediate: new X509Certificate(
      makeCertificate({ ...above, serial: [2], for: 'authority', marker: CMS_OIDS.intermediate }),
    ),
    leaf: new X509Certificate(makeCertificate({ ...leaf, serial: [3], for: 'signer', marker: leaf_marker })),
    leaf_key: keys.leaf,
  };
}
