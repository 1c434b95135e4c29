// The management of endpoints and notifications (contract 13.4), as a merchant's server uses it.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  ACTIVATION_ANSWER,
  DONE_ANSWER,
  ENDPOINT_ANSWER,
  ENDPOINT_LIST,
  NOTIFICATION_LIST,
  REPLAY_ANSWER,
  TEST_ANSWER,
} from '../../src/payment/notification/schema.ts';
import { type Reply, textAt } from '../client.ts';
import { findings, resolve } from '../schema.ts';
import { world } from '../world.ts';
import { receiver } from './receiver.ts';

const SETTINGS = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' };
const PATH = '/notification/endpoint';

test('an endpoint is made, listed without its secret, tested, given a new secret, and deleted; its secret is stored sealed', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  const made = await shop.api(PATH, { body: { url: server.url, description: 'the till' } });
  expect(made.code).toBe('911111');
  expect(findings(made.body, ENDPOINT_ANSWER, {})).toEqual([]);
  const secret = textAt(made, 'endpoint.secret');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.at('endpoint')).toMatchObject({ url: server.url, description: 'the till', active: true });
  expect(made.at('endpoint.events')).toContain('capture_successful');
  expect(made.at('endpoint.events')).not.toContain('capture_requested');
  const id = textAt(made, 'endpoint._id');

  const listed = await shop.api(PATH);
  expect(listed.at('endpoints')).toMatchObject([{ _id: id, health: { state: 'ok', failing_since: null, waiting: 0 } }]);
  expect(listed.text).not.toContain('secret');
  expect(findings(listed.body, ENDPOINT_LIST, {})).toEqual([]);
  const [row] = await florin.sql<{ secret_sealed: Buffer }>('SELECT secret_sealed FROM payment.endpoints');
  expect(row?.secret_sealed.toString('latin1')).not.toContain(secret.slice(6, 20));

  const tested = await shop.api(`${PATH}/${id}/test`, { method: 'POST' });
  expect(tested.body).toMatchObject({ delivered: true, http_status: 200 });
  expect(findings(tested.body, TEST_ANSWER, {})).toEqual([]);
  const [first] = server.taken;
  expect(first?.body).toMatchObject({ event: 'test', sequence: 1 });
  new Webhook(secret).verify(first?.text ?? '', { ...first?.headers });

  const rotated = await shop.api(`${PATH}/${id}/secret`, { body: { overlap_hours: 2 } });
  const newer = textAt(rotated, 'endpoint.secret');
  expect(newer).not.toBe(secret);
  for (const hours of [0, 3]) {
    await florin.sql(`UPDATE payment.clock SET shift = make_interval(hours => $1)`, [hours]);
    await shop.api(`${PATH}/${id}/test`, { method: 'POST' });
    const last = server.taken.at(-1);
    new Webhook(newer).verify(last?.text ?? '', { ...last?.headers });
    const old = () => new Webhook(secret).verify(last?.text ?? '', { ...last?.headers });
    if (hours === 0) old();
    else expect(old).toThrow('No matching signature found');
  }

  expect((await shop.api(`${PATH}/${id}`, { method: 'DELETE' })).code).toBe('911111');
  expect((await shop.api(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await shop.api(PATH)).at('endpoints')).toEqual([]);
});

test('every write of the management is done once under an Idempotency-Key', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  const twice = async (path: string, request: { method?: string; body?: object }): Promise<Reply> => {
    const headers = { 'idempotency-key': `key of ${path} ${request.method ?? ''}`.replaceAll(' ', '-') };
    const one = await shop.api(path, { ...request, headers });
    const other = await shop.api(path, { ...request, headers });
    expect(one.status, one.text).toBe(200);
    expect(other.body).toEqual(one.body);
    expect(other.headers.get('idempotent-replayed')).toBe('true');
    return one;
  };
  const made = await twice(PATH, { body: { url: server.url } });
  const id = textAt(made, 'endpoint._id');
  const rotated = await twice(`${PATH}/${id}/secret`, { method: 'POST', body: {} });
  expect(rotated.at('endpoint.secret')).not.toBe(made.at('endpoint.secret'));
  await twice(`${PATH}/${id}/test`, { method: 'POST' });
  expect(server.got.length).toBe(1);
  await twice(`/notification/${server.got[0]?.id}/replay`, { method: 'POST' });
  await twice('/notification/replay', { body: { endpoint_id: id } });
  await twice(`${PATH}/${id}/activate`, { method: 'POST' });
  await twice(`${PATH}/${id}`, { method: 'DELETE' });
  const key = { 'idempotency-key': `key-of-${PATH}-` };
  expect((await shop.api(PATH, { body: { url: `${server.url}&other=1` }, headers: key })).status).toBe(422);
});

