// What Adyen's answers are read as: every row of the mapping tables, what a 200 does not say, errors, and spoilt bytes.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findResult } from '../../src/core/results.ts';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { open } from '../../src/provider/adyen/messages.ts';
import { ERRORS, REFUSALS, RESULT_CODES, UNLISTED_REFUSAL } from '../../src/provider/adyen/results.ts';
import type { Facts } from '../../src/provider/contract.ts';
import { spoil, spoiling } from '../providers/spoil.ts';
import { factsOf } from './facts.ts';

const MAPPING = new URL('../../../shared/data/providers/mapping/', import.meta.url);
const HERE = existsSync(MAPPING);
type Row = { readonly code: string; readonly retry: string | null; readonly unknown?: true };
type Table = { readonly default: string; readonly map: Readonly<Record<string, Row>> };
const tableOf = (name: string): Table => JSON.parse(readFileSync(new URL(name, MAPPING), 'utf8')) as Table;

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const facts = factsOf('authorize', { order_id: 'b'.repeat(24), operation_id: 'a'.repeat(24) });
const OURS = `${facts.order_id}-${facts.operation_id}`;
const read = (
  body: unknown,
  { status = 200, step = 'payments', about = facts }: { status?: number; step?: string; about?: Facts } = {},
) => adyen.read(step, { status, body: bytes(body) }, about, {});
const APPROVED = { pspReference: '993617895204576J', resultCode: 'Authorised' };

describe.skipIf(!HERE)('the tables are those of the reference data (skipped without it)', () => {
  test('refusals: the same values, results and advice, row by row', () => {
    const { map, default: other } = tableOf('adyen.refusalReasonCode.json');
    expect([...REFUSALS.keys()]).toEqual(Object.keys(map));
    for (const [value, { code, retry }] of Object.entries(map))
      expect([value, REFUSALS.get(value)]).toEqual([value, { result: findResult(code)?.name, retry }]);
    expect(UNLISTED_REFUSAL).toBe(findResult(other)?.name);
  });

  test('result codes: the same values and results; what is unknown there is unknown here', () => {
    const { map } = tableOf('adyen.resultCode.json');
    expect([...RESULT_CODES.keys()]).toEqual(Object.keys(map));
    for (const [value, { code, unknown }] of Object.entries(map)) {
      const row = RESULT_CODES.get(value);
      expect([value, row?.result, row?.reads === 'unknown']).toEqual([value, findResult(code)?.name, unknown === true]);
    }
  });
});

