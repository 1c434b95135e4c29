// The pages of the simulated bank for payers elsewhere: a listener of their own, so that a proxy before it shows
// nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatorProcess, runSimulator } from '../../src/hosts/simulator-process.ts';
import { openLog } from '../../src/kit/log.ts';
import { askingOf, base64Url, creqOf } from './three-ds/asking.ts';

const PUBLIC = 'https://bank.shop.example';
const data_dir = mkdtempSync(join(tmpdir(), 'florin-pages-'));
let bank: SimulatorProcess;
beforeAll(async () => {
  const sleep = async () => undefined;
  const pages = { host: '127.0.0.1', port: 0 };
  bank = await runSimulator({ data_dir, log: openLog('silent'), public_url: PUBLIC, pages, sleep });
});
afterAll(async () => {
  await bank.close();
  rmSync(data_dir, { recursive: true, force: true });
});
const pages = () => `http://127.0.0.1:${bank.pages_port}`;
const { asks } = askingOf(() => bank.url);

test('a payer finds the challenge there, at the address the bank tells', async () => {
  const ares = await asks({ number: '4000002760003184' });
  expect(ares['acsURL']).toBe(`${PUBLIC}/acs/challenge`);
  const creq = base64Url(creqOf(ares));
  const sent = { method: 'POST', body: new URLSearchParams({ creq }), redirect: 'manual' } as const;
  const opened = await fetch(`${pages()}/acs/challenge`, sent);
  expect(opened.status).toBe(303);
  const page = await fetch(pages() + opened.headers.get('location'));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('name="code"')]);
});

test.each([
  ['GET', '/books'],
  ['GET', '/books/newest'],
  ['GET', '/cards'],
  ['GET', '/health'],
  ['GET', '/clock'],
  ['POST', '/clock'],
  ['GET', '/control'],
  ['POST', '/control'],
  ['GET', '/scenarios'],
  ['POST', '/scenarios'],
  ['POST', '/scenarios/clear'],
  ['POST', '/reset'],
  ['POST', '/three_ds/preauth'],
  ['POST', '/three_ds/authenticate'],
  ['GET', '/three_ds/results/0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d'],
  ['GET', '/simulator/payments?reference=x'],
  ['POST', '/simulator_b/payments'],
  ['GET', '//acs/challenge'],
  ['GET', '/acs'],
  ['GET', '/'],
])('%s %s is not there', async (method, path) => {
  const body = method === 'POST' ? { body: '{}' } : {};
  expect((await fetch(pages() + path, { method, ...body })).status).toBe(404);
});

test.each(['/acs/../books', '/acs/%2e%2e/books', '/acs//books', 'http://127.0.0.1/books', '*'])(
  '%s, as no browser would write it, leads nowhere',
  async (target) => {
    const socket = connect(Number(bank.pages_port), '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[04] /);
  },
);

test('a request to the bank’s pages that is too large is refused and not read on', async () => {
  const body = 'x'.repeat(65 * 1024);
  const answer = await fetch(`${pages()}/acs/challenge`, { method: 'POST', body });
  expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
  const headers = { 'x-long': 'x'.repeat(9000) };
  expect((await fetch(`${pages()}/acs/challenge`, { headers })).status).toBe(431);
});

test('the pages wait for no client that begins a request and never ends it', async () => {
  const socket = connect(Number(bank.pages_port), '127.0.0.1');
  socket.write('POST /acs/challenge HTTP/1.1\r\nhost: x\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a bank without an address for payers elsewhere opens no second port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-pages-'));
  const pages_at = { host: '127.0.0.1', port: 0 };
  const sleep = async () => undefined;
  const plain = await runSimulator({
    data_dir: folder,
    log: openLog('silent'),
    public_url: '',
    pages: pages_at,
    sleep,
  });
  expect(plain.pages_port).toBeNull();
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});
