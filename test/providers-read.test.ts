// The conformance suite, second half: what a provider reads. Every answer is one that its simulator really gave over a
// socket, then spoilt: truncated, mutated, wrapped, answered with another status, about another operation. Reading
// never throws, and says approved or declined only where the provider says so.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESULTS } from '../src/core/results.ts';
import type { Answer, Facts, OperationKind, Outcome, Provider } from '../src/provider/contract.ts';
import { providers as openProviders } from '../src/provider/registry.ts';
import { spoil, spoiling } from './providers/spoil.ts';
import { type SimulatorProcess, cardOf, factsOf, firstCall, outcomeOf, send, startProcess } from './providers/wire.ts';
import { sizeOf } from './sizes.ts';

const MUTANTS = sizeOf('FLORIN_SPOILT_ANSWERS', { usual: 20_000, full: 100_000 });
const seed = Date.now() % 2_147_483_647;

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(() => simulator.stop());

type Sample = { readonly facts: Facts; readonly answer: Answer; readonly text: string; readonly outcome: Outcome };

/** One answer of each sort, as the simulator gives it. */
async function recorded(provider: Provider): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const take = async (facts: Facts, number = '4242424242424242'): Promise<string> => {
    const call = firstCall(provider, facts);
    if (call === undefined) throw new Error(`${provider.name} writes no ${facts.kind}`);
    const answer = await send(simulator.url, call, cardOf(number));
    const outcome = outcomeOf(provider, answer, facts);
    samples.push({ facts, answer, text: new TextDecoder().decode(answer.body), outcome });
    return outcome.kind === 'approved' ? outcome.reference : '';
  };
  const authorize = factsOf('authorize');
  const target_reference = await take(authorize);
  await take(factsOf('authorize', { with_capture: true }));
  await take(factsOf('authorize'), '4000000000004954');
  await take(factsOf('authorize'), '4000000000009995');
  const captured = await take(factsOf('capture', { target_reference, amount_minor: 400n }));
  await take(factsOf('capture', { target_reference, amount_minor: 601n }));
  await take(factsOf('refund', { target_reference: captured, amount_minor: 100n }));
  await take(factsOf('refund', { target_reference: captured, amount_minor: 301n }));
  await take(factsOf('cancel', { target_reference, amount_minor: 600n }));
  await take(factsOf('cancel', { target_reference, amount_minor: 600n }));
  const target_operation_id = authorize.operation_id;
  await take(factsOf('inquiry', { target_operation_id }));
  await take(factsOf('reversal', { target_operation_id }));
  await take(factsOf('inquiry', { target_operation_id }));
  return samples;
}

const bytesOf = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const membersOf = (text: string): Record<string, unknown> => JSON.parse(text);

