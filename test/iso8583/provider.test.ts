// The provider against its tables, byte for byte; and what it makes of every answer that a line may bring.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RESULTS } from '../../src/core/results.ts';
import { iso8583 } from '../../src/provider/iso8583/iso8583.ts';
import { CODES, PLAIN_DECLINE } from '../../src/provider/iso8583/results.ts';
import { stampOf } from '../../src/provider/iso8583/stamp.ts';
import { STEPS } from '../../src/provider/iso8583/steps.ts';
import { type Facts, type Kept, type Reading, goesThroughVault } from '../../src/provider/contract.ts';
import { DIALECT } from '../../src/provider/send/iso8583/dialect.ts';
import { lineWire } from '../../src/provider/send/iso8583/wire.ts';
import { spoil, spoiling } from '../providers/spoil.ts';
import { sizeOf } from '../sizes.ts';
import { messageOf } from './small-core.ts';

const MAPPING = new URL('../../../shared/data/providers/mapping/iso8583.f39.json', import.meta.url);
const mapped = existsSync(MAPPING);
type Mapping = {
  readonly default: string;
  readonly map: Readonly<
    Record<string, Readonly<Record<'code' | 'result' | 'retry' | 'partial' | 'unknown', unknown>>>
  >;
};

describe.skipIf(!mapped)('the codes of field 39 (skipped without ../shared/data/providers/mapping)', () => {
  const { default: plain, map } = JSON.parse(mapped ? readFileSync(MAPPING, 'utf8') : '{"map":{}}') as Mapping;
  const codeOf = (name: string) => RESULTS.find((row) => row.name === name)?.code;

  test('have the rows of the published table, and no others', () => {
    const ours = Object.entries(CODES).map(([value, row]) => [value, { code: codeOf(row.result), ...row }]);
    expect(Object.fromEntries(ours)).toEqual(map);
    expect(codeOf(PLAIN_DECLINE.result)).toBe(plain);
    expect(ours).toHaveLength(52);
  });
});

const KEPT: Kept = { trace: '000123', trace_at: '2026-11-23T16:52:00.123Z' };
const AUTHORIZED: Kept = { trace: '000122', trace_at: '2026-11-22T09:05:07.000Z' };
const FACTS: Facts = {
  operation_id: '0123456789abcdef01234567',
  merchant_account_id: 'a'.repeat(24),
  order_id: 'b'.repeat(24),
  kind: 'authorize',
  amount_minor: 4250n,
  currency: 'EUR',
  with_capture: false,
  order_merchant_id: 'cart-1',
  scheme: 'visa',
  authorization_reference: '26326J000122',
  authorization_code: '4711AB',
  authorization_kept: AUTHORIZED,
  capture_reference: null,
  about: {
    kind: 'authorize',
    operation_id: 'c'.repeat(24),
    with_capture: false,
    reference: null,
    kept: AUTHORIZED,
  },
};

function sent(facts: Partial<Facts>, kept = KEPT): string {
  const all = { ...FACTS, ...facts };
  const step = iso8583.first(all);
  const written = step === undefined ? undefined : iso8583.write(step, all, kept);
  return written ? messageOf(written.body).toString() : 'cannot be said';
}

