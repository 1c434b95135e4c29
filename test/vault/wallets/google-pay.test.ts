// Google Pay's payloads: the published vector, one of another implementation's making or reading, and every way one is
// refused.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { GooglePaymentMethodTokenContext } from '@basis-theory/google-pay-js';
import { describe, expect, test } from 'vitest';
import { openGooglePay, readGoogleRoots } from '../../../src/vault/wallet/google-pay.ts';
import { readGoogleCard } from '../../../src/vault/wallet/wallet-card.ts';
import {
  GOOGLE_MESSAGE,
  NOW,
  google,
  googlePayload,
  later,
  otherKey,
  refusalOf,
  spoilt,
  vector,
  vectorsAreHere,
} from './payloads.ts';

type Vectors = Readonly<Record<string, string>> & {
  readonly google_verifying_public_keys: { readonly keys: readonly { readonly keyValue: string }[] };
};

const pkcs8 = (base64: string | undefined) =>
  createPrivateKey({ key: Buffer.from(base64 ?? '', 'base64'), format: 'der', type: 'pkcs8' });
const spki = (base64: string | undefined) =>
  createPublicKey({ key: Buffer.from(base64 ?? '', 'base64'), format: 'der', type: 'spki' });

describe.skipIf(!vectorsAreHere)('published vectors (skipped without the shared data)', () => {
  const read = (): Vectors => JSON.parse(vector('googlepay/tink-paymentmethodtoken-vectors.json'));

  test('the published ECv1 payload opens, for its recipient alone', () => {
    const vectors = read();
    const root = spki(vectors.google_verifying_public_keys.keys[0]?.keyValue);
    const recipient = {
      roots: [{ version: 'ECv1' as const, key: root, expires: undefined }],
      recipient_id: 'someRecipient',
      keys: [pkcs8(vectors['merchant_private_key_pkcs8_base64'])],
      now: NOW,
    };
    const payload = vectors['ciphertext_ec_v1'] ?? '';
    expect(openGooglePay(payload, recipient).toString()).toBe(vectors['plaintext']);
    expect(refusalOf(() => openGooglePay(payload, { ...recipient, recipient_id: 'someoneElse' }))).toBe('signature');
    const other = [pkcs8(vectors['alternate_merchant_private_key_pkcs8_base64'])];
    expect(refusalOf(() => openGooglePay(payload, { ...recipient, keys: other }))).toBe('recipient');
    const roots = [
      { version: 'ECv1' as const, key: spki(vectors['alternate_public_signing_key']), expires: undefined },
    ];
    expect(refusalOf(() => openGooglePay(payload, { ...recipient, roots }))).toBe('signature');
  });

  test('a payload signed with the published ECv2 keys opens', () => {
    const vectors = read();
    const key = pkcs8(vectors['google_signing_ec_v2_private_key_pkcs8_base64']);
    const payload = googlePayload({ root: key });
    const roots = [{ version: 'ECv2' as const, key: createPublicKey(key), expires: undefined }];
    expect(JSON.parse(openGooglePay(payload, { ...google.to, roots }).toString())).toEqual(GOOGLE_MESSAGE);
  });
});

test('another implementation reads the payload as we do', () => {
  const merchants = google.to.keys.map((key) => ({
    identifier: 'shop',
    privateKeyPem: Buffer.from(key.export({ type: 'sec1', format: 'pem' })),
  }));
  const payload = googlePayload();
  const theirs = new GooglePaymentMethodTokenContext({ merchants }).decrypt(JSON.parse(payload));
  expect(JSON.parse(openGooglePay(payload, google.to).toString())).toEqual(theirs);
});

test('an older private key still opens a payload while the key is changed', () => {
  const keys = [otherKey, ...google.to.keys];
  expect(openGooglePay(googlePayload(), { ...google.to, keys }).length).toBeGreaterThan(0);
});

test.each([
  ['another root', googlePayload({ root: otherKey }), 'signature'],
  ['an intermediate key that has expired', googlePayload({ intermediate_ends: NOW }), 'signer_expired'],
  ['another recipient', googlePayload({ recipient_id: 'merchant:9' }), 'signature'],
  ['another key of the merchant', googlePayload({ to: createPublicKey(otherKey) }), 'recipient'],
  ['an unknown version', googlePayload().replace('ECv2', 'ECv3'), 'version'],
  ['the version that needs no intermediate key', googlePayload().replace('ECv2', 'ECv1'), 'signature'],
  ['text that is no JSON', 'googlepay', 'malformed'],
  ['a list', '[]', 'malformed'],
  ['a member that stands twice', googlePayload().replace('{', '{"protocolVersion":"ECv2",'), 'malformed'],
])('a payload with %s is refused', (_, payload, reason) => {
  expect(refusalOf(() => openGooglePay(payload, google.to))).toBe(reason);
});

