// What our folder sends, byte for byte; and what it does not send.
import { describe, expect, test } from 'vitest';
import { EXPONENTS, oursOf, theirsOf } from '../../src/provider/stripe/exponents.ts';
import { STEPS } from '../../src/provider/stripe/steps.ts';
import { stripe } from '../../src/provider/stripe/stripe.ts';
import { CURRENCIES } from '../../src/core/money.ts';
import { type Facts, type Kept, goesThroughVault, type OperationKind } from '../../src/provider/contract.ts';
import { callOf, factsOf, filled } from '../providers/driver.ts';

const IDS = { operation_id: '0'.repeat(23) + '1', order_id: '0'.repeat(23) + '2' };
const KEPT: Kept = { intent: 'pi_1', payment_method: 'pm_1' };
const VALUES = {
  'card.number': '4242424242424242',
  'card.cvc?': '123',
  'card.expiry_month': '12',
  'card.expiry_year': '2034',
  'secret.secret_key': 'sk_test_shop',
  'psp.token': 'pm_kept',
} as const;

function bytesOf(step: keyof typeof STEPS, facts: Facts): string {
  const written = stripe.write(step, facts, KEPT);
  if (written === undefined) throw new Error(`${step} is not written`);
  const { path, headers } = callOf(STEPS[step], written, 'op-step', VALUES);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${STEPS[step].method} ${path}`, ...lines, '', filled(STEPS[step], written.body, VALUES)].join('\n');
}

const facts = (kind: OperationKind, more: Partial<Facts> = {}) =>
  factsOf(kind, { ...IDS, ...(kind !== 'authorize' && { authorization_reference: 'pi_1' }), ...more });
const aboutRefund = { kind: 'refund', operation_id: '0'.repeat(23) + '3', with_capture: false, kept: {} } as const;

test('each step, byte for byte', () => {
  const refund = facts('refund', { refund_reason: 'fraudulent', amount_minor: 50n });
  expect(bytesOf('shell', facts('authorize', { order_merchant_id: 'Süß & "10%"\n=✓' }))).toMatchInlineSnapshot(`
    "POST /v1/payment_intents
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    amount=4250&currency=eur&capture_method=manual&payment_method_types[]=card&metadata[order_id]=000000000000000000000002&metadata[operation_id]=000000000000000000000001&metadata[operation]=authorize&metadata[merchant_order]=S%C3%BC%C3%9F%20%26%20%2210%25%22%0A%3D%E2%9C%93"
  `);
  expect(bytesOf('card', facts('authorize'))).toMatchInlineSnapshot(`
    "POST /v1/payment_methods
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123"
  `);
  expect(bytesOf('token', facts('authorize', { psp_token: true }))).toMatchInlineSnapshot(`
    "POST /v1/payment_intents/pi_1
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    payment_method=pm_kept"
  `);
  expect(bytesOf('confirm', facts('authorize'))).toMatchInlineSnapshot(`
    "POST /v1/payment_intents/pi_1/confirm
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    payment_method=pm_1&return_url=https%3A%2F%2Fpay.example%2Fback%3Fid%3D1&payment_method_options[card][request_three_d_secure]=automatic&payment_method_options[card][network]=visa&expand[]=latest_charge"
  `);
  expect(bytesOf('capture', facts('capture', { amount_minor: 4000n }))).toMatchInlineSnapshot(`
    "POST /v1/payment_intents/pi_1/capture
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    amount_to_capture=4000"
  `);
  expect(bytesOf('cancel', facts('cancel'))).toMatchInlineSnapshot(`
    "POST /v1/payment_intents/pi_1/cancel
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    "
  `);
  expect(bytesOf('refund', refund)).toMatchInlineSnapshot(`
    "POST /v1/refunds
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    payment_intent=pi_1&amount=50&reason=fraudulent&metadata[order_id]=000000000000000000000002&metadata[operation_id]=000000000000000000000001&metadata[operation]=refund"
  `);
  expect(bytesOf('undo', facts('reversal'))).toMatchInlineSnapshot(`
    "POST /v1/refunds
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json
    idempotency-key: op-step
    content-type: application/x-www-form-urlencoded

    payment_intent=pi_1&metadata[order_id]=000000000000000000000002&metadata[operation_id]=000000000000000000000001&metadata[operation]=reversal"
  `);
  expect(bytesOf('look', facts('inquiry'))).toMatchInlineSnapshot(`
    "GET /v1/payment_intents/pi_1?expand%5B%5D=latest_charge
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json

    "
  `);
  const asked = facts('inquiry', { about: { ...aboutRefund, reference: 're_1' } });
  expect(bytesOf('refund_by_id', asked)).toMatchInlineSnapshot(`
    "GET /v1/refunds/re_1
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json

    "
  `);
  expect(bytesOf('refunds', asked)).toMatchInlineSnapshot(`
    "GET /v1/refunds?payment_intent=pi_1&limit=100
    authorization: Bearer sk_test_shop
    stripe-version: 2023-08-16
    accept: application/json

    "
  `);
});

const confirmation = (more: Partial<Facts>) => [
  ...new URLSearchParams(bytesOf('confirm', facts('authorize', more)).split('\n\n')[1]),
];
const PAYER = { return_url: 'https://pay.example/back', three_ds: 'no' } as const;

test('a confirmation says who is there, what is asked of the bank, which brand, and that the card is kept', () => {
  const { payer: _, ...alone } = facts('authorize');
  const option = (name: string) => `payment_method_options[card][${name}]`;
  expect(new URLSearchParams(bytesOf('confirm', alone).split('\n\n')[1]).get('off_session')).toBe('true');
  expect(confirmation({ payer: PAYER, scheme: 'amex' })).toEqual([
    ['payment_method', 'pm_1'],
    ['return_url', 'https://pay.example/back'],
    ['expand[]', 'latest_charge'],
  ]);
  const forced = confirmation({
    payer: { ...PAYER, three_ds: 'force' },
    scheme: 'cb',
    evidence: { stored_card: true },
  });
  expect(forced).toEqual(
    expect.arrayContaining([
      ['setup_future_usage', 'off_session'],
      [option('request_three_d_secure'), 'any'],
      [option('network'), 'cartes_bancaires'],
    ]),
  );
  const later = confirmation({ payer: PAYER, evidence: { stored_card: true, previous_reference: 'first' } });
  expect(later.map(([name]) => name)).not.toContain('setup_future_usage');
});

test('a sale is captured at once; a refund says only the reasons that Stripe has', () => {
  expect(bytesOf('shell', facts('authorize', { with_capture: true }))).toContain('capture_method=automatic');
  expect(bytesOf('refund', facts('refund', { refund_reason: 'other' }))).not.toContain('reason');
});

test('which step an operation begins with', () => {
  const about = { ...aboutRefund, reference: null };
  expect(stripe.first(facts('authorize'))).toBe('shell');
  for (const kind of ['capture', 'refund', 'cancel'] as const) expect(stripe.first(facts(kind))).toBe(kind);
  expect(stripe.first(facts('reversal'))).toBe('cancel');
  expect(stripe.first(facts('inquiry', { about }))).toBe('refunds');
  expect(stripe.first(facts('inquiry', { about: { ...about, reference: 're_1' } }))).toBe('refund_by_id');
  expect(stripe.first(facts('inquiry', { about: { ...about, kind: 'authorize' } }))).toBe('look');
  // without an intent there is nothing to work on
  for (const kind of ['capture', 'refund', 'cancel', 'reversal', 'inquiry'] as const)
    expect(stripe.first(facts(kind, { authorization_reference: null }))).toBeUndefined();
});

describe('the table', () => {
  test('one step of an operation goes through the vault, and is never sent twice', () => {
    const through = Object.entries(STEPS).filter(([, step]) => goesThroughVault(step));
    expect(through.map(([name, { again }]) => [name, again])).toEqual([
      ['card', 'never'],
      ['token', 'never'],
    ]);
  });

  test('the slots of a body stand at the places of the table', () => {
    for (const name of ['card', 'token'] as const) {
      const body = stripe.write(name, facts('authorize'), KEPT)?.body ?? [];
      const marked = body.map((part) => (typeof part === 'string' ? part : `<${part.slot}>`)).join('');
      const places = [...new URLSearchParams(marked)].flatMap(([key, value]) =>
        value.startsWith('<') ? [[key, value.slice(1, -1)]] : [],
      );
      expect(Object.fromEntries(places)).toEqual(STEPS[name].slots);
    }
  });

  test('what moves money has a key, what looks has none', () => {
    for (const [name, step] of Object.entries(STEPS)) {
      expect([name, 'idempotency-key' in step.headers]).toEqual([name, step.method === 'POST']);
      expect([name, step.effect === 'none' || step.again === 'same_key']).toEqual([name, true]);
    }
  });
});

describe('amounts', () => {
  test.each([
    ['KWD', 4251n],
    ['MGA', 4250n],
    ['XXX', 1n],
  ])('%s %s is nothing that Stripe has, and is not sent', (currency, amount_minor) => {
    const more = { currency, amount_minor };
    expect(stripe.write('shell', facts('authorize', more), {})).toBeUndefined();
    expect(stripe.write('capture', facts('capture', more), KEPT)).toBeUndefined();
    expect(stripe.write('refund', facts('refund', more), KEPT)).toBeUndefined();
    expect(stripe.write('cancel', facts('cancel', more), KEPT)).toBeDefined();
    expect(stripe.write('look', facts('inquiry', more), KEPT)).toBeDefined();
  });

  test('in every currency what is sent comes back as it was, or is not sent', () => {
    for (const currency of CURRENCIES.keys()) {
      for (const minor of [1n, 10n, 99n, 100n, 4250n, 10n ** 12n]) {
        const theirs = theirsOf(minor, currency);
        if (theirs !== undefined) expect([currency, oursOf(theirs, currency)]).toEqual([currency, minor]);
      }
    }
    expect(Object.keys(EXPONENTS)).toEqual(['ISK', 'MGA', 'UGX']);
    expect(oursOf(4201n, 'ISK')).toBeUndefined();
  });
});

test('an id that is none of Stripe’s goes into no path', () => {
  for (const authorization_reference of ['', 'pi_1/../x', 'pi 1', 'x'.repeat(129)])
    expect(stripe.write('capture', facts('capture', { authorization_reference }), {})).toBeUndefined();
});
