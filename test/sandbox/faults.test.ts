// Every fault of contract 15.4, as the service's own sender meets it: what arrives, what the books then hold, what an
// inquiry says. Armed as a scenario; the numbers of 15.3 that mean a fault are walked in cards.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sandboxEgress } from '../../src/sandbox/egress.ts';
import { type Egress, type Exchange, openEgress } from '../../src/kit/egress.ts';
import { clientOf, common, payment } from '../providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from '../providers/wire.ts';
import { controlOf } from './control.ts';

let simulator: SimulatorProcess;
let egress: Egress;
beforeAll(async () => {
  simulator = await startProcess();
  egress = sandboxEgress(openEgress());
});
afterAll(async () => {
  await egress.close();
  await simulator.stop();
});
const { books } = clientOf(() => simulator.url);
const { arm, control, clear } = controlOf(() => simulator.url);
const CARD = '4242424242424242';

/** For a call that gets no answer; every other one is given the time that a busy machine needs. */
const SHORT_MS = 700;
const LONG_MS = 60_000;

type Body = { readonly reference: string };
const call = (path: string, body: Body | null, deadline_ms = LONG_MS): Promise<Exchange> =>
  egress.exchange({
    method: body === null ? 'GET' : 'POST',
    origin: simulator.url,
    path: `/simulator${path}`,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
    body: body === null ? null : Buffer.from(JSON.stringify(body)),
    deadline_ms,
    max_answer_bytes: 65_536,
  });
const said = (exchange: Exchange): Record<string, unknown> =>
  exchange.kind === 'answered' ? JSON.parse(exchange.body.toString()) : { kind: exchange.kind };
const inquired = async (reference: string) => said(await call(`/payments?reference=${reference}`, null));

/** A new operation of each kind, with what it needs done before. */
async function operation(kind: string): Promise<{ path: string; body: Body }> {
  const sale = kind === 'direct_capture' || kind === 'refund';
  const paid = payment(CARD, { capture: sale ? 'now' : 'later' });
  if (kind === 'authorize' || kind === 'direct_capture') return { path: '/payments', body: paid };
  await call('/payments', paid);
  const body = common({ order_id: paid.order_id, amount: 400 });
  if (kind === 'reversal') return { path: '/reversals', body: { ...body, reference: paid.reference } };
  const { reference } = paid;
  const paths: Readonly<Record<string, string>> = {
    capture: `/payments/pay_${reference}/captures`,
    refund: `/captures/pay_${reference}/refunds`,
    cancel: `/payments/pay_${reference}/cancel`,
  };
  return { path: paths[kind] ?? '', body };
}

const OPERATIONS = ['authorize', 'direct_capture', 'capture', 'refund', 'cancel'] as const;

/** What arrives, and whether it took effect. */
const FAULTS: readonly [fault: string, arrives: Partial<Exchange>, taken: boolean][] = [
  ['refuse_connection', { kind: 'not_sent' }, false],
  ['drop_before', { kind: 'unknown', why: 'closed' }, false],
  ['reset', { kind: 'unknown', why: 'closed' }, false],
  ['timeout_not_taken', { kind: 'unknown', why: 'timeout' }, false],
  ['timeout_taken', { kind: 'unknown', why: 'timeout' }, true],
  ['close_mid_response', { kind: 'unknown', why: 'closed' }, true],
  ['answer_twice', { kind: 'answered', status: 200 }, true],
  ['late_answer', { kind: 'unknown', why: 'timeout' }, true],
  ['http_500_before', { kind: 'answered', status: 500 }, false],
  ['http_500_after', { kind: 'answered', status: 500 }, true],
  ['garbage', { kind: 'answered', status: 200 }, false],
  ['wrong_amount', { kind: 'answered', status: 200 }, true],
  ['wrong_currency', { kind: 'answered', status: 200 }, true],
  ['wrong_reference', { kind: 'answered', status: 200 }, true],
];

const deadlineFor = ({ kind, ...arrives }: Partial<Exchange>): number =>
  kind === 'unknown' && 'why' in arrives && arrives.why === 'timeout' ? SHORT_MS : LONG_MS;

// a provider that stays down would fail every test after the one that failed
afterEach(() => clear());