test('each step is written the same, byte for byte', () => {
  const proof = { eci: '05', authentication_value: 'AAABBZEEBgAAAAAAAAAAAAAAAAA=', ds_transaction_id: 'd-1' } as const;
  const three_ds = { ...proof, trans_status: 'Y', version: '2.2.0' } as const;
  expect({
    authorize: sent({}),
    proved: sent({
      evidence: { stored_card: true, three_ds, previous_reference: 'NET-1', sca_exemption: 'low_value' },
    }),
    sale: sent({ with_capture: true }),
    capture: sent({ kind: 'capture' }),
    last_capture: sent({ kind: 'capture', final: true }, { ...KEPT, repeat: 'yes' }),
    refund: sent({ kind: 'refund' }),
    refund_again: sent({ kind: 'refund' }, { ...KEPT, repeat: 'yes' }),
    cancel: sent({ kind: 'cancel' }),
    reversal: sent({ kind: 'reversal' }),
    reversal_again: sent({ kind: 'reversal' }, { ...KEPT, repeat: 'yes' }),
  }).toMatchInlineSnapshot(`
    {
      "authorize": "0100723C048108C18000164242424242424242000000000000004250112316520000012316520011233412810590612345626327Q000123TERM01  SHOP-1         04301240123456789abcdef0123456710031233004visa978",
      "cancel": "0400B23800810CC18000000000400000000000000000000000425011231652000001231652001123590612345626326J0001224711ABTERM01  SHOP-1         02801240123456789abcdef01234567978010000012211220905070000012345600000000000",
      "capture": "0220B23800810CC18000000000400000000000000000000000425011231652000001231652001123590612345626326J0001224711ABTERM01  SHOP-1         02801240123456789abcdef01234567978010000012211220905070000012345600000000000",
      "last_capture": "0221B23800810CC18000000000400000000000000000000000425011231652000001231652001123590612345626326J0001224711ABTERM01  SHOP-1         03301240123456789abcdef012345674001Y978010000012211220905070000012345600000000000",
      "proved": "0100723C048108C18000164242424242424242000000000000004250112316520000012316520011233412100590612345626327Q000123TERM01  SHOP-1         11901240123456789abcdef0123456710031232002052128AAABBZEEBgAAAAAAAAAAAAAAAAA=2203d-123052.2.02409low_value3004visa3205NET-1978",
      "refund": "0200323800810CC1800020000000000000425011231652000001231652001123590612345626326J0001224711ABTERM01  SHOP-1         02801240123456789abcdef01234567978",
      "refund_again": "0201323800810CC1800020000000000000425011231652000001231652001123590612345626326J0001224711ABTERM01  SHOP-1         02801240123456789abcdef01234567978",
      "reversal": "0420B238008108C18000000000400000000000000000000000425011231652000001231652001123590612345626326J000122TERM01  SHOP-1         0280124cccccccccccccccccccccccc978010000012211220905070000012345600000000000",
      "reversal_again": "0421B238008108C18000000000400000000000000000000000425011231652000001231652001123590612345626326J000122TERM01  SHOP-1         0280124cccccccccccccccccccccccc978010000012211220905070000012345600000000000",
      "sale": "0200723C048108C18000164242424242424242000000000000004250112316520000012316520011233412810590612345626327Q000123TERM01  SHOP-1         04301240123456789abcdef0123456710031233004visa978",
    }
  `);
});

test('an operation that the messages cannot express is not written', () => {
  const impossible = [
    sent({ amount_minor: 1_000_000_000_000n }),
    sent({ currency: 'XXX' }),
    sent({}, {}),
    sent({}, { ...KEPT, trace: '12' }),
    sent({}, { ...KEPT, trace_at: 'today' }),
    sent({ psp_token: true }),
    sent({ kind: 'inquiry' }),
    sent({ kind: 'capture', authorization_kept: {} }),
    sent({ kind: 'cancel', authorization_reference: null }),
    sent({ kind: 'refund', authorization_reference: null }),
    sent({ kind: 'reversal', about: { ...(FACTS.about as NonNullable<Facts['about']>), kind: 'capture' } }),
    sent({ evidence: { stored_card: false, three_ds_data: { cavv: 'é' } } }),
  ];
  expect(new Set(impossible)).toEqual(new Set(['cannot be said']));
});

