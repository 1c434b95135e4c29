// The vault's keys: where they live, what a start refuses, and what lies in the database and on the disk of them.
import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../src/kit/start-error.ts';
import { verifyAudit } from '../../src/vault/audit/audit.ts';
import { openLog } from '../../src/kit/log.ts';
import { fileProvider, makeFirstPair } from '../../src/vault/keys/file-provider.ts';
import { DataKeys } from '../../src/vault/keys/keys.ts';
import { KeysSealed } from '../../src/vault/keys/provider.ts';
import { runSelfTests } from '../../src/vault/keys/self-test.ts';
import { rotateKek } from '../../src/vault/rotation/kek.ts';
import { newFolder, outcomeOf } from '../start/child.ts';
import { send, until } from '../client.ts';
import { connectTo } from '../database/numbered.ts';
import { type World, world } from '../world.ts';
import { audited, chance, insideOf, settingsOf } from './inside.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  await w.shop.token();
});
afterAll(() => w[Symbol.asyncDispose]());

const ONE = 'vault-component-1.json';
const TWO = 'vault-component-2.json';

/** A copy of the world's key files, to be spoiled. */
function keyFolder(): Disposable & { readonly path: string } {
  const folder = newFolder('florin-keys-');
  cpSync(join(w.data_dir, 'keys'), folder.path, { recursive: true });
  return folder;
}