describe.each(OPERATIONS)('%s', (kind) => {
  test.each(FAULTS)('%s', async (fault, arrives, taken) => {
    const { path, body } = await operation(kind);
    await arm({ operation: kind, fault, match: { order_id: (body as { order_id?: string }).order_id } });
    const exchange = await call(path, body, deadlineFor(arrives));
    expect(exchange).toMatchObject(arrives);
    const effects = async () => (await books(`reference=${body.reference}`)).map((entry) => entry.effects);
    // the bank may take a moment longer than the call was waited for
    await expect.poll(effects).toEqual(taken ? (kind === 'direct_capture' ? [1, 1] : [1]) : []);
    const found = await inquired(body.reference);
    expect(found).toMatchObject(taken ? { status: 'approved', reference: body.reference } : { status: 'not_found' });
    if (fault === 'garbage') expect(() => said(exchange)).toThrow('JSON');
    const wrong = { wrong_amount: 'amount', wrong_currency: 'currency', wrong_reference: 'reference' }[fault];
    if (wrong) {
      const differs = Object.keys(found).filter((name) => said(exchange)[name] !== found[name]);
      expect(differs).toEqual([wrong]);
    }
    // It was armed for one call.
    expect(said(await call(path, body))).toHaveProperty('code');
  });

  test('decline, with the plain code of the operation or with the one that is named', async () => {
    const [plain, named] = {
      authorize: ['420188', '421131'],
      direct_capture: ['420188', '151021'],
      capture: ['521288', '521188'],
      refund: ['621288', '621120'],
      cancel: ['721288', '721170'],
    }[kind];
    for (const code of [undefined, named]) {
      const { path, body } = await operation(kind);
      await arm({ operation: kind, fault: 'decline', code });
      expect(said(await call(path, body))).toMatchObject({ status: 'declined', code: code ?? plain });
      expect(await books(`reference=${body.reference}`)).toMatchObject([{ state: 'declined', effects: 0 }]);
    }
  });

  test('pending, approved or declined when its time has come', async () => {
    const codes = {
      authorize: '420100',
      direct_capture: '420100',
      capture: '521188',
      refund: '621120',
      cancel: '721188',
    };
    for (const code of [undefined, codes[kind]]) {
      const { path, body } = await operation(kind);
      await arm({ operation: kind, fault: 'pending', seconds: 3600, code });
      expect(said(await call(path, body))).toMatchObject({ status: 'pending' });
      expect(await books(`reference=${body.reference}`)).toMatchObject([{ state: 'pending', effects: 0 }]);
      expect(await inquired(body.reference)).toMatchObject({ status: 'pending' });
      await control.advance(3600);
      const status = code === undefined ? 'approved' : 'declined';
      expect(await inquired(body.reference)).toMatchObject({ status, ...(code && { code }) });
      const [entry] = await books(`reference=${body.reference}`);
      expect(entry?.effects).toBe(code === undefined ? 1 : 0);
    }
  });

  test('late_commit is found by nobody until it happens', async () => {
    const { path, body } = await operation(kind);
    await arm({ operation: kind, fault: 'late_commit', seconds: 3600 });
    expect(await call(path, body, SHORT_MS)).toMatchObject({ kind: 'unknown', why: 'timeout' });
    expect(await inquired(body.reference)).toMatchObject({ status: 'not_found' });
    expect(await books(`reference=${body.reference}`)).toEqual([]);
    await control.advance(3600);
    expect(await inquired(body.reference)).toMatchObject({ status: 'approved' });
    const [entry] = await books(`reference=${body.reference}`);
    expect(entry).toMatchObject({ effects: 1, calls: 1 });
  });

  test('provider_down refuses every call for its time, at that provider only', async () => {
    const { path, body } = await operation(kind);
    await arm({ operation: kind, fault: 'provider_down', seconds: 600 });
    for (let times = 0; times < 2; times++) expect(await call(path, body)).toEqual({ kind: 'not_sent' });
    expect(await call(`/payments?reference=${body.reference}`, null)).toEqual({ kind: 'not_sent' });
    const other = await fetch(`${simulator.url}/simulator_b/payments?reference=nobody`);
    expect(other.status).toBe(404);
    await control.advance(600);
    expect(said(await call(path, body))).toMatchObject({ status: 'approved' });
  });
});

