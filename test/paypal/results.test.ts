// Our tables of PayPal's words against the lists of the data folder, row by row; the lists against PayPal's own
// constants; and every published example, which is read for what it says.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RESULTS, findResult } from '../../src/core/results.ts';
import type { StepName } from '../../src/provider/paypal/steps.ts';
import { ISSUES, RESPONSES, type Row, rowOfIssue, rowOfResponse } from '../../src/provider/paypal/results.ts';
import { DECIMALS, moneyAt, moneyOf } from '../../src/provider/paypal/money.ts';
import { paypal } from '../../src/provider/paypal/paypal.ts';
import { parseJson } from '../../src/core/json.ts';
import { CURRENCIES } from '../../src/core/money.ts';
import { factsOf } from '../providers/driver.ts';
import { HERE, constantsOf, examplesOf, readSpecification } from './specification.ts';

const MAPPING = new URL('../../../shared/data/providers/mapping/', import.meta.url);
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

type Line = { code: string; retry: string | null; unknown?: true; partial?: true };
const tableOf = (name: string) =>
  Object.entries((JSON.parse(readFileSync(new URL(name, MAPPING), 'utf8')) as { map: Record<string, Line> }).map);

describe.skipIf(!existsSync(MAPPING))('the tables (skipped without ../shared)', () => {
  test.each([
    ['paypal.issue.json', ISSUES],
    ['paypal.processor_response.json', RESPONSES],
  ] as const)('%s: the same rows, each with the same result and the same advice', (name, ours) => {
    const theirs = tableOf(name);
    expect(Object.keys(ours).toSorted()).toEqual(theirs.map(([word]) => word).toSorted());
    for (const [word, { code, retry, unknown, partial }] of theirs) {
      const row: Row | undefined = ours[word];
      const said = [row?.result, row?.retry ?? null, row?.unknown, row?.partial];
      expect([word, ...said]).toEqual([word, findResult(code)?.name, retry, unknown, partial]);
    }
  });

  test('a way to another provider is only advised where the result allows it', () => {
    for (const { result, retry } of [...Object.values(ISSUES), ...Object.values(RESPONSES)]) {
      if (retry !== 'another_route') continue;
      expect(RESULTS.find(({ name }) => name === result)?.fallback_allowed, result).toBe(true);
    }
  });

  test('every word in them is PayPal’s own', () => {
    const all = [readSpecification('orders'), readSpecification('payments')];
    const [issues, responses] = ['issue', 'response_code'].map(
      (name) => new Set(all.flatMap((one) => [...constantsOf(one, name)])),
    );
    expect(Object.keys(RESPONSES).filter((code) => responses?.has(code) !== true)).toEqual([]);
    expect(Object.keys(ISSUES).filter((issue) => issues?.has(issue) !== true)).toEqual([]);
  });

  test('every constant that PayPal refuses with is read, for each kind of operation, as a decline or as nothing', () => {
    const all = [readSpecification('orders'), readSpecification('payments')];
    const issues = all.flatMap((one) => [...constantsOf(one, 'issue')]);
    expect(issues.length).toBeGreaterThan(200);
    for (const issue of issues)
      for (const [kind, step] of [
        ['authorize', 'authorize'],
        ['capture', 'capture'],
        ['refund', 'refund'],
        ['cancel', 'void'],
      ] as const) {
        const body = bytes({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] });
        const read = paypal.read(step, { status: 422, body }, factsOf(kind), { order: 'O1' });
        expect(['declined', 'unknown'], `${issue} ${kind}`).toContain(read.kind);
        if (read.kind !== 'declined') continue;
        expect(read.provider_code).toBe(issue);
        expect(read.result).not.toMatch(/successful|pending/);
      }
  });

  test('every code of a processor is a decline where the authorization is denied', () => {
    const codes = [...constantsOf(readSpecification('orders'), 'response_code')];
    expect(codes.length).toBe(154);
    for (const response_code of codes) {
      const part = { id: 'A1', status: 'DENIED', amount: AMOUNT, processor_response: { response_code } };
      const said = order({ status: 'COMPLETED', payments: { authorizations: [part] } });
      const read = paypal.read('authorize', { status: 201, body: bytes(said) }, factsOf('authorize'), { order: 'O1' });
      expect(read).toMatchObject({ kind: 'declined', provider_code: response_code });
      if (read.kind === 'declined') expect(read.result).not.toMatch(/successful|pending/);
    }
  });
});

