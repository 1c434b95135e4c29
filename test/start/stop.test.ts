// Shutdown: what is under way is answered, everything that was started is gone, the exit code says so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HANGS_MS, type Reply, send, textAt, until } from '../client.ts';
import { type Florin, ROOT, freePorts, newFolder, runFlorin, startFlorin } from './child.ts';
import { gone, kill, partsOf, treeOf, workingOn } from './processes.ts';

const folder = newFolder();
afterAll(() => folder[Symbol.dispose]());

/** A terminal's Ctrl-C: every process of the command gets the signal. */
const everybody = (pid: number) => -pid;
const service_only = (pid: number) => pid;

test.each([
  ['SIGTERM', 'to the service', service_only],
  ['SIGINT', 'to the service', service_only],
  ['SIGINT', 'to everybody, as a terminal sends it,', everybody],
] as const)('%s %s stops everything without a word of trouble and ends with 0', async (signal, _, whom) => {
  await using florin = await startFlorin(folder.path);
  const tree = florin.tree();
  expect(tree.length).toBeGreaterThan(3);
  // what a machine that does much else had to say before is not about the stop
  const { length: before } = florin.err();
  const { code, seconds } = await florin.stop(signal, whom(florin.pid));
  expect([code, florin.err().slice(before)]).toEqual([0, '']);
  expect(seconds * 1000).toBeLessThan(HANGS_MS);
  await gone(tree);
  expect(workingOn(folder.path)).toEqual([]);
});

test('a signal to npm alone, which hands it to a shell that ends without a word, stops the service', async () => {
  using other = newFolder();
  // as npm start does it; what stands behind the command keeps the shell there
  const line = `"${process.execPath}" "${join(ROOT, 'bin/florin.mjs')}" start; exit $?`;
  const env = { PATH: process.env['PATH'], ...(await freePorts()), npm_lifecycle_event: 'start' };
  const shell = spawn('/bin/sh', ['-c', line], { cwd: other.path, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await until(() => out.includes('npm run demo') || undefined);
  const tree = treeOf(shell.pid ?? 0);
  shell.kill('SIGTERM');
  await gone(tree).finally(() => kill(tree, 'SIGKILL'));
  expect(out).toMatch(/ stopped\n$/);
  expect(workingOn(other.path)).toEqual([]);
});

test.each([
  ['at once', () => true],
  ['while the database is made or started', (pid: number) => treeOf(pid).length > 2],
] as const)('a stop that comes during the start, %s, is obeyed', async (_, there) => {
  using other = newFolder();
  const run = runFlorin({ cwd: other.path, settings: await freePorts() });
  const pid = run.child.pid ?? 0;
  await until(() => (run.out().includes(' sandbox, ') && there(pid)) || undefined);
  const tree = treeOf(pid);
  run.child.kill('SIGTERM');
  const stuck = setTimeout(() => run.child.kill('SIGKILL'), 100_000);
  const { code, signal } = await run.ended;
  clearTimeout(stuck);
  expect([code, signal]).toEqual([0, null]);
  await gone(tree);
  expect(workingOn(other.path)).toEqual([]);
});

describe('while an order waits for its provider', () => {
  let florin: Florin;
  beforeEach(async () => {
    florin = await startFlorin(folder.path);
  });
  afterEach(() => florin[Symbol.asyncDispose]());

  test.each([
    ['SIGTERM', service_only],
    ['SIGINT', everybody],
  ] as const)('%s lets it be answered with its outcome', async (signal, whom) => {
    const tree = florin.tree();
    const { simulator } = partsOf(tree);
    kill([simulator], 'SIGSTOP');
    const { first, repeat } = await waitingOrder(florin, `waits-${signal}`);
    process.kill(whom(florin.pid), signal);
    await until(() => florin.out().includes('stopping') || undefined);
    await until(() => isRefused(florin.backoffice_url));
    kill([simulator], 'SIGCONT');
    expect([(await first).code, await repeat]).toEqual(['944444', expect.stringContaining('"code":"944444"')]);
    expect(await florin.ended).toEqual({ code: 0, signal: null });
    await gone(tree);
    await using next = await startFlorin(folder.path);
    expect((await next.shop.read(textAt(await first, 'order_id'))).code).toBe('944444');
  });
});

type Waiting = { readonly first: Promise<Reply>; readonly repeat: Promise<string> };

/** Begins an order that waits for its outcome as long as it may, and a repeat of it; comes back when both are there. */
async function waitingOrder({ shop }: Florin, order_merchant_id: string): Promise<Waiting> {
  const money = { operation_type: 'authorize', amount: '42.50', currency: 'EUR' };
  const order = { ...money, token: await shop.token(), order_merchant_id };
  const headers = { 'idempotency-key': order_merchant_id, prefer: 'wait=10' };
  const first = shop.order(order, headers);
  const isThere = async () => {
    const found = await shop.api(`/payment/order?order_merchant_id=${order_merchant_id}`);
    return found.at('orders.0') === undefined ? undefined : true;
  };
  await until(isThere);
  const key = { 'x-api-key': shop.keys.private_key, 'content-type': 'application/json' };
  const again = request(`${shop.addresses.base_url}/payment/order`, {
    method: 'POST',
    headers: { ...headers, ...key },
  });
  const answered = once(again, 'response');
  again.end(JSON.stringify(order));
  await once(again, 'finish');
  // what came on another connection before this is in the service's hands
  await until(isThere);
  return { first, repeat: answered.then(([response]) => textOf(response)) };
}

function isRefused(url: string): Promise<true | undefined> {
  return send(`${url}/health`, {}).then(
    () => undefined,
    () => true,
  );
}
