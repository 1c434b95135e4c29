// What both senders make of a step: its path and its query, its body, and which accounts at a provider may be used at
// all.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { openLog } from '../../src/kit/log.ts';
import type { Template } from '../../src/provider/contract.ts';
import type { Destination } from '../../src/provider/send/destinations.ts';
import { type DirectCall, openDirect } from '../../src/provider/send/direct.ts';
import { NO_CARD } from '../../src/provider/send/slots.ts';
import { stepsOf } from '../../src/provider/send/table-form.ts';
import { openTransport } from '../../src/provider/send/transport.ts';
import { WIRES } from '../../src/provider/send/wire.ts';
import { newFolder } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { askedOf } from './asked.ts';
import { type Provider, pinned, signedFile, startProvider, table } from './provider.ts';

const folder = newFolder('florin-sending-');
let provider: Provider;
let w: World;
const ALLOW = { account: ['ours', sha256('of-the-hash')], api_key: [sha256('key-1')] };
beforeAll(async () => {
  provider = await startProvider();
  const { port, certificate } = provider;
  const of_keys = { provider: 'bank-with-keys', allow: ALLOW } as const;
  const base_url = `https://localhost:${port}/second`;
  w = await world(
    signedFile(folder.path, {
      bank: pinned(port, certificate),
      second: pinned(port, certificate, { base_url }),
      keys: pinned(port, certificate, of_keys),
    }),
    { table },
  );
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const heard = () => provider.heard.at(-1) ?? { url: '', headers: {}, body: '' };
const CALL = { destination: 'bank', values: {}, body: [], key: 'k-1', deadline_ms: 2000, credentials: {} } as const;
const direct = (call: Partial<DirectCall> & { readonly step: string }) => w.service.tools.direct({ ...CALL, ...call });

const NUMBER: Template = ['{"number":', { slot: 'card.number' }, '}'];

describe('a call without a card', () => {
  test('goes to the path with its values, with the pinned headers and the bytes that were written', async () => {
    const sent = await direct({ step: 'capture', values: { payment: 'p-1' }, body: ['{"amount":', '5}'] });
    expect(sent).toMatchObject({ outcome: 'answered', status: 200 });
    expect(heard()).toMatchObject({ url: '/v1/payments/p-1/captures', body: '{"amount":5}' });
    expect(heard().headers).toMatchObject({ 'idempotency-key': 'k-1', 'content-type': 'application/json' });
  });

  test('has its query encoded, and no body where the step has none', async () => {
    expect((await direct({ step: 'look', values: { reference: 'r_1' } })).outcome).toBe('answered');
    expect(heard()).toMatchObject({ url: '/v1/payments?reference=r_1', body: '' });
    expect(heard().headers).not.toHaveProperty('content-type');
  });

  test('to a host with a path before it, as two simulators behind one address have', async () => {
    await direct({ destination: 'second', step: 'look', values: { reference: 'r' } });
    expect(heard().url).toBe('/second/v1/payments?reference=r');
  });

  test.each<[string, Partial<DirectCall> & { readonly step: string }]>([
    ['a step that carries a card', { step: 'confirm', values: { payment: 'p', customer: 'c' }, body: NUMBER }],
    ['a step that there is not', { step: 'toString' }],
    ['another destination', { step: 'look', destination: 'nobody', values: { reference: 'r' } }],
    ['no value', { step: 'look' }],
    ['a value that is none', { step: 'look', values: { reference: 'a/b' } }],
    ['more values than there are holes', { step: 'look', values: { reference: 'r', host: 'evil' } }],
    ['a body where there is none', { step: 'look', values: { reference: 'r' }, body: ['x'] }],
    ['a slot that is not pinned', { step: 'capture', values: { payment: 'p' }, body: [{ slot: 'secret.api_key' }] }],
    ['a key that is none', { step: 'look', values: { reference: 'r' }, key: 'a b' }],
  ])('is refused with %s', async (_, call) => {
    const before = provider.heard.length;
    expect(await direct(call)).toEqual({ outcome: 'not_sent', reason: 'refused' });
    expect(provider.heard).toHaveLength(before);
  });

  test('is not read where it was redirected', async () => {
    provider.answer = (response) => response.writeHead(302, { location: 'https://localhost:1/' }).end('{}');
    const sent = await direct({ step: 'look', values: { reference: 'r' } });
    expect(sent).toEqual({ outcome: 'unknown', reason: 'unreadable' });
    provider.answer = (response) => response.end('{}');
  });
});

describe('an account at the provider', () => {
  const BODY: Template = ['{"amount":5,"account":', { slot: 'secret.account?' }, '}'];
  const capture = (credentials: Readonly<Record<string, string>>) =>
    direct({ destination: 'keys', step: 'capture', body: BODY, credentials });

  test.each(['ours', 'of-the-hash'])('that the operator allows is used: %s', async (account) => {
    expect((await capture({ api_key: 'key-1', account })).outcome).toBe('answered');
    expect(heard().headers).toMatchObject({ authorization: 'Bearer key-1', 'x-account': account });
    expect(JSON.parse(heard().body)).toEqual({ amount: 5, account });
  });

  test.each([
    { api_key: 'key-1', account: 'theirs' },
    { api_key: 'key-2', account: 'ours' },
    { api_key: sha256('key-1'), account: 'Ours' },
    { api_key: 'key-1' },
    { account: 'ours' },
  ])('that the operator does not allow is not: %j', async (credentials) => {
    const before = provider.heard.length;
    expect(await capture(credentials)).toEqual({ outcome: 'not_sent', reason: 'credentials' });
    expect(provider.heard).toHaveLength(before);
  });

  test('is looked at by the vault, too: nothing is spent, and the token pays at the right one', async () => {
    const { tools } = w.service;
    const merchant_account_id = w.account;
    const contract = async (account: string) => {
      const of = { contract_id: tools.chance.id(), merchant_account_id, destination: 'keys' };
      await tools.vault.keepCredentials({ ...of, values: { api_key: 'key-1', account } });
      return of.contract_id;
    };
    const body: Template = [
      '{"card":{"number":',
      { slot: 'card.number' },
      ',"expiry_month":',
      { slot: 'card.expiry_month' },
      ',"expiry_year":',
      { slot: 'card.expiry_year' },
      '}}',
    ];
    const token = await w.shop.token();
    const send = (contract_id: string) =>
      tools.vault.forward(askedOf(w, token, { destination: 'keys', step: 'authorize', contract_id, body }));
    const [theirs, ours] = [await contract('theirs'), await contract('ours')];
    const before = provider.heard.length;
    for (let tries = 0; tries < 2; tries++)
      expect(await send(theirs)).toEqual({ outcome: 'not_sent', reason: 'credentials' });
    expect(provider.heard).toHaveLength(before);
    expect((await send(ours)).outcome).toBe('answered');
  });
});

test('values stand in the path and the query of a step with a card, too', async () => {
  const forward = askedOf(w, await w.shop.token(), { destination: 'bank', step: 'confirm' });
  const values = { payment: 'pi_1', customer: 'cus_1' };
  expect((await w.service.tools.vault.forward({ ...forward, values, body: NUMBER })).outcome).toBe('answered');
  expect(heard().url).toBe('/v1/payments/pi_1/confirm?expand=charge%2Crefunds&of=cus_1');
});

test('a step without a card is not sent by the vault: nothing is spent', async () => {
  const token = await w.shop.token();
  const forward = askedOf(w, token, { destination: 'bank', step: 'capture', values: { payment: 'p' }, body: ['{}'] });
  const before = provider.heard.length;
  expect(await w.service.tools.vault.forward(forward)).toEqual({ outcome: 'not_sent', reason: 'refused' });
  expect(provider.heard).toHaveLength(before);
  const confirm = { destination: 'bank', step: 'confirm', values: { payment: 'p', customer: 'c' }, body: NUMBER };
  expect((await w.service.tools.vault.forward(askedOf(w, token, confirm))).outcome).toBe('answered');
});

describe('an optional slot with nothing to say', () => {
  const A = { slot: 'secret.a?' };
  const B = { slot: 'secret.b?' };
  const written = (body: readonly (string | { slot: string })[], credentials: Readonly<Record<string, string>>) =>
    WIRES['application/json'].write(body, { ...NO_CARD, credentials }).toString();

  test.each<[readonly (string | { slot: string })[], object, string]>([
    [['{"x":1,"a":', A, '}'], {}, '{"x":1}'],
    [['{"a":', A, ',"x":1}'], {}, '{"x":1}'],
    [['{"a":', A, '}'], {}, '{}'],
    [['{"a":', A, ',"b":', B, '}'], {}, '{}'],
    [['{"a":', A, ',"b":', B, ',"x":1}'], {}, '{"x":1}'],
    [['{"a":', A, ',"b":', B, '}'], { b: 'B' }, '{"b":"B"}'],
    [['{"a":', A, ',"b":', B, '}'], { a: 'A' }, '{"a":"A"}'],
    [['{"a" : ', A, ' , "b": ', B, ' , "x":1}'], {}, '{ "x":1}'],
    [['{"y":{"a":', A, '},"x":1}'], {}, '{"y":{},"x":1}'],
    [['{"y":{"a":', A, '', '},"b":', B, '}'], {}, '{"y":{}}'],
    [['{"n":"q\\"u","a\\"b":', A, ',"x":"\\\\"}'], {}, '{"n":"q\\"u","x":"\\\\"}'],
    [['{"l":[', A, ',', B, ']}'], { b: 'B' }, '{"l":[null,"B"]}'],
  ])('takes its member with it: %j with %j is %s', (body, credentials, text) => {
    expect(WIRES['application/json'].read(body)).toHaveLength(body.filter((part) => typeof part !== 'string').length);
    expect(written(body, credentials as Readonly<Record<string, string>>)).toBe(text);
    expect(() => void JSON.parse(text)).not.toThrow();
  });
});

describe('a table of steps', () => {
  const STEP = {
    host: 'api',
    method: 'POST',
    path: '/v1/payments',
    headers: {},
    content_type: 'application/json',
    slots: { '/number': 'card.number' },
    references: [],
    effect: 'money',
    again: 'never',
  };
  const problemsOf = (change: object) => {
    const problems: string[] = [];
    stepsOf({ pay: { ...STEP, ...change } }, problems);
    return problems.join('\n');
  };

  test('has the same hash whatever the order of its members, and another for another name', async () => {
    const [one, again] = [await table('bank'), await table('bank')];
    expect(one.hash).toBe(again.hash);
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await table('bank-with-keys')).hash).not.toBe(one.hash);
  });

  test.each<[object, string]>([
    [{}, ''],
    [{ path: '/v1/{payment}/x', query: { a: '{b}', c: 'd' } }, ''],
    [{ method: 'PUT' }, 'method must be'],
    [{ path: '/a?b=c' }, 'path must be'],
    [{ path: '/a/../b' }, 'path must be'],
    [{ path: 'https://evil.example/' }, 'path must be'],
    [{ query: { a: 'x{b}' } }, 'query must hold'],
    [{ headers: { host: 'elsewhere.example' } }, 'host may not be set'],
    [{ headers: { 'X-Upper': 'a' } }, 'X-Upper may not be set'],
    [{ headers: { authorization: 'Bearer: secret.api_key' } }, 'must be secret.NAME'],
    [{ headers: { authorization: 'secret.API' } }, 'must be secret.NAME'],
    [{ headers: { authorization: 'Bearer secret.a secret.b' } }, 'must be secret.NAME'],
    [{ slots: { '/a': 'Bearer secret.a' } }, 'or secret.NAME'],
    [{ slots: { '/a': 'card.number', '/b': 'card.number' } }, 'names a slot at two places'],
    [{ slots: { '/a': 'card.pan' } }, '/a must be one of'],
    [{ content_type: 'text/xml' }, 'content_type is none'],
    [{ content_type: null }, 'has no slots'],
    [{ method: 'GET' }, 'a GET has no body'],
    [{ references: 'id' }, 'references must be a list'],
    [{ effect: 'all' }, 'effect must be'],
    [{ again: 'often' }, 'again must be'],
    [{ host: 'a b' }, 'host must be'],
    [{ route: 'x' }, 'has no member route'],
    [{ line: 'iso8583' }, 'has no member method'],
  ])('%j: %s', (change, says) => {
    if (says === '') expect(problemsOf(change)).toBe('');
    else expect(problemsOf(change)).toContain(says);
  });
});

test('a step over a line does not go to a host of HTTPS: nothing is sent', async () => {
  const { steps, ...bank } = await table('bank');
  const line = { host: 'api', slots: {}, references: [], effect: 'none', again: 'freely', line: 'iso8583' } as const;
  const destination: Destination = {
    table: { ...bank, steps: { ...steps, echo: line } },
    hosts: { api: { origin: 'http://127.0.0.1:1', prefix: '', tls: null } },
    reach: 'loopback',
    allow: new Map(),
    deadline_ms: 1000,
    max_body: 100,
    max_answer: 100,
  };
  const destinations = new Map([['bank', destination]]);
  const transport = openTransport(destinations, { clock: systemClock(), log: openLog('silent') });
  const send = openDirect({ destinations, transport, log: openLog('silent') });
  expect(await send({ ...CALL, step: 'echo' })).toEqual({ outcome: 'not_sent', reason: 'refused' });
  await transport.close();
});
