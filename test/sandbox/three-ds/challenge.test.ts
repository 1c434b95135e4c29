// The simulated bank behind its page: what each code does, that it tells our side before the browser may go on, that it
// decides once whatever the payer does, and that forged messages do nothing. A browser without a script is played here.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { numberOf } from '../../providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from '../../providers/wire.ts';
import { controlOf } from '../control.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type Given, NOTIFICATION_URL, type Said, askingOf, base64Url, creqOf, readBase64Url } from './asking.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-three-ds-'));
let bank: SimulatorProcess;
let receiver: Receiver;
beforeAll(async () => {
  bank = await startProcess(join(folder, 'journal'));
  receiver = await startReceiver();
  await control.set({ receiver: { url: receiver.url, secret: receiver.secret } });
  await control.subscribe(receiver.secret);
});
afterAll(async () => {
  await bank.stop();
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  receiver.messages.splice(0);
  receiver.answer = (response) => response.end('{}');
});
const { asks, challenge, preauth, presses, results, send, types } = askingOf(() => bank.url);
const { arm, control } = controlOf(() => bank.url);

const CARD = '4000002760003184';
const opened = (areq: Given = {}, given: Given = {}) => asks({ number: CARD, areq }, given);
const rreqs = () => receiver.messages.map((message) => message['rreq'] as Said);
const status = async (ares: Said) => (await results(ares['threeDSServerTransID'])).said;