const AMOUNT = { currency_code: 'EUR', value: '42.50' };
const order = (more: { status: string; payments?: object; links?: object[]; card?: object }) => ({
  id: 'O1',
  intent: 'AUTHORIZE',
  status: more.status,
  purchase_units: [{ reference_id: 'x', amount: AMOUNT, ...(more.payments && { payments: more.payments }) }],
  ...(more.links && { links: more.links }),
  ...(more.card && { payment_source: { card: more.card } }),
});

describe('what a word means', () => {
  test('of another kind of operation it says no more than no', () => {
    expect(rowOfIssue('refund', 'DUPLICATE_INVOICE_ID').result).toBe('refund_declined');
    expect(rowOfIssue('authorize', 'REFUND_NOT_ALLOWED').result).toBe('authorization_declined');
    expect(rowOfIssue('capture', 'INSTRUMENT_DECLINED').result).toBe('capture_declined');
    expect(rowOfIssue('authorize', '__proto__').result).toBe('authorization_declined');
  });

  test('an authentication can only have failed where there was one, and the scheme’s word against a retry holds', () => {
    const said = { code: '7710', advice: '' };
    expect(rowOfResponse({ ...said, authenticated: false }).result).toBe('authorization_declined');
    expect(rowOfResponse({ ...said, authenticated: true }).result).toBe('authentication_incorrect');
    for (const advice of ['03', '21'])
      expect(rowOfResponse({ code: '0500', advice, authenticated: false }).retry).toBe('never');
    expect(rowOfResponse({ code: '0500', advice: '01', authenticated: false }).retry).toBe('later');
  });
});

describe('amounts', () => {
  test('every currency of PayPal’s list has its decimals there; three have none, whatever ISO 4217 says', () => {
    expect(DECIMALS.size).toBe(25);
    expect([...DECIMALS].filter(([, decimals]) => decimals === 0).map(([code]) => code)).toEqual(['HUF', 'JPY', 'TWD']);
    for (const [currency, decimals] of DECIMALS) {
      const iso = CURRENCIES.get(currency) ?? -1;
      for (const whole of [1n, 7n, 100n, 123_456_789n]) {
        const amount_minor = whole * 10n ** BigInt(iso);
        const money = moneyOf({ amount_minor, currency });
        expect(money?.value).toBe(decimals === 0 ? String(whole) : `${whole}.00`);
        expect(moneyAt(parseJson(JSON.stringify(money)))).toEqual({ amount_minor, currency });
      }
    }
  });

  test.each([
    ['EUR', '1', 100n],
    ['EUR', '1.5', 150n],
    ['EUR', '1.500', 150n],
    ['JPY', '100.00', 100n],
    ['HUF', '5', 500n],
    ['EUR', '1.005', undefined],
    ['JPY', '100.5', undefined],
    ['EUR', '-1.00', undefined],
    ['EUR', '1e2', undefined],
    ['EUR', '1,00', undefined],
    ['EUR', ' 1.00', undefined],
    ['EUR', '', undefined],
    ['EUR', '.50', undefined],
    ['KWD', '1.000', undefined],
    ['eur', '1.00', undefined],
  ])('%s %j is read as %s', (currency_code, value, minor) => {
    expect(moneyAt(parseJson(JSON.stringify({ currency_code, value })))?.amount_minor).toBe(minor);
  });
});

const STEPS = Object.keys(paypal.steps).filter((name) => !name.startsWith('dispute')) as StepName[];
const KINDS = ['authorize', 'capture', 'refund', 'cancel', 'inquiry', 'reversal'] as const;

