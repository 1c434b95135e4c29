// Shutdown: what is under way is answered, everything that was started is gone, the exit code says so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HANGS_MS, send, textAt, until } from '../client.ts';
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
    const { shop } = florin;
    const key = `waits-${signal}`;
    const order = { ...MONEY, token: await shop.token(), order_merchant_id: key };
    const accepted = async () => {
      const found = await shop.api(`/payment/order?order_merchant_id=${key}`);
      return found.at('orders.0') === undefined ? undefined : true;
    };
    const answers = await whileItStops([signal, whom], { key, path: '/payment/order', body: order, accepted });
    expect(answers.map(({ code }) => code)).toEqual(['944444', '944444']);
    await using next = await startFlorin(folder.path);
    expect((await next.shop.read(answers[0]?.order_id ?? '')).code).toBe('944444');
  });

  test('SIGTERM lets a capture be answered with its outcome', async () => {
    const { shop } = florin;
    const order = { ...MONEY, token: await shop.token(), order_merchant_id: 'captured' };
    const order_id = textAt(await shop.order(order, { prefer: 'wait=10' }), 'order_id');
    const accepted = async () => (await shop.read(order_id)).at('status') === 'capture_requested' || undefined;
    const path = `/payment/maintenance/capture/${order_id}`;
    const answers = await whileItStops(['SIGTERM', service_only], { key: 'captured', path, body: {}, accepted });
    expect(answers.map(({ code }) => code)).toEqual(['955555', '955555']);
  });

  /** Stops the service while a request and its repeat wait for the provider, which then goes on; both answers. */
  async function whileItStops([signal, whom]: readonly [NodeJS.Signals, (pid: number) => number], wish: Wish) {
    const tree = florin.tree();
    const { simulator } = partsOf(tree);
    kill([simulator], 'SIGSTOP');
    const first = await begin(wish);
    await until(wish.accepted);
    const repeat = await begin(wish);
    // what came on another connection before this is in the service's hands
    await until(wish.accepted);
    process.kill(whom(florin.pid), signal);
    await until(() => florin.out().includes('stopping') || undefined);
    await until(() => isRefused(florin.shop.addresses.base_url));
    kill([simulator], 'SIGCONT');
    const answers = [await first.answer, await repeat.answer];
    expect(await florin.ended).toEqual({ code: 0, signal: null });
    await gone(tree);
    return answers;
  }

  /** Comes back when the request is sent; its answer may take longer. */
  async function begin({ key, path, body }: Wish) {
    const { shop } = florin;
    const asked = { 'x-api-key': shop.keys.private_key, 'idempotency-key': key, prefer: 'wait=10' };
    const headers = { ...asked, 'content-type': 'application/json' };
    const sent = request(shop.addresses.base_url + path, { method: 'POST', headers });
    const answered = once(sent, 'response');
    sent.end(JSON.stringify(body));
    await once(sent, 'finish');
    const answer = answered.then(async ([response]) => {
      const { result, order_id } = JSON.parse(await textOf(response)) as Answered;
      return { code: result.code, order_id };
    });
    return { answer };
  }
});

const MONEY = { operation_type: 'authorize', amount: '42.50', currency: 'EUR' };

type Wish = {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  /** Whether the service works on it. */
  readonly accepted: () => Promise<true | undefined>;
};

type Answered = { readonly result: { readonly code: string }; readonly order_id: string };

function isRefused(url: string): Promise<true | undefined> {
  return send(`${url}/health`, {}).then(
    () => undefined,
    () => true,
  );
}
