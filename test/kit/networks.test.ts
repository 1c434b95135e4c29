// Limits by address hold for a network: of IPv6 one customer has 2^64 addresses, and would have each limit as often.
import { EventEmitter, once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type Socket, connect as connectTo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { NO_PROXIES } from '../../src/kit/http/callers/proxies.ts';
import { Counts } from '../../src/kit/http/counts.ts';
import { KeyGate } from '../../src/kit/http/key-gate.ts';
import { type Closed, LIMITS, limitConnections, tellClosed } from '../../src/kit/http/limits.ts';
import type { Caller } from '../../src/kit/http/route.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { openLog } from '../../src/kit/log.ts';
import { exposition } from '../../src/kit/metrics/registry.ts';
import { tokenLimit } from '../../src/vault/tokenize.ts';

const clock = systemClock();
const newCounts = () => new Counts({ clock, chance: systemChance(clock), log: openLog('silent') });
const address = (n: number) => `2001:db8:1:2:${n.toString(16)}::${n.toString(16)}`;
const OTHERS = ['2001:db8:1:3::1', '203.0.113.7'];

test('wrong keys are counted by network', async () => {
  const limits = { requests_per_second: 10, requests_running: 10, failed_keys_per_minute: 3 };
  const gate = new KeyGate<Caller>({ limits, counts: newCounts(), clock, identify: async () => undefined });
  const enter = (ip: string) => gate.enter({ key: 'wrong', ip, origin: undefined }, { key: 'private', scope: 'read' });
  for (const n of [1, 2, 3]) await expect(enter(address(n))).rejects.toMatchObject({ refusal: 'key_invalid' });
  await expect(enter(address(4))).rejects.toMatchObject({ refusal: 'rate_limited' });
  for (const ip of OTHERS) await expect(enter(ip)).rejects.toMatchObject({ refusal: 'key_invalid' });
});

test('tokens of a public key are counted by network', () => {
  const limit = tokenLimit({ counts: newCounts(), tokens_per_minute: 3, server_ips: new Set() });
  const check = (ip: string) => limit({ kind: 'public', key_digest: 'aa' }, ip);
  for (const n of [1, 2, 3]) check(address(n));
  expect(() => check(address(4))).toThrow(expect.objectContaining({ refusal: 'rate_limited' }));
  for (const ip of OTHERS) check(ip);
});

test('connections are counted by network', () => {
  const server = new EventEmitter();
  const told = vi.fn<Closed>();
  limitConnections(server as Server, { behind_proxy: false, proxies: NO_PROXIES, exempt: new Set() }, told);
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn<() => void>() });
    server.emit('connection', socket);
    return socket;
  };
  const open = Array.from({ length: LIMITS.connections_per_address }, (_, n) => connect(address(n + 1)));
  expect(open.filter(({ destroy }) => destroy.mock.calls.length > 0)).toEqual([]);
  const late = connect(address(1000));
  expect(late.destroy).toHaveBeenCalledTimes(1);
  expect(told.mock.calls).toEqual([['address']]);
  for (const ip of OTHERS) expect(connect(ip).destroy).not.toHaveBeenCalled();
  for (const socket of [late, ...open.slice(0, 1)]) socket.emit('close');
  expect(connect(address(1001)).destroy).not.toHaveBeenCalled();
});

test('a host that has all its connections says that it closes more, once a minute', async () => {
  const server = createServer();
  const said: object[] = [];
  const log = { ...openLog('silent'), warn: (fields: object) => void said.push(fields) };
  let now = 0;
  const tools = { name: 'a host', clock: { ticks: () => now }, log };
  limitConnections(server, { behind_proxy: false, proxies: NO_PROXIES, exempt: new Set() }, tellClosed(tools));
  expect(server.maxConnections).toBe(LIMITS.connections);
  server.maxConnections = 1;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const held = connectTo(port, '127.0.0.1');
  await once(server, 'connection');
  const closed = async () => {
    const socket = connectTo(port, '127.0.0.1').resume();
    await once(socket, 'close');
  };
  await closed();
  await closed();
  expect(said).toEqual([{ host: 'a host', error: `the host has ${LIMITS.connections} already, and takes no more` }]);
  now += 60_000;
  await closed();
  expect(said).toHaveLength(2);
  expect(await exposition()).toContain('florin_connections_closed_total{host="a host",limit="all"} 3\n');
  held.destroy();
  server.close();
});

test('a caller that takes nothing of its answer is closed, and it is said; one that asks nothing is only closed', async () => {
  const server = createServer((_, response) => response.end(Buffer.alloc(50_000_000)));
  const told = vi.fn<Closed>();
  limitConnections(server, { behind_proxy: false, proxies: NO_PROXIES, exempt: new Set() }, told);
  server.timeout = 100;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const ended = async (ask: string) => {
    const accepted = once(server, 'connection');
    const caller = connectTo(port, '127.0.0.1').pause();
    caller.on('error', () => undefined).write(ask);
    const [socket] = (await accepted) as [Socket];
    await once(socket, 'close');
    caller.destroy();
  };
  await ended('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  expect(told.mock.calls).toEqual([['stalled']]);
  await ended('\r\n');
  expect(told).toHaveBeenCalledTimes(1);
  server.close();
});
