// Names that merchants give, against a name server of our own: one that drops what it is asked costs nobody else
// anything.
import { type Socket, createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TargetRefused } from '../../src/kit/egress.ts';
import { type NamesOptions, openNames } from '../../src/kit/outside/names.ts';
import { chooseAddress, openPublicEgress } from '../../src/kit/outside/target.ts';

/** What was asked, as `name type`. */
const asked: string[] = [];
let server: Socket;
let at = '';
/** Answers the A of healthy.example and of others below it; drops what hangs; knows nothing else. */
beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${name} ${type === 1 ? 'A' : 'AAAA'}`);
    if (name.startsWith('hanging')) return;
    const known = name.endsWith('healthy.example');
    const answers = known && type === 1 ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])] : [];
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    server.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  at = `127.0.0.1:${server.address().port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked.length = 0;
});

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let i = 12;
  for (let length = query[i] ?? 0; length > 0; length = query[i] ?? 0) {
    labels.push(query.toString('latin1', i + 1, i + 1 + length).toLowerCase());
    i += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(i + 1), end: i + 5 };
}

const NO_HOSTS = join(mkdtempSync(join(tmpdir(), 'florin-names-')), 'hosts');
const names = (more: Partial<NamesOptions> = {}) =>
  openNames({ as_machine: false, servers: [at], hosts_file: NO_HOSTS, deadline_ms: 5000, ...more });

test('fifty names that hang hold up neither a healthy one nor the threads of the process', async () => {
  const find = names({ deadline_ms: 60_000 });
  let ended = 0;
  const hanging = Array.from({ length: 50 }, (_, i) => find(`hanging-${i}.example`).finally(() => ended++));
  const all = Promise.allSettled(hanging);
  await expect.poll(() => new Set(asked).size).toBe(100);
  expect(await find('healthy.example')).toEqual(['127.0.0.1']);
  // what needs a thread has one at once
  expect(await lookup('localhost')).toBeDefined();
  expect(ended).toBe(0);
  for (const one of await all)
    expect(one).toMatchObject({ reason: { message: 'the name servers do not answer in time' } });
});

test('a name that hangs is given up at the deadline', async () => {
  await expect(names({ deadline_ms: 100 })('hanging.example')).rejects.toThrow('do not answer in time');
});

test('a host name is asked for once at a time, and what was learnt is good for a moment', async () => {
  let now = 0;
  const find = names({ ticks: () => now });
  const three = await Promise.all([find('healthy.example'), find('healthy.example'), find('healthy.example')]);
  expect(three).toEqual([['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']]);
  now = 14_000;
  await find('healthy.example');
  expect(asked.toSorted()).toEqual(['healthy.example A', 'healthy.example AAAA']);
  now = 31_000;
  await find('healthy.example');
  expect(asked).toHaveLength(4);
  await expect(find('nobody.example')).rejects.toThrow('no address');
  await expect(find('nobody.example')).rejects.toThrow('no address');
  expect(asked).toHaveLength(6);
  now += 3001;
  await expect(find('nobody.example')).rejects.toThrow('no address');
  expect(asked).toHaveLength(8);
});

test('the list of the machine comes first, as in every program: localhost, and the hosts of a container', async () => {
  const hosts_file = join(mkdtempSync(join(tmpdir(), 'florin-names-')), 'hosts');
  writeFileSync(hosts_file, '127.0.0.1\tlocalhost box # of this machine\n::1 LocalHost\n10.0.0.7   shop.internal\n');
  const find = names({ hosts_file });
  expect(await find('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await find('shop.internal.')).toEqual(['10.0.0.7']);
  expect(asked).toEqual([]);
  await expect(find('machine')).rejects.toThrow('no address');
});

test('a name that DNS does not know is looked up as the machine would, where private hosts may be called, and only there', async () => {
  expect(await names({ as_machine: true })('localhost')).toContain('127.0.0.1');
  await expect(names()('localhost')).rejects.toThrow('no address');
  // what hangs there would hang here, and take a thread
  await expect(names({ as_machine: true, deadline_ms: 100 })('hanging')).rejects.toThrow('do not answer in time');
});

test('whatever is remembered is checked each time, and a call is made to the very address', async () => {
  const find = names();
  const rules = { private_targets: false, ports: [443], lookup: find };
  const origin = { protocol: 'https:', hostname: 'healthy.example', port: '' };
  for (let times = 0; times < 2; times++) await expect(chooseAddress(origin, rules)).rejects.toThrow(TargetRefused);

  const shop = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo;
  const egress = openPublicEgress({ private_targets: true, ports: [], lookup: find });
  const call = (host: string) =>
    egress.exchange({
      method: 'POST',
      origin: `http://${host}:${port}`,
      path: '/',
      headers: {},
      body: Buffer.from('{}'),
      pool: host,
      deadline_ms: 1000,
      max_answer_bytes: 4096,
    });
  const hanging = Array.from({ length: 20 }, (_, i) => call(`hanging-${i}.example`));
  expect(await call('eu.healthy.example')).toMatchObject({ kind: 'answered', status: 200 });
  expect(await Promise.all(hanging)).toEqual(Array.from({ length: 20 }, () => ({ kind: 'not_sent' })));
  await egress.destroy();
  shop.close();
});
