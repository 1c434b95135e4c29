// Access tokens: had when wanted, one asked for at a time, had anew where one is refused, and seen by nobody else.
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/kit/egress.ts';
import type { Fields } from '../../src/kit/log.ts';
import { withAccess } from '../../src/provider/send/access.ts';
import { areAllowed, areComplete, requestOf } from '../../src/provider/send/call.ts';
import type { Destination } from '../../src/provider/send/destinations.ts';
import { secretsOf } from '../../src/provider/send/secret.ts';
import { stepsOf } from '../../src/provider/send/table-form.ts';
import { loadTable } from '../../src/provider/send/tables.ts';
import { STEPS } from '../../src/provider/paypal/steps.ts';

const ACCESS = { path: '/v1/oauth2/token', id: 'client_me', secret: 'very-secret' };
const CALL = {
  host: 'api',
  method: 'POST',
  path: '/pay',
  headers: { prefer: 'all' },
  body: Buffer.from('{}'),
} as const;
const answered = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  status,
  body: Buffer.from(JSON.stringify(body)),
});
const token = (access_token: string, expires_in: unknown = 32_400) =>
  answered(200, { access_token, token_type: 'Bearer', expires_in });

type Asked = {
  path: string;
  authorization: string;
  body: string;
  deadline_ms: number;
  begin_ms: number | undefined;
};

/** `says`: what is answered, by the path and how often it was asked for before. */
function stand(says: (asked: Asked, before: number) => Exchange | Promise<Exchange>) {
  const asked: Asked[] = [];
  const logged: [Fields, string][] = [];
  let ticks = 0;
  const write = (fields: Fields, message: string) => void logged.push([fields, message]);
  const sender = withAccess(
    {
      send: async (_, { path, headers, body, deadline_ms, begin_ms }) => {
        const { authorization = '' } = headers;
        const one = { path, authorization, body: body?.toString() ?? '', deadline_ms, begin_ms };
        const before = asked.filter((other) => other.path === path).length;
        asked.push(one);
        return says(one, before);
      },
      close: async () => undefined,
    },
    { clock: { ticks: () => ticks }, log: { debug: write, info: write, warn: write, error: write } },
  );
  return {
    send: (access = ACCESS, deadline_ms = 30_000) => sender.send('paypal', { ...CALL, access, deadline_ms }),
    asked,
    logged,
    later: (ms: number) => (ticks += ms),
    to: (path: string) => asked.filter((one) => one.path === path),
  };
}

const OK = answered(201, { id: 'O1' });

test('a token is had once, with name and secret of the client, and goes with each call until shortly before its end', async () => {
  const { send, to, later } = stand(({ path }, before) => (path === ACCESS.path ? token(`t${before}`) : OK));
  for (let count = 0; count < 3; count++) expect(await send()).toEqual(OK);
  expect(to(ACCESS.path)).toHaveLength(1);
  expect(to(ACCESS.path)[0]).toMatchObject({
    authorization: `Basic ${Buffer.from('client_me:very-secret').toString('base64')}`,
    body: 'grant_type=client_credentials',
    deadline_ms: 5000,
  });
  expect(to('/pay').map(({ authorization }) => authorization)).toEqual(['Bearer t0', 'Bearer t0', 'Bearer t0']);
  later((32_400 - 61) * 1000);
  await send();
  expect(to(ACCESS.path)).toHaveLength(1);
  later(1000);
  await send();
  expect(to('/pay').at(-1)?.authorization).toBe('Bearer t1');
});

test('if many steps want an access token at once, one of them asks for it', async () => {
  const gate = Promise.withResolvers<Exchange>();
  const { send, to } = stand(({ path }) => (path === ACCESS.path ? gate.promise : OK));
  const sent = Array.from({ length: 20 }, () => send());
  gate.resolve(token('t'));
  expect(await Promise.all(sent)).toEqual(sent.map(() => OK));
  expect([to(ACCESS.path).length, to('/pay').length]).toEqual([1, 20]);
});

test('other credentials have a token of their own', async () => {
  const { send, to } = stand(({ path }, before) => (path === ACCESS.path ? token(`t${before}`) : OK));
  await send();
  await send({ ...ACCESS, secret: 'changed' });
  await send({ ...ACCESS, id: 'another' });
  expect(to('/pay').map(({ authorization }) => authorization)).toEqual(['Bearer t0', 'Bearer t1', 'Bearer t2']);
});

test('a token that is refused is had anew, once for all that were refused with it, and the call goes once more', async () => {
  const { send, to } = stand(({ path, authorization }, before) => {
    if (path === ACCESS.path) return token(`t${before}`);
    return authorization === 'Bearer t0' ? answered(401, { name: 'AUTHENTICATION_FAILURE' }) : OK;
  });
  expect(await Promise.all(Array.from({ length: 10 }, () => send()))).toEqual(Array.from({ length: 10 }, () => OK));
  expect([to(ACCESS.path).length, to('/pay').length]).toEqual([2, 20]);
});

test('a second refusal of the access token is the answer, and the call is not sent a third time', async () => {
  const { send, to } = stand(({ path }, before) => (path === ACCESS.path ? token(`t${before}`) : answered(401, {})));
  expect(await send()).toMatchObject({ kind: 'answered', status: 401 });
  expect([to(ACCESS.path).length, to('/pay').length]).toEqual([2, 2]);
});

test.each([500, 403, 422, 409])('an answer of %s is no reason to send again', async (status) => {
  const { send, to } = stand(({ path }) => (path === ACCESS.path ? token('t') : answered(status, {})));
  expect(await send()).toMatchObject({ status });
  expect(to('/pay')).toHaveLength(1);
});

