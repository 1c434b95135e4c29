// The cvc dies: in 15 minutes, when its authorization leaves, and on the disk with the key of its generation. The same
// rules hold in the memory of one process and in the sealed tables of several.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import pg from 'pg';
import { systemClock } from '../../src/kit/clock.ts';
import { open } from '../../src/kit/crypto.ts';
import { openDatabase } from '../../src/kit/database.ts';
import { startEmbedded } from '../../src/kit/embedded.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { type Cvcs, MemoryCvcs } from '../../src/vault/card/cvcs.ts';
import { SealedCvcs } from '../../src/vault/cvc/sealed-cvcs.ts';
import { fileProvider } from '../../src/vault/keys/file-provider.ts';
import type { KeyProvider } from '../../src/vault/keys/provider.ts';
import { setFirstKek } from '../../src/vault/keys/store.ts';
import { VAULT_ZONE } from '../../src/vault/zone.ts';
import { rotateKek } from '../../src/vault/rotation/kek.ts';
import { GOOD_CARD, textAt, until } from '../client.ts';
import { newFolder } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { type Inside, chance, insideOf } from './inside.ts';

const MINUTE = 60_000;
let w: World;
let inside: Inside;
let now = Date.parse('2026-03-01T10:00:00Z');
/** A clock that is moved by hand; both forms take their time from it. */
const clock = { ...systemClock(), now: () => new Date(now), lived: () => now, sleep: async () => undefined };
const FIRST = 'a'.repeat(24);
const SECOND = 'b'.repeat(24);
const hash = () => chance.bytes(32).toString('hex');
const digits = (text = '123') => Buffer.from(text);

