// What Adyen's provider says of itself, and what it writes: golden bytes a step, slots where the table has them, and
// the vendor's own specification.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SCHEME_NAMES } from '../../src/core/card.ts';
import { CURRENCIES } from '../../src/core/money.ts';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { EXPONENTS, moneyAt, moneyText } from '../../src/provider/adyen/exponents.ts';
import { STEPS, type StepName } from '../../src/provider/adyen/steps.ts';
import { parseJson } from '../../src/core/json.ts';
import { type Facts, type Template, goesThroughVault } from '../../src/provider/contract.ts';
import { PAYER, factsOf, stepFacts } from './facts.ts';
import { HERE, requestProblems } from './specification.ts';
import { CARD, filled } from './wire.ts';

const rows = stepFacts();
const VALUES = {
  ...CARD,
  'secret.merchant_account': 'FlorinTest',
  'psp.token': '8415736344108917',
  'psp.customer?': 'shopper-1',
};

function bodyOf(step: string, facts: Facts, kept = {}): Template {
  const written = adyen.write(step, facts, kept);
  if (written === undefined) throw new Error(`${step} cannot be said`);
  return written.body;
}

describe('the table', () => {
  test('at most one step of an operation goes through the vault, and it is never sent twice', () => {
    const through = Object.entries(STEPS).filter(([, step]) => goesThroughVault(step));
    expect(through.map(([name]) => name)).toEqual(['payments', 'payments_network_token', 'payments_token']);
    expect(through.map(([, { again }]) => again)).toEqual(['never', 'never', 'never']);
  });

  test('a key of a step is never longer than Adyen takes', () => {
    for (const name of Object.keys(STEPS)) expect(`${'f'.repeat(24)}-${name}-99`.length).toBeLessThanOrEqual(64);
  });

  test('every step is one that an operation begins with, or goes on with', () => {
    const begun = rows.map(({ facts }) => adyen.first(facts));
    const resumed = ['details'];
    // those of disputes are walked by themselves: test/conformance/disputes.test.ts
    const of_operations = Object.keys(STEPS).filter((name) => !name.startsWith('dispute'));
    expect(new Set([...begun, ...resumed])).toEqual(new Set(of_operations));
  });

  test('no step begins what cannot be done', () => {
    const nothing = (['capture', 'refund', 'cancel', 'inquiry', 'reversal'] as const).map((kind) =>
      adyen.first(factsOf(kind)),
    );
    expect(nothing).toEqual([undefined, undefined, undefined, undefined, undefined]);
    const about = { operation_id: 'c'.repeat(24), with_capture: false, reference: 'X', kept: {} };
    expect(adyen.first(factsOf('reversal', { about: { ...about, kind: 'capture' } }))).toBeUndefined();
    expect(adyen.first(factsOf('authorize', { with_capture: true }))).toBeUndefined();
  });

  test('messages are the truth, so the key that proves them must be given', () => {
    expect(adyen.can).toMatchObject({ sale: 'hold_then_capture', inquiry: [], reversal: 'by_own_reference' });
    expect(new Set(Object.values(adyen.can.ends))).toEqual(new Set(['notice']));
    expect(adyen.credentials.find(({ use }) => use === 'check')).toMatchObject({ name: 'hmac_key', required: true });
  });
});

describe('what it writes', () => {
  test.each(rows)('the same facts are the same bytes: $name', async ({ name, step, facts, kept }) => {
    const written = adyen.write(step, facts, kept);
    expect(adyen.write(step, structuredClone(facts), kept)).toEqual(written);
    const text = (written?.body ?? []).map((part) => (typeof part === 'string' ? part : `⟨${part.slot}⟩`)).join('');
    await expect(`${JSON.stringify(written?.values)}\n${text}\n`).toMatchFileSnapshot(`./steps/${name}.txt`);
  });

  test.each(rows)('slots stand where the table has them, and nowhere else: $name', ({ step, facts, kept }) => {
    const marked = bodyOf(step, facts, kept)
      .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
      .join('');
    expect(placesOf(JSON.parse(marked))).toEqual(STEPS[step as StepName].slots);
  });
});

