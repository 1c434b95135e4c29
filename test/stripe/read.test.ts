// What is read: Stripe's own sample objects, answers of the simulator that lines and proxies spoilt, and odd ones.
// Reading never throws, and says approved, declined or reversed only where that is said.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reading } from '../../src/provider/contract.ts';
import { stripe } from '../../src/provider/stripe/stripe.ts';
import { about, after, factsOf, run } from '../providers/driver.ts';
import { type Sample, endsOurs, listeningTo, readOfAnother } from '../providers/of-another.ts';
import { spoil, spoiling } from '../providers/spoil.ts';
import { type Played, playStripe } from './played.ts';
import { HAS_SPECIFICATION, sampleObjects } from './specification.ts';

const RUNS = 5_000;
const seed = Date.now() % 2_147_483_647;

let samples: readonly Sample[];
let played: Played;

/** One answer of each sort, as the simulator gave it. */
beforeAll(async () => {
  played = await playStripe();
  const listening = listeningTo(stripe);
  samples = listening.samples;
  const wire = (number?: string) => ({ ...played.wire(number), provider: listening.provider });
  const paid = await run(wire(), factsOf('authorize'));
  await run(wire(), about(paid, 'inquiry'));
  await run(wire('4000000000009995'), factsOf('authorize'));
  await run(wire('4000000000003220'), factsOf('authorize'));
  const captured = await run(wire(), after(paid, 'capture'));
  await run(wire(), about(captured, 'inquiry'));
  await run(wire(), after(paid, 'capture'));
  const refund = await run(wire(), after(paid, 'refund', { amount_minor: 100n }));
  await run(wire(), about(refund, 'inquiry'));
  await run(wire(), about({ ...refund, reference: null }, 'inquiry'));
  await run(wire(), after(paid, 'cancel'));
  await run(wire(), about(paid, 'reversal'));
  const held = await run(wire(), factsOf('authorize'));
  const cancelled = await run(wire(), after(held, 'cancel'));
  await run(wire(), about(cancelled, 'inquiry'));
  await run(wire(), about(held, 'reversal'));
});
afterAll(() => played.close());

const textOf = ({ answer }: Sample): string => new TextDecoder().decode(answer.body);
const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const read = ({ step, facts, kept, answer }: Sample, body: unknown, status = answer.status): Reading =>
  stripe.read(step, { status, body: bytesOf(body) }, facts, kept);

test('every sort of answer is among the samples', () => {
  const kinds = new Set(samples.map(({ step, said }) => `${step} ${said.kind}`));
  for (const one of [
    'shell next',
    'card next',
    'confirm approved',
    'confirm declined',
    'confirm payer_must_act',
    'look approved',
    'capture approved',
    'capture declined',
    'refund approved',
    'refund_by_id approved',
    'refunds approved',
    'cancel approved',
    'cancel declined',
    'cancel next',
    'cancel reversed',
    'undo reversed',
  ])
    expect(kinds, one).toContain(one);
});

const ENDS = new Set(['approved', 'declined', 'reversed', 'next', 'payer_must_act', 'pending']);

test('an answer of another operation ends nothing of ours', () => {
  const ended = samples.flatMap((sample) => {
    const said = readOfAnother(stripe, sample);
    return said && endsOurs(sample, said) ? [`${sample.facts.kind} ${sample.step} ${said.kind}`] : [];
  });
  expect(ended).toEqual([]);
});

test.each(['pending', 'requires_action', 'failed', 'canceled'])(
  'that another refund is %s says nothing of ours',
  (status) => {
    const facts = factsOf('refund', { operation_id: 'mine', authorization_reference: 'pi_1' });
    const refund = (operation_id: string) => ({ object: 'refund', id: 're_1', status, metadata: { operation_id } });
    const said = (value: object) => stripe.read('refund', { status: 200, body: bytesOf(value) }, facts, {}).kind;
    expect([said(refund('mine')), said(refund('other'))]).toEqual([
      expect.toBeOneOf(['pending', 'declined']),
      'unknown',
    ]);
  },
);