test('a creation that arrives again after its endpoint was deleted makes no second one, and is answered as published', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  const request = { body: { url: 'https://shop.example/florin' }, headers: { 'idempotency-key': 'late' } };
  const id = textAt(await shop.api(PATH, request), 'endpoint._id');
  await shop.api(`${PATH}/${id}`, { method: 'DELETE' });
  const again = await shop.api(PATH, request);
  expect([again.status, again.code]).toEqual([404, '111012']);
  expect(again.at('detail')).toContain('was deleted since');
  expect((await shop.api(PATH)).at('endpoints')).toEqual([]);
  const { body } = await shop.api('/openapi.json');
  expect(resolve(`#/paths/${PATH.replaceAll('/', '~1')}/post/responses`, Object(body))).toHaveProperty('404');
});

test('a test asked for twice under one key is sent once: the second request waits for the same answer, from whichever process', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  const id = textAt(await shop.api(PATH, { body: { url: server.url } }), 'endpoint._id');
  server.mood = () => 'late';
  const ask = () => shop.api(`${PATH}/${id}/test`, { method: 'POST', headers: { 'idempotency-key': 'one' } });
  const first = ask();
  await server.until(({ length }) => length === 1);
  const [one, other] = await Promise.all([first, ask()]);
  expect(one.body).toMatchObject({ delivered: true, http_status: 200 });
  expect(other.body).toEqual(one.body);
  expect(other.headers.get('idempotent-replayed')).toBe('true');
  expect(server.got.length).toBe(1);

  // whoever made it died: nobody waits for ever
  await florin.sql(
    `UPDATE payment.notifications SET duration_ms = NULL, state = 'parked', created_at = created_at - interval '1 minute'`,
  );
  expect((await ask()).body).toMatchObject({ delivered: false, duration_ms: 0 });
});

test('an endpoint that is wrong is refused with what is wrong; without the setting it must be public; the seventeenth is refused', async () => {
  await using florin = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'no' });
  const { shop } = florin;
  const wrong = async (body: object) => {
    const reply = await shop.api(PATH, { body });
    expect(reply.status).toBe(400);
    return reply.at('errors.0.field');
  };
  for (const url of [
    'http://shop.example/',
    'https://127.0.0.1/',
    'https://shop.example:444/',
    'https://localhost/',
    'https://[::ffff:10.0.0.1]/',
  ])
    expect(await wrong({ url }), url).toBe('url');
  const url = 'https://shop.example/florin';
  expect(await wrong({})).toBe('url');
  expect(await wrong({ url, events: ['capture_successful', 'authorization_sucessful'] })).toBe('events[1]');
  // it goes to the endpoint that is tested, and to no other
  expect(await wrong({ url, events: ['test'] })).toBe('events[0]');
  expect(await wrong({ url, events: ['capture_successful', 7] })).toBe('events[1]');
  expect(await wrong({ url, events: [] })).toBe('events');
  expect(await wrong({ url, events: 'capture_successful' })).toBe('events');
  expect(await wrong({ url, secret: 'short' })).toBe('secret');
  expect(await wrong({ url, secret: 'whsec_no base64' })).toBe('secret');
  expect(await wrong({ url, secret: 1234567 })).toBe('secret');
  const own = await shop.api(PATH, {
    body: { url, secret: 'demo-secret', events: ['test', 'capture_successful'].slice(1) },
  });
  expect(own.at('endpoint.secret')).toBe('demo-secret');
  // a number is a text (contract 2.2)
  const digits = await shop.api(PATH, { body: { url, secret: 1234567890 } });
  expect(digits.at('endpoint.secret')).toBe('1234567890');
  const rest = await Promise.all(Array.from({ length: 20 }, () => shop.api(PATH, { body: { url } })));
  expect(rest.filter(({ status }) => status === 200).length).toBe(14);
});

test('notifications are listed by every filter, page by page, and sent again with the same id and bytes', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  const id = textAt(await shop.api(PATH, { body: { url: server.url } }), 'endpoint._id');
  const orders = [];
  for (let i = 0; i < 3; i++) orders.push(textAt(await shop.pay(), 'order_id'));
  await server.until(({ length }) => length === 6);
  const list = async (query: string) => (await shop.api(`/notification?${query}`)).at('notifications');
  const settled = async (state: string) => {
    for (;;) {
      const found = await list(`state=${state}`);
      if (Array.isArray(found) && found.length === 6) return found;
    }
  };
  await settled('delivered');
  const of_order = await list(`order_id=${orders[1]}`);
  expect(of_order).toHaveLength(2);
  expect(of_order).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        event: 'capture_successful',
        sequence: 3,
        tries: 1,
        last_http_status: 200,
        endpoint_id: id,
      }),
      expect.objectContaining({
        event: 'authorization_successful',
        sequence: 2,
        state: 'delivered',
        next_try_date: null,
      }),
    ]),
  );
  expect(await list('event=capture_successful&limit=100')).toHaveLength(3);
  expect(await list(`endpoint_id=${'0'.repeat(24)}`)).toEqual([]);
  const page = await shop.api('/notification?limit=4');
  expect(findings(page.body, NOTIFICATION_LIST, {})).toEqual([]);
  expect(page.at('has_more')).toBe(true);
  expect(await list(`limit=4&cursor=${textAt(page, 'next_cursor')}`)).toHaveLength(2);
  for (const wrong of ['cursor=x', 'event=paid', 'created_to=9999-12-31T23:59:59-18:00'])
    expect((await shop.api(`/notification?${wrong}`)).status, wrong).toBe(400);

  const [first] = server.taken;
  const replayed = await shop.api(`/notification/${first?.id}/replay`, { method: 'POST' });
  expect(findings(replayed.body, DONE_ANSWER, {})).toEqual([]);
  const again = (await server.until(({ length }) => length === 7)).at(-1);
  expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
  await settled('delivered');
  const range = await shop.api('/notification/replay', { body: { endpoint_id: id, state: 'delivered' } });
  expect(range.at('replayed')).toBe(6);
  for (const wrong of [{ cursor: 'x' }, { created_from: '9999-12-31T23:59:59-18:00' }])
    expect((await shop.api('/notification/replay', { body: { endpoint_id: id, ...wrong } })).status).toBe(400);
  expect(findings(range.body, REPLAY_ANSWER, {})).toEqual([]);
  await server.until(({ length }) => length === 13);
});