test('slots stand exactly where the table says, and only cards go through the vault', () => {
  const wire = lineWire(DIALECT);
  const kinds = ['authorize', 'capture', 'refund', 'cancel', 'reversal'] as const;
  const all = [...kinds.map((kind) => ({ ...FACTS, kind })), { ...FACTS, with_capture: true }];
  const seen = all.map((facts) => {
    const step = iso8583.first(facts) as keyof typeof STEPS;
    const { body } = iso8583.write(step, facts, KEPT) as NonNullable<ReturnType<typeof iso8583.write>>;
    const slots = body.flatMap((part) => (typeof part === 'string' ? [] : [part.slot]));
    const places = wire.read(body)?.places ?? [];
    expect(Object.fromEntries(places.map((place, at) => [place, slots[at]]))).toEqual(STEPS[step].slots);
    return [step, goesThroughVault(STEPS[step])];
  });
  expect(Object.fromEntries(seen)).toEqual({
    authorize: true,
    sale: true,
    capture: false,
    refund: false,
    cancel: false,
    reversal: false,
  });
});

test('the reference of a message is not used again on another day or hour', () => {
  const of = (trace_at: string) => stampOf({ trace: '000001', trace_at })?.reference;
  expect(of('2026-01-01T00:00:00Z')).toBe('26001A000001');
  expect(of('2026-12-31T23:59:59Z')).toBe('26365X000001');
  expect(of('2028-12-31T23:59:59Z')).toBe('28366X000001');
  expect(of('2027-03-01T05:00:00Z')).toBe('27060F000001');
});

const ANSWER = {
  0: '0110',
  3: '000000',
  4: '000000004250',
  7: '1123165200',
  11: '000123',
  37: '26327Q000123',
  38: '4711AB',
  39: '00',
  41: 'TERM01  ',
  48: { reference: FACTS.operation_id, network_reference: 'SCHEME-1' },
  49: '978',
};
const TYPES = { authorize: '0110', sale: '0210', capture: '0230', refund: '0210', cancel: '0410', reversal: '0430' };

function heard(more: Readonly<Record<number, unknown>> = {}, facts: Partial<Facts> = {}, status = 200): Reading {
  const all = { ...FACTS, ...facts };
  const step = iso8583.first(all) as keyof typeof TYPES;
  const body = Buffer.from(JSON.stringify({ ...ANSWER, 0: TYPES[step], ...more }));
  return iso8583.read(step, { status, body }, all, KEPT);
}

const UNREADABLE = { kind: 'unknown', why: 'unreadable' };
const TROUBLED = { kind: 'unknown', why: 'provider_error' };

test('an approval is read with all it says', () => {
  expect(heard()).toEqual({
    kind: 'approved',
    reference: '26327Q000123',
    our_reference: FACTS.operation_id,
    amount_minor: 4250n,
    currency: 'EUR',
    authorization_code: '4711AB',
    captured: false,
    provider_code: '00',
    provider_text: '',
    network_reference: 'SCHEME-1',
  });
  expect(heard({}, { with_capture: true })).toMatchObject({ kind: 'approved', captured: true });
  expect(heard({}, { kind: 'capture' })).toMatchObject({ captured: true, reference: '26327Q000123-000123' });
  expect(heard({}, { kind: 'refund' })).toMatchObject({ kind: 'approved', captured: false });
});

test('an approval of less is told by its amount, and is none without one', () => {
  expect(heard({ 39: '10', 4: '000000002125' })).toMatchObject({ kind: 'approved', amount_minor: 2125n });
  expect(heard({ 39: '10', 4: undefined })).toEqual(UNREADABLE);
  expect(heard({ 4: undefined })).toMatchObject({ kind: 'approved', amount_minor: null });
});

test('every code ends an authorization as its row says', () => {
  for (const [code, row] of Object.entries(CODES)) {
    const outcome = heard({ 39: code });
    if (row.unknown) expect(outcome).toEqual(TROUBLED);
    else if (row.result === 'authorization_pending') expect(outcome).toMatchObject({ kind: 'pending' });
    else if (row.result === 'authorization_successful') expect(outcome).toMatchObject({ kind: 'approved' });
    else expect(outcome).toMatchObject({ kind: 'declined', result: row.result, retry: row.retry, provider_code: code });
  }
  expect(heard({ 39: '99' })).toMatchObject({
    kind: 'declined',
    result: 'authorization_declined',
    provider_code: '99',
  });
});

