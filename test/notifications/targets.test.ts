// No notification reaches a host that is not public: hostile addresses against real listeners on this machine, and
// names whose addresses change between the check and the connection.
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { isPublicAddress } from '../../src/kit/outside/addresses.ts';
import { TargetRefused, openEgress } from '../../src/kit/egress.ts';
import { type TargetRules, chooseAddress, openPublicEgress, problemOfTarget } from '../../src/kit/outside/target.ts';

const servers: Server[] = [];
let reached = 0;
let port = 0;

beforeAll(async () => {
  // on every address of this machine, the loopback ones and those of its network
  for (const host of ['0.0.0.0', '::']) {
    const server = createServer((socket) => {
      reached++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.once('error', () => resolve());
      server.listen({ port, host, ipv6Only: true }, resolve);
    });
    const address = server.address() as AddressInfo | null;
    if (address) port = address.port;
    servers.push(server);
  }
});

afterAll(() => {
  for (const server of servers) server.close();
});

const ADDRESSES = [
  '127.0.0.1 127.1 127.0.1 127.255.255.254 0 0.0.0.0 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 2130706433',
  '017700000001 0177.0.0.1 0177.0.0x1 127.0.0.1. １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 0x7F000001 127.0x1 0x0',
  'localhost LOCALHOST localhost. foo.localhost ip6-localhost printer.local db.internal router.lan',
  '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1 192.168.255.254 3232235777 0xc0a80001',
  '100.64.0.1 100.127.255.254 169.254.169.254 2852039166 0xa9fea9fe 169.254.0.1 192.0.0.1 192.0.2.1',
  '192.88.99.1 198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1',
  '255.255.255.255 0.1.2.3 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]',
  '[::127.0.0.1] [::ffff:0:127.0.0.1] [0:0:0:0:0:ffff:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]',
  '[64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [2001::1] [2001:db8::1]',
  '[2001:10::1] [3fff::1] [fe80::1] [febf::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fec0::1] [ff02::1]',
  '[100::1] [5f00::1] [4000::1]',
].flatMap((line) => line.split(' '));

const USERS = ['', 'a@', 'a:b@'];
const MORE = [
  'http://1.1.1.1:443/',
  'ftp://1.1.1.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'https://1.1.1.1:22/',
  'https://1.1.1.1:80/',
  'https://1.1.1.1:65535/',
  'https://1.1.1.1@127.0.0.1/',
  'https://127.0.0.1#@1.1.1.1/',
  'https://127.0.0.1\\@1.1.1.1/',
  'https:127.0.0.1/',
  'https:///127.0.0.1/',
  'https://intranet/',
  'https://metadata.google.internal/',
];

function hostile(): readonly string[] {
  const own = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  return [...ADDRESSES, ...own].flatMap((host) => USERS.map((user) => `https://${user}${host}:${port}/`)).concat(MORE);
}

const rules = (addresses: () => readonly string[]): TargetRules => ({
  private_targets: false,
  // the listeners' own port: what keeps us from them is their address alone
  ports: [443, port],
  lookup: async () => addresses(),
});

const call = (url: URL) =>
  ({
    method: 'POST',
    origin: url.origin,
    path: '/',
    headers: {},
    body: Buffer.from('{}'),
    deadline_ms: 60_000,
    max_answer_bytes: 4096,
  }) as const;

describe('hostile addresses', () => {
  test('there are two hundred of them and more, and without our rules the listeners would be reached', async () => {
    expect(hostile().length).toBeGreaterThan(200);
    const careless = openEgress();
    await careless.exchange(call(new URL(`https://0x7f000001:${port}`)));
    await careless.close();
    expect(reached).toBe(1);
    reached = 0;
  });

  test('none reaches a listener, and none passes as the address of an endpoint', async () => {
    // a name that the check of the written form lets pass leads to this machine
    const egress = openPublicEgress(rules(() => ['127.0.0.1']));
    const passed: string[] = [];
    for (const text of hostile()) {
      if (
        problemOfTarget(
          text,
          rules(() => []),
        ) === undefined
      )
        passed.push(text);
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol)) continue;
      const exchange = await egress.exchange(call(url));
      expect(exchange, text).toEqual({ kind: 'not_sent', refused: true });
    }
    await egress.close();
    expect(passed).toEqual([]);
    expect(reached).toBe(0);
  });

  test.each([
    ['one of several is private', ['1.1.1.1', '10.0.0.7']],
    ['an address that carries a private one', ['::ffff:10.0.0.7']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a zone', ['fe80::1%lo']],
  ])('a name is refused when %s', async (_, addresses) => {
    const origin = { protocol: 'https:', hostname: 'shop.example', port: '' };
    await expect(
      chooseAddress(
        origin,
        rules(() => addresses),
      ),
    ).rejects.toThrow(TargetRefused);
  });

  test('a name that changes after the check is connected to where it was checked, and not resolved again', async () => {
    const answers = [['192.0.66.1'], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const egress = openPublicEgress(rules(() => answers[asked++] ?? ['127.0.0.1']));
    const exchange = await egress.exchange(call(new URL(`https://shop.example:${port}`)));
    await egress.destroy();
    expect(exchange.kind).toBe('not_sent');
    expect(asked).toBe(1);
    expect(reached).toBe(0);
  });

  test('the peer is looked at once more when the connection is there', async () => {
    const egress = openEgress({
      choose: async () => '127.0.0.1',
      checkPeer: (address) => {
        if (!isPublicAddress(address ?? '')) throw new TargetRefused('not public');
      },
    });
    const exchange = await egress.exchange(call(new URL(`http://shop.example:${port}`)));
    await egress.close();
    expect(exchange).toEqual({ kind: 'not_sent', refused: true });
    reached = 0;
  });
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '192.0.66.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['a sandbox on loopback', {}, true],
  ['one that is known under another address', { FLORIN_BASE_URL: 'https://api.shop.example' }, false],
  ['one behind a proxy', { FLORIN_BEHIND_PROXY: 'yes' }, false],
  ['one that others can reach', { FLORIN_HOST: '0.0.0.0' }, false],
  ['one that says no', { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'no' }, false],
  [
    'one behind a proxy that says yes',
    { FLORIN_BEHIND_PROXY: 'yes', FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' },
    true,
  ],
])('private hosts and %s', (_, settings: Record<string, string>, allowed) => {
  expect(readConfig(settings).notification_private_targets).toBe(allowed);
});

test('production refuses private hosts', () => {
  const settings = { FLORIN_ENVIRONMENT: 'production', FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' };
  expect(() => readConfig(settings)).toThrow('FLORIN_NOTIFICATION_PRIVATE_TARGETS=yes is refused in production');
});

test('a sandbox may be allowed to call private hosts, over http and at any port', () => {
  const allowed = { private_targets: true, ports: [443, 8443] };
  expect(problemOfTarget('http://127.0.0.1:8095/hook', allowed)).toBeUndefined();
  expect(problemOfTarget('http://a:b@127.0.0.1:8095/hook', allowed)).toBeDefined();
  expect(
    problemOfTarget('https://shop.example:8443/hook?shop=1', { ...allowed, private_targets: false }),
  ).toBeUndefined();
});