function change(path: string, edit: (text: string) => string): void {
  chmodSync(path, 0o600);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

async function start(folder: string, environment: 'sandbox' | 'production'): Promise<void> {
  await using inside = insideOf(w, { folder, environment });
  await inside.keys.open();
}

describe('a start is refused', () => {
  const flip = (name: string) => (text: string) =>
    text.replace(
      new RegExp(`("${name}":")(.)`),
      (_, before: string, digit: string) => before + (digit === '0' ? '1' : '0'),
    );
  test.each<[string, (folder: string) => void, 'sandbox' | 'production', RegExp]>([
    ['sandbox keys in production', () => undefined, 'production', /are those of a sandbox deployment/],
    [
      'production keys in a sandbox',
      (folder) =>
        [ONE, TWO].forEach((name) => change(join(folder, name), (text) => text.replace('sandbox', 'production'))),
      'sandbox',
      /are those of a production deployment/,
    ],
    [
      'no keys in production',
      (folder) => rmSync(folder, { recursive: true }),
      'production',
      /needs both key files.*2 missing/,
    ],
    ['the first component missing', (folder) => rmSync(join(folder, ONE)), 'sandbox', /1 missing/],
    ['the second component missing', (folder) => rmSync(join(folder, TWO)), 'sandbox', /1 missing/],
    [
      'a check value that was changed',
      (folder) => change(join(folder, ONE), flip('check')),
      'sandbox',
      /do not belong together/,
    ],
    [
      'both check values changed',
      (folder) => [ONE, TWO].forEach((name) => change(join(folder, name), flip('check'))),
      'sandbox',
      /do not belong together/,
    ],
    [
      'a component that was changed',
      (folder) => change(join(folder, TWO), flip('component')),
      'sandbox',
      /do not belong together/,
    ],
    ['components of two keys', (folder) => change(join(folder, TWO), flip('id')), 'sandbox', /do not belong together/],
    [
      'a component that is cut off',
      (folder) => change(join(folder, ONE), (text) => text.slice(0, 120)),
      'sandbox',
      /is damaged/,
    ],
    [
      'a component that is no hex',
      (folder) => change(join(folder, ONE), (text) => text.replace(/("component":")./, '$1x')),
      'sandbox',
      /is damaged/,
    ],
    [
      'keys of another sandbox',
      (folder) => {
        rmSync(folder, { recursive: true });
        makeFirstPair({ folder, environment: 'sandbox', chance });
      },
      'sandbox',
      /sealed under other keys/,
    ],
  ])('with %s', async (_, spoil, environment, says) => {
    using folder = keyFolder();
    spoil(folder.path);
    const refused = await start(folder.path, environment).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toMatch(says);
  });

  test('and is not with the right ones', async () => {
    using folder = keyFolder();
    await start(folder.path, 'sandbox');
  });

  test('when a data key was wrapped in another environment', async () => {
    const [root] = await w.sql<{ id: string; wrapped: Buffer }>(
      `SELECT id, wrapped FROM vault.data_keys WHERE purpose = 'fingerprint' AND state = 'active'`,
    );
    await w.sql(`UPDATE vault.data_keys SET wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1) WHERE id = $1`, [
      root?.id,
    ]);
    try {
      using folder = keyFolder();
      await expect(start(folder.path, 'sandbox')).rejects.toThrow(/sealed under other keys, or in another environment/);
    } finally {
      await w.sql(`UPDATE vault.data_keys SET wrapped = $2 WHERE id = $1`, [root?.id, root?.wrapped]);
    }
  });

  test('by the name of the self-test that fails', () => {
    expect(runSelfTests('sandbox')).toBeUndefined();
    expect(runSelfTests('staging')).toBe('environment');
    expect(runSelfTests('sandbox', { good: () => true, 'a bad one': () => false })).toBe('a bad one');
    expect(
      runSelfTests('sandbox', {
        'one that throws': () => {
          throw new Error('broken');
        },
      }),
    ).toBe('one that throws');
  });
});

test('florin make-keys that was ended between its two files says which is there, and what to do', async () => {
  using folder = newFolder();
  const settings = { FLORIN_ENVIRONMENT: 'production', FLORIN_DATA_DIR: folder.path };
  const run = () => outcomeOf({ cwd: folder.path, settings, command: ['make-keys'] });
  expect(await run()).toMatchObject({ code: 0 });
  rmSync(join(folder.path, 'keys', TWO));
  const { code, said } = await run();
  expect([code, said]).toEqual([1, expect.stringContaining(`${TWO} is not there`)]);
  expect(said).toContain('Put it back from its backup');
  expect(said).not.toContain('rotate-keys');
});

test('production has its first keys from a person, by florin make-keys, and never twice', async () => {
  using folder = newFolder();
  const settings = { FLORIN_ENVIRONMENT: 'production', FLORIN_DATA_DIR: join(folder.path, 'data') };
  const made = await outcomeOf({ cwd: folder.path, settings, command: ['make-keys'] });
  expect([made.code, made.said]).toEqual([0, expect.stringContaining(ONE)]);
  const keys = join(settings.FLORIN_DATA_DIR, 'keys');
  for (const name of [ONE, TWO]) expect(statSync(join(keys, name)).mode & 0o777).toBe(0o400);
  fileProvider({ folder: keys, environment: 'production', chance }).close();
  const again = await outcomeOf({ cwd: folder.path, settings, command: ['make-keys'] });
  expect([again.code, again.said]).toEqual([1, expect.stringContaining('already')]);
});

test('one component tells nothing: with any other half the key is another one', async () => {
  using folder = keyFolder();
  const provider = fileProvider({ folder: folder.path, environment: 'sandbox', chance });
  const wrapped = await provider.wrap(Buffer.alloc(32, 7), 'here', provider.newest());
  for (const keep of [ONE, TWO]) {
    using other = newFolder('florin-keys-');
    makeFirstPair({ folder: other.path, environment: 'sandbox', chance });
    const lost = keep === ONE ? TWO : ONE;
    const guess = componentOf(join(other.path, lost)).map(
      (byte, index) => byte ^ (componentOf(join(folder.path, keep))[index] ?? 0),
    );
    const real = componentOf(join(folder.path, ONE)).map(
      (byte, index) => byte ^ (componentOf(join(folder.path, TWO))[index] ?? 0),
    );
    expect(Buffer.from(guess).equals(Buffer.from(real))).toBe(false);
    // and what lies in a component is neither the key nor half of it
    for (const name of [ONE, TWO])
      expect(componentOf(join(folder.path, name)).indexOf(Buffer.from(real).subarray(0, 8))).toBe(-1);
  }
  await expect(provider.unwrap(wrapped, 'there', provider.newest())).rejects.toThrow(/unable to authenticate/);
  expect((await provider.unwrap(wrapped, 'here', provider.newest())).equals(Buffer.alloc(32, 7))).toBe(true);
  provider.close();
});

function componentOf(path: string): Buffer {
  return Buffer.from(/"component":"([0-9a-f]{64})"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '', 'hex');
}

test('no key lies in clear in the database or the data folder (the search finds a planted one)', async () => {
  const provider = fileProvider({ folder: join(w.data_dir, 'keys'), environment: 'sandbox', chance });
  const secrets: Buffer[] = [];
  for (const row of await w.sql<{ wrapped: Buffer; aad: string; kek_ref: string }>(
    `SELECT wrapped, kek_ref, concat_ws('|', 'dek', 'sandbox', purpose, coalesce(encode(merchant_account_id, 'hex'), ''), version) AS aad FROM vault.data_keys`,
  ))
    secrets.push(await provider.unwrap(row.wrapped, row.aad, row.kek_ref));
  const [one, two] = [ONE, TWO].map((name) => componentOf(join(w.data_dir, 'keys', name)));
  if (!one || !two) throw new Error('there are two components');
  secrets.push(Buffer.from(one.map((byte, index) => byte ^ (two[index] ?? 0))));
  expect(secrets.length).toBeGreaterThan(2);
  const dump = async () => {
    const tables = await w.sql<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relnamespace IN ('vault'::regnamespace, 'payment'::regnamespace) AND relkind = 'r'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) texts.push(JSON.stringify(await w.sql(`SELECT t::text FROM ${name} t`)));
    for (const file of readdirSync(w.data_dir, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(w.data_dir, file)).isFile())
        texts.push(
          readFileSync(join(w.data_dir, file)).toString('hex'),
          readFileSync(join(w.data_dir, file), 'latin1'),
        );
    return texts;
  };
  const hits = async () => {
    const texts = await dump();
    return secrets.filter((secret) =>
      ['hex', 'base64', 'latin1'].some((form) =>
        texts.some((text) =>
          text.includes(secret.toString(form === 'hex' ? 'hex' : form === 'base64' ? 'base64' : 'latin1')),
        ),
      ),
    ).length;
  };
  expect(await hits()).toBe(0);
  writeFileSync(join(w.data_dir, 'planted'), secrets[0]?.toString('hex') ?? '');
  expect(await hits()).toBe(1);
  rmSync(join(w.data_dir, 'planted'));
  provider.close();
});

test('the keys are said to be ok where readiness is asked', async () => {
  const reply = await send(`${w.shop.addresses.vault_url}/ready`, {});
  expect([reply.status, reply.body]).toEqual([
    200,
    { status: 'ready', database: true, keys: 'ok', lag: 'ok', descriptors: 'ok', scripts: 'not looked at yet' },
  ]);
});

test('a half pair that a killed rotation left behind stops nobody', async () => {
  using folder = keyFolder();
  copyFileSync(join(folder.path, ONE), join(folder.path, `vault-component-1.${chance.id()}.json`));
  await start(folder.path, 'sandbox');
});

test('each work on the keys is audited, and a change of any record is found', async () => {
  const actions = (await audited(w)).map(({ action }) => action);
  expect(actions).toContain('key created');
  expect(actions).toContain('key loaded');
  await using inside = insideOf(w);
  const verdict = await verifyAudit(inside.db);
  expect(verdict).toMatchObject({ whole: true, records: actions.length });
  const command = await outcomeOf({ cwd: w.data_dir, settings: settingsOf(w), command: ['verify-audit'] });
  expect([command.code, command.said]).toEqual([0, expect.stringContaining('none changed, missing or moved')]);
  const spoils = [
    `UPDATE vault.audit SET actor = 'nobody' WHERE id = 2`,
    `UPDATE vault.audit SET at = at + interval '1 ms' WHERE id = 1`,
    `UPDATE vault.audit SET detail = '{}' WHERE id = (SELECT max(id) FROM vault.audit WHERE detail <> '{}')`,
    `DELETE FROM vault.audit WHERE id = 2`,
    `UPDATE vault.audit SET id = -id WHERE id IN (1, 2); UPDATE vault.audit SET id = 3 + id WHERE id < 0`,
  ];
  await w.sql(`ALTER TABLE vault.audit DISABLE TRIGGER keep`);
  await w.sql(`CREATE TABLE vault.audit_copy AS SELECT * FROM vault.audit`);
  for (const spoil of spoils) {
    await w.sql(spoil);
    expect([spoil, (await verifyAudit(inside.db)).whole]).toEqual([spoil, false]);
    await w.sql(
      `ALTER TABLE vault.audit DISABLE TRIGGER chain; DELETE FROM vault.audit; INSERT INTO vault.audit SELECT * FROM vault.audit_copy; ALTER TABLE vault.audit ENABLE TRIGGER chain`,
    );
    expect((await verifyAudit(inside.db)).whole).toBe(true);
  }
  await w.sql(`DROP TABLE vault.audit_copy; ALTER TABLE vault.audit ENABLE TRIGGER keep`);
  for (const verb of [`UPDATE vault.audit SET actor = 'x'`, `DELETE FROM vault.audit`, `TRUNCATE vault.audit`])
    await expect(w.sql(verb)).rejects.toThrow(/append only/);
});

test('the keys folder is for its owner only', () => {
  expect(statSync(join(w.data_dir, 'keys')).mode & 0o777).toBe(0o700);
  expect(existsSync(join(w.data_dir, 'keys', ONE))).toBe(true);
});

test('a vault that has not got the key in use, as after a rotation on another one, says so in its log', async () => {
  using elsewhere = keyFolder();
  const said: string[] = [];
  const log = { ...openLog('silent'), error: (_: object, text: string) => void said.push(text) };
  await using here = insideOf(w);
  await using there = insideOf(w, { folder: elsewhere.path });
  const keys = new DataKeys({ ...there, log });
  await rotateKek({ ...here, actor: 'test', progress: () => undefined });
  await expect(keys.card('f'.repeat(24))).rejects.toBeInstanceOf(KeysSealed);
  expect(said).toEqual([expect.stringContaining('is not here')]);
});

test('a rotation whose database goes away ends with a sentence, and the next one goes on', async () => {
  await w.shop.token({ token_type: 'recurring' });
  const holder = await connectTo(w.database);
  await holder.query('BEGIN; LOCK TABLE vault.cards IN SHARE MODE');
  const command = { cwd: w.data_dir, settings: settingsOf(w), command: ['rotate-keys', 'data'] };
  const ends = outcomeOf(command);
  await until(async () => {
    const ended = await w.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'florin vault command' AND wait_event_type = 'Lock'`,
    );
    return ended.length > 0 ? true : undefined;
  });
  const { code, said } = await ends;
  expect([code, said]).toEqual([1, expect.stringContaining('The database went away')]);
  expect(said).not.toMatch(/^ +at /m);
  await holder.query('ROLLBACK');
  await holder.end();
  expect(await outcomeOf(command)).toMatchObject({ code: 0, said: expect.stringContaining('old keys destroyed') });
});
