// A host answers to the names it is known by and to no others: a page of somebody else, whose name leads to this
// machine, is told nothing (DNS rebinding). Health and readiness are for probes, which know a machine by any name.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownPort } from '../ports.ts';
import { until } from '../client.ts';
import { readConfig } from '../../src/settings/config.ts';
import { isOwnName } from '../../src/kit/http/callers/names.ts';
import { type World, world } from '../world.ts';

let w: World;
const PORTS = { 'payment API': 0, vault: 0, 'back office': 0 };
beforeAll(async () => {
  // the hosts are told other addresses than those they listen at, so their ports are chosen here
  for (const host of HOSTS) PORTS[host] = await ownPort();
  w = await world({
    FLORIN_API_PORT: String(PORTS['payment API']),
    FLORIN_VAULT_PORT: String(PORTS.vault),
    FLORIN_BACKOFFICE_PORT: String(PORTS['back office']),
    FLORIN_BASE_URL: 'https://API.shop.example',
    FLORIN_VAULT_URL: 'https://pay.shop.example:8443',
    FLORIN_BACKOFFICE_URL: 'https://office.shop.example',
    FLORIN_HOST_NAMES: 'florin.internal, 192.0.2.7',
  });
});
afterAll(() => w[Symbol.asyncDispose]());

const HOSTS = ['payment API', 'vault', 'back office'] as const;
const PATHS = {
  'payment API': '/openapi.json',
  vault: '/javascript/x.x/florin-client.js',
  'back office': '/',
} as const;

/** Where the host listens, whatever it is called. */
function portOf(host: (typeof HOSTS)[number]): number {
  return PORTS[host];
}

function ask(
  port: number,
  { path, headers, method = 'GET' }: { path: string; headers: readonly string[]; method?: string },
) {
  return new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.on('error', () => socket.destroy()).on('close', () => resolve(text));
    socket.write([`${method} ${path} HTTP/1.1`, ...headers, 'connection: close', '', ''].join('\r\n'));
  });
}

const statusOf = (text: string) => Number(text.slice(9, 12));

describe.each(HOSTS)('the %s', (host) => {
  test.each(
    [
      '127.0.0.1 127.0.0.1:8080 localhost localhost:1 LOCALHOST localhost. shop.localhost:99 [::1]:8080',
      'api.shop.example pay.shop.example:443 Office.Shop.Example florin.internal:8080 192.0.2.7',
    ].flatMap((line) => line.split(' ')),
  )('answers to %s', async (name) => {
    const text = await ask(portOf(host), { path: PATHS[host], headers: [`host: ${name}`] });
    expect(statusOf(text)).toBe(200);
  });

  test.each([
    'evil.test',
    'evil.test:8082',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'shop.example',
    'x.api.shop.example',
    '169.254.169.254',
    '192.0.2.8',
    '[::2]',
    'a@127.0.0.1',
    '127.0.0.1/x',
    '',
    '127.0.0.1:80:80',
    'localhost evil.test',
  ])('answers nothing to the name "%s", and says what would help', async (name) => {
    for (const path of [PATHS[host], '/nothing', '/token']) {
      const text = await ask(portOf(host), { path, headers: [`host: ${name}`] });
      expect(statusOf(text)).toBe(400);
      const body: unknown = JSON.parse(text.split('\r\n\r\n')[1] ?? '');
      expect(body).toMatchObject({
        status: 400,
        detail: expect.stringContaining('FLORIN_HOST_NAMES'),
        result: { code: '111012' },
        errors: [{ field: 'Host', code: '111012' }],
      });
      expect(JSON.stringify(body)).not.toContain('evil');
    }
  });

  test('says what is missing where no name is given', async () => {
    const text = await ask(portOf(host), { path: PATHS[host], headers: [] });
    expect([statusOf(text), text]).toEqual([400, expect.stringContaining('"errors":[{"field":"Host","code":"111012"')]);
    expect(text).toContain('content-type: application/problem+json');
  });

  test('is asked under one name', async () => {
    const headers = ['host: 127.0.0.1', 'Host: evil.test'];
    expect(statusOf(await ask(portOf(host), { path: PATHS[host], headers }))).toBe(400);
  });

  test('takes no name from what a caller says of a proxy', async () => {
    const headers = ['host: evil.test', 'x-forwarded-host: 127.0.0.1', 'forwarded: host=127.0.0.1'];
    expect(statusOf(await ask(portOf(host), { path: PATHS[host], headers }))).toBe(400);
  });

  test.each(['/health', '/ready'])('tells probes under any name: %s', async (path) => {
    // a machine that is busy is not ready for a moment
    const text = await until(async () => {
      const answer = await ask(portOf(host), { path, headers: ['host: 10.1.2.3:80'] });
      return statusOf(answer) === 200 ? answer : undefined;
    });
    expect(text).toMatch(/"status":"(?:up|ready)"/);
    expect(statusOf(await ask(portOf(host), { path: `${path}/../nothing`, headers: ['host: 10.1.2.3'] }))).toBe(400);
  });
});

test('nobody signs in to the back office through a name that is not its own', async () => {
  const headers = ['host: evil.test', 'origin: http://evil.test', 'content-length: 0'];
  const text = await ask(portOf('back office'), { path: '/api/session', headers, method: 'POST' });
  expect([statusOf(text), text]).toEqual([400, expect.stringContaining('Host')]);
});

test('outside of a sandbox loopback has no names but the address that was called', () => {
  const names = { loopback: false, allowed: new Set(['florin.internal']) };
  const known = (host: string, local_address: string) =>
    isOwnName({ host, local_address, urls: ['https://a.example'] }, names);
  expect(known('localhost', '127.0.0.1')).toBe(false);
  expect(known('127.0.0.1:8080', '127.0.0.1')).toBe(true);
  expect(known('127.0.0.1:8080', '10.0.0.5')).toBe(false);
  expect(known('10.0.0.5', '::ffff:10.0.0.5')).toBe(true);
  expect(known('[2001:DB8:0:0::5]:80', '2001:db8::5')).toBe(true);
  expect(known('florin.internal.', '10.0.0.5')).toBe(true);
  expect(known('a.example:1', '10.0.0.5')).toBe(true);
});

test.each(['a b', 'http://a.example', 'a.example:80', '*.a.example', 'a,', '-a'])(
  'FLORIN_HOST_NAMES is not "%s"',
  (names) => {
    expect(() => readConfig({ FLORIN_HOST_NAMES: names })).toThrow(/FLORIN_HOST_NAMES must be names/);
  },
);
