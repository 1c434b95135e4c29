// Apple Pay's payloads: the published one, one that another implementation reads too, and every way one is refused.
import { X509Certificate, createPrivateKey, createPublicKey } from 'node:crypto';
import { ApplePaymentTokenContext } from '@basis-theory/apple-pay-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openApplePay } from '../../../src/vault/wallet/apple-pay.ts';
import { readAppleCard } from '../../../src/vault/wallet/wallet-card.ts';
import { demoAppleAuthority } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import { sizeOf } from '../../sizes.ts';
import {
  APPLE_MESSAGE,
  NOW,
  apple,
  applePayload,
  later,
  otherKey,
  refusalOf,
  vector,
  vectorsAreHere,
} from './payloads.ts';

/** The merchant of the published payload. */
const MERCHANT = 'merchant.test.spreedly.123merchant';

describe.skipIf(!vectorsAreHere)('the published payload (skipped without the shared data)', () => {
  const recipient = () => ({
    root: new X509Certificate(vector('applepay/AppleRootCA-G3.pem')),
    merchant_id: MERCHANT,
    keys: [createPrivateKey(vector('applepay/private_key.pem'))],
    now: new Date('2021-09-01T19:05:00Z'),
  });

  test('opens in the minutes after it was signed, and holds what is published', () => {
    const { plain } = openApplePay(vector('applepay/token.json'), recipient());
    expect(JSON.parse(plain.toString())).toEqual(JSON.parse(vector('applepay/expected.json')).decrypted);
  });

  test('is too old a little later, ahead of time a little earlier, and nothing to another merchant or root', () => {
    const open = (change: object) =>
      refusalOf(() => openApplePay(vector('applepay/token.json'), { ...recipient(), ...change }));
    expect(open({ now: new Date('2021-09-01T19:13:06Z') })).toBe('expired');
    expect(open({ now: new Date('2021-09-01T19:00:00Z') })).toBe('early');
    expect(open({ merchant_id: 'merchant.test.spreedly.124merchant' })).toBe('recipient');
    expect(open({ keys: [otherKey] })).toBe('recipient');
    expect(open({ root: apple.to.root })).toBe('signature');
  });

  test('another implementation reads a payload of ours as we do', () => {
    const { keys } = recipient();
    const [key] = keys;
    if (!key) throw new Error('the merchant has a key');
    const payload = applePayload({ to: createPublicKey(key), merchant_id: MERCHANT });
    const merchants = [
      {
        certificatePem: Buffer.from(vector('applepay/certificate.pem')),
        privateKeyPem: Buffer.from(vector('applepay/private_key.pem')),
      },
    ];
    const theirs = new ApplePaymentTokenContext({ merchants }).decrypt(JSON.parse(payload));
    const { plain } = openApplePay(payload, { ...apple.to, keys, merchant_id: MERCHANT });
    expect(JSON.parse(plain.toString())).toEqual(theirs);
  });
});

const other = demoAppleAuthority({ name: 'Another' });
const unmarked = demoAppleAuthority({ leaf_marker: '2a864886f76364061e' });
const ended = demoAppleAuthority({ until: later(-60_000) });

test.each([
  ['another authority', applePayload({ ...other, transaction_id: Buffer.alloc(32) }), 'signature'],
  [
    'a leaf under an intermediate of another authority',
    applePayload({ intermediate: other.intermediate }),
    'signature',
  ],
  ['a leaf without its mark', applePayload({ ...unmarked, leaf_key: unmarked.leaf_key }), 'signature'],
  ['a leaf signed with another key than its own', applePayload({ leaf_key: otherKey }), 'signature'],
  ['a leaf that had expired when it signed', applePayload(ended), 'signer_expired'],
  ['an old signature', applePayload({ signed_at: later(-11 * 60_000) }), 'expired'],
  ['a signature of the future', applePayload({ signed_at: later(3 * 60_000) }), 'early'],
  ['another key of the merchant', applePayload({ to: createPublicKey(otherKey) }), 'recipient'],
  ['another merchant', applePayload({ merchant_id: 'merchant.example.other' }), 'recipient'],
  ['another version', applePayload().replace('EC_v1', 'RSA_v1'), 'version'],
  ['text that is no JSON', '', 'malformed'],
])('a payload with %s is refused', (_, payload, reason) => {
  expect(refusalOf(() => openApplePay(payload, apple.to))).toBe(reason);
});