test('65 wants an authentication from Mastercard, unless there was one', () => {
  const soft = { result: 'issuer_soft_decline', retry: 'with_3ds' };
  expect(heard({ 39: '65' })).toMatchObject({ result: 'limit_reached' });
  expect(heard({ 39: '65' }, { scheme: 'mastercard' })).toMatchObject(soft);
  const evidence = { stored_card: false, three_ds_data: { cavv: 'AAAB' } };
  expect(heard({ 39: '65' }, { scheme: 'mastercard', evidence })).toMatchObject({ result: 'limit_reached' });
});

test('a follow-up is refused by a word of the acquirer only, and trouble on the way is none', () => {
  expect(heard({ 39: '13' }, { kind: 'capture' })).toMatchObject({ result: 'provider_capture_above_authorization' });
  expect(heard({ 39: '25' }, { kind: 'capture' })).toMatchObject({ result: 'capture_declined' });
  expect(heard({ 39: '13' }, { kind: 'refund' })).toMatchObject({ result: 'provider_refund_above_captured' });
  expect(heard({ 39: '12' }, { kind: 'cancel' })).toMatchObject({ kind: 'declined', result: 'cancel_declined' });
  expect(heard({ 39: '03' }, { kind: 'cancel' })).toMatchObject({ kind: 'declined', unheard: true });
  for (const code of ['06', '09', '19', '68', '91', '92', '94', '96'])
    expect(heard({ 39: code }, { kind: 'capture' })).toEqual(TROUBLED);
});

test('a reversal is acknowledged by 00 alone', () => {
  const kind = 'reversal';
  const our_reference = 'c'.repeat(24);
  expect(heard({ 48: { reference: our_reference } }, { kind })).toMatchObject({ kind: 'reversed', our_reference });
  expect(heard({ 39: '25' }, { kind })).toEqual({ kind: 'not_found' });
  for (const code of ['05', '09', '10', '12', '91', '94', '99', 'A1'])
    expect(heard({ 39: code }, { kind })).toEqual(TROUBLED);
});

test('an answer that does not exactly fit this message is unknown', () => {
  const odd = [
    heard({ 0: '0210' }),
    heard({ 11: '000124' }),
    heard({ 7: '1123165201' }),
    heard({ 39: undefined }),
    heard({ 49: '000' }),
    heard({}, {}, 500),
    iso8583.read('authorize', { status: 200, body: Buffer.from('<html>') }, FACTS, KEPT),
    iso8583.read('authorize', { status: 200, body: Buffer.from('{}') }, FACTS, KEPT),
    iso8583.read('other', { status: 200, body: Buffer.from(JSON.stringify(ANSWER)) }, FACTS, KEPT),
    iso8583.read('authorize', { status: 200, body: Buffer.from(JSON.stringify(ANSWER)) }, FACTS, {}),
  ];
  for (const outcome of odd) expect(outcome).toEqual(UNREADABLE);
});

test('a spoilt answer is never read as another message’s, and nothing throws', { timeout: 600_000 }, () => {
  const whole = Buffer.from(JSON.stringify(ANSWER));
  const numRuns = sizeOf('FLORIN_TEST_SPOILT_ANSWERS', { usual: 5000, full: 100_000 });
  fc.assert(
    fc.property(fc.array(spoiling(), { minLength: 1, maxLength: 4 }), (ways) => {
      const body = ways.reduce(spoil, whole);
      const outcome = iso8583.read('authorize', { status: 200, body }, FACTS, KEPT);
      if (outcome.kind === 'approved') {
        const text = body.toString('latin1');
        for (const sign of ['000123', '1123165200', '0110']) expect(text).toContain(sign);
      }
    }),
    { numRuns },
  );
});
