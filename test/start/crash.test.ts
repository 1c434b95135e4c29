// Processes that die without a word: the service, its database, its simulated provider.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Client, HANGS_MS, type Reply, send, textAt, until } from '../client.ts';
import { type Florin, newFolder, startFlorin } from './child.ts';
import { gone, isPostmaster, isSimulator, kill, livingOf, partsOf, workingOn } from './processes.ts';

// A start takes a second; on a machine with much else to do, many.

const LIMITS = {
  FLORIN_REQUESTS_PER_SECOND: '100000',
  FLORIN_REQUESTS_RUNNING: '1000',
  FLORIN_TOKENS_PER_MINUTE: '100000',
};
const folder = newFolder();
let florin: Florin | undefined;
beforeEach(async () => {
  florin ??= await startFlorin(folder.path, LIMITS);
});
afterAll(async () => {
  await florin?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function service(): Florin {
  if (!florin) throw new Error('every test begins with a service that runs');
  return florin;
}

/** An order that was acknowledged, with its outcome. */
async function paid({ shop }: Florin): Promise<string> {
  return textAt(await shop.pay(), 'order_id');
}

test('kill -9 of the service leaves no process behind and loses no acknowledged order', async () => {
  const first = service();
  const tree = first.tree();
  const orders = await Promise.all(Array.from({ length: 8 }, () => paid(first)));
  const { shop } = first;
  const token = await shop.token();
  const money = { operation_type: 'authorize', amount: '10.00', currency: 'EUR' };
  const last = await shop.order({ ...money, token, order_merchant_id: 'last' }, { prefer: 'wait=0' });
  expect(last.code).toBe('421080');
  await first.stop('SIGKILL');
  florin = undefined;
  await gone(tree);
  expect(workingOn(folder.path)).toEqual([]);
  florin = await startFlorin(folder.path, LIMITS);
  expect(florin.out()).not.toContain('creating');
  for (const order_id of orders) expect((await florin.shop.read(order_id)).at('status')).toBe('capture_successful');
  const decided = await florin.shop.read(textAt(last, 'order_id'));
  expect(decided.at('status')).toMatch(/^authorization_/);
  expect((await florin.shop.pay()).code).toBe('955555');
});

test('the next start finds out what became of calls under way, not the end of their time', async () => {
  using other = newFolder();
  // more than this test waits for anything
  const settings = { ...LIMITS, FLORIN_SIMULATOR_DEADLINE_S: '600' };
  await using first = await startFlorin(other.path, settings);
  const fault = { operation: 'authorize', fault: 'timeout_taken', times: 1 };
  expect((await first.shop.api('/sandbox/scenario', { body: fault })).status).toBe(200);
  const money = { operation_type: 'authorize', amount: '10.00', currency: 'EUR' };
  const token = await first.shop.token();
  const order = await first.shop.order({ ...money, token, order_merchant_id: 'way' }, { prefer: 'wait=0' });
  const order_id = textAt(order, 'order_id');
  const books = () => first.shop.api('/sandbox/provider/books');
  await until(async () => (await books()).text.includes(order_id) || undefined);
  await first.stop('SIGKILL');
  await using second = await startFlorin(other.path, settings);
  const decided = await until(async () => {
    const read = await second.shop.read(order_id);
    return read.at('status') === 'authorization_requested' ? undefined : read;
  });
  expect(decided.code).toBe('944444');
});

test('kill -9 of the service and its database at once: the next start recovers and nothing is lost', async () => {
  const first = service();
  const tree = first.tree();
  const order_id = await paid(first);
  kill([partsOf(tree).postmaster], 'SIGKILL');
  await first.stop('SIGKILL');
  florin = undefined;
  florin = await startFlorin(folder.path, LIMITS);
  expect((await florin.shop.read(order_id)).at('status')).toBe('capture_successful');
  await gone(tree);
});

test("a database's pid file that a crash left empty does not stop the next start", async () => {
  using other = newFolder();
  await using first = await startFlorin(other.path, LIMITS);
  const order_id = await paid(first);
  expect((await first.stop('SIGTERM')).code).toBe(0);
  writeFileSync(join(first.data_dir, 'postgres', 'postmaster.pid'), '');
  await using second = await startFlorin(other.path, LIMITS);
  expect((await second.shop.read(order_id)).at('status')).toBe('capture_successful');
});

test('kill -9 of the database: requests are refused within seconds, then served again', async () => {
  const { shop, pid, tree, backoffice_url } = service();
  const order_id = await paid(service());
  const token = await shop.token();
  const before = tree();
  const { postmaster } = partsOf(before);
  const readers = keepReading(shop, order_id);
  kill([postmaster], 'SIGKILL');
  await gone([postmaster]);
  const answers: Reply[] = [];
  const body = { operation_type: 'authorize', amount: '10.00', currency: 'EUR', token, order_merchant_id: 'outage' };
  await until(async () => {
    const asked = performance.now();
    const reply = await (answers.length % 2 === 0 ? shop.read(order_id) : shop.order(body));
    expect(performance.now() - asked, 'nobody waits for ever').toBeLessThan(HANGS_MS);
    answers.push(reply);
    return reply.status === 200 || undefined;
  });
  answers.push(...(await readers.end()));
  for (const { status, headers, text } of answers.filter((reply) => reply.status !== 200)) {
    expect([503, 500], text).toContain(status);
    expect(headers.get('content-type')).toContain('application/problem+json');
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(livingOf(before).some((one) => one.pid === pid)).toBe(true);
  await until(() => tree().find(isPostmaster));
  expect(partsOf(tree()).postmaster.pid).not.toBe(postmaster.pid);
  expect((await shop.read(order_id)).at('status')).toBe('capture_successful');
  expect((await until(async () => asOk(await shop.pay()))).code).toBe('955555');
  expect((await send(`${backoffice_url}/ready`, {})).status).toBe(200);
});

/** Sixteen who read one order, each again and again; everybody must be answered. */
function keepReading(shop: Client, order_id: string): { end(): Promise<readonly Reply[]> } {
  const answers: Reply[] = [];
  let going = true;
  const read = async () => {
    while (going) answers.push(await shop.read(order_id));
  };
  const ended = Promise.allSettled(Array.from({ length: 16 }, read));
  const end = async () => {
    going = false;
    for (const one of await ended) expect(one).toEqual({ status: 'fulfilled', value: undefined });
    return answers;
  };
  return { end };
}

function asOk(reply: Reply): Reply | undefined {
  return reply.status === 200 ? reply : undefined;
}

test('a database that hangs holds nobody for long, and is used again when it goes on', async () => {
  const { shop, tree, backoffice_url } = service();
  const order_id = await paid(service());
  // first the one that makes the others: a connection that is made meanwhile would go on answering
  kill([partsOf(tree()).postmaster], 'SIGSTOP');
  const database = tree().filter(({ command }) => command.includes('postgres'));
  kill(database, 'SIGSTOP');
  const [read, ready, health] = await Promise.all([
    shop.read(order_id),
    send(`${backoffice_url}/ready`, {}),
    send(`${backoffice_url}/health`, {}),
  ]);
  // all of them while it still hangs
  kill(database, 'SIGCONT');
  expect([500, 503]).toContain(read.status);
  expect(read.headers.get('content-type')).toContain('application/problem+json');
  expect([ready.status, health.status]).toEqual([503, 200]);
  await until(async () => (await isReady(service())) || undefined);
  expect((await until(async () => asOk(await shop.pay()))).code).toBe('955555');
});

test('a database that does not stay up ends the service with 1, and says so', async () => {
  await using broken = service();
  florin = undefined;
  const tree = broken.tree();
  for (let kills = 0; broken.child.exitCode === null; kills++) {
    expect(kills).toBeLessThan(10);
    const isOver = () => broken.child.exitCode !== null;
    // ready by another one than was killed: it may be back before anybody sees that it was away
    const next = () => broken.tree().filter(isPostmaster);
    await until(async () => isOver() || (next().length > 0 && (await isReady(broken))) || undefined);
    const killed = next();
    kill(killed, 'SIGKILL');
    await gone(killed);
  }
  expect((await broken.ended).code).toBe(1);
  expect(broken.err()).toContain('The embedded database does not stay up');
  await gone(tree);
  expect(workingOn(folder.path)).toEqual([]);
});

/** Each zone finds its database again by itself. */
async function isReady({ backoffice_url, shop }: Florin): Promise<boolean> {
  const { base_url, vault_url } = shop.addresses;
  const asked = [base_url, vault_url, backoffice_url].map((url) => send(`${url}/ready`, {}));
  const told = await Promise.allSettled(asked);
  return told.every((one) => one.status === 'fulfilled' && one.value.status === 200);
}

test('kill -9 of the simulated provider: orders are declined with proof or in doubt, and later ones are paid', async () => {
  const { shop, tree } = service();
  await shop.pay();
  const { simulator } = partsOf(tree());
  const tokens = await Promise.all(Array.from({ length: 6 }, () => shop.token()));
  const stays_away = keepAway(service());
  await gone([simulator]);
  const money = { operation_type: 'direct_capture', amount: '10.00', currency: 'EUR' };
  const replies = await Promise.all(
    tokens.map((token, n) =>
      shop.order({ ...money, token, order_merchant_id: `no-provider-${n}` }, { prefer: 'wait=10' }),
    ),
  );
  await stays_away.end();
  for (const reply of replies)
    expect([
      ['420410', 'authorization_declined'],
      ['421080', 'authorization_requested'],
      // by one that came in its place, and was not killed at once
      ['955555', 'capture_successful'],
    ]).toContainEqual([reply.code, reply.at('status')]);
  expect(replies.some((reply) => reply.code === '420410')).toBe(true);
  const later = await until(async () => {
    const reply = await shop.pay();
    return reply.code === '955555' ? reply : undefined;
  });
  expect(later.at('is_captured')).toBe(true);
  expect(partsOf(tree()).simulator.pid).not.toBe(simulator.pid);
});

/** Kills it, and each one that comes in its place before it listens: orders of a slow machine find it away, too. */
function keepAway({ tree }: Florin): { end(): Promise<void> } {
  let going = true;
  const killing = until(() => {
    if (!going) return true;
    kill(tree().filter(isSimulator), 'SIGKILL');
    return undefined;
  });
  const end = async () => {
    going = false;
    await killing;
  };
  return { end };
}
