// Limits by address hold for a network: of IPv6 one customer has 2^64 addresses, and would have each limit as often.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test, vi } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { NO_PROXIES } from '../../src/kit/http/callers/proxies.ts';
import { Counts } from '../../src/kit/http/counts.ts';
import { KeyGate } from '../../src/kit/http/key-gate.ts';
import { LIMITS, limitConnections } from '../../src/kit/http/limits.ts';
import type { Caller } from '../../src/kit/http/route.ts';
import { openLog } from '../../src/kit/log.ts';
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
  limitConnections(server as Server, { behind_proxy: false, proxies: NO_PROXIES, exempt: new Set() });
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn<() => void>() });
    server.emit('connection', socket);
    return socket;
  };
  const open = Array.from({ length: LIMITS.connections_per_address }, (_, n) => connect(address(n + 1)));
  expect(open.filter(({ destroy }) => destroy.mock.calls.length > 0)).toEqual([]);
  const late = connect(address(1000));
  expect(late.destroy).toHaveBeenCalledTimes(1);
  for (const ip of OTHERS) expect(connect(ip).destroy).not.toHaveBeenCalled();
  for (const socket of [late, ...open.slice(0, 1)]) socket.emit('close');
  expect(connect(address(1001)).destroy).not.toHaveBeenCalled();
});
