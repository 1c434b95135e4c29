// What the simulated issuer makes of an authentication that comes with an authorization: only what its own directory
// issued for this very payment is believed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { card, clientOf, numberOf, payment } from '../../providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from '../../providers/wire.ts';
import { type Given, MERCHANT, type Said, askingOf } from './asking.ts';

let bank: SimulatorProcess;
beforeAll(async () => {
  bank = await startProcess();
});
afterAll(() => bank.stop());
const { post } = clientOf(() => bank.url);
const { asks, results, types } = askingOf(() => bank.url);

const CARD = '4000002760003184';
const FORGED = '420030';

/** An authentication by challenge of 10.00 EUR, and what our side would send of it. */
async function authenticated(number: string, code = '1234', version = '2.2.0') {
  const order_id = newId();
  const ares = await asks(
    { number, version, areq: { threeDSRequestorChallengeInd: version === '2.3.1' ? ['04'] : '04' } },
    { order_id },
  );
  if (ares['transStatus'] === 'C') await types(ares, code);
  const rreq = (await results(ares['threeDSServerTransID'])).said['rreq'] as Said;
  const three_ds = {
    version,
    eci: rreq['eci'] ?? null,
    authentication_value: rreq['authenticationValue'] ?? null,
    ds_transaction_id: rreq['dsTransID'],
    trans_status: rreq['transStatus'],
  };
  return { order_id, three_ds };
}

const pays = async (number: string, given: Given) =>
  post('/simulator/payments', payment(number, { merchant_account_id: MERCHANT, ...given }));
const codeOf = async (number: string, given: Given) => (await pays(number, given)).said.code;

describe('a card that wants to see its payer', () => {
  test.each([
    [CARD, '944444'],
    ['4000000000003220', '944444'],
    ['4000002500003155', '944444'],
    ['4000008260003178', '420100'],
    ['4000008400001629', '420188'],
    [numberOf('420150'), '944444'],
    [numberOf('420050'), '944444'],
    [numberOf('420250'), '944444'],
  ])('%s: soft declined without, %s with', async (number, code) => {
    const newer = number === '4000000000003220' ? ['2.3.1'] : [];
    for (const version of ['2.2.0', ...newer]) {
      const proof = await authenticated(number, '1234', version);
      const plain = { order_id: proof.order_id };
      expect(['420150', '420050', '420250']).toContain(await codeOf(number, plain));
      expect(await codeOf(number, proof)).toBe(code);
    }
  });

  test('is satisfied by an attempt, at both providers, and by a repeat for the same order', async () => {
    const proof = await authenticated(CARD, '7777');
    expect(proof.three_ds).toMatchObject({ trans_status: 'A', eci: '06' });
    const body = payment(CARD, { merchant_account_id: MERCHANT, ...proof });
    for (const provider of ['simulator', 'simulator', 'simulator_b'])
      expect((await post(`/${provider}/payments`, body)).said.code).toBe('944444');
  });

  test.each(['1111', '2222', '3333'])('is not by a payer who failed (%s)', async (code) => {
    expect(await codeOf(CARD, await authenticated(CARD, code))).toBe('420150');
  });
});

describe('a proof is bound', () => {
  test.each<[string, Given]>([
    ['another order', { order_id: newId() }],
    ['another amount', { amount: 1001 }],
    ['another currency', { currency: 'USD' }],
    ['another card', { card: card('4000000000003220') }],
    ['another merchant account', { merchant_account_id: newId() }],
  ])('%s: refused for risk', async (_, given) => {
    const proof = await authenticated(CARD);
    expect(await codeOf(CARD, { ...proof, ...given })).toBe(FORGED);
    expect(await codeOf(CARD, proof)).toBe('944444');
  });

  test.each<[string, Given]>([
    ['another value', { authentication_value: `${'A'.repeat(27)}=` }],
    ['another indicator', { eci: '06' }],
    ['another status', { trans_status: 'A' }],
    ['another version', { version: '2.3.1' }],
    ['an id nobody gave out', { ds_transaction_id: '00000000-0000-4000-8000-000000000000' }],
    ['no value', { authentication_value: null }],
    ['a value with a status that has none', { trans_status: 'U' }],
  ])('%s: refused for risk', async (_, given) => {
    const { order_id, three_ds } = await authenticated(CARD);
    expect(await codeOf(CARD, { order_id, three_ds: { ...three_ds, ...given } })).toBe(FORGED);
  });

  test('a forged one is refused with any card, a true one changes nothing for a card that does not ask', async () => {
    const good = await authenticated('4242424242424242');
    expect(await codeOf('4242424242424242', good)).toBe('944444');
    expect(await codeOf('4242424242424242', { ...good, amount: 999 })).toBe(FORGED);
    expect(await codeOf('4000000000009995', await authenticated('4000000000009995'))).toBe('420100');
  });

  test('the value of one payment is no other’s', async () => {
    const [one, other] = [await authenticated(CARD), await authenticated(CARD)];
    const three_ds = { ...one.three_ds, authentication_value: other.three_ds.authentication_value };
    expect(await codeOf(CARD, { order_id: one.order_id, three_ds })).toBe(FORGED);
  });
});

describe('what else may come', () => {
  test('an authentication made elsewhere is believed by its form', async () => {
    const three_ds_data = { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', eci: '05', x_id: 'x', version: '2.2.0' };
    expect(await codeOf(CARD, { three_ds_data })).toBe('944444');
    expect(await codeOf(CARD, { three_ds_data: { ...three_ds_data, eci: '07' } })).toBe('420150');
    expect(await codeOf(CARD, { three_ds_data: { eci: '05' } })).toBe('420150');
    expect(await codeOf('4000008400001629', { three_ds_data })).toBe('420188');
  });

  test('3155 as a recurring payment is remembered once it authenticated, others are not', async () => {
    const merchant_account_id = newId();
    const recurring = { merchant_account_id, recurring: true };
    const code = (number: string, given: Given) => codeOf(number, given);
    expect(await code('4000002500003155', recurring)).toBe('420150');
    for (const number of ['4000002500003155', CARD])
      await types(await asks({ number }, { merchant_account_id }), '1234');
    expect(await code('4000002500003155', recurring)).toBe('944444');
    expect(await code('4000002500003155', { merchant_account_id })).toBe('420150');
    expect(await code(CARD, recurring)).toBe('420150');
  });

  test.each<[string, Given]>([
    ['/three_ds', { three_ds: 'yes' }],
    ['/three_ds/version', { three_ds: { version: '1.0.2' } }],
    ['/three_ds/trans_status', { three_ds: { version: '2.2.0', trans_status: 'X' } }],
    ['/three_ds/ds_transaction_id', { three_ds: { version: '2.2.0', trans_status: 'Y', ds_transaction_id: 'x' } }],
    ['/three_ds_data', { three_ds_data: [] }],
    ['/three_ds_data/other', { three_ds_data: { other: 'x' } }],
    ['/three_ds_data/cavv', { three_ds_data: { cavv: 'x'.repeat(65) } }],
    ['/sca_exemption', { sca_exemption: 7 }],
    ['/recurring', { recurring: 'yes' }],
  ])('%s is refused where it is wrong', async (member, given) => {
    const { status, said } = await pays('4242424242424242', given);
    expect([status, said.text]).toEqual([400, `${member} is missing or not valid`]);
  });

  test('an exemption is taken, and absent members are null as well', async () => {
    const given = { three_ds: null, three_ds_data: null, sca_exemption: 'low_value' };
    expect(await codeOf('4242424242424242', given)).toBe('944444');
    expect(await codeOf(CARD, given)).toBe('420150');
  });
});
