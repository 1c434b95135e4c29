// What card numbers mean to the simulated provider, seen from outside: every authorization row of contract 15.2, every
// code number of 15.3. The tables are written down a second time here, from the contract.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { card, clientOf, common, numberOf, payment } from './providers/client.ts';
import { type SimulatorProcess, startProcess } from './providers/wire.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(() => simulator.stop());
const { authorize, books, follow, post } = clientOf(() => simulator.url);

const APPROVED = `4242424242424242 4111111111111111 4000056655665556 4543474002249996 4658584090000001 4917610000000000
  5555555555554444 5454545454545454 2223003122003222 2223000010479399 5200828282828210 5105105105105100 5436031030606378
  5199992312641465 378282246310005 371449635398431 345678901234564 30123456789019 30569309025904 36227206271667
  3056930009020004 6011111111111117 6011000990139424 3530111333300000 3566002020360505 6200000000000005 6205500000000000004
  6759649826438453 6703444444444449 4000002500001001 4035501000000008 5555552500001001 4000000000003055 4000000000000259
  4000000000007726 4000000000005126 4000000000004954 4000000000009235 4012888888881881`.split(/\s+/);

const DECLINED: Readonly<Record<string, string>> = {
  '4242424242424241': '240021',
  '4000000000000002': '420188',
  '4000000000000341': '420188',
  '4000000000009995': '420100',
  '4000000000006975': '421101',
  '4000000000009987': '421132',
  '4000000000009979': '421131',
  '4000000000000069': '421125',
  '4000000000000127': '241031',
  '4000000000000119': '420410',
  '4100000000000019': '131088',
  '4000002760003184': '420150',
  '4000000000003220': '420150',
  '4000002500003155': '420150',
  '4000008260003178': '420150',
  '4000008400001629': '420150',
  // of the form of a code number, but the code is in no table, waits, or is a rule of our own
  '4000009994999991': '240021',
  '4000009994210807': '240021',
  '4000009995110314': '240021',
  '4000009991110125': '240021',
};

describe('what a card number means', () => {
  test.each(APPROVED)('%s is approved, held or captured in one step', async (number) => {
    expect(await authorize(number)).toMatchObject({ status: 'approved', code: '944444', captured: false });
    expect(await authorize(number, { capture: 'now' })).toMatchObject({ code: '955555', captured: true });
  });

  test.each(Object.entries(DECLINED))('%s ends with %s', async (number, code) => {
    for (const capture of ['later', 'now']) {
      expect(await authorize(number, { capture })).toMatchObject({ status: 'declined', code, captured: false });
    }
  });

  test('the provider gives its risk score where it has one, and only then', async () => {
    expect((await authorize('4000000000004954')).risk_score).toBe(95);
    expect((await authorize('4000000000009235')).risk_score).toBe(65);
    expect(await authorize('4242424242424242')).not.toHaveProperty('risk_score');
  });

  test('a cvc that was lost on the way, sent as blanks, is declined as a wrong one', async () => {
    const said = await authorize('4242424242424242', { card: card('4242424242424242', { cvc: '   ' }) });
    expect(said).toMatchObject({ status: 'declined', code: '241031' });
  });

  test('both providers know the same cards and keep books of their own', async () => {
    const body = payment('4000000000009995');
    for (const name of ['simulator', 'simulator_b']) {
      expect((await post(`/${name}/payments`, body)).said.code).toBe('420100');
    }
    const entries = await books(`reference=${body.reference}`);
    expect(entries).toMatchObject([
      { provider: 'simulator', calls: 1 },
      { provider: 'simulator_b', calls: 1 },
    ]);
  });
});

const CODES = new URL('../../shared/spec/result-codes.csv', import.meta.url);
const codes = existsSync(CODES) ? readFileSync(CODES, 'utf8').split('\n').slice(1) : [];
const codesOf = (pattern: RegExp, ...not: string[]) =>
  codes
    .map((line) => line.split(','))
    .filter(
      ([code = '', name = '', , kind = '']) => pattern.test(code) && !name.endsWith('_pending') && !not.includes(kind),
    )
    .map(([code = '']) => code)
    .filter((code) => code !== '404000');

describe('code numbers', () => {
  beforeEach((context) => context.skip(codes.length === 0, 'the folder ../shared with the specification is not here'));

  test('the examples of the contract are built as we build them', () => {
    const examples = [
      '4000009994201500',
      '4000009994211301',
      '4000009994200304',
      '4000009993100703',
      '4000009992214208',
    ];
    expect(examples.map((number) => numberOf(number.slice(9, 15)))).toEqual(examples);
  });

  test('every code of phases 2 and 4 ends the authorization', async () => {
    const wanted = codesOf(/^[24]\d{5}$/);
    expect(wanted.length).toBeGreaterThan(35);
    for (const code of wanted) {
      expect(await authorize(numberOf(code))).toMatchObject({ status: 'declined', code });
    }
  });

  test('codes of routing end the authorization as well: the provider says that credentials or route fail', async () => {
    const wanted = codesOf(/^15/);
    expect(wanted.length).toBeGreaterThan(4);
    for (const code of wanted) expect(await authorize(numberOf(code))).toMatchObject({ status: 'declined', code });
  });

  test('codes that end elsewhere (risk, authentication) are approved by the provider', async () => {
    for (const code of codesOf(/^(?:13(?!3333)|3)/)) expect((await authorize(numberOf(code))).code).toBe('944444');
  });

  test('every code of phases 5, 6 and 7 ends the first capture, refund or cancel, and the second is done', async () => {
    const wanted = codesOf(/^[567]\d{5}$/, 'technical');
    expect(wanted.length).toBeGreaterThan(25);
    for (const code of wanted) {
      const sale = code.startsWith('6');
      const paid = await authorize(numberOf(code), { capture: sale ? 'now' : 'later' });
      const path = { 5: 'captures', 6: 'refunds', 7: 'cancel' }[code[0] ?? ''] ?? '';
      const to = `/${sale ? 'captures' : 'payments'}/${paid.id}/${path}`;
      const first = common({ amount: 400 });
      expect((await post(`/simulator${to}`, first)).said).toMatchObject({ status: 'declined', code });
      expect((await post(`/simulator${to}`, first)).said).toMatchObject({ status: 'declined', code });
      expect((await follow(to, { amount: 400 })).status).toBe('approved');
    }
  });
});
