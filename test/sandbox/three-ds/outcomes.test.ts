// The outcomes of contract 15.1 to 15.3 as the simulated directory answers them, over its real socket. The table is
// written down a second time here, from the contract.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEgress } from '../../../src/kit/egress.ts';
import { sandboxEgress } from '../../../src/sandbox/egress.ts';
import { numberOf } from '../../providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from '../../providers/wire.ts';
import { REFUSED_STATUS } from '../../../src/sandbox/call/deliver.ts';
import { controlOf } from '../control.ts';
import { type Given, MERCHANT, areqOf, askingOf } from './asking.ts';

let bank: SimulatorProcess;
beforeAll(async () => {
  bank = await startProcess();
});
afterAll(() => bank.stop());
const { asks, authenticate, challenge, post, preauth, results, types } = askingOf(() => bank.url);
const { arm, clear, control } = controlOf(() => bank.url);

const CHALLENGING = [
  '4000002760003184',
  '4000000000003220',
  '4000002500003155',
  '4000008260003178',
  '4000008400001629',
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PROOF = /^[A-Za-z0-9+/]{27}=$/;
const POOR = {
  browserJavascriptEnabled: false,
  browserColorDepth: undefined,
  browserJavaEnabled: undefined,
  browserScreenHeight: undefined,
  browserScreenWidth: undefined,
  browserTZ: undefined,
};

describe('is a card enrolled?', () => {
  test('an ordinary one is, under an id that is new each time; some know the newer version', async () => {
    const [one, other] = [await preauth('4242424242424242'), await preauth('4242424242424242')];
    expect(one).toEqual({
      enrolled: true,
      versions: ['2.2.0'],
      threeDSServerTransID: expect.stringMatching(UUID),
      threeDSMethodURL: null,
    });
    for (const number of ['4111111111111111', '5454545454545454', '4000000000003220', '4000009907000031'])
      expect(await preauth(number)).toMatchObject({ versions: ['2.2.0', '2.3.1'] });
    expect(other['threeDSServerTransID']).not.toBe(one['threeDSServerTransID']);
  });

  test.each(CHALLENGING)('%s has a method page', async (number) => {
    expect(await preauth(number)).toMatchObject({ enrolled: true, threeDSMethodURL: `${bank.url}/acs/method` });
  });

  test.each(['4000009907000015', numberOf('320120')])('%s is not', async (number) => {
    expect(await preauth(number)).toEqual({ enrolled: false });
  });

  test('4000008400001280: the directory hangs up', async () => {
    await expect(preauth('4000008400001280')).rejects.toThrow('fetch failed');
  });

  test.each(['merchant_account_id', 'order_id', 'operation_id', 'card'])(
    'a question without %s is refused',
    async (name) => {
      const ids = { merchant_account_id: MERCHANT, order_id: newId(), operation_id: newId() };
      const body = { ...ids, card: { number: '4242424242424242' }, [name]: undefined };
      const { status, said } = await post('/three_ds/preauth', body);
      expect([status, said['text']]).toEqual([400, expect.stringContaining(`/${name}`)]);
    },
  );
});

describe('what the bank answers', () => {
  const OUTCOMES: readonly (readonly [name: string, number: string, areq: Given, status: string])[] = [
    ['999.99 EUR', '4242424242424242', { purchaseAmount: '99999' }, 'Y 05'],
    ['1000.00 EUR', '4242424242424242', { purchaseAmount: '100000' }, 'C'],
    ['999 JPY', '4242424242424242', { purchaseAmount: '999', purchaseCurrency: '392', purchaseExponent: '0' }, 'Y 05'],
    ['1000 JPY', '4242424242424242', { purchaseAmount: '1000', purchaseCurrency: '392', purchaseExponent: '0' }, 'C'],
    [
      '1000.000 KWD',
      '4242424242424242',
      { purchaseAmount: '1000000', purchaseCurrency: '414', purchaseExponent: '3' },
      'C',
    ],
    [
      '999.999 KWD',
      '4242424242424242',
      { purchaseAmount: '999999', purchaseCurrency: '414', purchaseExponent: '3' },
      'Y 05',
    ],
    ['leading zeros', '4242424242424242', { purchaseAmount: '0000099999' }, 'Y 05'],
    ['a mastercard', '5555555555554444', {}, 'Y 02'],
    ['a maestro', '6759649826438453', {}, 'Y 02'],
    ['an amex', '378282246310005', {}, 'Y 05'],
    ['a challenge that is mandated', '4242424242424242', { threeDSRequestorChallengeInd: '04' }, 'C'],
    ['a challenge that is only wanted', '4242424242424242', { threeDSRequestorChallengeInd: '03' }, 'Y 05'],
    ...CHALLENGING.map((number) => [number, number, {}, 'C'] as const),
    ['3155 as a recurring one, the first time', '4000002500003155', { threeDSRequestorAuthenticationInd: '02' }, 'C'],
    ['3055', '4000000000003055', { purchaseAmount: '9999900' }, 'Y 05'],
    ['3055, a challenge mandated', '4000000000003055', { threeDSRequestorChallengeInd: '04' }, 'Y 05'],
    ['0006 with browser data', '5300000000000006', { purchaseAmount: '9999900' }, 'Y 02'],
    ['0006 without', '5300000000000006', POOR, 'C'],
    ['0006, a challenge mandated', '5300000000000006', { threeDSRequestorChallengeInd: '04' }, 'C'],
    ['0049', '4000009907000049', {}, 'U'],
    ['0023', '4000009907000023', {}, 'C'],
    ['0031', '4000009907000031', { purchaseAmount: '9999900' }, 'A 06'],
    ['320001', numberOf('320001'), {}, 'C'],
    ['320310', numberOf('320310'), {}, 'U'],
    ['341000', numberOf('341000'), {}, 'N'],
    ['361000', numberOf('361000'), {}, 'C'],
    ['a soft decline of the issuer', numberOf('420150'), {}, 'Y 05'],
    ['the same, large', numberOf('420150'), { purchaseAmount: '100000' }, 'C'],
    ['a card that is declined later', '4000000000009995', {}, 'Y 05'],
  ];

  test.each(OUTCOMES)('%s (%s)', async (_, number, areq, wanted) => {
    const { versions } = await preauth(number);
    for (const version of versions as string[]) {
      const wish = areq['threeDSRequestorChallengeInd'];
      const newer = version === '2.3.1' && wish !== undefined ? { threeDSRequestorChallengeInd: [wish] } : {};
      const ares = await asks({ number, version, areq: { ...areq, ...newer } });
      const { transStatus, eci, authenticationValue, transStatusReason, acsURL } = ares;
      expect([ares['errorDetail'], [transStatus, eci].filter(Boolean).join(' ')]).toEqual([undefined, wanted]);
      expect(ares).toMatchObject({ messageType: 'ARes', messageVersion: version });
      const proof = /^[YA]/.test(wanted) ? expect.stringMatching(PROOF) : undefined;
      expect(authenticationValue).toEqual(proof);
      expect(transStatusReason === undefined).toBe(!/^[NUR]/.test(wanted));
      expect(acsURL).toBe(wanted === 'C' ? `${bank.url}/acs/challenge` : undefined);
    }
  });

  test('310070 says only that it is declined; 320088 says yes and proves nothing', async () => {
    expect(await asks({ number: numberOf('310070') })).toEqual({ declined: true });
    const ares = await asks({ number: numberOf('320088') });
    expect(ares['transStatus']).toBe('Y');
    expect(ares).not.toHaveProperty('eci');
    expect(ares).not.toHaveProperty('authenticationValue');
  });

  test('3155 passes as a recurring one once it has authenticated, at this merchant account only', async () => {
    const merchant_account_id = newId();
    const mine = { merchant_account_id };
    const recurring = { threeDSRequestorAuthenticationInd: '02' };
    const first = await asks({ number: '4000002500003155' }, mine);
    expect((await asks({ number: '4000002500003155', areq: recurring }, mine))['transStatus']).toBe('C');
    await types(first, '7777');
    expect((await asks({ number: '4000002500003155', areq: recurring }, mine))['transStatus']).toBe('C');
    await types(await asks({ number: '4000002500003155' }, mine), '1234');
    expect((await asks({ number: '4000002500003155', areq: recurring }, mine))['transStatus']).toBe('Y');
    expect((await asks({ number: '4000002500003155' }, mine))['transStatus']).toBe('C');
    const other = { merchant_account_id: newId() };
    expect((await asks({ number: '4000002500003155', areq: recurring }, other))['transStatus']).toBe('C');
    expect((await asks({ number: '4000002760003184', areq: recurring }, mine))['transStatus']).toBe('C');
  });

  test('an id is answered once, for its own card, and only if it was given out', async () => {
    const { threeDSServerTransID } = await preauth('4242424242424242');
    const areq = areqOf('2.2.0', { threeDSServerTransID });
    const erro = { messageType: 'Erro', messageVersion: '2.2.0' };
    expect(await authenticate(areqOf('2.2.0'))).toMatchObject({ ...erro, errorCode: '301' });
    const other = { ...areq, acctNumber: '4111111111111111' };
    expect(await authenticate(other)).toMatchObject({ ...erro, errorCode: '305', errorDetail: 'acctNumber' });
    expect(await authenticate(areq)).toMatchObject({ transStatus: 'Y' });
    expect(await authenticate(areq)).toMatchObject({ ...erro, errorCode: '305', threeDSServerTransID });
  });

  test.each([
    ['101', 'messageType', { messageType: 'CReq' }],
    ['102', 'messageVersion', { messageVersion: '2.1.0' }],
    ['201', 'purchaseAmount', { purchaseAmount: undefined }],
    ['203', 'browserColorDepth', { browserColorDepth: '30' }],
    ['304', 'purchaseCurrency', { purchaseCurrency: '000' }],
    ['304', 'purchaseExponent', { purchaseExponent: '3' }],
    ['305', 'purchaseAmount', { purchaseAmount: '0' }],
    ['305', 'deviceChannel', { deviceChannel: '01' }],
    ['305', 'messageCategory', { messageCategory: '02' }],
    ['305', 'notificationURL', { notificationURL: 'javascript://a/%0aalert(1)' }],
  ])('Erro %s for %s', async (errorCode, errorDetail, areq) => {
    expect(await asks({ areq })).toMatchObject({ messageType: 'Erro', errorCode, errorDetail });
  });
});

test('a version that its range does not know is refused, and the id is still good for the other', async () => {
  const { threeDSServerTransID } = await preauth('4242424242424242');
  const erro = await authenticate(areqOf('2.3.1', { threeDSServerTransID }));
  expect(erro).toMatchObject({ messageType: 'Erro', messageVersion: '2.3.1', errorCode: '102' });
  expect(await authenticate(areqOf('2.2.0', { threeDSServerTransID }))).toMatchObject({ transStatus: 'Y' });
});

test('2.3.1 takes the payer back over https alone, but for a sandbox on loopback', async () => {
  const to = (notificationURL: string) =>
    asks({ number: '4111111111111111', version: '2.3.1', areq: { notificationURL } });
  expect(await to('http://pay.example/back')).toMatchObject({ errorCode: '305', errorDetail: 'notificationURL' });
  for (const host of ['https://pay.example', 'http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080'])
    expect(await to(`${host}/back`)).toMatchObject({ transStatus: 'Y' });
});

describe('an inquiry', () => {
  test('hears that there is nothing, that it is open, and how it ended', async () => {
    expect((await results('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    const { threeDSServerTransID } = await preauth('4000002760003184');
    expect((await results(threeDSServerTransID)).status).toBe(404);
    const areq = areqOf('2.2.0', { acctNumber: '4000002760003184', threeDSServerTransID });
    const ares = await authenticate(areq);
    expect((await results(threeDSServerTransID)).said).toEqual({ state: 'pending' });
    await types(ares, '1234');
    const { dsTransID } = ares;
    const rreq = { messageType: 'RReq', transStatus: 'Y', dsTransID, eci: '05' };
    expect((await results(threeDSServerTransID)).said).toMatchObject({ state: 'done', rreq });
  });

  test('of one without a challenge hears what the ARes said', async () => {
    const { threeDSServerTransID, authenticationValue } = await asks({});
    const rreq = { transStatus: 'Y', authenticationValue };
    expect((await results(threeDSServerTransID)).said).toMatchObject({ state: 'done', rreq });
    const declined = await preauth(numberOf('310070'));
    const id = declined['threeDSServerTransID'];
    await authenticate(areqOf('2.2.0', { acctNumber: numberOf('310070'), threeDSServerTransID: id }));
    expect((await results(id)).said).toEqual({ state: 'done', declined: true });
  });
});

describe('armed faults', () => {
  const meets = async (fault: string, more: Given = {}) => {
    await clear();
    await arm({ operation: 'authentication', fault, ...more });
  };
  // what gets no answer is cut short; what gets one is given the time that a busy machine needs
  const sends = async (path: string, body: object, arrives?: unknown) => {
    const egress = sandboxEgress(openEgress());
    const exchange = await egress.exchange({
      method: 'POST',
      origin: bank.url,
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      deadline_ms: arrives === 'timeout' ? 1500 : 60_000,
      max_answer_bytes: 65_536,
    });
    await egress.close();
    if (exchange.kind !== 'answered') return exchange.kind === 'unknown' ? exchange.why : exchange.kind;
    return exchange.status === 200 ? exchange.body.toString() : exchange.status;
  };
  const question = (number = '4242424242424242', given: Given = {}) => {
    return { merchant_account_id: MERCHANT, order_id: newId(), operation_id: newId(), card: { number }, ...given };
  };

  test.each([
    ['refuse_connection', 'not_sent'],
    ['drop_before', 'closed'],
    ['timeout_not_taken', 'timeout'],
    ['http_500_before', 500],
    ['garbage', expect.stringContaining('<html>')],
  ])('%s: nobody learns whether the card is enrolled', async (fault, arrives) => {
    await meets(fault);
    expect(await sends('/three_ds/preauth', question(), arrives)).toEqual(arrives);
    expect(await sends('/three_ds/preauth', question())).toContain('enrolled');
  });

  test.each([
    ['timeout_taken', 'timeout'],
    ['close_mid_response', 'closed'],
    ['http_500_after', 500],
    ['late_answer', 'timeout'],
    ['answer_twice', expect.stringContaining('"ARes"')],
  ])('%s: the bank has answered, and an inquiry tells it', async (fault, arrives) => {
    await meets(fault);
    const { threeDSServerTransID } = await preauth('4242424242424242');
    const asked = areqOf('2.2.0', { threeDSServerTransID });
    expect(await sends('/three_ds/authenticate', asked, arrives)).toEqual(arrives);
    expect((await results(threeDSServerTransID)).said).toMatchObject({ state: 'done', rreq: { transStatus: 'Y' } });
  });

  test('wrong_reference: the answer is about another authentication', async () => {
    await meets('wrong_reference');
    const { threeDSServerTransID } = await preauth('4242424242424242');
    const ares = await authenticate(areqOf('2.2.0', { threeDSServerTransID }));
    expect(ares['threeDSServerTransID']).toMatch(UUID);
    expect(ares['threeDSServerTransID']).not.toBe(threeDSServerTransID);
  });

  test('decline: ends as the code says, without one as the payer who failed', async () => {
    await meets('decline');
    expect(await asks({})).toMatchObject({ transStatus: 'N' });
    await meets('decline', { code: '310070' });
    expect(await asks({})).toEqual({ declined: true });
    await meets('decline', { code: '320120' });
    expect(await preauth('4242424242424242')).toEqual({ enrolled: false });
    await meets('decline', { code: '320310' });
    expect(await asks({})).toMatchObject({ transStatus: 'U' });
    const other_phase = { id: newId(), operation: 'authentication', fault: 'decline', code: '420100' };
    expect((await control.post('/scenarios', other_phase)).status).toBe(400);
  });

  test('provider_down: all of the directory, for so long, and no provider with it', async () => {
    await meets('provider_down', { seconds: 30 });
    for (let i = 0; i < 2; i++) expect(await sends('/three_ds/preauth', question())).toBe('not_sent');
    const paid = await fetch(`${bank.url}/simulator/payments?reference=none`);
    expect(paid.status).toBe(404);
    await control.advance(30);
    expect(await sends('/three_ds/preauth', question())).toContain('enrolled');
  });

  test('provider_down of one account is not that of another', async () => {
    const ares = await asks({ number: '4000002760003184' });
    const id = String(ares['threeDSServerTransID']);
    await meets('provider_down', { seconds: 30, merchant_account_id: newId() });
    expect(await sends('/three_ds/preauth', question())).toContain('enrolled');
    await meets('provider_down', { seconds: 30, merchant_account_id: question().merchant_account_id });
    expect(await sends('/three_ds/preauth', question())).toBe('not_sent');
    expect(await sends('/three_ds/preauth', { ...question(), merchant_account_id: newId() })).toContain('enrolled');
    const asked = async () => (await fetch(`${bank.url}/three_ds/results/${id}`)).status;
    expect(await asked()).toBe(REFUSED_STATUS);
    await control.post('/scenarios/clear', {});
    expect(await asked()).toBe(200);
  });

  test('what is armed for one order, amount or card meets no other; money faults cannot be armed', async () => {
    await meets('decline', { match: { amount: '12.34' } });
    expect(await asks({})).toMatchObject({ transStatus: 'Y' });
    expect(await asks({}, { amount: 1234, currency: 'EUR' })).toMatchObject({ transStatus: 'N' });
    for (const fault of ['wrong_amount', 'wrong_currency']) {
      const { status } = await control.post('/scenarios', { id: newId(), operation: 'authentication', fault });
      expect(status).toBe(400);
    }
  });

  test('a challenge that was armed away is none', async () => {
    await meets('decline', { code: '341000' });
    const ares = await asks({ areq: { purchaseAmount: '100000' } });
    expect(ares['transStatus']).toBe('N');
    expect((await challenge(ares)).status).toBe(404);
  });
});