test.each(['capture', 'refund'] as const)(
  'a %s that is sent again before its late commit is done twice, of the whole amount too',
  async (kind) => {
    const { path, body: part } = await operation(kind);
    const body = { ...part, amount: 1000 };
    await arm({ operation: kind, fault: 'late_commit', seconds: 3600 });
    expect(await call(path, body, SHORT_MS)).toMatchObject({ kind: 'unknown', why: 'timeout' });
    expect(await inquired(body.reference)).toMatchObject({ status: 'not_found' });
    expect(said(await call(path, body))).toMatchObject({ status: 'approved' });
    await control.advance(3600);
    const [entry] = await books(`reference=${body.reference}`);
    expect(entry).toMatchObject({ effects: 2, calls: 2 });
  },
);

test('provider_down takes a provider from the account that armed it, until that removes what it armed', async () => {
  const mine = { merchant_account_id: newId() };
  await arm({ operation: 'authorize', fault: 'provider_down', seconds: 600, ...mine });
  expect(await call('/payments', payment(CARD, mine))).toEqual({ kind: 'not_sent' });
  const theirs = { merchant_account_id: newId() };
  expect(said(await call('/payments', payment(CARD, theirs)))).toMatchObject({ status: 'approved' });
  await control.post(`/scenarios/clear?merchant_account_id=${theirs.merchant_account_id}`, {});
  expect(await call('/payments', payment(CARD, mine))).toEqual({ kind: 'not_sent' });
  await control.post(`/scenarios/clear?merchant_account_id=${mine.merchant_account_id}`, {});
  expect(said(await call('/payments', payment(CARD, mine)))).toMatchObject({ status: 'approved' });
});

test('inquiries and reversals meet faults of their own', async () => {
  for (const [fault, arrives, taken] of FAULTS) {
    const paid = payment(CARD);
    await call('/payments', paid);
    await arm({ operation: 'inquiry', fault, match: { order_id: paid.order_id } });
    const deadline_ms = deadlineFor(arrives);
    expect(await call(`/payments?reference=${paid.reference}`, null, deadline_ms), fault).toMatchObject(arrives);
    await arm({ operation: 'cancel', fault, match: { order_id: paid.order_id } });
    const reversal = { ...common({ order_id: paid.order_id }), reference: paid.reference };
    expect(await call('/reversals', reversal, deadline_ms), fault).toMatchObject(arrives);
    const kinds = async () => (await books(`reference=${paid.reference}`)).map(({ kind, state }) => `${kind} ${state}`);
    await expect
      .poll(kinds, { message: fault })
      .toEqual(taken ? ['authorize released', 'reversal released'] : ['authorize held']);
  }
});

