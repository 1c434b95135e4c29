// Tries, over a real socket that answers as a script says: how often, how far apart, under which key, and what comes of
// it.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CallOptions,
  type Clock,
  Florin,
  FlorinNoAnswer,
  FlorinRefusal,
  isRefusal,
} from '../../client/src/florin.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { until } from '../client.ts';

const KEY = 'FL_PR_sNobodyMayEverReadThis';
const TOKEN = 'cf9fc0cc860214a8bb1bce449086112addf5cac7648fd2f1f3b381a8f47c8125';
const ORDER_ID = '66bf18d25d1c9a0e47b2f317';
const ORDER = { result: { code: '944444', description: '' }, order_id: ORDER_ID, status: 'authorization_successful' };

type Step =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Closed without an answer; never answered; or not in the time that the guard of a try gives. */
  | 'cut'
  | 'hang'
  | 'late';
const problem = (status: number, slug: string, code: string): Step => ({
  status,
  body: {
    type: `https://api/problems/${slug}`,
    title: '',
    status,
    detail: 'why',
    instance: 'r1',
    result: { code, description: '' },
  },
});
const FINE: Step = { status: 200, body: ORDER };
const UNAVAILABLE = problem(503, 'unavailable', '111013');

let script: Step[];
let came: {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly prefer: string;
  readonly body: string;
}[];
let waits: number[];
let florin: Florin;
let clock: Clock;
let close: () => Promise<void>;
/** Ends the wait of the try that is under way, as its guard does once its time is over. */
let ring: () => void;

beforeEach(async () => {
  [script, came, waits, ring] = [[], [], [], () => undefined];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base_url = `http://127.0.0.1:${listeningPort(server)}`;
  let now = 0;
  clock = {
    now: () => now,
    random: () => 0.5,
    after: (milliseconds, run) => {
      const is_guard = milliseconds > 9000;
      // the guard of a try rings when the server leaves it unanswered, not before; a pause is over at once
      if (is_guard) {
        ring = () => {
          now += milliseconds;
          run();
        };
        return () => {
          ring = () => undefined;
        };
      }
      waits.push(milliseconds);
      now += milliseconds;
      const timer = setTimeout(run, 0);
      return () => clearTimeout(timer);
    },
  };
  florin = new Florin({ base_url, key: KEY, clock });
  close = () =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
});
afterEach(() => close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const header = (name: string) => String(request.headers[name] ?? '');
  came.push({
    method: request.method ?? '',
    url: request.url ?? '',
    key: header('idempotency-key'),
    prefer: header('prefer'),
    body: Buffer.concat(chunks).toString(),
  });
  const step = script.shift() ?? UNAVAILABLE;
  if (step === 'cut') return void request.socket.destroy();
  if (step === 'hang') return;
  if (step === 'late') return ring();
  response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
  response.end(typeof step.body === 'string' ? step.body : JSON.stringify(step.body));
}

const pay = (options?: CallOptions) => florin.orders.create({ token: TOKEN, checkout_id: ORDER_ID }, options);