test('tests that are sent again keep nothing back from their endpoint', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  const id = textAt(await shop.api(PATH, { body: { url: server.url } }), 'endpoint._id');
  for (let i = 0; i < 4; i++) await shop.api(`${PATH}/${id}/test`, { method: 'POST' });
  const ids = server.taken.map(({ headers }) => String(headers['webhook-id']));
  for (const one of ids)
    expect((await shop.api(`/notification/${one}/replay`, { method: 'POST' })).code).toBe('911111');
  await server.until(({ length }) => length === 8);
  expect(server.taken.slice(4).map(({ text }) => text)).toEqual(server.taken.slice(0, 4).map(({ text }) => text));
  await shop.pay();
  await server.until(({ length }) => length > 8);
});

test('an endpoint that said 410 is off, and what waited is parked; switched on again it is sent what is new, and what was parked by a replay', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver(() => 410);
  const id = textAt(await shop.api(PATH, { body: { url: server.url } }), 'endpoint._id');
  const order_id = textAt(await shop.pay(), 'order_id');
  const health = async () => (await shop.api(PATH)).at('endpoints.0.health.state');
  await expect.poll(health).toBe('off');
  const replay = () => shop.api('/notification/replay', { body: { endpoint_id: id } });
  expect((await replay()).status).toBe(400);

  server.mood = () => 200;
  const keyed = { method: 'POST', headers: { 'idempotency-key': 'on-again' } } as const;
  const activated = await shop.api(`${PATH}/${id}/activate`, keyed);
  expect(activated.body).toMatchObject({ was_off: true });
  expect(findings(activated.body, ACTIVATION_ANSWER, {})).toEqual([]);
  const repeated = await shop.api(`${PATH}/${id}/activate`, keyed);
  expect(repeated.body).toEqual(activated.body);
  expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  expect((await shop.api(PATH)).at('endpoints.0')).toMatchObject({
    active: true,
    health: { state: 'ok', failing_since: null, waiting: 0 },
  });
  const again = { body: { endpoint_id: id }, headers: { 'idempotency-key': 'once-more' } };
  const replays = [await shop.api('/notification/replay', again), await shop.api('/notification/replay', again)];
  for (const { body } of replays) expect(body).toMatchObject({ replayed: 2, has_more: false, next_cursor: null });
  await server.until(({ length }) => length === 2);
  expect(server.taken.map(({ body }) => [body['order_id'], body['sequence']])).toEqual([
    [order_id, 2],
    [order_id, 3],
  ]);
  await shop.pay();
  await server.until(({ length }) => length === 4);
  expect((await shop.api(`${PATH}/${id}/activate`, { method: 'POST' })).body).toMatchObject({ was_off: false });
});

test('another account sees, tests, replays and deletes no endpoint of this one, and is told nothing', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  const other = await florin.otherShop();
  await using server = await receiver();
  await using others = await receiver();
  const id = textAt(await shop.api(PATH, { body: { url: server.url } }), 'endpoint._id');
  await other.api(PATH, { body: { url: others.url } });
  await shop.pay();
  const [one] = await server.until(({ length }) => length === 2);
  const unknown = [
    await other.api(`${PATH}/${id}`, { method: 'DELETE' }),
    await other.api(`${PATH}/${id}/test`, { method: 'POST' }),
    await other.api(`${PATH}/${id}/secret`, { method: 'POST' }),
    await other.api(`${PATH}/${id}/activate`, { method: 'POST' }),
    await other.api(`/notification/${one?.id}/replay`, { method: 'POST' }),
  ];
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await other.api('/notification/replay', { body: { endpoint_id: id } })).status).toBe(400);
  expect((await other.api(`/notification?endpoint_id=${id}`)).at('notifications')).toEqual([]);
  expect((await other.api(PATH)).at('endpoints')).toHaveLength(1);
  expect((await shop.api(PATH)).at('endpoints')).toHaveLength(1);
  expect(others.got.length).toBe(0);
});