describe.skipIf(!HERE)('what it writes is as the specification has it (skipped without the specification)', () => {
  test.each(rows)('and one member more is refused: $name', ({ step, facts, kept }) => {
    const path = STEPS[step as StepName].path.replace('/v72', '').replace('{payment}', '{paymentPspReference}');
    const whole = JSON.parse(filled(bodyOf(step, facts, kept), VALUES)) as object;
    expect(requestProblems(path, whole)).toEqual([]);
    expect(requestProblems(path, { ...whole, amout: 1 })).not.toEqual([]);
  });

  test('an optional slot with nothing to say takes its member with it', () => {
    const facts = factsOf('authorize', { network_token: true });
    const bare = { ...VALUES, 'card.holder?': undefined, 'card.cvc?': undefined };
    const body = JSON.parse(filled(bodyOf('payments_network_token', facts), bare)) as { readonly mpiData: object };
    expect(body.mpiData).toEqual({});
    expect(requestProblems('/payments', body)).toEqual([]);
  });

  test('whatever is said of payer and order', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 255 });
    const facts = fc.record({
      order_merchant_id: text,
      scheme: fc.constantFrom(...SCHEME_NAMES, null),
      currency: fc.constantFrom(...CURRENCIES.keys()),
      amount_minor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      payer: fc.option(fc.record({ ...fixed(PAYER), three_ds: fc.constantFrom('ask', 'force', 'no'), email: text }), {
        nil: undefined,
      }),
      evidence: fc.record({
        stored_card: fc.boolean(),
        three_ds_data: fc.dictionary(
          fc.constantFrom(
            'cavv',
            'ucaf_aav',
            'eci',
            'x_id',
            'pares_status',
            'directory_veres',
            'version',
            'network_score',
            'slot',
          ),
          fc.base64String({ maxLength: 64 }),
        ),
        sca_exemption: fc.constantFrom('low_value', 'corporate', 'trusted_beneficiary', 'risk_analysis', 'other'),
      }),
    });
    const check = fc.property(facts, ({ payer, ...given }) => {
      const made = factsOf('authorize', { ...given, ...(payer && { payer: payer as Facts['payer'] & {} }) });
      const written = adyen.write('payments', made, {});
      if (written === undefined) return moneyText(made) === undefined;
      expect(requestProblems('/payments', JSON.parse(filled(written.body, VALUES)))).toEqual([]);
      return true;
    });
    fc.assert(check, { numRuns: 150 });
  });
});

describe('what it does not write', () => {
  test('what cannot be said is not sent', () => {
    const of = { authorization_reference: '993617895204576J' };
    expect(
      adyen.write('captures', factsOf('capture', { ...of, currency: 'IDR', amount_minor: 150n }), {}),
    ).toBeUndefined();
    expect(adyen.write('captures', factsOf('capture', { authorization_reference: '../x' }), {})).toBeUndefined();
    expect(adyen.write('cancels', factsOf('cancel', { authorization_reference: 'a b' }), {})).toBeUndefined();
    expect(adyen.write('details', factsOf('authorize'), {})).toBeUndefined();
    expect(adyen.write('cancel_by_reference', factsOf('reversal'), {})).toBeUndefined();
    expect(adyen.write('toString', factsOf('authorize'), {})).toBeUndefined();
  });
});

describe('money', () => {
  test.each([
    ['EUR', 4250n, '4250'],
    ['JPY', 12n, '12'],
    ['KWD', 12_345n, '12345'],
    ['ISK', 12n, '1200'],
    ['CLP', 12n, '1200'],
    ['IDR', 1200n, '12'],
    ['CVE', 1200n, '12'],
    ['EUR', 10n ** 12n, '1000000000000'],
  ])('%s %s is %s of theirs, and comes back exactly', (currency, amount_minor, value) => {
    const text = moneyText({ currency, amount_minor });
    expect(text).toBe(`{"currency":"${currency}","value":${value}}`);
    expect(moneyAt(parseJson(text ?? ''))).toEqual({ currency, amount_minor });
  });

  test('nothing is rounded, in neither direction', () => {
    expect(moneyText({ currency: 'IDR', amount_minor: 1201n })).toBeUndefined();
    expect(moneyAt(parseJson('{"currency":"ISK","value":1201}'))).toBeUndefined();
    expect(moneyAt(parseJson('{"currency":"EUR","value":12.0}'))).toBeUndefined();
    expect(moneyAt(parseJson('{"currency":"EUX","value":12}'))).toBeUndefined();
  });

  test('the currencies that differ are currencies', () => {
    expect(Object.keys(EXPONENTS).filter((code) => !CURRENCIES.has(code))).toEqual([]);
  });
});

/** Where the slots of a body stand, as JSON pointers. */
function placesOf(value: unknown, at = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  if ('slot' in value && typeof value.slot === 'string') return { [at]: value.slot };
  return Object.entries(value).reduce((all, [name, item]) => Object.assign(all, placesOf(item, `${at}/${name}`)), {});
}

const fixed = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fc.constant(one)]));