describe('a payment', () => {
  test.each([
    ['a lost connection', ['cut']],
    ['an answer 500 of the API', [problem(500, 'internal', '111013')]],
    ['a page of a gateway', [{ status: 502, body: '<h1>Bad gateway</h1>' }]],
    ['a page that says 200', [{ status: 200, body: '<h1>Welcome to the hotel</h1>' }]],
    ['a redirect', [{ status: 302, headers: { location: 'https://elsewhere.example/' } }]],
    ['an answer that is cut off', [{ status: 200, body: '{"result":{"code":"9444' }]],
    ['too many requests', [problem(429, 'rate-limited', '111013')]],
    ['all of them', ['cut', UNAVAILABLE, { status: 504 }, 'cut', problem(429, 'rate-limited', '111013')]],
  ] as const)('is tried again after %s, with the same key and body', async (_, steps) => {
    script = [...steps, FINE];
    expect(await pay()).toMatchObject({ kind: 'approved', order_id: ORDER_ID });
    expect(came).toHaveLength(steps.length + 1);
    expect(new Set(came.map(({ key, body, method, url }) => [key, body, method, url].join())).size).toBe(1);
    expect(came[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has another key than the one before, or the one that was given', async () => {
    script = [FINE, FINE, FINE];
    await pay();
    await pay();
    await pay({ idempotency_key: 'cart-1881', wait_seconds: 10 });
    expect(new Set(came.map(({ key }) => key)).size).toBe(3);
    expect(came[2]).toMatchObject({ key: 'cart-1881', prefer: 'wait=10' });
  });

  test('that nobody answered is in doubt, and no error', async () => {
    script = Array.from({ length: 6 }, () => 'cut');
    const outcome = await pay();
    expect(outcome).toMatchObject({ kind: 'in_doubt', order_id: undefined, idempotency_key: came[0]?.key });
    expect(came).toHaveLength(6);
    script = [FINE];
    expect(await outcome.repeat()).toMatchObject({ kind: 'approved' });
    expect(came[6]).toEqual(came[0]);
  });

  test('that was not accepted for sure is refused, and no doubt', async () => {
    await expect(pay()).rejects.toMatchObject({ status: 503, reason: 'internal_error', slug: 'unavailable' });
    expect(came).toHaveLength(6);
  });

  test.each([
    ['a key that is not valid any more', problem(403, 'invalid-key', '111022')],
    ['too many requests', problem(429, 'rate-limited', '111013')],
    ['a service that is away', UNAVAILABLE],
  ])('stays in doubt when %s answers after a try that was lost: that says nothing of the first', async (_, step) => {
    script = ['cut', ...Array.from({ length: 6 }, () => step)];
    expect(await pay()).toMatchObject({ kind: 'in_doubt' });
  });

  test('that is refused by its fields after a try that was lost is refused: the key tells', async () => {
    script = ['cut', problem(409, 'state-conflict', '111034')];
    await expect(pay()).rejects.toMatchObject({ reason: 'attempts_used_up' });
  });

  test('that is refused is not tried again', async () => {
    script = [problem(400, 'unusable-token', '241021')];
    const error: unknown = await pay().catch((thrown: unknown) => thrown);
    expect(isRefusal(error, 'token_unusable')).toBe(true);
    expect(isRefusal(error, 'card_expired')).toBe(false);
    expect(isRefusal(error)).toBe(true);
    expect(came).toHaveLength(1);
  });

  test('that hangs is given up in time, and tried again', async () => {
    script = ['late', FINE];
    expect(await pay()).toMatchObject({ kind: 'approved' });
    expect(came).toHaveLength(2);
  });
});

describe('tries', () => {
  test('are ever further apart, and never nearer than Retry-After', async () => {
    script = [
      'cut',
      'cut',
      'cut',
      { status: 429, headers: { 'retry-after': '3' }, body: { result: { code: '111013' } } },
      FINE,
    ];
    await pay();
    expect(waits).toEqual([187.5, 375, 750, 4500]);
  });

  test('end at the deadline: a Retry-After behind it is not waited for', async () => {
    script = [{ status: 429, headers: { 'retry-after': '86400' }, body: { result: { code: '111013' } } }];
    await expect(pay()).rejects.toMatchObject({ status: 429, retry_after_seconds: 86_400 });
    expect(came).toHaveLength(1);
  });

  test('of a read or a checkout end with an error that names the key', async () => {
    script = Array.from({ length: 12 }, () => 'cut');
    await expect(florin.orders.read(ORDER_ID)).rejects.toThrow('no answer from the payment API after 6 tries');
    const error: unknown = await florin.checkouts
      .create({ type: 'api', operation_type: 'authorize', amount: '1', currency: 'EUR', order_merchant_id: 'c' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FlorinNoAnswer);
    expect(error).toMatchObject({ attempts: 6, idempotency_key: came.at(-1)?.key });
    expect(came.filter(({ method }) => method === 'GET').every(({ key }) => key === '')).toBe(true);
  });

  test('end with the signal: before the first nothing is sent, afterwards a payment is in doubt', async () => {
    const stop = new AbortController();
    script = ['hang', 'hang'];
    const paying = pay({ signal: stop.signal });
    const reading = florin.orders.read(ORDER_ID, { signal: stop.signal });
    await until(() => came.length === 2 || undefined);
    stop.abort(new Error('the payer left'));
    expect(await paying).toMatchObject({ kind: 'in_doubt' });
    await expect(reading).rejects.toThrow('the payer left');
    const count = came.length;
    await expect(pay({ signal: stop.signal })).rejects.toThrow('the payer left');
    expect(came).toHaveLength(count);
  });
});

describe('a repeat', () => {
  /** What is in doubt because its signal ended it. */
  async function ended<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    script = ['hang'];
    const calling = call({ signal: stop.signal, idempotency_key: 'cart-7' });
    await until(() => came.length === 1 || undefined);
    stop.abort(new Error('the payer left'));
    return calling;
  }

  test('asks about the payment under its key', async () => {
    const outcome = await ended(pay);
    script = [FINE];
    expect(await outcome.repeat()).toMatchObject({ kind: 'approved' });
    expect(came.map(({ key }) => key)).toEqual(['cart-7', 'cart-7']);
  });

  test('asks about the capture under its key', async () => {
    const outcome = await ended((options) => florin.orders.capture(ORDER_ID, {}, options));
    script = [{ status: 200, body: { result: { code: '955555', description: '' }, capture_id: 'c' } }];
    expect(outcome.kind === 'in_doubt' ? await outcome.repeat() : outcome).toMatchObject({ kind: 'done' });
    expect(came.map(({ key }) => key)).toEqual(['cart-7', 'cart-7']);
  });

  test.each([
    ['a key that is not valid any more', problem(403, 'invalid-key', '111022')],
    ['too many requests', problem(429, 'rate-limited', '111013')],
    ['a service that is away', UNAVAILABLE],
  ])('stays in doubt when %s answers: that says nothing of the call before', async (_, step) => {
    const refused = () => Array.from({ length: 6 }, () => step);
    const payment = await ended(pay);
    script = refused();
    expect(await payment.repeat()).toMatchObject({ kind: 'in_doubt', cause: expect.any(FlorinRefusal) });
    came = [];
    const capture = await ended((options) => florin.orders.capture(ORDER_ID, {}, options));
    script = refused();
    expect(capture.kind === 'in_doubt' ? await capture.repeat() : capture).toMatchObject({ kind: 'in_doubt' });
  });

  test('of a payment that has an order keeps its number', async () => {
    script = [
      { status: 200, body: { ...ORDER, status: 'authorization_requested' } },
      problem(403, 'invalid-key', '111022'),
    ];
    expect(await (await pay()).repeat()).toMatchObject({ kind: 'in_doubt', order_id: ORDER_ID });
  });

  test('is what waiting for it does', async () => {
    const outcome = await ended(pay);
    script = [FINE];
    expect(await florin.orders.waitUntilDecided(outcome)).toMatchObject({ kind: 'approved' });
  });
});

describe('a capture', () => {
  const answered = (code: string): Step => ({
    status: 200,
    body: { result: { code, description: '' }, capture_id: 'c' },
  });

  test('is done, declined by the provider, pending, or in doubt; repeats go under its key', async () => {
    script = [answered('955555'), problem(422, 'provider-declined', '521288'), answered('521080'), answered('955555')];
    expect(await florin.orders.capture(ORDER_ID)).toMatchObject({ kind: 'done', code: '955555' });
    expect(await florin.orders.capture(ORDER_ID)).toMatchObject({
      kind: 'declined',
      reason: 'acquirer_capture_declined',
    });
    const pending = await florin.orders.capture(ORDER_ID, { amount: '1.00' });
    expect(pending.kind).toBe('pending');
    if (pending.kind === 'pending') expect(await pending.repeat()).toMatchObject({ kind: 'done' });
    expect(came[3]).toEqual(came[2]);
    script = [answered('529999')];
    expect(await florin.orders.capture(ORDER_ID)).toMatchObject({ kind: 'in_doubt' });
    script = Array.from({ length: 6 }, () => 'cut');
    expect(await florin.orders.refund(ORDER_ID)).toMatchObject({ kind: 'in_doubt', answer: undefined });
  });

  test('that our own rules refuse is an error with its name', async () => {
    script = [problem(422, 'amount-exceeded', '511031')];
    await expect(florin.orders.capture(ORDER_ID)).rejects.toMatchObject({ reason: 'capture_above_authorization' });
  });
});

describe('waiting', () => {
  const read = (more: object): Step => ({ status: 200, body: { ...ORDER, ...more } });

  test('goes on over pending, doubt and lost answers until the order is decided', async () => {
    script = [
      read({ status: 'authorization_requested' }),
      'cut',
      read({ status: 'authorization_requested', is_in_doubt: true }),
      FINE,
    ];
    expect(await florin.orders.waitUntilDecided(ORDER_ID)).toMatchObject({ kind: 'approved' });
  });

  test('repeats a payment that nobody answered, and then reads', async () => {
    script = [...Array.from({ length: 6 }, () => 'cut' as const), read({ status: 'authorization_requested' }), FINE];
    const outcome = await pay();
    expect(await florin.orders.waitUntilDecided(outcome)).toMatchObject({ kind: 'approved' });
    expect(came.slice(0, 7).every(({ method, key }) => method === 'POST' && key === came[0]?.key)).toBe(true);
    expect(came[7]?.method).toBe('GET');
  });

  test('for a payment that nobody answered ends at its own deadline and with its own signal', async () => {
    script = Array.from({ length: 6 }, () => 'cut');
    const outcome = await pay();
    const began = clock.now();
    script = Array.from({ length: 60 }, () => 'late');
    expect(await florin.orders.waitUntilDecided(outcome, { deadline_seconds: 10 })).toMatchObject({ kind: 'in_doubt' });
    expect((clock.now() - began) / 1000).toBeLessThanOrEqual(10);
    const stop = new AbortController();
    script = ['hang'];
    const count = came.length;
    const waiting = florin.orders.waitUntilDecided(outcome, { signal: stop.signal });
    await until(() => came.length > count || undefined);
    stop.abort(new Error('the payer left'));
    await expect(waiting).rejects.toThrow('the payer left');
  });

  test('ends when the payer must act, and at its deadline with what is known', async () => {
    script = [read({ status: 'authentication_requested', redirect_url: 'https://v/pay/1' })];
    expect(await florin.orders.waitUntilDecided(ORDER_ID)).toMatchObject({ kind: 'payer_must_act' });
    script = Array.from({ length: 50 }, () => read({ status: 'authorization_requested' }));
    expect(await florin.orders.waitUntilDecided(ORDER_ID, { deadline_seconds: 10 })).toMatchObject({ kind: 'pending' });
    expect(script.length).toBeGreaterThan(30);
  });
});

describe('nothing that is shown has a secret in it', () => {
  test('neither a client, an outcome nor an error, however deep one looks', async () => {
    script = [FINE, 'cut', problem(403, 'invalid-key', '111022'), problem(400, 'unusable-token', '241021')];
    const shown: unknown[] = [florin, await pay(), await pay(), await pay().catch((error: unknown) => error)];
    await close();
    shown.push(await pay(), await florin.orders.read(ORDER_ID).catch((error: unknown) => error));
    for (const value of shown) {
      const text =
        inspect(value, { depth: 20, showHidden: true, getters: true }) + String(value) + JSON.stringify(value);
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(TOKEN);
    }
    expect(shown[3]).toBeInstanceOf(FlorinRefusal);
  });
});

describe('a client is not made', () => {
  test.each([
    ['with a public key', { key: 'FL_PUB_sx' }],
    ['without a key', { key: ' ' }],
    ['for an address that is not https', { base_url: 'http://api.shop.example' }],
    ['for one that only looks like this machine', { base_url: 'http://127.0.0.1.shop.example' }],
  ])('%s', (_, wrong) => {
    expect(() => new Florin({ base_url: 'https://api.shop.example', key: KEY, ...wrong })).toThrow(TypeError);
  });

  test('and an id that is empty or a path asks for nothing else', async () => {
    await expect(florin.orders.read('')).rejects.toThrow('order_id is empty');
    script = [FINE];
    await florin.orders.read('../../token?a=1');
    expect(came[0]?.url).toBe('/payment/order/..%2F..%2Ftoken%3Fa%3D1');
  });
});