describe.skipIf(!HERE)('the published examples (skipped without ../shared)', () => {
  const all = HERE ? (['orders', 'payments', 'webhooks'] as const).map((name) => readSpecification(name)) : [];
  const examples = all.flatMap((specification) => examplesOf(specification).map((one) => ({ ...one, specification })));

  test('there are as many as were counted; the requests are as their own schemas have them', () => {
    expect(examples.length).toBe(8);
    const plain = examples.filter(({ status, name }) => status === null && !KNOWN_ODD.has(name));
    expect(
      plain.flatMap(({ specification, method, path, value }) => specification.request(method, path, value)),
    ).toEqual([]);
  });

  test('none is misread: whatever step it is taken for, nothing is approved that it does not say', () => {
    for (const { value } of examples)
      for (const step of STEPS)
        for (const kind of KINDS)
          for (const status of [200, 201, 400, 401, 403, 404, 409, 422, 429, 500]) {
            const read = paypal.read(step, { status, body: bytes(value) }, factsOf(kind), { order: 'O1' });
            expect(['unknown', 'declined', 'reversed']).toContain(read.kind);
            // an empty error says no more than that it is one
            if (read.kind === 'declined') expect(status).toBeLessThan(429);
            expect(read.kind).not.toBe('reversed');
          }
  });

  test('the event that is published is opened, and of the old API’s object nothing is believed', () => {
    const example = examples.find(({ name }) => name === 'verify_webhook_signature');
    if (!example) throw new Error('it is published');
    const { webhook_event } = example.value as { webhook_event: { id: string } };
    const [notice] = paypal.notices?.open(bytes(webhook_event), {}) ?? [];
    expect(notice).toMatchObject({ event_ref: webhook_event.id, news: { kind: 'look' }, match: { kind: 'authorize' } });
  });
});

/** Their own schemas refuse them: an address that is none, and for PayPal's wallet a member that nothing names. */
const KNOWN_ODD = new Set(['verify_webhook_signature', 'order_request', 'confirm_order_request']);

describe('spoilt answers', () => {
  const approved = { id: 'A1', status: 'CREATED', amount: AMOUNT };
  const good = order({ status: 'COMPLETED', payments: { authorizations: [approved] } });
  const read = (value: unknown, step: StepName = 'authorize', status = 201) =>
    paypal.read(
      step,
      { status, body: typeof value === 'string' ? Buffer.from(value) : bytes(value) },
      factsOf('authorize'),
      {
        order: 'O1',
      },
    );

  test('a good one is approved; what it does not repeat is taken as asked', () => {
    expect(read(good)).toMatchObject({ kind: 'approved', reference: 'A1', our_reference: null, amount_minor: 4250n });
  });

  test.each([
    ['half a JSON', JSON.stringify(good).slice(0, 80)],
    ['HTML', '<html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['another order', { ...good, id: 'O2' }],
    ['two purchase units', { ...good, purchase_units: [...good.purchase_units, ...good.purchase_units] }],
    [
      'a status that nobody knows',
      order({ status: 'COMPLETED', payments: { authorizations: [{ ...approved, status: 'NEW' }] } }),
    ],
    ['no amount', order({ status: 'COMPLETED', payments: { authorizations: [{ id: 'A1', status: 'CREATED' }] } })],
    ['an id that is none', order({ status: 'COMPLETED', payments: { authorizations: [{ ...approved, id: '../1' }] } })],
    ['no authorization', order({ status: 'COMPLETED' })],
  ])('%s is unknown', (_, value) => expect(read(value)).toMatchObject({ kind: 'unknown' }));

  test('a redirect of the payer without an address, or to one that is none, is unknown', () => {
    const asks = (href: string) => order({ status: 'PAYER_ACTION_REQUIRED', links: [{ rel: 'payer-action', href }] });
    for (const href of ['', 'javascript:alert(1)', 'https:// x'])
      expect(read(asks(href), 'back', 200).kind).toBe('unknown');
    expect(read(asks('https://paypal.example/1'), 'back', 200).kind).toBe('payer_must_act');
  });

  test.each([
    ['Y', false, 'next'],
    ['A', true, 'next'],
    ['U', false, 'next'],
    ['U', true, 'acs_unreachable'],
    ['', true, 'acs_unreachable'],
    ['N', false, 'authentication_incorrect'],
    ['R', false, 'authentication_incorrect'],
    ['C', false, 'authentication_incorrect'],
    ['X', false, 'authentication_incorrect'],
  ])('3-D Secure said %j (demanded: %s): %s', (authentication_status, forced, end) => {
    const card = { authentication_result: { liability_shift: 'NO', three_d_secure: { authentication_status } } };
    const kept = { order: 'O1', ...(forced && { three_ds: 'force' }) };
    const body = bytes(order({ status: 'APPROVED', card }));
    const said = paypal.read('back', { status: 200, body }, factsOf('authorize'), kept);
    expect(said.kind === 'declined' ? said.result : said.kind).toBe(end);
  });
});