describe('codes', () => {
  test.each([
    ['1234', { transStatus: 'Y', eci: '05', authenticationType: '02' }, 'Y', 'Confirmed'],
    ['7777', { transStatus: 'A', eci: '06' }, 'Y', 'Confirmed'],
    ['1111', { transStatus: 'N', transStatusReason: '01' }, 'N', 'Not confirmed'],
    ['2222', { transStatus: 'R', transStatusReason: '11' }, 'N', 'Not confirmed'],
    ['3333', { transStatus: 'U', transStatusReason: '22' }, 'N', 'Not confirmed'],
    [' 1234 ', { transStatus: 'Y' }, 'Y', 'Confirmed'],
  ])('%s', async (code, rreq, transStatus, heading) => {
    const [order_id, operation_id] = [newId(), newId()];
    const ares = await opened({}, { order_id, operation_id });
    const { acsTransID, dsTransID, threeDSServerTransID } = ares;
    expect((await challenge(ares)).heading).toBe('Confirm your payment');
    const page = await types(ares, code);
    expect(page).toMatchObject({ status: 200, heading, back_to: NOTIFICATION_URL });
    expect(readBase64Url(page.back['cres'])).toEqual({
      messageType: 'CRes',
      messageVersion: '2.2.0',
      threeDSServerTransID,
      acsTransID,
      transStatus,
    });
    expect(receiver.messages).toEqual([
      {
        event_ref: `evt_three_ds_${String(threeDSServerTransID)}`,
        type: 'three_ds.result',
        merchant_account_id: '66bf18d2aaaaaaaaaaaaaaaa',
        order_id,
        operation_id,
        rreq: expect.objectContaining({
          acsTransID,
          dsTransID,
          messageCategory: '01',
          interactionCounter: '01',
          ...rreq,
        }),
      },
    ]);
    const is_proved = 'eci' in rreq || rreq.transStatus === 'Y';
    expect(rreqs()[0]?.['authenticationValue'] !== undefined).toBe(is_proved);
    expect(await status(ares)).toEqual({ state: 'done', rreq: rreqs()[0] });
    expect(receiver.forged).toBe(0);
  });

  test('codes other than the right one are refused, and the third wrong one ends the challenge', async () => {
    const ares = await opened();
    expect((await types(ares, '')).notice).toBe('Type the code that we sent you.');
    expect((await types(ares, '9999')).notice).toBe('That code is not right. 2 tries are left.');
    expect((await types(ares, '<b>')).notice).toBe('That code is not right. One try is left.');
    expect(receiver.messages).toEqual([]);
    expect((await types(ares, '12345678901')).heading).toBe('Not confirmed');
    expect(rreqs()).toMatchObject([{ transStatus: 'N', transStatusReason: '19', interactionCounter: '04' }]);
    expect((await types(ares, '1234')).heading).toBe('Not confirmed');
  });

  test('get old on the sandbox clock; a new one holds again, three times', async () => {
    const ares = await opened();
    await control.advance(301);
    expect((await types(ares, '1234')).notice).toBe('That code is too old. Ask for a new one.');
    const resend = () => presses(ares, 'resend');
    for (let i = 0; i < 3; i++) expect((await resend()).notice).toBe('A new code is on its way.');
    expect((await resend()).notice).toBe('No further code can be sent for this payment.');
    expect((await types(ares, '1234')).heading).toBe('Confirmed');
  });

  test('a payer who cancels, or whose card does, has left', async () => {
    const cancelled = await presses(await opened(), 'cancel');
    const left = await challenge(await asks({ number: numberOf('361000') }));
    expect([cancelled.heading, left.heading]).toEqual(['Cancelled', 'Cancelled']);
    const rreq = { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' };
    expect(rreqs()).toMatchObject([rreq, rreq]);
    expect(readBase64Url(left.back['cres'])['transStatus']).toBe('N');
  });

  test.each(['4000009907000023', numberOf('320001')])('%s: the page never answers', async (number) => {
    const ares = await asks({ number });
    const page = await challenge(ares);
    expect([page.status, page.html.includes('<form')]).toEqual([200, false]);
    expect((await types(ares, '1234')).heading).toBe('Confirm your payment');
    expect((await presses(ares, 'cancel')).heading).toBe('Confirm your payment');
    expect([receiver.messages, await status(ares)]).toEqual([[], { state: 'pending' }]);
  });

  test('mastercard has numbers of its own; 2.3.1 says in a list how the payer is known', async () => {
    const large = { purchaseAmount: '100000' };
    await types(await asks({ number: '5555555555554444', areq: large }), '1234');
    await types(await asks({ number: '5555555555554444', areq: large }), '7777');
    await types(await asks({ number: '4111111111111111', version: '2.3.1', areq: large }), '1111');
    const last = { messageVersion: '2.3.1', transStatusReason: '01', authenticationMethod: ['02'] };
    expect(rreqs()).toMatchObject([{ eci: '02' }, { eci: '01' }, last]);
  });
});

describe('our side is told before the browser', () => {
  test('the page waits for the answer to the RReq', async () => {
    const ares = await opened();
    const told = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    receiver.answer = (response) => {
      told.resolve();
      void free.promise.then(() => response.end('{}'));
    };
    let is_back = false;
    const page = types(ares, '1234').then((back) => {
      is_back = true;
      return back;
    });
    await told.promise;
    // a second window on the same challenge waits as well
    const second = challenge(ares);
    expect((await status(ares))['state']).toBe('done');
    expect(is_back).toBe(false);
    free.resolve();
    expect((await page).back).toEqual((await second).back);
    expect(receiver.messages.length).toBe(1);
  });

  test('is not taken up: the payer goes back all the same, and it is told again', async () => {
    let refusals = 1;
    receiver.answer = (response) => {
      response.statusCode = refusals-- > 0 ? 500 : 204;
      response.end();
    };
    expect((await types(await opened(), '1234')).heading).toBe('Confirmed');
    await receiver.came(2);
    expect(new Set(receiver.messages.map((message) => message['event_ref'])).size).toBe(1);
  });

  test.each([
    ['callback_never', 0],
    ['callback_twice', 2],
    ['callback_first', 1],
  ])('%s', async (fault, count) => {
    await arm({ operation: 'authentication', fault });
    const ares = await opened();
    expect((await types(ares, '1234')).heading).toBe('Confirmed');
    await receiver.came(count);
    expect(receiver.messages.length).toBe(count);
    expect((await status(ares))['state']).toBe('done');
  });

  test('pending: the bank tells only later, on the sandbox clock, and the payer is back before', async () => {
    await arm({ operation: 'authentication', fault: 'pending', seconds: 3600 });
    const ares = await opened();
    expect((await types(ares, '1234')).heading).toBe('Confirmed');
    expect([receiver.messages.length, await status(ares)]).toEqual([0, { state: 'pending' }]);
    await control.advance(3600);
    expect(rreqs()).toMatchObject([{ transStatus: 'Y' }]);
    expect((await status(ares))['state']).toBe('done');
  });
});

describe('decided once', () => {
  test('whoever comes again, with whatever code, gets the same end', async () => {
    const ares = await opened();
    const posts = ['1234', '1111', '2222', '7777', '3333'].map((code) => types(ares, code));
    const ends = new Set((await Promise.all(posts)).map(({ back }) => back['cres']));
    expect(ends.size).toBe(1);
    const again = [await presses(ares, 'cancel'), await challenge(ares), await types(ares, '1111')];
    expect(new Set(again.map(({ back }) => back['cres']))).toEqual(ends);
    expect(receiver.messages.length).toBe(1);
  });

  test('session data come back as they went, and only so long', async () => {
    const threeDSSessionData = `"><script>'&é ${'x'.repeat(1000)}`;
    const ares = await opened();
    const page = await challenge(ares, { threeDSSessionData });
    expect(page.html).not.toContain('"><script>');
    const back = await types(ares, '1234');
    expect(back.back['threeDSSessionData']).toBe(threeDSSessionData);
    expect((await challenge(await opened(), { threeDSSessionData: 'x'.repeat(1025) })).status).toBe(404);
  });

  test('the page shows what is paid, to whom, and of the card its last four digits only', async () => {
    const { html, headers } = await challenge(await opened({ purchaseAmount: '123456' }));
    expect(html).toContain('Lamps &amp; &lt;Sons&gt;');
    expect(html).toMatch(/EUR\s1,234\.56/);
    expect(html).toContain('3184');
    expect(html).not.toContain(CARD.slice(0, 12));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).toMatch(/frame-ancestors https:\/\/pay\.example:8443$/);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a kill changes nothing of what the bank has decided, and of no card is more kept than its last four digits', async () => {
    const file = join(folder, 'killed');
    const first = await startProcess(file);
    const before = askingOf(() => first.url);
    const [decided, open] = [await before.asks({ number: CARD }), await before.asks({ number: CARD })];
    const page = await before.types(decided, '7777');
    await before.types(open, '9999');
    const told = await before.results(decided['threeDSServerTransID']);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startProcess(file);
    const after = askingOf(() => second.url);
    try {
      expect((await after.types(decided, '1111')).back).toEqual(page.back);
      expect(await after.results(decided['threeDSServerTransID'])).toEqual(told);
      expect((await after.types(open, '9999')).notice).toContain('One try');
      expect((await after.types(open, '1234')).heading).toBe('Confirmed');
    } finally {
      await second.stop();
    }
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain(CARD.slice(0, 12));
    // so few bits that very many numbers share them
    expect(new Set(kept.match(/"card_mark":"[^"]*"/g)?.map((mark) => mark.length))).toEqual(new Set([20]));
  });
});

describe('the method page', () => {
  const asked = (id: unknown, url = 'https://pay.example/3ds/method') => {
    const data = { threeDSServerTransID: id, threeDSMethodNotificationURL: url };
    return send({ threeDSMethodData: base64Url(data) }, '/acs/method');
  };

  test('posts the id back', async () => {
    const { threeDSServerTransID } = await preauth(CARD);
    const page = await asked(threeDSServerTransID);
    expect([page.status, page.back_to]).toEqual([200, 'https://pay.example/3ds/method']);
    expect(readBase64Url(page.back['threeDSMethodData'])).toEqual({ threeDSServerTransID });
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://pay.example');
  });

  test('is for ids of this directory and for addresses of the web', async () => {
    const { threeDSServerTransID: id } = await preauth(CARD);
    const pages = [await asked(newId()), await asked(id, 'javascript:alert(1)'), await asked(id, 'data:text/html,x')];
    pages.push(await send({ threeDSMethodData: 'e30' }, '/acs/method'), await send({}, '/acs/method'));
    expect(pages.map((page) => page.status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('forged', () => {
  test('500 messages, none quite right, do nothing at the bank', async () => {
    const ares = await opened();
    const [other, done] = [await opened(), await asks({})];
    const good = creqOf(ares);
    const id = fc.oneof(fc.uuid(), fc.constant(String(other['acsTransID'])), fc.string({ maxLength: 40 }));
    const forged = fc.oneof(
      id.map((acsTransID) => base64Url({ ...good, acsTransID })),
      id.map((threeDSServerTransID) => base64Url({ ...good, threeDSServerTransID })),
      fc.constantFrom('2.1.0', '2.3.1', '').map((messageVersion) => base64Url({ ...good, messageVersion })),
      fc.constantFrom(...Object.keys(good)).map((name) => base64Url({ ...good, [name]: undefined })),
      fc.constantFrom(...Object.keys(good)).map((name) => base64Url({ ...good, [name]: 7 })),
      fc.nat(base64Url(good).length - 8).map((length) => base64Url(good).slice(0, length)),
      fc.string({ maxLength: 200 }),
      fc.constant(base64Url(creqOf(done))),
      fc.constant(base64Url({ ...good, messageType: 'CRes' })),
      fc.constant(`${base64Url(good)}!`),
    );
    const { threeDSServerTransID, dsTransID } = ares;
    const place = fc.oneof(
      fc.uuid(),
      fc.constantFrom(String(threeDSServerTransID), String(dsTransID), String(done['acsTransID'])),
    );
    const action = fc.constantFrom('verify', 'cancel', 'resend', '');
    const openings = fc.sample(forged, { numRuns: 300, seed: 1881 }).map((creq) => send({ creq }));
    const steps = fc.sample(fc.tuple(place, action), { numRuns: 200, seed: 1881 }).map(([to, act]) => {
      return send({ action: act, code: '1234' }, `/acs/challenge/${to}`);
    });
    const pages = await Promise.all([...openings, ...steps]);
    expect(new Set(pages.map((page) => page.status))).toEqual(new Set([404]));
    expect(receiver.messages).toEqual([]);
    expect([await status(ares), await status(other)]).toEqual([{ state: 'pending' }, { state: 'pending' }]);
    // the right one still works, and its result, played back to the bank 100 times, changes nothing
    const { back } = await types(ares, '1111');
    const replays = Array.from({ length: 100 }, () => send({ creq: back['cres'] ?? '' }));
    expect(new Set((await Promise.all(replays)).map((page) => page.status))).toEqual(new Set([404]));
    expect((await status(ares))['rreq']).toMatchObject({ transStatus: 'N' });
    expect(receiver.messages.length).toBe(1);
  });

  test.each(['/acs/challenge', '/acs/', '/acs/method', '/acs/../acs/challenge'])('GET %s is nothing', async (path) => {
    const response = await fetch(bank.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});
