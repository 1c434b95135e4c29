// What the request log keeps of requests, answers and notifications, what it never keeps, and how it is found again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { follow, lineOf } from '../../src/commands/requests/logs.ts';
import { type LogRow, logPage } from '../../src/payment/request-log/list.ts';
import { isRefused } from '../../src/payment/request-log/page.ts';
import { firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { accountOf, rowOf, rowsOf, wholeLog } from './played.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('a request is kept with its answer, the id of its key, its order and how long it took', async () => {
  const reply = await w.shop.pay({}, { customer_email: 'grace@mail.example', order_merchant_id: 'cart-1' });
  const row = await rowOf(w, reply);
  const order_id = textAt(reply, 'order_id');
  const [key] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE digest = sha256($1::bytea)`,
    [Buffer.from(w.keys.private_key)],
  );
  expect(row).toMatchObject({ kind: 'request', method: 'POST', path: '/payment/order', status: 200, order_id });
  expect([row.code, row.key_id]).toEqual([reply.code, key?.id]);
  expect(JSON.parse(row.request)).toEqual({
    body: {
      token: '(text of 64)',
      operation_type: 'direct_capture',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id: 'cart-1',
      customer_email: '(text of 18)',
    },
  });
  expect(JSON.parse(row.answer)).toMatchObject({
    order_id,
    status: 'capture_successful',
    customer_email: '(text of 18)',
  });
  expect(JSON.parse(row.headers)).toMatchObject({ prefer: 'wait=10', 'preference-applied': 'wait=10' });
});

test('a refused request is kept, with the names of the fields that were ignored', async () => {
  const refused = await w.shop.api('/payment/checkout', { body: { type: 'letter', colour: 'red' } });
  const row = await rowOf(w, refused);
  expect([row.status, row.code, row.order_id]).toEqual([400, refused.code, null]);
  expect(JSON.parse(row.headers)).toMatchObject({ 'x-ignored-fields': 'colour' });
  expect(JSON.parse(row.request)).toEqual({ body: { type: 'letter', colour: '(text of 3)' } });
  const forbidden = await w.shop.api('/payment/order', { key: w.keys.public_key });
  expect([(await rowOf(w, forbidden)).status, forbidden.status]).toEqual([403, 403]);
});

test('no key, secret, token, card number or person gets in, wherever a program puts them', async () => {
  const number = '4242424242424242';
  const spaced = '4242 4242 4242 4242';
  const parted = ['.', '/', '_', '+', ' - '].map((gap) => spaced.replaceAll(' ', gap));
  const person = 'Grace Hopper-Canary';
  const token = await w.shop.token();
  const hook = await w.shop.api('/notification/endpoint', {
    body: { url: `https://hooks.shop.example/${person.slice(0, 5)}?secret=hush-hush`, secret: undefined },
  });
  const replies = [
    await w.shop.api('/payment/checkout', {
      body: {
        type: 'api',
        amount: '1.00',
        currency: 'EUR',
        order_merchant_id: number,
        card_number: number,
        cvc: '737',
      },
    }),
    await w.shop.order(
      {
        token,
        amount: number,
        currency: spaced,
        operation_type: 'authorize',
        order_merchant_id: `ref ${spaced}`,
        order_id: `${number}abcdef00`,
        [number]: 1,
        customer_last_name: person,
        order_description: person,
        basket_content: [{ product_name: person, product_price: 4242424242424242 }],
      },
      { 'idempotency-key': `key-${number}`, 'user-agent': `shop ${spaced}`, origin: 'https://shop.example' },
    ),
    ...(await Promise.all(
      parted.map((text) => w.shop.order({ token, order_merchant_id: text }, { 'user-agent': text })),
    )),
    await w.shop.api(`/payment/order?order_merchant_id=${number}&customer_id=${person}`),
    await w.shop.api(`/payment/order/${number}abcdef00`),
    await w.shop.api(`/payment/information/${number}`),
    await w.shop.api('/payment/checkout', { body: `{"type":"api","order_merchant_id":"${number}"` }),
  ];
  for (const reply of [hook, ...replies]) await rowOf(w, reply);
  const all = await wholeLog(w);
  for (const hidden of [
    number,
    spaced,
    '4242-4242',
    ...parted,
    person,
    token,
    textAt(hook, 'endpoint.secret'),
    'hush-hush',
  ])
    expect([hidden, all.includes(hidden)]).toEqual([hidden, false]);
  for (const key of Object.values(w.keys)) expect(all).not.toContain(key);
  // an id may end in these digits, or a moment
  const without_ids = all.replaceAll(/[0-9a-f]{24}/g, '');
  expect(without_ids).not.toMatch(/[^\d.]737"/);
  expect(without_ids).not.toMatch(/(?:\d[ -]?){14,19}/);
});