describe('a payment', () => {
  test.each([...REFUSALS])('refused with %s', (refusalReasonCode, { result, retry }) => {
    const said = { ...APPROVED, resultCode: 'Refused', refusalReasonCode, refusalReason: 'why' };
    const declined = { kind: 'declined', result, retry, provider_code: refusalReasonCode, provider_text: 'why' };
    // as after an authentication: the payer came back
    expect(read(said, { step: 'details' })).toMatchObject(declined);
    const is_of_authentication = result.startsWith('authentication_inc') || /^(?:acs|payer_left)/.test(result);
    const plain = is_of_authentication ? { ...declined, result: 'authorization_declined' } : declined;
    expect(read(said)).toMatchObject(plain);
  });

  test('approved behind the return of a payer, who may bring what another payment was given, says whose it is', () => {
    const amount = { currency: 'EUR', value: 4250 };
    expect(read(APPROVED, { step: 'details' }).kind).toBe('unknown');
    expect(read({ ...APPROVED, amount }, { step: 'details' }).kind).toBe('unknown');
    const ours = { ...APPROVED, merchantReference: OURS };
    expect(read(ours, { step: 'details' })).toMatchObject({ kind: 'approved', our_reference: facts.operation_id });
  });

  test('of another reference ends nothing of ours, at whatever step; an approval is shown as it is', () => {
    for (const step of ['payments', 'payments_token', 'payments_network_token', 'details'])
      for (const [resultCode, { reads }] of RESULT_CODES) {
        const said = { ...APPROVED, resultCode, refusalReasonCode: '2', amount: { currency: 'EUR', value: 4250 } };
        const other = read({ ...said, merchantReference: 'somebody-else' }, { step });
        if (reads === 'approved') expect(other).toMatchObject({ our_reference: 'somebody-else' });
        else expect([step, resultCode, other.kind]).toEqual([step, resultCode, 'unknown']);
      }
  });

  test.each([...RESULT_CODES])('answered %s', (resultCode, { reads }) => {
    const kinds = {
      approved: 'approved',
      refused: 'declined',
      left: 'declined',
      pending: 'pending',
      unknown: 'unknown',
    };
    const said = { ...APPROVED, resultCode, amount: { currency: 'EUR', value: 4250 } };
    const kind = reads === 'payer_must_act' ? 'unknown' : kinds[reads];
    expect(read(said).kind).toBe(kind);
  });

  test.each([
    [
      'an unlisted refusal is the plain decline, its code kept',
      { refusalReasonCode: '99' },
      { result: 'authorization_declined', provider_code: '99' },
    ],
    ['a refusal without a code is the issuer’s', {}, { result: 'issuer_declined', provider_code: '' }],
    [
      'the issuer’s own words go before Adyen’s',
      { refusalReason: 'a', additionalData: { refusalReasonRaw: '05 : Do not honor' } },
      { provider_text: '05 : Do not honor' },
    ],
    [
      'advice 03 is never, whatever the row says',
      { refusalReasonCode: '12', additionalData: { merchantAdviceCode: '03' } },
      { retry: 'never' },
    ],
    [
      'advice 21 is never, with its text',
      { refusalReasonCode: '12', additionalData: { merchantAdviceCode: '21 : Payment Cancellation' } },
      { retry: 'never' },
    ],
  ])('%s', (_, said, declined) => {
    expect(read({ ...APPROVED, resultCode: 'Refused', ...said })).toMatchObject({ kind: 'declined', ...declined });
  });

  test('what it repeats is told, what it does not repeat is not made up', () => {
    expect(read(APPROVED)).toMatchObject({
      kind: 'approved',
      reference: '993617895204576J',
      our_reference: null,
      amount_minor: null,
      currency: null,
      captured: false,
    });
    const whole = {
      ...APPROVED,
      merchantReference: OURS,
      amount: { currency: 'ISK', value: 1200 },
      fraudResult: { accountScore: 140 },
      additionalData: { authCode: '044925', networkTxReference: '777718270854480', liabilityShift: 'true' },
    };
    expect(read(whole)).toMatchObject({
      our_reference: facts.operation_id,
      amount_minor: 12n,
      currency: 'ISK',
      authorization_code: '044925',
      network_reference: '777718270854480',
      liability_shifted: true,
      risk_score: 100,
    });
    expect(read({ ...APPROVED, merchantReference: 'string' })).toMatchObject({ our_reference: 'string' });
  });

  test.each([
    ['no reference', { resultCode: 'Authorised' }],
    ['a reference that is none', { ...APPROVED, pspReference: '../x' }],
    ['an amount that is none', { ...APPROVED, amount: { currency: 'EUR', value: 42.5 } }],
    ['an amount of a currency that is none', { ...APPROVED, amount: { currency: 'EUX', value: 4250 } }],
    ['less than was asked, and not how much', { ...APPROVED, resultCode: 'PartiallyAuthorised' }],
    ['a result code that is new', { ...APPROVED, resultCode: 'Approved' }],
    ['a result code of another kind', { ...APPROVED, resultCode: 7 }],
    ['no result code', { pspReference: '993617895204576J' }],
    ['a list', []],
    ['half of it', '{"pspReference":"993617895204576J","resultCode":"Autho'],
    ['a page', '<html>Bad Gateway</html>'],
    ['nothing', ''],
    ['a member twice', '{"pspReference":"993617895204576J","resultCode":"Refused","resultCode":"Authorised"}'],
  ])('with %s it is in doubt', (_, said) => {
    expect(read(said)).toEqual({ kind: 'unknown', why: 'unreadable' });
  });

  test('less than was asked is told as it is: the amount decides', () => {
    const said = { ...APPROVED, resultCode: 'PartiallyAuthorised', amount: { currency: 'EUR', value: 2000 } };
    expect(read(said)).toMatchObject({ kind: 'approved', amount_minor: 2000n });
  });

  test('the payer is sent to the bank, by an address or by a form', () => {
    const action = { type: 'redirect', method: 'GET', url: 'https://bank.example/a?b=c' };
    const said = { pspReference: 'JLCMPCQ8HXSKGK82', resultCode: 'RedirectShopper', action };
    const must = {
      kind: 'payer_must_act',
      reference: 'JLCMPCQ8HXSKGK82',
      resume: 'details',
      finishes: 'by_resume',
      takes: ['redirectResult'],
    };
    expect(read(said)).toEqual({ ...must, go: { method: 'GET', url: action.url } });
    const form = { MD: 'x', PaReq: 'y'.repeat(9000) };
    expect(read({ ...said, action: { ...action, method: 'POST', data: form } })).toEqual({
      ...must,
      go: { method: 'POST', url: action.url, form },
    });
    for (const spoilt of [
      { ...action, url: 'javascript:alert(1)' },
      { ...action, method: 'PUT' },
      { ...action, type: 'sdk' },
      { ...action, method: 'POST', data: { MD: 1 } },
    ])
      expect(read({ ...said, action: spoilt })).toEqual({ kind: 'unknown', why: 'unreadable' });
  });
});

