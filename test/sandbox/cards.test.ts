// The scenario numbers of contract 15.3 and what comes later (15.2), walked one by one: what arrives, what the books
// and an inquiry say at each moment of the clock, and which messages our side gets.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_S, HOUR_S } from '../../src/core/durations.ts';
import { sandboxEgress } from '../../src/sandbox/egress.ts';
import { type Egress, openEgress } from '../../src/kit/egress.ts';
import { clientOf, common, payment } from '../providers/client.ts';
import { type SimulatorProcess, startProcess } from '../providers/wire.ts';
import { controlOf } from './control.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let simulator: SimulatorProcess;
let receiver: Receiver;
let egress: Egress;
beforeAll(async () => {
  simulator = await startProcess();
  receiver = await startReceiver();
  egress = sandboxEgress(openEgress());
  await control.set({ receiver: { url: receiver.url, secret: receiver.secret } });
  await control.subscribe(receiver.secret);
});
afterAll(async () => {
  await egress.close();
  await simulator.stop();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => void receiver.messages.splice(0));
const { books, get } = clientOf(() => simulator.url);
const { control } = controlOf(() => simulator.url);

/** For a call that gets no answer; every other one is given the time that a busy machine needs. */
const SHORT_MS = 700;
const LONG_MS = 60_000;
const deadlineFor = (arrives: object): number => ('why' in arrives && arrives.why === 'timeout' ? SHORT_MS : LONG_MS);

type Told = Readonly<Record<string, unknown>>;
type Way = { readonly provider?: string; readonly deadline_ms?: number };
async function call(path: string, body: object, way: Way = {}): Promise<Told> {
  const { provider = 'simulator', deadline_ms = LONG_MS } = way;
  const exchange = await egress.exchange({
    method: 'POST',
    origin: simulator.url,
    path: `/${provider}${path}`,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
    body: Buffer.from(JSON.stringify(body)),
    deadline_ms,
    max_answer_bytes: 65_536,
  });
  if (exchange.kind !== 'answered') return exchange;
  return exchange.status === 200 ? JSON.parse(exchange.body.toString()) : { status: exchange.status };
}
const inquired = async (reference: string) => (await get(`/simulator/payments?reference=${reference}`)) as Told;
const seen = async (reference: string) =>
  (await books(`reference=${reference}`)).map(({ kind, state, effects }) => `${kind} ${state} ${effects}`);

/** A payment with this card, authorized or captured at once; what was answered. */
async function pays(number: string, capture: 'now' | 'later' = 'later', deadline_ms = LONG_MS) {
  const body = payment(number, { capture });
  return { ...body, said: await call('/payments', body, { deadline_ms }) };
}
const follow = async (path: string, given: object = {}, deadline_ms = LONG_MS) => {
  const body = common({ amount: 400, ...given });
  return { ...body, said: await call(path, body, { deadline_ms }) };
};

describe('authorizations', () => {
  test('0011 times out, was taken, and is approved only after 60 s', async () => {
    for (const capture of ['later', 'now'] as const) {
      const { reference, said } = await pays('4000009901000011', capture, SHORT_MS);
      expect(said).toEqual({ kind: 'unknown', why: 'timeout' });
      const state = capture === 'now' ? 'captured' : 'held';
      expect((await seen(reference))[0]).toBe(`authorize ${state} 1`);
      expect(await inquired(reference)).toMatchObject({ status: 'pending', code: '421080' });
      await control.advance(60);
      expect(await inquired(reference)).toMatchObject({ status: 'approved', captured: capture === 'now' });
      expect(receiver.about(reference)).toEqual(['authorize approved']);
    }
  });

  test.each([
    ['4000009901000029', { kind: 'unknown', why: 'timeout' }, 'not_found'],
    ['4000009901000052', { kind: 'not_sent' }, 'not_found'],
    ['4000009901000045', { kind: 'unknown', why: 'closed' }, 'approved'],
    ['4000009901000060', { status: 500 }, 'approved'],
    ['4000009901000037', { status: 'approved' }, 'approved'],
  ])('%s', async (number, arrives, found) => {
    const { reference, said } = await pays(number, 'later', deadlineFor(arrives));
    expect(said).toMatchObject(arrives);
    expect(await inquired(reference)).toMatchObject({ status: found });
    expect(await seen(reference)).toEqual(found === 'approved' ? ['authorize held 1'] : []);
  });

  test('0052 is refused at the first provider only', async () => {
    expect(await call('/payments', payment('4000009901000052'), { provider: 'simulator_b' })).toMatchObject({
      status: 'approved',
    });
  });

  test('0078 answers what is no JSON, and takes nothing', async () => {
    const body = payment('4000009901000078');
    await expect(call('/payments', body)).rejects.toThrow('JSON');
    expect(await seen(body.reference)).toEqual([]);
  });

  test('0086 answers with another amount, and holds the one that was asked', async () => {
    const { reference, amount, said } = await pays('4000009901000086');
    expect(said).toMatchObject({ status: 'approved', reference });
    expect(said['amount']).not.toBe(amount);
    expect(await books(`reference=${reference}`)).toMatchObject([{ amount, effects: 1 }]);
  });

  test('0094: its message is there before its answer; 0102: twice and out of order, under the same two ids', async () => {
    const first = await pays('4000009901000094');
    expect(receiver.about(first.reference)).toEqual(['authorize approved']);
    const second = await pays('4000009901000102');
    await receiver.came(5);
    const late = ['authorize approved', 'authorize pending'];
    expect(receiver.about(second.reference)).toEqual([...late, ...late]);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(3);
    expect(receiver.forged).toBe(0);
    expect(receiver.messages[0]).toMatchObject({
      provider: 'simulator',
      order_id: first.order_id,
      amount: 1000,
      currency: 'EUR',
      captured: false,
      provider_ref: `pay_${first.reference}`,
      authorization_code: first.said['authorization_code'],
      state: 'held',
      code: '944444',
    });
  });

  test.each([
    ['4000009901000110', 'approved', '944444', 1],
    ['4000009901000128', 'declined', '420188', 0],
  ])('%s is pending for 60 s', async (number, status, code, effects) => {
    const { reference, said } = await pays(number);
    expect(said).toMatchObject({ status: 'pending', code: '421080' });
    // its clock runs while this test does
    await control.advance(30);
    expect(await inquired(reference)).toMatchObject({ status: 'pending' });
    await control.advance(30);
    expect(await inquired(reference)).toMatchObject({ status, code });
    expect(receiver.about(reference)).toEqual([`authorize ${status}`]);
    expect(await books(`reference=${reference}`)).toMatchObject([{ effects }]);
  });

  test('0136 commits only after our reversal, says so, and is reversed again', async () => {
    const { reference, order_id, said } = await pays('4000009901000136', 'later', SHORT_MS);
    expect(said).toEqual({ kind: 'unknown', why: 'timeout' });
    await control.advance(DAY_S);
    expect(await inquired(reference)).toMatchObject({ status: 'not_found' });
    const reversal = { ...common({ order_id }), reference };
    expect(await call('/reversals', reversal)).toMatchObject({ code: '977777' });
    await control.advance(1);
    expect(await inquired(reference)).toMatchObject({ status: 'approved' });
    expect(receiver.about(reference)).toEqual(['authorize approved']);
    expect(await call('/reversals', reversal)).toMatchObject({ code: '977777' });
    expect(await seen(reference)).toEqual(['authorize released 1', 'reversal released 1']);
    await control.advance(DAY_S);
    expect(await seen(reference)).toEqual(['authorize released 1', 'reversal released 1']);
  });
});

describe('captures', () => {
  test.each(['later', 'now'] as const)('0010 is declined, and the hold stands: capture %s', async (capture) => {
    const { reference, said } = await pays('4000009902000010', capture);
    expect(said).toMatchObject({ status: 'approved', captured: false });
    if (capture === 'now') expect(said['capture']).toMatchObject({ status: 'declined', code: '521288' });
    else expect((await follow(`/payments/pay_${reference}/captures`)).said).toMatchObject({ code: '521288' });
    expect(await seen(reference)).toEqual(['authorize held 1']);
    expect((await follow(`/payments/pay_${reference}/captures`)).said).toMatchObject({ code: '955555' });
  });

  test('0028: the answer of the capture is lost, it was taken', async () => {
    const { reference } = await pays('4000009902000028');
    const captured = await follow(`/payments/pay_${reference}/captures`, {}, SHORT_MS);
    expect(captured.said).toEqual({ kind: 'unknown', why: 'timeout' });
    expect(await inquired(captured.reference)).toMatchObject({ status: 'approved', code: '955555' });
    const sale = await pays('4000009902000028', 'now');
    expect(sale.said).toMatchObject({ captured: false, capture: { status: 'pending', code: '521080' } });
    await control.advance(1);
    expect(await inquired(sale.reference)).toMatchObject({ status: 'approved', captured: true });
  });

  test('0036 is pending for a day, and its amount is set aside', async () => {
    const { reference } = await pays('4000009902000036');
    const captured = await follow(`/payments/pay_${reference}/captures`, { amount: 1000 });
    expect(captured.said).toMatchObject({ status: 'pending', code: '521080' });
    const more = await follow(`/payments/pay_${reference}/captures`, { amount: 1 });
    expect(more.said).toMatchObject({ code: '521271' });
    await control.advance(DAY_S);
    expect(await inquired(captured.reference)).toMatchObject({ code: '955555' });
    expect(receiver.about(captured.reference)).toEqual(['capture approved']);
    const sale = await pays('4000009902000036', 'now');
    expect(sale.said).toMatchObject({ captured: false, capture: { status: 'pending' } });
    expect(await seen(sale.reference)).toEqual(['authorize held 1', 'capture pending 0']);
    await control.advance(DAY_S);
    expect(await seen(sale.reference)).toEqual(['authorize captured 1', 'capture captured 1']);
    expect(receiver.about(sale.reference)).toEqual(['capture approved']);
  });

  test('0044 is done and fails after a day; the hold can be captured again', async () => {
    const { reference } = await pays('4000009902000044');
    const captured = await follow(`/payments/pay_${reference}/captures`);
    expect(captured.said).toMatchObject({ code: '955555' });
    await control.advance(DAY_S);
    expect(await inquired(captured.reference)).toMatchObject({ status: 'declined', code: '521088' });
    expect(await seen(reference)).toEqual(['authorize held 1']);
    expect(receiver.about(captured.reference)).toEqual(['capture failed']);
    const again = await follow(`/payments/pay_${reference}/captures`, { amount: 1000 });
    expect(again.said).toMatchObject({ code: '955555' });
    const sale = await pays('4000009902000044', 'now');
    await control.advance(DAY_S);
    expect(await seen(sale.reference)).toEqual(['authorize held 1']);
    expect(receiver.about(sale.reference)).toEqual(['capture failed']);
    expect(await inquired(sale.reference)).toMatchObject({ captured: false, capture: { code: '521088' } });
  });

  test('0051 lapses after an hour: nothing can be captured or cancelled', async () => {
    const { reference } = await pays('4000009902000051');
    await control.advance(HOUR_S);
    expect(receiver.messages.at(-1)).toMatchObject({ reference, status: 'lapsed', code: '520120', state: 'released' });
    expect((await follow(`/payments/pay_${reference}/captures`)).said).toMatchObject({ code: '520120' });
    expect((await follow(`/payments/pay_${reference}/cancel`)).said).toMatchObject({ code: '721170' });
  });

  test('the last capture releases the rest', async () => {
    const { reference } = await pays('4242424242424242');
    await follow(`/payments/pay_${reference}/captures`, { final: true });
    expect((await follow(`/payments/pay_${reference}/captures`, { amount: 1 })).said).toMatchObject({ code: '520220' });
  });
});

describe('refunds and cancels', () => {
  test.each([
    ['4000009903000027', 2 * DAY_S],
    ['4000000000005126', HOUR_S],
  ])('%s is refunded, and fails later', async (number, seconds) => {
    const { reference } = await pays(number, 'now');
    const refunded = await follow(`/captures/pay_${reference}/refunds`, { amount: 1000 });
    expect(refunded.said).toMatchObject({ code: '966666' });
    await control.advance(seconds);
    expect(await inquired(refunded.reference)).toMatchObject({ status: 'declined', code: '621088' });
    expect(receiver.about(refunded.reference)).toEqual(['refund failed']);
    const again = await follow(`/captures/pay_${reference}/refunds`, { amount: 1000 });
    expect(again.said).toMatchObject({ code: '966666' });
  });

  test.each([
    ['4000009903000043', DAY_S],
    ['4000000000007726', HOUR_S],
  ])('%s: the refund is pending, and done later', async (number, seconds) => {
    const { reference } = await pays(number);
    const captured = await follow(`/payments/pay_${reference}/captures`);
    const refunded = await follow(`/captures/cap_${captured.reference}/refunds`);
    expect(refunded.said).toMatchObject({ status: 'pending', code: '621080' });
    expect(await seen(refunded.reference)).toEqual(['refund pending 0']);
    await control.advance(seconds);
    expect(await inquired(refunded.reference)).toMatchObject({ code: '966666' });
    expect(await seen(captured.reference)).toEqual(['capture refunded 1']);
    expect(receiver.about(refunded.reference)).toEqual(['refund approved']);
  });

  test('4000000000007726: every refund is pending, and done later', async () => {
    const { reference } = await pays('4000000000007726', 'now');
    for (const amount of [100, 200, 300]) {
      const refunded = await follow(`/captures/pay_${reference}/refunds`, { amount });
      expect([amount, refunded.said]).toMatchObject([amount, { status: 'pending', code: '621080' }]);
      await control.advance(HOUR_S);
      expect(await inquired(refunded.reference)).toMatchObject({ code: '966666' });
    }
  });

  test.each([
    ['4000009903000019', 'refunds', { code: '621288' }],
    ['4000009903000035', 'refunds', { why: 'timeout' }],
    ['4000009904000018', 'cancel', { code: '721288' }],
    ['4000009904000026', 'cancel', { why: 'timeout' }],
  ])('%s: %s', async (number, noun, arrives) => {
    const { reference } = await pays(number, noun === 'cancel' ? 'later' : 'now');
    const path = noun === 'cancel' ? `/payments/pay_${reference}/cancel` : `/captures/pay_${reference}/refunds`;
    const first = await follow(path, {}, deadlineFor(arrives));
    expect(first.said).toMatchObject(arrives);
    const status = 'code' in arrives ? 'declined' : 'approved';
    expect(await inquired(first.reference)).toMatchObject({ status });
  });
});

describe('disputes', () => {
  test.each([
    ['4000000000000259', DAY_S, []],
    ['4000009906000016', 40 * DAY_S, ['dispute lost']],
    ['4000009906000024', 40 * DAY_S, ['dispute won']],
  ])('%s', async (number, seconds, ends) => {
    const sale = await pays(number, 'now');
    const held = await pays(number);
    const captured = await follow(`/payments/pay_${held.reference}/captures`);
    await control.advance(seconds - 60);
    expect(receiver.messages).toEqual([]);
    await control.advance(60);
    expect(receiver.messages.length).toBe(2);
    expect([...receiver.about(sale.reference), ...receiver.about(captured.reference)]).toEqual([
      'dispute opened',
      'dispute opened',
    ]);
    await control.advance(30 * DAY_S);
    expect(receiver.about(sale.reference)).toEqual(['dispute opened', ...ends]);
    expect(receiver.about(captured.reference)).toEqual(['dispute opened', ...ends]);
  });
});