test('each try of a notification is kept, with what came back and never what it said', async () => {
  await using hook = await receiver();
  hook.mood = () => (hook.got.length < 2 ? 500 : 200);
  await w.shop.api('/notification/endpoint', {
    body: { url: `${hook.url}&secret-path`, events: ['capture_successful'] },
  });
  const order_id = textAt(await w.shop.pay(), 'order_id');
  const found = async (status: string) => rowsOf(w, { kind: 'notification', order_id, status });
  const [failed] = await until(async () => ((await found('5xx')).length > 0 ? found('5xx') : undefined));
  expect(failed).toMatchObject({ method: 'POST', path: new URL(hook.url).origin, status: 500, key_id: null });
  expect(JSON.parse(failed?.answer ?? '')).toMatch(/^\(text of \d+\)$/);
  expect(JSON.parse(failed?.request ?? '')).toMatchObject({ body: { event: 'capture_successful', order_id } });
  expect(await wholeLog(w)).not.toContain('secret-path');
});

test('an entry is found by order, key, status, path, method and time, and by all of them together', async () => {
  const order_id = textAt(await w.shop.pay(), 'order_id');
  const read = await rowOf(w, await w.shop.read(order_id));
  const missing = await rowOf(w, await w.shop.api(`/payment/order/${'f'.repeat(24)}`));
  const ids = async (query: Parameters<typeof rowsOf>[1]) => (await rowsOf(w, query)).map(({ id }) => id);
  expect(await ids({ order_id, method: 'GET' })).toEqual([read.id]);
  expect(await ids({ status: '404' })).toContain(missing.id);
  expect(await ids({ status: '4xx' })).not.toContain(read.id);
  expect((await rowsOf(w, { status: '4xx' })).every(isRefused)).toBe(true);
  const path = '/payment/order/:order_id';
  expect(new Set((await rowsOf(w, { path })).map((row) => row.path))).toEqual(new Set([path]));
  expect(await ids({ key_id: 'f'.repeat(24) })).toEqual([]);
  const from = read.at.toISOString();
  const key_id = read.key_id ?? '';
  expect(await ids({ order_id, method: 'GET', from, to: from, key_id, path, status: '2xx' })).toEqual([read.id]);
  expect(await ids({ from: new Date(read.at.getTime() + 3_600_000).toISOString() })).toEqual([]);
});

test('pages give every row once, newest first, however small they are', async () => {
  const all = await rowsOf(w, { limit: 200 });
  const db = w.service.tools.db.tenant(accountOf(w));
  const paged: LogRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await logPage(db, cursor === undefined ? { limit: 3 } : { limit: 3, cursor });
    paged.push(...page.rows);
    cursor = page.next_cursor;
  }
  expect(paged.slice(0, all.length).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect((await logPage(db, { to: '9999-12-31T23:59:59Z', limit: 1 })).rows.length).toBe(1);
  await expect(logPage(db, { cursor: 'x' })).rejects.toThrow('parameter_invalid');
});

test('an account sees its own requests only, in the back office too', async () => {
  const theirs = await w.otherShop();
  const reply = await theirs.pay();
  const id = reply.headers.get('x-request-id') ?? '';
  const order_id = textAt(reply, 'order_id');
  const owner = await firstOwner(w);
  await until(async () => ((await wholeLog(w)).includes(id) ? true : undefined));
  expect(await rowsOf(w, { id })).toEqual([]);
  expect((await owner.get(`/api/requests?order_id=${order_id}`)).at('requests')).toEqual([]);
  const seen = await owner.get('/api/requests?status=4xx');
  expect([seen.status, seen.at('requests.0.status')]).toEqual([200, 404]);
  expect((await owner.get('/api/requests?status=blue')).status).toBe(400);
});

test('logs tail says what is there and then what comes, each once', async () => {
  const { db, clock, outside } = w.service.tools;
  const said: LogRow[] = [];
  const stop = new AbortController();
  const say = (row: LogRow) => void said.push(row);
  const following = follow(
    { db: db.tenant(accountOf(w)), clock, machine: outside.clock, say, signal: stop.signal },
    { limit: 2 },
  );
  await until(() => said.length === 2 || undefined);
  const reply = await w.shop.pay();
  const id = reply.headers.get('x-request-id') ?? '';
  const row = await until(() => said.find((one) => one.id === id));
  await until(() => said.some(({ kind }) => kind === 'notification') || undefined);
  stop.abort();
  await following;
  expect(said.filter((one) => one.id === id)).toHaveLength(1);
  expect(lineOf(row, false)).toContain(`200  ${row.code}  POST /payment/order`);
  expect(lineOf(row, true)).toContain('(text of 64)');
});