describe('an error', () => {
  const error = (errorCode: string) => ({ status: 422, errorCode, message: 'why', errorType: 'validation' });
  const of = (kind: 'capture' | 'refund' | 'cancel' | 'reversal') => factsOf(kind, { authorization_reference: 'X' });

  test.each([...ERRORS])('%s of a payment says what is wrong with it', (code, row) => {
    expect(read(error(code), { status: 422 })).toMatchObject({
      kind: 'declined',
      ...row,
      provider_code: code,
      reference: null,
    });
  });

  test('of a change is the plain decline of its own phase', () => {
    const asked = (kind: 'capture' | 'refund' | 'cancel') =>
      read(error('167'), { status: 422, step: `${kind}s`, about: of(kind) });
    expect(asked('capture')).toMatchObject({ kind: 'declined', result: 'capture_declined' });
    expect(asked('refund')).toMatchObject({ kind: 'declined', result: 'refund_declined' });
    expect(asked('cancel')).toMatchObject({ kind: 'declined', result: 'cancel_declined' });
  });

  test.each([
    ['a key that is in use', 422, 'payments', facts, '704'],
    ['a key in use by a capture', 422, 'captures', of('capture'), '704'],
    ['what brought the payer back', 422, 'details', facts, '14_015'],
    ['a reversal', 422, 'cancel_by_reference', of('reversal'), '167'],
    ['their own trouble', 500, 'payments', facts, '905'],
    ['too many requests', 429, 'captures', of('capture'), '000'],
    ['a status that is new', 409, 'captures', of('capture'), '000'],
  ])('about %s proves nothing', (_, status, step, about, code) => {
    expect(read(error(code), { status, step, about })).toEqual({ kind: 'unknown', why: 'provider_error' });
  });

  test('that a proxy wrote is their trouble, too', () => {
    for (const status of [429, 500, 502, 503])
      expect(read('<html>', { status })).toEqual({ kind: 'unknown', why: 'provider_error' });
  });

  test('of credentials says that nobody listened', () => {
    expect(read(error('000'), { status: 401 })).toMatchObject({
      kind: 'declined',
      result: 'provider_credentials_invalid',
      unheard: true,
    });
    expect(read(error('010'), { status: 403 })).toMatchObject({
      kind: 'declined',
      result: 'provider_rights_missing',
      unheard: true,
    });
    const reversal = { status: 401, step: 'cancel_by_reference', about: of('reversal') };
    expect(read(error('000'), reversal)).toEqual({ kind: 'unknown', why: 'provider_error', unheard: true });
  });

  test('without a type is not theirs', () => {
    expect(read({ status: 422, message: 'from a proxy' }, { status: 422 })).toEqual({
      kind: 'unknown',
      why: 'unreadable',
    });
  });

  test('a change is taken, never done, and only under a reference', () => {
    const taken = { pspReference: '993617894906488A', status: 'received' };
    const asked = (said: object, status = 201) => read(said, { status, step: 'captures', about: of('capture') });
    expect(asked(taken)).toEqual({ kind: 'pending', reference: '993617894906488A' });
    expect(asked({ ...taken, status: 'done' })).toMatchObject({ kind: 'unknown' });
    expect(asked({ status: 'received' })).toMatchObject({ kind: 'unknown' });
    expect(asked(taken, 200)).toMatchObject({ kind: 'unknown' });
    expect(asked({ ...taken, reference: 'somebody-else' })).toMatchObject({ kind: 'unknown' });
  });
});