beforeAll(async () => {
  w = await world();
  inside = insideOf(w, { clock });
  await inside.keys.open();
});
afterAll(async () => {
  await inside[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

describe.each<[string, () => Cvcs]>([
  ['in memory', () => new MemoryCvcs(clock)],
  ['in the sealed tables', () => new SealedCvcs({ ...inside, clock })],
])('a cvc %s', (_, make) => {
  test('is taken once, by one of many', async () => {
    const cvcs = make();
    const token = hash();
    await cvcs.keep(token, digits('1234'));
    expect(await cvcs.has(token)).toBe(true);
    const taken = await Promise.all(Array.from({ length: 8 }, () => cvcs.take(token)));
    expect(taken.filter(Boolean).map((one) => one?.digits.toString())).toEqual(['1234']);
    expect(await cvcs.has(token)).toBe(false);
  });

  test('comes back when no byte left, with the life it had', async () => {
    const cvcs = make();
    const token = hash();
    await cvcs.keep(token, digits());
    now += 14 * MINUTE;
    const taken = await cvcs.take(token);
    if (!taken) throw new Error('it is there');
    await cvcs.giveBack(token, taken);
    expect(await cvcs.has(token)).toBe(true);
    now += 1.1 * MINUTE;
    expect([await cvcs.has(token), await cvcs.take(token)]).toEqual([false, undefined]);
  });

  test('that comes back does not take the place of one that was typed meanwhile, and is overwritten', async () => {
    for (const checkout_id of [null, FIRST]) {
      const cvcs = make();
      const token = hash();
      await cvcs.keep(token, digits('111'), { checkout_id });
      const taken = await cvcs.take(token, checkout_id);
      if (!taken) throw new Error('it is there');
      await cvcs.keep(token, digits('222'), { checkout_id });
      now += 6 * MINUTE;
      await cvcs.giveBack(token, taken);
      expect(taken.digits.every((byte) => byte === 0)).toBe(true);
      expect((await cvcs.take(token, checkout_id))?.digits.toString()).toBe('222');
    }
  });

  test('is forgotten with its card, whatever checkout it was typed for', async () => {
    const cvcs = make();
    const [token, other] = [hash(), hash()];
    const kept = [digits(), digits('456')];
    await cvcs.keep(token, kept[0] ?? digits());
    await cvcs.keep(token, kept[1] ?? digits(), { checkout_id: FIRST });
    await cvcs.keep(other, digits('789'), { checkout_id: FIRST });
    await cvcs.forget(token);
    expect([await cvcs.has(token), await cvcs.has(token, FIRST), await cvcs.has(other, FIRST)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(kept.every((buffer) => buffer.every((byte) => byte === 0))).toBe(true);
  });

  test('is gone after 15 minutes, and no later than its token', async () => {
    const cvcs = make();
    const [long, short, dead] = [hash(), hash(), hash()];
    await cvcs.keep(long, digits(), { until: new Date(now + 60 * MINUTE) });
    await cvcs.keep(short, digits(), { until: new Date(now + 2 * MINUTE) });
    await cvcs.keep(dead, digits(), { until: new Date(now - 1) });
    expect([await cvcs.has(long), await cvcs.has(short), await cvcs.has(dead)]).toEqual([true, true, false]);
    now += 2.1 * MINUTE;
    expect([await cvcs.has(long), await cvcs.has(short)]).toEqual([true, false]);
    now += 13 * MINUTE;
    expect([await cvcs.has(long), await cvcs.take(long)]).toEqual([false, undefined]);
  });

  test('that was typed for a checkout serves that one only; one for none serves any', async () => {
    const cvcs = make();
    const token = hash();
    await cvcs.keep(token, digits('111'), { checkout_id: FIRST });
    expect([await cvcs.has(token, SECOND), await cvcs.has(token), await cvcs.has(token, FIRST)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await cvcs.take(token, SECOND)).toBeUndefined();
    await cvcs.keep(token, digits('222'));
    expect((await cvcs.take(token, SECOND))?.digits.toString()).toBe('222');
    await cvcs.keep(token, digits('333'));
    // the one for this checkout is taken, and the other goes with it: the card was authorized
    expect((await cvcs.take(token, FIRST))?.digits.toString()).toBe('111');
    expect([await cvcs.has(token, FIRST), await cvcs.has(token)]).toEqual([false, false]);
  });

  test('typed again takes the place of the one before, also five minutes later', async () => {
    const cvcs = make();
    const token = hash();
    await cvcs.keep(token, digits('111'));
    now += 6 * MINUTE;
    await cvcs.keep(token, digits('222'));
    expect((await cvcs.take(token))?.digits.toString()).toBe('222');
    expect(await cvcs.take(token)).toBeUndefined();
  });
});

test('in memory the digits are overwritten: replaced, swept, and at the end', async () => {
  const cvcs = new MemoryCvcs(clock);
  const [one, two, three] = [digits(), digits(), digits()];
  const [token, other] = [hash(), hash()];
  await cvcs.keep(token, one);
  await cvcs.keep(token, two);
  expect(one).toEqual(Buffer.alloc(3));
  now += 16 * MINUTE;
  await cvcs.keep(other, three);
  await cvcs.sweep();
  expect([two, three]).toEqual([Buffer.alloc(3), digits()]);
  await cvcs.sweep('all');
  expect(three).toEqual(Buffer.alloc(3));
});

describe('several vault processes', () => {
  test('share one store: what one keeps another takes, and the digits in the hands of the first are overwritten', async () => {
    await using second = insideOf(w, { clock });
    const [here, there] = [new SealedCvcs({ ...inside, clock }), new SealedCvcs({ ...second, clock })];
    const token = hash();
    const given = digits('987');
    await Promise.all([here.keep(token, given), there.keep(hash(), digits())]);
    expect(given).toEqual(Buffer.alloc(3));
    expect((await there.take(token))?.digits.toString()).toBe('987');
    expect(await here.take(token)).toBeUndefined();
  });

  test('one kept before the key-encryption key rotated is taken after it, by a process that begins then', async () => {
    const cvcs = new SealedCvcs({ ...inside, clock });
    const token = hash();
    await cvcs.keep(token, digits('654'));
    await rotateKek({ ...inside, actor: 'test', progress: () => undefined });
    await using later = insideOf(w, { clock });
    expect((await new SealedCvcs({ ...later, clock }).take(token))?.digits.toString()).toBe('654');
  });

  test.each(['the one that was there before', 'one that comes to them then'])(
    'after a crash of the database, which empties the tables, are at one again: %s keeps first',
    async (first) => {
      now += 60 * MINUTE;
      await using second = insideOf(w, { clock });
      const [before, after] = [new SealedCvcs({ ...inside, clock }), new SealedCvcs({ ...second, clock })];
      await before.keep(hash(), digits());
      await w.sql('TRUNCATE vault.cvcs, vault.cvc_keys');
      const [here, there] = first === 'one that comes to them then' ? [after, before] : [before, after];
      const [token, other] = [hash(), hash()];
      await here.keep(token, digits('321'));
      expect((await there.take(token))?.digits.toString()).toBe('321');
      await there.keep(other, digits('654'));
      expect((await here.take(other))?.digits.toString()).toBe('654');
    },
  );

  test('a row that was moved to another token, checkout or generation is as if it were not there', async () => {
    const cvcs = new SealedCvcs({ ...inside, clock });
    for (const change of [
      `token_hash = decode($2, 'hex')`,
      `checkout_id = decode(left($2, 24), 'hex')`,
      `sealed = set_byte(sealed, 15, get_byte(sealed, 15) # 1)`,
      `sealed = substring(sealed FROM 1 FOR 20)`,
    ]) {
      const [token, other] = [hash(), hash()];
      await cvcs.keep(token, digits());
      await w.sql(`UPDATE vault.cvcs SET ${change} WHERE token_hash = decode($1, 'hex') AND $2::text IS NOT NULL`, [
        token,
        other,
      ]);
      const moved = change.startsWith('token_hash') ? other : token;
      const checkout = change.startsWith('checkout_id') ? other.slice(0, 24) : null;
      expect([change, await cvcs.take(moved, checkout)]).toEqual([change, undefined]);
    }
  });
});

test('a payment in a world with sealed cvcs: the bank gets it once, and no row is left', async () => {
  await using several = await world({ FLORIN_CVC_STORE: 'database' });
  const wrong = await several.shop.pay({ card_number: '4000000000000127' });
  expect(wrong.code).toBe('241031');
  const token = await several.shop.token({ token_type: 'recurring' });
  const rows = () => several.sql<{ n: number }>(`SELECT count(*)::int AS n FROM vault.cvcs`);
  expect(await rows()).toEqual([{ n: 1 }]);
  const order = { token, operation_type: 'authorize', amount: '5.00', currency: 'EUR' };
  const paid = await several.shop.order({ ...order, order_merchant_id: 'once' }, { prefer: 'wait=10' });
  expect(paid.code).toBe('944444');
  expect(await rows()).toEqual([{ n: 0 }]);
  const again = await several.shop.order({ ...order, order_merchant_id: 'again' }, { prefer: 'wait=10' });
  expect(textAt(again, 'result.code')).toBe('944444');
});

describe('sent again with its Idempotency-Key', () => {
  let several: World;
  beforeAll(async () => {
    several = await world({ FLORIN_CVC_STORE: 'database' });
  });
  afterAll(() => several[Symbol.asyncDispose]());

  let count = 0;
  const again = async (body: object, key: string) => {
    const reply = await several.shop.vault('/token', { body, headers: { 'idempotency-key': key } });
    return [reply.status, reply.headers.get('idempotent-replayed')];
  };
  const kept = async () => (await several.sql<{ n: number }>(`SELECT count(*)::int AS n FROM vault.cvcs`))[0]?.n;
  const pays = async (token: string, fields: object = {}) => {
    const order = { token, operation_type: 'authorize', amount: '5.00', currency: 'EUR', ...fields };
    const paid = await several.shop.order({ ...order, order_merchant_id: `sent-${count++}` }, { prefer: 'wait=10' });
    expect(paid.code).toBe('944444');
  };
  const lose = () => several.sql(`TRUNCATE vault.cvcs`);

  test('a cvc entered again that could not be kept is kept by the repeat', async () => {
    const token = await several.shop.token({ token_type: 'recurring' });
    await pays(token);
    const entry = { token, cvc: '123' };
    await several.sql(`REVOKE INSERT ON vault.cvcs FROM vault_app`);
    try {
      expect(await again(entry, 'not-kept')).toEqual([500, null]);
    } finally {
      await several.sql(`GRANT INSERT ON vault.cvcs TO vault_app`);
    }
    expect(await kept()).toBe(0);
    expect((await again(entry, 'not-kept'))[0]).toBe(200);
    expect(await kept()).toBe(1);
    await pays(token);
    expect(await kept()).toBe(0);
  });

  test.each<[string, () => Promise<Readonly<Record<string, string>>>]>([
    ['entered again', async () => ({ token: await savedAndPaid(), cvc: '123' })],
    [
      'entered again for a checkout',
      async () => ({ token: await savedAndPaid(), cvc: '123', checkout_id: await several.shop.checkout() }),
    ],
    ['that came with its card', async () => ({ ...GOOD_CARD, token_type: 'recurring' })],
    ['that came with a card for one payment', async () => GOOD_CARD],
  ])('one %s is kept by a repeat while it is not spent, and by none after a payment', async (_, made) => {
    const body = await made();
    const key = `spent-${count++}`;
    const reply = await several.shop.vault('/token', { body, headers: { 'idempotency-key': key } });
    const token = textAt(reply, 'token');
    for (let times = 0; times < 2; times++) {
      await lose();
      expect(await again(body, key)).toEqual([200, 'true']);
      expect(await kept()).toBe(1);
    }
    const checkout_id = body['checkout_id'];
    if (checkout_id === undefined) await pays(token);
    else expect((await several.shop.order({ token, checkout_id }, { prefer: 'wait=10' })).code).toBe('944444');
    expect(await kept()).toBe(0);
    expect(await again(body, key)).toEqual([200, 'true']);
    expect(await kept(), 'after its authorization').toBe(0);
  });

  test.each<[string, () => Promise<Readonly<Record<string, string>>>]>([
    ['entered again', async () => ({ token: await savedAndPaid(), cvc: '123' })],
    ['that came with its card', async () => ({ ...GOOD_CARD, token_type: 'recurring' })],
    ['that came with a card for one payment', async () => GOOD_CARD],
  ])('one %s, whose repeat is still being kept while its card is paid, is kept by none', async (_, made) => {
    const body = await made();
    const key = `paid-meanwhile-${count++}`;
    const reply = await several.shop.vault('/token', { body, headers: { 'idempotency-key': key } });
    const { socket_dir, user } = inject('server');
    await using opened = new AsyncDisposableStack();
    const gate = new pg.Client({ host: socket_dir, user, database: several.database });
    opened.defer(() => gate.end());
    await gate.connect();
    await several.sql(
      `CREATE FUNCTION public.wait_here() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$`,
    );
    await several.sql(
      `CREATE TRIGGER wait_here BEFORE INSERT ON vault.cvcs FOR EACH ROW EXECUTE FUNCTION public.wait_here()`,
    );
    await gate.query('SELECT pg_advisory_lock(1)');
    const repeat = again(body, key);
    await until(
      async () =>
        (
          await several.sql(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
          )
        )[0],
    );
    await pays(textAt(reply, 'token'));
    await gate.query('SELECT pg_advisory_unlock(1)');
    expect(await repeat).toEqual([200, 'true']);
    await several.sql('DROP FUNCTION public.wait_here() CASCADE');
    expect(await kept(), 'after its authorization').toBe(0);
  });

  test('the earlier of two entries is not kept again after the payment before the later one', async () => {
    const token = await savedAndPaid();
    const entry = { token, cvc: '123' };
    await again(entry, 'earlier');
    await pays(token);
    await again({ ...entry, cvc: '456' }, 'later');
    await lose();
    expect(await again(entry, 'earlier')).toEqual([200, 'true']);
    expect(await kept()).toBe(0);
    expect(await again(entry, 'later')).toEqual([200, 'true']);
    expect(await kept()).toBe(1);
    await pays(token);
    expect(await again(entry, 'later')).toEqual([200, 'true']);
    expect(await kept()).toBe(0);
  });

  test('an entry for a checkout is answered as it was', async () => {
    const entry = { token: await savedAndPaid(), cvc: '123', checkout_id: await several.shop.checkout() };
    const headers = { 'idempotency-key': 'as-it-was' };
    const replies = [1, 2, 3].map(() => several.shop.vault('/token', { body: entry, headers }));
    expect(new Set((await Promise.all(replies)).map(({ text }) => text)).size).toBe(1);
    await lose();
  });

  async function savedAndPaid(): Promise<string> {
    const token = await several.shop.token({ token_type: 'recurring' });
    await pays(token);
    return token;
  }
});

test('a cvc leaves nothing in the WAL (the search finds a row of a logged table) and is gone from the disk with its generation', async () => {
  using folder = newFolder('florin-cvc-');
  const { path } = folder;
  const provider = fileProvider({ folder: join(path, 'keys'), environment: 'sandbox', chance });
  const token = hash();
  const kept = await onCluster(path, provider, async ({ admin, cvcs }) => {
    await cvcs.keep(token, digits('321'));
    await admin.query(`CREATE TABLE logged AS SELECT decode('${PLANTED}', 'hex') AS planted`);
    const rows = await admin.query<{ sealed: string; wrapped: string; generation: number }>(
      `SELECT encode(c.sealed, 'hex') AS sealed, encode(k.wrapped, 'hex') AS wrapped, k.generation FROM vault.cvcs c JOIN vault.cvc_keys k USING (generation)`,
    );
    expect(await unloggedOf(admin)).toEqual([]);
    const [row] = rows.rows;
    if (!row) throw new Error('it was kept');
    return row;
  });
  // a server that was stopped has written every page; a running one keeps those of unlogged tables in memory
  const [sealed, wrapped] = [Buffer.from(kept.sealed, 'hex'), Buffer.from(kept.wrapped, 'hex')];
  expect(where(path, Buffer.from(PLANTED, 'hex')).some((file) => file.includes('pg_wal'))).toBe(true);
  for (const secret of [sealed, wrapped]) {
    const files = where(path, secret);
    expect([files.length > 0, files.filter((file) => !file.includes('/base/'))]).toEqual([true, []]);
  }
  // a thief with that page and every key there is opens it while its generation lives
  const aad = JSON.stringify(['vault.cvcs.sealed', 'sandbox', token, null, kept.generation]);
  const thief = await provider.unwrap(wrapped, `cvc|sandbox|${kept.generation}`, provider.newest());
  expect(open(sealed, { key: thief, aad }).toString('latin1', 1, 4)).toBe('321');
  await onCluster(path, provider, async ({ cvcs }) => {
    expect((await cvcs.take(token))?.digits.toString()).toBe('321');
    now += 31 * MINUTE;
    await cvcs.sweep();
  });
  // now the key is in no row and no page: the thief's copy of the page stays closed
  expect([where(path, sealed), where(path, wrapped)]).toEqual([[], []]);
  provider.close();
});

const PLANTED = 'c0ffee'.repeat(8);

type Cluster = { readonly admin: pg.Client; readonly cvcs: Cvcs };

/** Runs the card zone's database as a cluster of its own, and stops it, so that its files can be read. */
async function onCluster<T>(path: string, provider: KeyProvider, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ data_dir: path });
  const { socket_dir, user, database } = server;
  const admin = new pg.Client({ host: socket_dir, user, database });
  await admin.connect();
  await migrate(admin, VAULT_ZONE);
  const at = { socket_dir, user, database };
  const db = openDatabase({ at, role: 'vault_app', name: 'cvc', max: 2, log: inside.log });
  try {
    await setFirstKek(db, provider.newest());
    return await work({ admin, cvcs: new SealedCvcs({ ...inside, db, provider, clock }) });
  } finally {
    await db.close();
    await admin.end();
    await server.stop();
  }
}

/** What of the cvc tables, their indexes and their overflow is written to the WAL. */
async function unloggedOf(admin: pg.Client): Promise<readonly unknown[]> {
  const { rows } = await admin.query<{ name: string; kind: string }>(
    `SELECT c.relname AS name, c.relpersistence AS kind FROM pg_class c WHERE c.relnamespace = 'vault'::regnamespace AND c.relname ~ '^cvc' AND c.relkind IN ('r', 'i')
     UNION SELECT t.relname, t.relpersistence FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.relnamespace = 'vault'::regnamespace AND c.relname ~ '^cvc'`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(32);
  return rows.filter(({ kind }) => kind !== 'u');
}

/** Files of the cluster in which the bytes stand. */
function where(path: string, bytes: Buffer): readonly string[] {
  const files = readdirSync(join(path, 'postgres'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => readFileSync(file).includes(bytes));
}