test('a leaf that has expired since it signed is as good as before', () => {
  const authority = demoAppleAuthority({ until: later(-10_000) });
  expect(openApplePay(applePayload({ ...authority }), apple.to).plain.length).toBeGreaterThan(0);
});

test('data of the shop is signed with the rest', () => {
  const payload = JSON.parse(applePayload({ application_data: Buffer.alloc(32, 1) }));
  expect(openApplePay(JSON.stringify(payload), apple.to).plain.length).toBeGreaterThan(0);
  const { applicationData: _, ...header } = payload.header;
  expect(refusalOf(() => openApplePay(JSON.stringify({ ...payload, header }), apple.to))).toBe('signature');
  const changed = { ...payload, header: { ...payload.header, applicationData: 'ab'.repeat(32) } };
  expect(refusalOf(() => openApplePay(JSON.stringify(changed), apple.to))).toBe('signature');
});

/** The payload with one bit of one byte of a member changed. */
function flipped(payload: string, member: string, at: number): string {
  const parsed = JSON.parse(payload);
  const holder = member in parsed ? parsed : parsed.header;
  const encoding = member === 'transactionId' ? 'hex' : 'base64';
  const bytes = Buffer.from(holder[member], encoding);
  const place = at % bytes.length;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  holder[member] = bytes.toString(encoding);
  return JSON.stringify(parsed);
}

const lengthOf = (text: string, encoding: 'base64' | 'hex') => Buffer.from(text, encoding).length;

test('a changed byte at any place of what is signed is refused', () => {
  const payload = applePayload();
  const { data, header } = JSON.parse(payload);
  const lengths = {
    data: lengthOf(data, 'base64'),
    transactionId: lengthOf(header.transactionId, 'hex'),
    ephemeralPublicKey: lengthOf(header.ephemeralPublicKey, 'base64'),
  };
  for (const [member, length] of Object.entries(lengths))
    for (let at = 0; at < length; at++)
      expect(refusalOf(() => openApplePay(flipped(payload, member, at), apple.to))).toBe('signature');
});

test('a changed byte at any place of the signature is refused, or changes nothing that was signed', () => {
  const payload = applePayload();
  const plain = openApplePay(payload, apple.to).plain.toString();
  const taken = new Set<number>();
  const length = lengthOf(JSON.parse(payload).signature, 'base64');
  for (let at = 0; at < length; at++) {
    const changed = flipped(payload, 'signature', at);
    const reason = refusalOf(() => expect(openApplePay(changed, apple.to).plain.toString()).toBe(plain));
    if (reason === undefined) taken.add(at);
  }
  // what nobody signs: the outer versions and the list of digests, which are not used
  expect(taken.size).toBeLessThan(30);
});

test('any text in place of the signature is refused and breaks nothing', () => {
  const payload = JSON.parse(applePayload());
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      const signature = Buffer.from(bytes).toString('base64');
      expect(refusalOf(() => openApplePay(JSON.stringify({ ...payload, signature }), apple.to))).toBeDefined();
    }),
    { numRuns: sizeOf('FLORIN_WALLET_RUNS', { usual: 300, full: 5000 }) },
  );
});

const read = (message: object) =>
  readAppleCard(openApplePay(applePayload({}, message), apple.to).plain, { transaction_id: 'one', ends: NOW });

test('the card that was encrypted is read, with what the payer approved', () => {
  const card = read(APPLE_MESSAGE);
  expect(card).toMatchObject({
    exp_month: 11,
    exp_year: 2032,
    eci: '07',
    approved: { amount_minor: 4250n, currency: 'EUR' },
  });
  expect(card.number.toString()).toBe(APPLE_MESSAGE.applicationPrimaryAccountNumber);
  expect(card.cryptogram?.toString()).toBe(APPLE_MESSAGE.paymentData.onlinePaymentCryptogram);
});

test.each([
  ['chip data', { ...APPLE_MESSAGE, paymentDataType: 'EMV' }, 'method'],
  ['no cryptogram', { ...APPLE_MESSAGE, paymentData: {} }, 'malformed'],
  ['a currency that is none', { ...APPLE_MESSAGE, currencyCode: '000' }, 'method'],
  ['an amount with a point', { ...APPLE_MESSAGE, transactionAmount: 42.5 }, 'malformed'],
  ['a number as a number', { ...APPLE_MESSAGE, applicationPrimaryAccountNumber: 4817499130204482 }, 'malformed'],
])('%s is refused', (_, message, reason) => {
  expect(refusalOf(() => read(message))).toBe(reason);
});
