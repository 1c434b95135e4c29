// The vault with its key-encryption key in a transit engine: it pays, it is sealed and unsealed with the engine, its
// key rotates.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { openEgress } from '../../src/kit/egress.ts';
import { StartError } from '../../src/kit/start-error.ts';
import { KeysSealed } from '../../src/vault/keys/provider.ts';
import { transitProvider } from '../../src/vault/keys/transit-provider.ts';
import { rotateData } from '../../src/vault/rotation/data.ts';
import { rotateKek } from '../../src/vault/rotation/kek.ts';
import { send, until } from '../client.ts';
import { newFolder, outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { insideOf, settingsOf } from './inside.ts';

const TOKEN = 's.test-token-of-the-engine';
const folder = newFolder('florin-transit-');
const token_file = join(folder.path, 'token');
const egress = openEgress();
let engine: Engine;
let w: World;

type Engine = { readonly url: string; ask(path: string, body?: object): Promise<number>; end(): void };

async function startEngine(): Promise<Engine> {
  const child = fork(new URL('transit-engine.ts', import.meta.url), [TOKEN], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the engine says where it is');
  const [said] = await once(child.stdout, 'data');
  const url = String(said).trim();
  const ask = async (path: string, body: object = {}) =>
    (await fetch(url + path, { method: 'POST', headers: { 'x-vault-token': TOKEN }, body: JSON.stringify(body) }))
      .status;
  return { url, ask, end: () => child.disconnect() };
}

const settings = (url: string) => ({
  FLORIN_KEY_PROVIDER: 'transit',
  FLORIN_TRANSIT_URL: url,
  FLORIN_TRANSIT_TOKEN_FILE: token_file,
});

beforeAll(async () => {
  writeFileSync(token_file, `${TOKEN}\n`);
  engine = await startEngine();
  await engine.ask('/v1/transit/keys/florin-sandbox');
  w = await world(settings(engine.url));
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await egress.close();
  engine.end();
  folder[Symbol.dispose]();
});

const options = (change: object = {}) => ({
  origin: engine.url,
  mount: 'transit',
  key: 'florin-sandbox',
  environment: 'sandbox' as const,
  egress,
  token: () => TOKEN,
  ...change,
});

async function insideTransit() {
  return insideOf(w, { provider: await transitProvider(options()), clock: quick() });
}

/** The clock of this machine, but that it does not sleep: rotations wait for other processes, and here there is one. */
function quick() {
  return { ...systemClock(), sleep: async () => undefined };
}

test('a card is paid with keys that only the engine can unwrap; no key file is made', async () => {
  const order = await w.shop.pay();
  expect(order.code).toBe('955555');
  const rows = await w.sql<{ ref: string; text: string }>(
    `SELECT kek_ref AS ref, convert_from(wrapped, 'UTF8') AS text FROM vault.data_keys`,
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { ref, text } of rows) {
    expect(ref).toBe('transit:florin-sandbox:v1');
    expect(text).toMatch(/^vault:v1:/);
  }
});

test('a wrapped key is bound to its place and to its version', async () => {
  const provider = await transitProvider(options());
  const wrapped = await provider.wrap(Buffer.alloc(32, 3), 'here', provider.newest());
  expect(await provider.unwrap(wrapped, 'here', provider.newest())).toEqual(Buffer.alloc(32, 3));
  await expect(provider.unwrap(wrapped, 'there', provider.newest())).rejects.toThrow(/message authentication failed/);
  await expect(provider.unwrap(wrapped, 'here', 'transit:another:v1')).rejects.toBeInstanceOf(KeysSealed);
  expect(await provider.knows('transit:florin-sandbox:v9')).toBe(false);
});

describe('a start is refused', () => {
  test.each([
    ['a key of the other environment', { key: 'florin-production' }, /must end with -sandbox/],
    ['a key that is not there', { key: 'other-sandbox' }, /has no keys\/other-sandbox/],
  ])('with %s', async (_, change, says) => {
    await expect(transitProvider(options(change))).rejects.toThrow(says);
    await expect(transitProvider(options(change))).rejects.toBeInstanceOf(StartError);
  });

  test('with a key that binds no associated data', async () => {
    await engine.ask('/v1/transit/keys/signing-sandbox', { type: 'ed25519' });
    await expect(transitProvider(options({ key: 'signing-sandbox' }))).rejects.toThrow(/must be of type aes256-gcm96/);
  });

  test('with settings that are not whole: everything is said at once', async () => {
    const { code, said } = await outcomeOf({
      cwd: folder.path,
      settings: { FLORIN_KEY_PROVIDER: 'transit', FLORIN_TRANSIT_URL: '', FLORIN_TRANSIT_KEY: '../x' },
    });
    expect(code).toBe(1);
    for (const name of ['FLORIN_TRANSIT_URL', 'FLORIN_TRANSIT_TOKEN_FILE', 'FLORIN_TRANSIT_KEY'])
      expect(said).toContain(name);
  });

  test('with an address that is neither https nor this machine', async () => {
    const { said } = await outcomeOf({ cwd: folder.path, settings: settings('http://bao.example:8200') });
    expect(said).toContain('FLORIN_TRANSIT_URL must be an https address');
  });
});

test('a vault whose engine is sealed starts, says that it is sealed, refuses cards with 503, and opens by itself', async () => {
  await engine.ask('/stand-in/sealed');
  await using closed = await world(settings(engine.url));
  const ready = await send(`${closed.shop.addresses.vault_url}/ready`, {});
  expect([ready.status, ready.body]).toEqual([
    503,
    { status: 'not ready', database: true, keys: 'sealed', lag: 'ok', descriptors: 'ok', scripts: 'not looked at yet' },
  ]);
  const refused = await closed.shop.vault('/token', {
    body: { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
  });
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('the vault is sealed')]);
  // what needs no card goes on
  expect(
    (
      await closed.shop.api('/payment/checkout', {
        body: {
          type: 'api',
          operation_type: 'authorize',
          amount: '1.00',
          currency: 'EUR',
          order_merchant_id: 'sealed',
        },
      })
    ).status,
  ).toBe(200);
  await engine.ask('/stand-in/unsealed');
  await until(async () =>
    (await send(`${closed.shop.addresses.vault_url}/ready`, {})).status === 200 ? true : undefined,
  );
  expect((await closed.shop.pay()).code).toBe('955555');
});

test('keys in memory outlive the engine, but nothing new is unwrapped without it', async () => {
  await w.shop.pay();
  await engine.ask('/stand-in/sealed');
  try {
    expect((await w.shop.pay()).code).toBe('955555');
    const other = await w.otherShop();
    const refused = await other.vault('/token', {
      body: { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
    });
    expect(refused.status).toBe(503);
  } finally {
    await engine.ask('/stand-in/unsealed');
  }
});

test('a token that was renewed in its file is used from then on', async () => {
  writeFileSync(token_file, 's.expired');
  const denied = await outcomeOf({
    cwd: folder.path,
    settings: { ...settingsOf(w), ...settings(engine.url) },
    command: ['verify-audit'],
  });
  expect([denied.code, denied.said]).toEqual([1, expect.stringContaining('sealed')]);
  writeFileSync(token_file, TOKEN);
  const allowed = await outcomeOf({
    cwd: folder.path,
    settings: { ...settingsOf(w), ...settings(engine.url) },
    command: ['verify-audit'],
  });
  expect([allowed.code, allowed.said]).toEqual([0, expect.stringContaining('none changed')]);
});

test('the key rotates: the old version is trimmed away, and what it wrapped cannot be unwrapped', async () => {
  await using inside = await insideTransit();
  const [old] = await w.sql<{ wrapped: Buffer }>(`SELECT wrapped FROM vault.data_keys WHERE purpose = 'fingerprint'`);
  const tools = { ...inside, actor: 'test', progress: () => undefined };
  const aad = 'dek|sandbox|fingerprint||1';
  expect(await inside.provider.unwrap(old?.wrapped ?? Buffer.alloc(0), aad, 'transit:florin-sandbox:v1')).toHaveLength(
    32,
  );
  expect(await rotateKek(tools)).toBe('transit:florin-sandbox:v2');
  const rows = await w.sql<{ ref: string }>(
    `SELECT DISTINCT kek_ref AS ref FROM vault.data_keys WHERE state <> 'destroyed'`,
  );
  expect(rows).toEqual([{ ref: 'transit:florin-sandbox:v2' }]);
  await expect(
    inside.provider.unwrap(old?.wrapped ?? Buffer.alloc(0), aad, 'transit:florin-sandbox:v1'),
  ).rejects.toThrow(/too old/);
  await rotateData(tools);
  expect((await w.shop.pay()).code).toBe('955555');
});

test('two rotations that begin in the same moment wrap under one new version, so that the next one loses nothing', async () => {
  await w.shop.pay();
  await using slow = await insideTransit();
  await using fast = await insideTransit();
  const quiet = { actor: 'test', progress: () => undefined };
  const run: typeof fast.db.run = (name, ...asked) =>
    name === 'count_keys_of_kek' ? Promise.reject(new Error('killed')) : fast.db.run(name, ...asked);
  const [looked, onward] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // it has seen no newer version when the other one makes its own, switches to a later one, and is killed there
  const late = async () => {
    looked.resolve();
    await onward.promise;
    return fast.provider.make();
  };
  const other = { ...fast, ...quiet, db: { ...fast.db, run }, provider: { ...fast.provider, make: late } };
  const killed = rotateKek(other).catch((error: unknown) => error);
  await looked.promise;
  let made = '';
  const make = async () => {
    made = await slow.provider.make();
    onward.resolve();
    expect(String(await killed)).toMatch(/killed/);
    return made;
  };
  const used = await rotateKek({ ...slow, ...quiet, provider: { ...slow.provider, make } });
  expect(used).not.toBe(made);
  expect(await w.sql(`SELECT DISTINCT kek_ref AS used FROM vault.data_keys WHERE state <> 'destroyed'`)).toEqual([
    { used },
  ]);
  await using next = await insideTransit();
  await rotateKek({ ...next, ...quiet });
  // a process that starts now: it has no key in its memory yet
  await using fresh = await insideTransit();
  expect((await fresh.keys.fingerprint(w.account)).key.type).toBe('secret');
});
