// The vectors of contract 13.1, and the same signatures read by a library that is not ours.
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../src/payment/notification/body.ts';
import { DELAYS_S } from '../../src/payment/notification/schedule.ts';
import {
  brandSignature,
  isSecret,
  makeSecret,
  signatureHeaders,
  webhookSignature,
} from '../../src/payment/notification/sign.ts';

const WHSEC = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY =
  '{"event":"authorization_successful","sequence":2,"order_id":"66bf18d25d1c9a0e47b2f317","status":"authorization_successful","amount":42.5}';
const now = () => String(Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000));

describe('signatures', () => {
  test('the first vector of the contract', () => {
    const body = '{"order_id":"0123456789abcdef01234567","status":"authorization_successful","amount":12.5}';
    expect(brandSignature('demo-secret', { id: '', timestamp: '1700000000', body })).toBe(
      'a680a5528e09a4e09430f35a47fe45a663bf658f9d5be90bab2e5750ce22ab9d',
    );
  });

  test('the second vector of the contract, both signatures', () => {
    const signed = { id: '66bf18d55d1c9a0e47b2f322', timestamp: '1723799766', body: BODY };
    expect(webhookSignature([WHSEC], signed)).toBe('v1,DGQX/he/KL7fusvx71ZcYZgD7+1pp9FSKG42qV+rt1I=');
    expect(brandSignature(WHSEC, signed)).toBe('37ff70f7a1e4400dfa61dba4956690fd73d759a781c05072f14da2ed983ecd69');
  });

  test.each([
    ['as it was sent', {}, true],
    ['one byte of the body changed', { body: BODY.replace('42.5', '42.6') }, false],
    ['one byte of the id changed', { 'webhook-id': '66bf18d55d1c9a0e47b2f323' }, false],
    ['another key', { secret: makeSecret(Buffer.alloc(32, 7)) }, false],
    ['301 seconds old', { age_s: 301 }, false],
  ])('the independent library: %s', (_, changed: Record<string, string | number>, good) => {
    const timestamp = String(Number(now()) - Number(changed['age_s'] ?? 0));
    const headers = signatureHeaders('florin', [WHSEC], { id: '66bf18d55d1c9a0e47b2f322', timestamp, body: BODY });
    const verify = () =>
      new Webhook(String(changed['secret'] ?? WHSEC)).verify(String(changed['body'] ?? BODY), {
        ...headers,
        ...('webhook-id' in changed && { 'webhook-id': String(changed['webhook-id']) }),
      });
    if (good) expect(verify()).toMatchObject({ sequence: 2 });
    else expect(verify).toThrow(/No matching signature found|timestamp too old/);
  });

  test('while a rotation overlaps, the old and the new secret verify, and the brand signature is that of the older', () => {
    const newer = makeSecret(Buffer.alloc(32, 9));
    const signed = { id: '66bf18d55d1c9a0e47b2f322', timestamp: now(), body: BODY };
    const headers = signatureHeaders('acme', [newer, WHSEC], signed);
    for (const secret of [newer, WHSEC]) new Webhook(secret).verify(BODY, { ...headers });
    expect(headers['acme-signature']).toBe(brandSignature(WHSEC, signed));
  });

  test('a secret after whsec_ must be base64; any other text is taken as it is', () => {
    expect([WHSEC, 'demo-secret'].map(isSecret)).toEqual([true, true]);
    expect(['whsec_', 'whsec_not base64', 'whsec_abc'].map(isSecret)).toEqual([false, false, false]);
  });
});

test('the schedule is ten tries over 75.6 hours', () => {
  expect(DELAYS_S.length).toBe(9);
  expect((DELAYS_S.reduce((sum, delay) => sum + delay, 0) / 3600).toFixed(1)).toBe('75.6');
});

test('the longest texts there can be stay below 20 kB', () => {
  const id = 'f'.repeat(24);
  const long = '\u{1F600}'.repeat(255);
  const told = {
    order_merchant_id: long,
    checkout_id: id,
    status: 'capture_successful',
    amount_minor: 1e12,
    currency: 'KWD',
    authorized_minor: 1e12,
    released_minor: 0,
    capturing_minor: 0,
    captured_minor: 1e12,
    refunding_minor: 0,
    refunded_minor: 0,
    cancel_pending: false,
    holds: true,
    transaction_id: id,
    provider: long,
    contract_id: id,
    payment_method_name: long,
    first6: '424242',
    last4: '4242',
    exp_month: 12,
    exp_year: 2034,
    risk_score: 99,
    risk_code: null,
    provider_ref: long,
    provider_text: long + long,
    authentication: { partner: long, state: 'challenge', trans_status: 'Y', code: null, handle: 'f'.repeat(64) },
    operation: { id, kind: 'capture', operation_merchant_id: long },
  };
  const facts = { at: '2024-08-16T09:16:05', code: '955555', request_id: id, order_version: 1, told, more: null };
  const whose = { merchant_account_id: id, order_id: id, sequence: 1, previous_sequence: null };
  const addresses = { backoffice_url: 'https://backoffice.example', vault_url: 'https://vault.example' };
  const origins = { cardOf: () => ({ issuer: long, country: 'FR', funding: null }) };
  const body = bodyOf({ ...whose, event: 'capture_successful', facts }, { addresses, origins, providers: new Map() });
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
});