test('a truncated answer is unknown, wherever it ends', () => {
  for (const sample of samples) {
    for (let length = 0; length < sample.answer.body.length; length += 7)
      expect(read(sample, sample.answer.body.subarray(0, length)).kind).toBe('unknown');
  }
});

test.each([
  ['nothing', ''],
  ['HTML', '<!doctype html><title>502</title><h1>succeeded</h1>'],
  ['a list', '[{"status":"succeeded"}]'],
  ['null', 'null'],
  ['the word alone', '{"status":"succeeded"}'],
  ['the word of a refund alone', '{"object":"refund","status":"succeeded"}'],
  ['an error without a type', '{"error":{"decline_code":"do_not_honor"}}'],
  ['an error of another type', '{"error":{"type":"api_error","code":"card_declined"}}'],
  ['an error that is a text', '{"error":"card_error"}'],
  ['deep nesting', '['.repeat(50_000)],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
  ['10 MB', Buffer.alloc(10_000_000, ' ')],
])('%s is unknown under every status', (_, body) => {
  for (const sample of samples) {
    for (const status of [200, 201, 204, 301, 400, 401, 402, 403, 404, 409, 413, 422, 424, 429, 500, 502, 503])
      expect(read(sample, body, status).kind).toBe('unknown');
  }
});

test('a good body under a status of failure says nothing', () => {
  for (const sample of samples) {
    for (const status of [201, 302]) expect(read(sample, textOf(sample), status).kind).toBe('unknown');
    for (const status of [409, 424, 429, 500, 503])
      expect(read(sample, textOf(sample), status)).toEqual({ kind: 'unknown', why: 'provider_error' });
  }
});

test('spoilt answers never throw, and are never approved unless they still say so', () => {
  const drawn = fc.tuple(
    fc.nat(samples.length - 1),
    fc.array(spoiling(), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(200, 400, 402, 0),
  );
  fc.assert(
    fc.property(drawn, ([index, ways, status]) => {
      const sample = samples[index];
      if (sample === undefined) return;
      let bytes: Buffer = Buffer.from(sample.answer.body);
      for (const way of ways) bytes = spoil(bytes, { ...way, at: way.at * 7 });
      const said = read(sample, bytes, status === 0 ? sample.answer.status : status);
      if (!ENDS.has(said.kind)) return;
      // what is still read is a whole object that says these words
      const text = bytes.toString('utf8');
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      if (said.kind === 'approved') {
        expect(text).toMatch(/"(?:succeeded|requires_capture|canceled)"/);
        expect(said.amount_minor === null || text.includes(String(said.amount_minor))).toBe(true);
        expect(text).toContain(said.reference);
        expect(said.our_reference === null || text.includes(said.our_reference)).toBe(true);
      }
      if (said.kind === 'reversed') expect(text).toMatch(/"(?:succeeded|canceled|charge_already_refunded)"/);
      if (said.kind === 'declined')
        expect(text).toMatch(/"(?:card_error|invalid_request_error|failed|canceled|succeeded)"/);
    }),
    { numRuns: RUNS, seed },
  );
});

test('any JSON at all never throws, and moves nothing', () => {
  fc.assert(
    fc.property(fc.nat(samples.length - 1), fc.jsonValue(), fc.nat(599), (index, value, status) => {
      const sample = samples[index];
      if (sample !== undefined) expect(['unknown', 'not_found']).toContain(read(sample, value, status).kind);
    }),
    { numRuns: 2_000, seed },
  );
});

describe('a member that is not as it should be', () => {
  const confirmed = () => samples.find(({ step, said }) => step === 'confirm' && said.kind === 'approved');
  const change = (from: string | RegExp, to: string): Reading | undefined => {
    const sample = confirmed();
    return sample && read(sample, textOf(sample).replace(from, to));
  };
  const UNREADABLE = { kind: 'unknown', why: 'unreadable' };

  test.each([
    ['another intent', /"id": "pi_/, '"id": "pi_x'],
    ['no intent', '"object": "payment_intent"', '"object": "charge"'],
    ['a status that is new', '"status": "requires_capture"', '"status": "half_captured"'],
    ['an amount that is a text', /"amount_capturable": (\d+)/, '"amount_capturable": "$1"'],
    ['an amount with decimals', /"amount_capturable": (\d+)/, '"amount_capturable": $1.0'],
    ['a negative amount', /"amount_capturable": (\d+)/, '"amount_capturable": -$1'],
    ['a currency that is none', '"currency": "eur"', '"currency": "eux"'],
    ['no reference of ours', /"operation_id": "\w+"/, '"operation": "x"'],
  ])('%s is unreadable', (_, from, to) => {
    expect(change(from, to)).toEqual(UNREADABLE);
  });

  test('a risk score, a scheme’s reference and a code are taken where they are sound', () => {
    const with_more = '"last4": "4242", "network_transaction_id": "MCC0815", "authorization_code": "A1B2C3"';
    expect(change(/"last4": "4242"/, with_more)).toMatchObject({
      network_reference: 'MCC0815',
      authorization_code: 'A1B2C3',
    });
    const odd = change(/"last4": "4242"/, `"last4": "4242", "network_transaction_id": "${'x'.repeat(51)}"`);
    expect(odd).not.toHaveProperty('network_reference');
    expect(change('"risk_score": 20', '"risk_score": 101')).not.toHaveProperty('risk_score');
  });
});

test('a hundred refunds are read, and one that is not on the first page is not taken for none', () => {
  const facts = factsOf('inquiry', {
    about: { kind: 'refund', operation_id: 'mine', with_capture: false, reference: null, kept: {} },
  });
  const one = {
    object: 'refund',
    id: 're_1',
    status: 'succeeded',
    amount: 1,
    currency: 'eur',
    metadata: { operation_id: 'other' },
  };
  const more = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`new_member_${i}`, null]));
  const list = (has_more: boolean) => ({
    object: 'list',
    has_more,
    data: Array.from({ length: 100 }, () => ({ ...one, ...more })),
  });
  const said = (value: object) => stripe.read('refunds', { status: 200, body: bytesOf(value) }, facts, {});
  expect(said(list(false))).toEqual({ kind: 'not_found' });
  expect(said(list(true))).toMatchObject({ kind: 'unknown' });
});