test.each<Exchange>([
  { kind: 'unknown', why: 'timeout' },
  { kind: 'unknown', why: 'closed' },
])('an answer that is lost is lost: %j', async (lost) => {
  const { send, to } = stand(({ path }) => (path === ACCESS.path ? token('t') : lost));
  expect(await send()).toEqual(lost);
  expect(to('/pay')).toHaveLength(1);
});

test.each<readonly [string, Exchange]>([
  ['no answer', { kind: 'unknown', why: 'timeout' }],
  ['no connection', { kind: 'not_sent' }],
  ['a failure', answered(500, { error: 'server_error' })],
  ['HTML', { kind: 'answered', status: 200, body: Buffer.from('<html>') }],
  ['another kind of token', answered(200, { access_token: 't', token_type: 'mac', expires_in: 60 })],
  ['a token that is no header', answered(200, { access_token: 't\r\nx: 1', token_type: 'Bearer', expires_in: 60 })],
  ['no token', answered(200, { token_type: 'Bearer' })],
])('without a token nothing is sent: %s', async (_, said) => {
  const { send, to } = stand(({ path }) => (path === ACCESS.path ? said : OK));
  expect(await send()).toEqual({ kind: 'not_sent' });
  expect(to('/pay')).toEqual([]);
});

test('a client that is not known is turned away as by the call itself', async () => {
  const { send, to } = stand(() => answered(401, { error: 'invalid_client' }));
  expect(await send()).toMatchObject({ kind: 'answered', status: 401 });
  expect(to('/pay')).toEqual([]);
});

test('the call has what its token left of its time, and is not sent where nothing is left', async () => {
  const slow = stand(({ path }) => {
    if (path === ACCESS.path) slow.later(4000);
    return path === ACCESS.path ? token('t') : OK;
  });
  await slow.send(ACCESS, 10_000);
  expect(slow.to('/pay')[0]).toMatchObject({ deadline_ms: 6000, begin_ms: 4000 });
  const late = stand(({ path }) => {
    if (path === ACCESS.path) late.later(4000);
    return path === ACCESS.path ? token('t') : OK;
  });
  expect(await late.send(ACCESS, 3000)).toEqual({ kind: 'not_sent' });
});

test('a call that would go once more with a new token is not sent when it could begin only late', async () => {
  const refused = stand(({ path }) => {
    if (path !== ACCESS.path) refused.later(8000);
    return path === ACCESS.path ? token('t') : answered(401, {});
  });
  expect(await refused.send()).toEqual(answered(401, {}));
  expect(refused.to('/pay')).toHaveLength(1);
});

test('a token that says no end is used once', async () => {
  const { send, to } = stand(({ path }) => (path === ACCESS.path ? token('t', '9') : OK));
  await send();
  await send();
  expect(to(ACCESS.path)).toHaveLength(2);
});

test('neither a token nor the client’s secret is logged, and the bytes of the answer are overwritten', async () => {
  const said = token('t-in-clear');
  const { send, logged } = stand(({ path }, before) => {
    if (path !== ACCESS.path) return answered(401, {});
    return before === 0
      ? said
      : answered(401, { error: 'invalid_client', error_description: 'very-secret t-in-clear' });
  });
  await send();
  expect(logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(logged)).not.toMatch(/very-secret|t-in-clear|client_me/);
  if (said.kind === 'answered') expect(said.body.every((byte) => byte === 0)).toBe(true);
});

const DESTINATION: Destination = {
  table: { name: 'paypal', steps: STEPS, hash: '' },
  hosts: {},
  reach: 'loopback',
  allow: new Map([['client_id', ['mine']]]),
  deadline_ms: 1000,
  max_body: 1000,
  max_answer: 1000,
};
const HOST = { origin: 'https://api.example', prefix: '/at', tls: null };

test('the credentials that get an access token must be there, and be allowed for the step', () => {
  const step = STEPS.authorize;
  expect(secretsOf(step).map(({ name }) => name)).toEqual(['client_id', 'client_secret']);
  expect(areComplete(step, { client_id: 'mine' })).toBe(false);
  expect(areComplete(step, { client_id: 'mine', client_secret: 's' })).toBe(true);
  expect(areAllowed(DESTINATION, step, { client_id: 'mine', client_secret: 's' })).toBe(true);
  expect(areAllowed(DESTINATION, step, { client_id: 'another', client_secret: 's' })).toBe(false);
  const request = requestOf(step, HOST, {
    values: { order: 'O1' },
    key: 'k',
    credentials: { client_id: 'mine', client_secret: 's' },
  });
  expect(request).toMatchObject({ access: { path: '/at/v1/oauth2/token', id: 'mine', secret: 's' } });
  expect(JSON.stringify('headers' in request && request.headers)).not.toContain('mine');
});

test('the table is right and is the vault’s to read; what gets a token has one form', async () => {
  expect((await loadTable('paypal')).hash).toMatch(/^[0-9a-f]{64}$/);
  const wrong = (change: object) => {
    const problems: string[] = [];
    stepsOf({ authorize: { ...STEPS.authorize, ...change } }, problems);
    return problems;
  };
  expect(wrong({})).toEqual([]);
  const { access } = STEPS.authorize;
  expect(wrong({ access: { ...access, more: 1 } })).toHaveLength(1);
  expect(wrong({ access: { ...access, path: 'v1' } })).toHaveLength(1);
  expect(wrong({ access: { ...access, path: '/{order}' } })).toHaveLength(1);
  expect(wrong({ access: { ...access, path: '/a/../b' } })).toHaveLength(1);
  expect(wrong({ access: { ...access, id: 'Client' } })).toHaveLength(1);
  expect(wrong({ access: 'yes' })).toHaveLength(1);
  expect(wrong({ headers: { authorization: 'Bearer secret.client_secret' } })).toHaveLength(1);
});