describe.each([...openProviders().values()].filter(({ table }) => table === 'simulator'))('$name', (provider) => {
  let samples: readonly Sample[];
  beforeAll(async () => {
    samples = await recorded(provider);
  });
  const read = (sample: Sample, body: unknown, status = sample.answer.status) =>
    outcomeOf(provider, { status, body: body instanceof Uint8Array ? body : bytesOf(body) }, sample.facts);
  const decided = () => samples.filter(({ outcome }) => ['approved', 'declined', 'reversed'].includes(outcome.kind));

  test('the answers as they are: every kind approved, declined, and what was asked', () => {
    const kinds = new Set(samples.map(({ facts, outcome }) => `${facts.kind} ${outcome.kind}`));
    const follow_ups = ['capture', 'refund', 'cancel', 'inquiry'].flatMap((kind) => [
      `${kind} approved`,
      `${kind} declined`,
    ]);
    expect([...kinds].toSorted()).toEqual(
      ['authorize approved', 'authorize declined', ...follow_ups, 'reversal reversed'].toSorted(),
    );
    for (const { facts, outcome } of samples) {
      const our_reference = facts.about?.operation_id ?? facts.operation_id;
      const { amount_minor, currency } = facts;
      if (outcome.kind === 'approved') expect(outcome).toMatchObject({ our_reference, amount_minor, currency });
    }
  });

  test('a truncated answer is unknown, wherever it ends', () => {
    for (const sample of samples) {
      for (let length = 0; length < sample.answer.body.length; length++) {
        expect(read(sample, sample.answer.body.subarray(0, length)).kind).toBe('unknown');
      }
    }
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html><title>502 Bad Gateway</title><h1>approved</h1>'],
    ['a text', '"approved"'],
    ['a list', '[{"status":"approved"}]'],
    ['null', 'null'],
    ['the word alone', '{"status":"approved"}'],
    ['the other word alone', '{"status":"declined"}'],
    ['deep nesting', '['.repeat(50_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
    ['10 MB', Buffer.alloc(10_000_000, ' ')],
  ])('%s is unknown under every status', (_, body) => {
    for (const sample of samples) {
      for (const status of [200, 201, 204, 301, 400, 401, 404, 409, 413, 422, 429, 500, 502, 503]) {
        expect(read(sample, body, status).kind).toBe('unknown');
      }
    }
  });

  test('a good answer that is too long is not read', () => {
    for (const sample of samples) {
      expect(read(sample, sample.text.padEnd(65_536))).toEqual(sample.outcome);
      expect(read(sample, sample.text.padEnd(65_537)).kind).toBe('unknown');
    }
  });

  test('a good answer under a status that does not go with it is unknown', () => {
    for (const sample of samples) {
      for (const status of [
        100, 199, 201, 202, 204, 302, 400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 503, 599,
      ]) {
        expect(read(sample, sample.answer.body, status).kind).toBe('unknown');
      }
    }
  });

  test('5xx is the provider’s error, whatever stands in it', () => {
    for (const sample of samples) {
      for (const status of [500, 502, 503, 504]) {
        expect(read(sample, sample.text, status)).toEqual({ kind: 'unknown', why: 'provider_error' });
      }
    }
  });

  test('an answer without one of its members, or with one of another type, is unknown', () => {
    const others = [null, true, 0, -1, 1.5, 'x y', '', [], {}, 2 ** 60, 'é'.repeat(256)];
    for (const sample of decided()) {
      const members = membersOf(sample.text);
      const needed = ['id', 'reference', 'kind', 'status', 'code', 'text'];
      const proof = ['amount', 'currency', 'captured', 'authorization_code'];
      for (const name of [...needed, ...(sample.outcome.kind === 'declined' ? [] : proof)]) {
        const { [name]: original, ...rest } = members;
        expect(read(sample, rest).kind, `without ${name}`).toBe('unknown');
        for (const other of others) {
          // Texts are free, an amount may be 0 here (the core compares it), and the empty code of a follow-up is its
          // own.
          if (other === original || (name === 'text' && typeof other === 'string' && other.length < 256)) continue;
          if (name === 'amount' && other === 0) continue;
          expect(read(sample, { ...rest, [name]: other }).kind, `${name} is ${JSON.stringify(other)}`).toBe('unknown');
        }
      }
      expect(read(sample, sample.text.replace('{', '{"status":"declined",')).kind, 'said twice').toBe('unknown');
    }
  });

  test.each([
    '1000.0',
    '1e3',
    '10E2',
    '1000.00000000000000001',
    '-1000',
    '01000',
    '+1000',
    '0x3e8',
    '1000000000000001000',
    '"1000"',
  ])('an amount of %s is not read', (amount) => {
    for (const sample of samples.filter(({ outcome }) => outcome.kind === 'approved')) {
      expect(read(sample, sample.text.replace(/"amount":\d+/, `"amount":${amount}`)).kind).toBe('unknown');
    }
  });

  test.each(['101', '-1', '50.5', '"95"', 'null'])('a risk score of %s is not read', (score) => {
    const [sample] = samples.filter(({ outcome }) => outcome.kind === 'approved' && outcome.risk_score === 95);
    expect(sample?.text).toContain('"risk_score":95');
    if (sample)
      expect(read(sample, sample.text.replace('"risk_score":95', `"risk_score":${score}`)).kind).toBe('unknown');
  });

  test('an approval of another amount, currency or reference is shown as it is, for the core to refuse', () => {
    for (const sample of samples.filter(({ outcome }) => outcome.kind === 'approved')) {
      const members = membersOf(sample.text);
      expect(read(sample, { ...members, amount: 7 })).toEqual({ ...sample.outcome, amount_minor: 7n });
      expect(read(sample, { ...members, currency: 'USD' })).toEqual({ ...sample.outcome, currency: 'USD' });
      expect(read(sample, { ...members, reference: 'other' })).toEqual({ ...sample.outcome, our_reference: 'other' });
    }
  });

  test('that another payment was reversed says nothing of ours', () => {
    for (const sample of samples.filter(({ outcome }) => outcome.kind === 'reversed')) {
      expect(read(sample, { ...membersOf(sample.text), reference: 'other' }).kind).toBe('unknown');
      expect(sample.outcome).toMatchObject({ our_reference: sample.facts.about?.operation_id });
    }
  });

  test('a decline of another reference, or with a code of success or waiting, is none', () => {
    for (const sample of samples.filter(({ outcome }) => outcome.kind === 'declined')) {
      const members = membersOf(sample.text);
      expect(read(sample, { ...members, reference: 'other' }).kind).toBe('unknown');
      for (const { code, phase, name } of RESULTS) {
        const contradicts = code.length !== 6 || phase === 'success' || name.endsWith('_pending');
        expect(read(sample, { ...members, code }).kind).toBe(contradicts ? 'unknown' : 'declined');
      }
    }
  });

  test('a code that is listed for the operation is its result; any other is the plain decline, with the code kept', () => {
    const plain: Partial<Record<OperationKind, string>> = {
      authorize: 'authorization_declined',
      capture: 'capture_declined',
      refund: 'refund_declined',
      cancel: 'cancel_declined',
    };
    const listed: Partial<Record<OperationKind, string>> = {
      authorize: 'card_stolen',
      capture: 'issuer_capture_declined',
      refund: 'acquirer_refund_declined',
      cancel: 'issuer_cancel_declined',
    };
    for (const sample of samples.filter(
      ({ facts, outcome }) => outcome.kind === 'declined' && facts.kind !== 'inquiry',
    )) {
      const members = membersOf(sample.text);
      const { kind } = sample.facts;
      const code = RESULTS.find(({ name }) => name === listed[kind])?.code;
      expect(read(sample, { ...members, code })).toMatchObject({
        kind: 'declined',
        result: listed[kind],
        provider_code: code,
      });
      for (const unlisted of [
        '429999',
        '955000',
        '000000',
        ...(kind === 'authorize' ? ['521188'] : ['420188', '511030', '611030', '711031']),
      ]) {
        const outcome = read(sample, { ...members, code: unlisted, text: 'new' });
        expect(outcome).toMatchObject({
          kind: 'declined',
          result: plain[kind],
          provider_code: unlisted,
          provider_text: 'new',
        });
      }
    }
  });

  test('a refused request is a decline of the operation, but no answer to an inquiry', () => {
    for (const sample of samples) {
      const refused = { status: 'refused', code: '410070', text: '/amount is missing or not valid' };
      const outcome = read(sample, refused, 400);
      expect(outcome.kind).toBe(sample.facts.kind === 'inquiry' ? 'unknown' : 'declined');
      if (sample.facts.kind === 'authorize')
        expect(outcome).toMatchObject({ result: 'integration_error', reference: null });
      for (const status of [200, 401, 403, 429, 503]) expect(read(sample, refused, status).kind).toBe('unknown');
    }
  });

  test('who is turned away for credentials is declined, unheard; a look, and what is sent until it is acknowledged, learn nothing', () => {
    for (const sample of samples)
      for (const [status, code, result] of [
        [401, '151021', 'provider_credentials_invalid'],
        [403, '151023', 'provider_rights_missing'],
      ] as const) {
        const { kind } = sample.facts;
        const outcome = read(sample, { status: 'refused', code, text: 'no' }, status);
        expect(outcome).toMatchObject({ unheard: true });
        expect(outcome.kind).toBe(kind === 'inquiry' || kind === 'reversal' ? 'unknown' : 'declined');
        if (kind === 'authorize') expect(outcome).toMatchObject({ result, reference: null, provider_code: code });
        // the one with the status of the other is neither
        expect(read(sample, { status: 'refused', code, text: 'no' }, 804 - status)).not.toMatchObject({
          unheard: true,
        });
      }
  });

  test('waiting is waiting, and not found answers an inquiry only', () => {
    for (const sample of samples) {
      const members = membersOf(sample.text);
      const code = RESULTS.find(
        ({ name }) => name.startsWith(String(members['kind']).slice(0, 6)) && name.endsWith('_pending'),
      )?.code;
      const pending = { ...members, status: 'pending', code: code ?? '721080' };
      expect(read(sample, pending)).toEqual({ kind: 'pending', reference: members['id'] });
      expect(read(sample, { ...pending, reference: 'other' }).kind).toBe('unknown');
      const reference = sample.facts.about?.operation_id;
      const expected = sample.facts.kind === 'inquiry' ? 'not_found' : 'unknown';
      expect(read(sample, { status: 'not_found', reference }, 404).kind).toBe(expected);
      expect(read(sample, { status: 'not_found', reference: 'other' }, 404).kind).toBe('unknown');
      expect(read(sample, { status: 'not_found', reference }, 200).kind).toBe('unknown');
    }
  });

  test(
    `of ${MUTANTS} mutated answers none throws and none says what the bytes do not say`,
    { timeout: 300_000 },
    () => {
      let [runs, decisions] = [0, 0];
      const words = { approved: 'declined', declined: 'approved' } as const;
      const mutant = fc.tuple(fc.nat(samples.length - 1), fc.array(spoiling(), { minLength: 1, maxLength: 4 }));
      fc.assert(
        fc.property(mutant, fc.constantFrom(200, 200, 200, 200, 400, 404, 500), ([index, spoilings], status) => {
          const sample = samples[index];
          if (sample === undefined) return;
          runs += 1;
          const body = spoilings.reduce(spoil, Buffer.from(sample.answer.body));
          const outcome = read(sample, body, status);
          if (outcome.kind !== 'approved' && outcome.kind !== 'declined') return;
          decisions += 1;
          // An independent reading of the same bytes must find the very word, under the one status that goes with it.
          const members = membersOf(body.toString('utf8'));
          expect([status, members['status']]).toEqual([200, outcome.kind]);
          expect(sample.outcome.kind).not.toBe(words[outcome.kind]);
          expect(members['code']).toBe(outcome.provider_code);
          if (outcome.kind === 'declined') return;
          const { amount_minor, currency, our_reference, reference } = outcome;
          const { amount, currency: said_currency, reference: said_reference, id } = members;
          expect([amount, said_currency, said_reference, id]).toEqual([
            Number(amount_minor),
            currency,
            our_reference,
            reference,
          ]);
        }),
        { numRuns: MUTANTS, seed },
      );
      console.log(`${provider.name}: seed ${seed}, ${runs} mutants read, ${decisions} of them still decided`);
      expect(runs).toBe(MUTANTS);
      // A test in which nothing survives proves little.
      expect(decisions).toBeGreaterThan(runs / 1000);
    },
  );
});