test('a message signed by the intermediate key of another payload is refused', () => {
  const theirs = JSON.parse(googlePayload({ root: otherKey, intermediate: otherKey }));
  const mixed = { ...theirs, intermediateSigningKey: JSON.parse(googlePayload()).intermediateSigningKey };
  expect(refusalOf(() => openGooglePay(JSON.stringify(mixed), google.to))).toBe('signature');
});

test('a root key that has expired signs nothing any more', () => {
  const roots = google.to.roots.map((root) => ({ ...root, expires: NOW }));
  expect(refusalOf(() => openGooglePay(googlePayload(), { ...google.to, roots }))).toBe('signature');
});

test('a changed sign at any place of what is signed is refused', () => {
  const payload = JSON.parse(googlePayload());
  const key: string = payload.intermediateSigningKey.signedKey;
  const message: string = payload.signedMessage;
  for (let at = 0; at < key.length + message.length; at++) {
    const signedKey = at < key.length ? spoilt(key, at) : key;
    const signedMessage = at < key.length ? message : spoilt(message, at - key.length);
    const intermediateSigningKey = { ...payload.intermediateSigningKey, signedKey };
    const changed = { ...payload, signedMessage, intermediateSigningKey };
    expect(refusalOf(() => openGooglePay(JSON.stringify(changed), google.to))).toBe('signature');
  }
});

test('the card that was encrypted is read, and the bytes it came in are overwritten', () => {
  const plain = openGooglePay(googlePayload(), google.to);
  const card = readGoogleCard(plain, NOW);
  const { pan, cryptogram } = GOOGLE_MESSAGE.paymentMethodDetails;
  expect(card).toMatchObject({ exp_month: 11, exp_year: 2032, eci: '05', message_id: 'AH2Ejt-one-message' });
  expect([card.number.toString(), card.cryptogram?.toString()]).toEqual([pan, cryptogram]);
  expect(plain.every((byte) => byte === 0)).toBe(true);
});

const inside = (change: object, details: object = {}) => ({
  ...GOOGLE_MESSAGE,
  ...change,
  paymentMethodDetails: { ...GOOGLE_MESSAGE.paymentMethodDetails, ...details },
});

test.each([
  ['a message that has expired', inside({ messageExpiration: String(NOW.getTime()) }), 'expired'],
  ['no expiry', inside({ messageExpiration: undefined }), 'malformed'],
  ['another method than a card', inside({ paymentMethod: 'TOKEN' }), 'method'],
  ['an unknown way of authentication', inside({}, { authMethod: 'OTHER' }), 'method'],
  ['a token of a card without a cryptogram', inside({}, { cryptogram: undefined }), 'malformed'],
  ['a cryptogram that is no base64', inside({}, { cryptogram: 'AgAA=AAA' }), 'malformed'],
  ['a number that is none', inside({}, { pan: '4895' }), 'malformed'],
])('%s is refused', (_, message, reason) => {
  const plain = openGooglePay(googlePayload({}, message), google.to);
  expect(refusalOf(() => readGoogleCard(plain, NOW))).toBe(reason);
});

test("the card's own number comes without a cryptogram", () => {
  const message = inside({}, { authMethod: 'PAN_ONLY', cryptogram: undefined, eciIndicator: undefined });
  const card = readGoogleCard(openGooglePay(googlePayload({}, message), google.to), NOW);
  expect([card.cryptogram, card.eci]).toEqual([undefined, undefined]);
});

test("the keys of ECv2 are taken from Google's list of root keys, each until its end", () => {
  const value = google.to.roots.map(({ key }) => key.export({ type: 'spki', format: 'der' }).toString('base64'))[0];
  const list = [
    { keyValue: value, protocolVersion: 'ECv1' },
    { keyValue: value, protocolVersion: 'ECv2', keyExpiration: String(later(5).getTime()) },
  ];
  const roots = readGoogleRoots(JSON.stringify({ keys: list }));
  expect(roots.map(({ version, expires }) => ({ version, expires }))).toEqual([{ version: 'ECv2', expires: later(5) }]);
  expect(refusalOf(() => readGoogleRoots('{}'))).toBe('malformed');
});