describe.skipIf(!HAS_SPECIFICATION)('Stripe’s own sample objects (skipped without ../shared)', () => {
  test('none throws, and none is taken for an answer to what was asked', () => {
    for (const [name, value] of Object.entries(sampleObjects())) {
      for (const sample of samples) {
        const said = read(sample, value, 200);
        expect(
          ['unknown', 'not_found', ...(name === 'payment_method' && sample.step === 'card' ? ['next'] : [])],
          name,
        ).toContain(said.kind);
      }
      expect(stripe.notices?.open(bytesOf(value), {}).length, name).toBe(name === 'event' ? 1 : 0);
    }
  });

  test('the intent and the refund are read as they are meant', () => {
    const { payment_intent: intent, refund } = sampleObjects();
    const id = String(intent?.['id']);
    const asked = factsOf('inquiry', { authorization_reference: id });
    const look = (more: object) =>
      stripe.read('look', { status: 200, body: bytesOf({ ...intent, ...more }) }, asked, {});
    expect(look({ status: 'requires_payment_method', last_payment_error: null })).toEqual({ kind: 'not_found' });
    const paid = { status: 'succeeded', amount_received: 1099, metadata: { operation_id: 'ours' } };
    expect(look(paid)).toMatchObject({ kind: 'approved', amount_minor: 1099n, currency: 'USD', our_reference: 'ours' });
    const ours = { ...refund, metadata: { operation_id: 'ours' } };
    const said = stripe.read(
      'refund',
      { status: 200, body: bytesOf(ours) },
      factsOf('refund', { operation_id: 'ours' }),
      {},
    );
    expect(said).toMatchObject({ kind: 'approved', amount_minor: 100n, reference: refund?.['id'] });
  });
});