test('whatever becomes of the bytes, nothing throws, and no payment is approved that was refused', () => {
  const answers = [
    {
      ...APPROVED,
      merchantReference: OURS,
      amount: { currency: 'EUR', value: 4250 },
      additionalData: { authCode: '044925' },
    },
    { ...APPROVED, resultCode: 'Refused', refusalReasonCode: '2' },
    {
      pspReference: 'JLCMPCQ8HXSKGK82',
      resultCode: 'RedirectShopper',
      action: { type: 'redirect', method: 'GET', url: 'https://bank.example/' },
    },
    { pspReference: '993617894906488A', status: 'received', amount: { currency: 'EUR', value: 4250 } },
    { status: 422, errorCode: '101', message: 'Invalid card number', errorType: 'validation' },
  ];
  const kinds = ['authorize', 'capture', 'refund', 'cancel', 'reversal'] as const;
  const drawn = fc.record({
    which: fc.nat(answers.length - 1),
    how: fc.array(spoiling(), { minLength: 1, maxLength: 4 }),
    step: fc.constantFrom(...Object.keys(adyen.steps)),
    kind: fc.constantFrom(...kinds),
    status: fc.constantFrom(200, 201, 400, 401, 403, 404, 422, 429, 500),
  });
  const check = fc.property(drawn, ({ which, how, step, kind, status }) => {
    const spoilt = how.reduce<Buffer>((all, one) => spoil(all, one), Buffer.from(JSON.stringify(answers[which])));
    const outcome = adyen.read(step, { status, body: spoilt }, factsOf(kind), {});
    // who approves without saying so, or moves a payment by an error, is not understood
    if (outcome.kind === 'approved') expect(spoilt.toString('utf8')).toMatch(/Authorised|Success/);
    if (outcome.kind === 'approved') expect(status).toBe(200);
    if (kind === 'reversal' && !step.startsWith('payments') && step !== 'details')
      expect(['pending', 'unknown']).toContain(outcome.kind);
  });
  fc.assert(check, { numRuns: 4000 });
});

test('whatever becomes of a message, it is opened without a throw, and moves money only with what it signs', () => {
  const item = {
    pspReference: 'QFQTPCQ8HXSKGK82',
    originalReference: '9913140798220028',
    merchantAccountCode: 'FlorinTest',
    merchantReference: OURS,
    amount: { currency: 'EUR', value: 4250 },
    eventCode: 'CAPTURE',
    eventDate: '2026-01-01T01:00:00+01:00',
    success: 'true',
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const whole = Buffer.from(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }));
  const signed = (raw: Uint8Array) =>
    open(raw).map(({ proof }) => (proof.kind === 'hmac' ? Buffer.from(proof.over).toString('utf8') : ''));
  const [as_sent] = signed(whole);
  const check = fc.property(fc.array(spoiling(), { minLength: 1, maxLength: 3 }), (how) => {
    const raw = how.reduce<Buffer>((all, one) => spoil(all, one), whole);
    for (const { news, match, proof } of open(raw)) {
      const over = proof.kind === 'hmac' ? Buffer.from(proof.over).toString('utf8') : '';
      if (over !== as_sent) continue;
      // signed alike, so it means the same
      expect(news).toMatchObject({ kind: 'approved', amount_minor: 4250n, currency: 'EUR' });
      expect(match).toMatchObject({ kind: 'capture', reference: 'QFQTPCQ8HXSKGK82' });
    }
  });
  fc.assert(check, { numRuns: 3000 });
});