describe('scenarios', () => {
  test('apply as often as they were armed for, oldest first, and are listed until then', async () => {
    await clear();
    const order_id = newId();
    const merchant_account_id = newId();
    const given = { operation: 'authorize', match: { order_id }, merchant_account_id };
    await arm({ ...given, fault: 'decline', code: '420100', times: 2 });
    await arm({ ...given, fault: 'decline', code: '421131' });
    const codes: unknown[] = [];
    for (let times = 0; times < 4; times++) {
      const listed = await control.scenarios(merchant_account_id);
      codes.push([
        listed.map(({ remaining }) => remaining),
        said(await call('/payments', payment(CARD, { order_id, merchant_account_id })))['code'],
      ]);
    }
    expect(codes).toEqual([
      [[2, 1], '420100'],
      [[1, 1], '420100'],
      [[1], '421131'],
      [[], '944444'],
    ]);
  });

  test.each(['order_id', 'order_merchant_id', 'amount', 'card_4_digits'])('are matched by %s', async (name) => {
    const [order_id, order_merchant_id] = [newId(), `cart-${newId()}`];
    const wanted = { order_id, order_merchant_id, amount: '10.5', card_4_digits: '4242' }[name];
    const paid = payment(CARD, { order_id, order_merchant_id, amount: 1050 });
    const others: Readonly<Record<string, object>> = {
      order_id: { ...paid, order_id: newId() },
      order_merchant_id: { ...paid, order_merchant_id: 'cart-other' },
      amount: { ...paid, amount: 105 },
      card_4_digits: { ...paid, card: payment('5555555555554444').card },
    };
    await arm({ operation: 'authorize', fault: 'decline', match: { [name]: wanted } });
    const other = { ...others[name], reference: newId() };
    expect(said(await call('/payments', other))).toMatchObject({ status: 'approved' });
    expect(said(await call('/payments', paid))).toMatchObject({ status: 'declined' });
  });

  test('hold for what follows a payment by its card, and for one provider and one account only', async () => {
    const merchant_account_id = newId();
    const paid = payment(CARD, { merchant_account_id });
    await call('/payments', paid);
    const own = common({ merchant_account_id, amount: 1 });
    const path = `/payments/pay_${paid.reference}/captures`;
    await arm({ operation: 'capture', fault: 'decline', match: { card_4_digits: '4242' }, provider: 'simulator_b' });
    await arm({
      operation: 'capture',
      fault: 'decline',
      match: { card_4_digits: '4242' },
      merchant_account_id: newId(),
    });
    expect(said(await call(path, own))).toMatchObject({ status: 'approved' });
    await arm({ operation: 'capture', fault: 'decline', match: { card_4_digits: '4242' } });
    expect(said(await call(path, { ...own, reference: newId() }))).toMatchObject({ status: 'declined' });
    await clear();
  });

  test.each([
    ['operation', { operation: 'settle', fault: 'garbage' }],
    ['fault', { operation: 'capture', fault: 'rain' }],
    ['fault', { operation: 'inquiry', fault: 'decline' }],
    ['times', { operation: 'capture', fault: 'garbage', times: 101 }],
    ['delay_ms', { operation: 'capture', fault: 'late_answer', delay_ms: 60_001 }],
    ['code', { operation: 'capture', fault: 'decline', code: '420100' }],
    ['code', { operation: 'capture', fault: 'decline', code: '511031' }],
    ['code', { operation: 'authorize', fault: 'decline', code: '421080' }],
    ['match', { operation: 'capture', fault: 'garbage', match: { order_id: 7 } }],
  ])('a wrong %s is refused and named', async (member, scenario) => {
    const { status, body } = await control.post('/scenarios', { id: newId(), ...scenario });
    expect([status, body['members']]).toEqual([400, [member]]);
  });
});

test('answer_twice writes the whole answer twice on one line', async () => {
  const body = JSON.stringify(payment(CARD));
  await arm({ operation: 'authorize', fault: 'answer_twice' });
  const { hostname, port } = new URL(simulator.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /simulator/payments HTTP/1.1\r\nhost: x\r\nidempotency-key: k\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.write(`${head}\r\n\r\n${body}`);
  const came = await text(socket);
  const [, first, second, ...more] = came.split('HTTP/1.1 200 OK');
  expect(first).toContain('"status":"approved"');
  expect([second, more]).toEqual([first, []]);
});

test('a reset forgets the books and what was armed, for good; the clock stays, as it never goes back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-reset-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal');
  let own = await startProcess(journal);
  onTestFinished(async () => void (await own.stop()));
  const client = clientOf(() => own.url);
  const told = controlOf(() => own.url);
  await client.authorize(CARD);
  await client.authorize('4000009901000110');
  await told.arm({ operation: 'capture', fault: 'garbage' });
  await told.control.advance(3600);
  await client.authorize('4000009901000110');
  await told.control.reset();
  for (const _ of ['before', 'after a restart']) {
    expect(await client.books('')).toEqual([]);
    expect((await told.control.state())['scenarios']).toEqual([]);
    const clock = await told.control.clock();
    expect(clock['next_due']).toBeNull();
    expect(Number(clock['shift_ms'])).toBeGreaterThan(3_599_000);
    expect((await told.control.post('/clock', { to: new Date(0).toISOString() })).status).toBe(400);
    await own.stop();
    own = await startProcess(journal);
  }
});

test('a bank that is told to deduplicate gives a repeat no effect and the answer of the first call', async () => {
  await control.set({ deduplicates: ['simulator'] });
  onTestFinished(async () => void (await control.set({ deduplicates: [] })));
  for (const kind of ['authorize', 'direct_capture', 'capture', 'refund', 'cancel'] as const) {
    const { path, body } = await operation(kind);
    const first = said(await call(path, body));
    expect(said(await call(path, body))).toEqual(first);
    const [entry] = await books(`reference=${body.reference}`);
    expect(entry).toMatchObject({ effects: 1, calls: 2 });
  }
});
