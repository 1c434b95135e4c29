// A backup of a Florin that goes on, restored to a moment by deploy/restore-drill.sh as it stands: the ledger agrees
// with every order, the provider's books name what came after, no cvc is in it, and keys that are not its own are
// refused.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { textAt, until } from '../../client.ts';
import { newFolder, outcomeOf, startFlorin } from '../../start/child.ts';
import { deployText, hasProgram, has_places, inDeploy, runIn } from '../place.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const able = has_places && hasProgram('pgbackrest') && hasProgram('psql') && hasProgram(`${BIN}/initdb`);
const folder = newFolder('florin-restore-');
const at = (name: string) => join(folder.path, name);
const socket = at('socket');
const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  folder[Symbol.dispose]();
});

const uid = Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout);
const place = () => ({
  sees: {
    '/etc/pgbackrest': at('etc'),
    '/var/lib/pgbackrest': at('repository'),
    '/opt/deploy': inDeploy(),
  },
  writes: ['/var/lib/pgbackrest'],
  uid,
});
const asPostgres = (command: string, env: Record<string, string> = {}) => {
  const { code, out } = runIn({ ...place(), env }, ['/bin/bash', '-c', command]);
  if (code !== 0) throw new Error(`${command}: ${out}`);
  return out;
};
const psql = (socket_dir: string, port: number, statement: string) =>
  asPostgres(
    `psql -XAtq -v ON_ERROR_STOP=1 -h ${socket_dir} -p ${port} -U postgres -d florin -c "${statement}"`,
  ).trim();

/** As pgbackrest.conf says, with the near repository alone. */
function openServer(): void {
  chmodSync(folder.path, 0o755);
  for (const name of ['etc', 'repository', 'socket', 'data']) {
    mkdirSync(at(name), { mode: 0o755 });
    spawnSync('chown', [`${uid}:${uid}`, at(name)]);
  }
  const config = deployText('pgbackrest', 'pgbackrest.conf').replace(/^repo2.*\n/gm, '');
  const here = config.replace(
    'pg1-path=/var/lib/postgresql/florin',
    `pg1-path=${at('data')}\npg1-socket-path=${socket}`,
  );
  // the pause for other writers of a repository is for stores far away
  writeFileSync(
    join(at('etc'), 'pgbackrest.conf'),
    `${here}\n[global]\nrepo1-cipher-pass=a-test\nlock-path=${at('repository')}/lock\n`,
  );
  chmodSync(at('data'), 0o700);
  asPostgres(`${BIN}/initdb -D ${at('data')} --data-checksums -U postgres -A trust -E UTF8 --locale C >/dev/null`);
  const settings = [
    'wal_level=replica',
    'archive_mode=on',
    'archive_timeout=60',
    "listen_addresses=''",
    `unix_socket_directories='${socket}'`,
    "archive_command='pgbackrest --stanza=money archive-push %p'",
    'max_connections=100',
  ];
  writeFileSync(join(at('data'), 'postgresql.auto.conf'), settings.join('\n'));
  stops.push(() => runIn(place(), [`${BIN}/pg_ctl`, '-D', at('data'), '-m', 'immediate', '-w', 'stop']));
  asPostgres(`${BIN}/pg_ctl -D ${at('data')} -l ${at('repository')}/log -w start >/dev/null`);
  asPostgres(`createdb -h ${socket} -U postgres florin && pgbackrest --stanza=money stanza-create`);
}

test.skipIf(!able)(
  'a backup is restored to a moment, and proved (skipped without root, pgbackrest or PostgreSQL 15)',
  async () => {
    openServer();
    const url = (dir: string, port: number) =>
      `postgres://postgres@/florin?host=${encodeURIComponent(dir)}&port=${port}`;
    const home = at('florin');
    mkdirSync(home);
    const settings = { FLORIN_DATABASE_URL: url(socket, 5432), FLORIN_CVC_STORE: 'database' };
    const florin = await startFlorin(home, settings);
    stops.push(() => florin[Symbol.asyncDispose]());
    const { shop } = florin;
    const before = textAt(await shop.pay(), 'order_id');
    // its cvc waits while the backup is made
    await shop.token();
    expect(Number(psql(socket, 5432, 'SELECT count(*) FROM vault.cvcs'))).toBeGreaterThan(0);
    asPostgres('pgbackrest --stanza=money --type=full backup');
    // pgBackRest counts in seconds: a moment in that of the backup's end has no backup before it
    const ended = Math.floor(Date.now() / 1000);
    await until(() => Math.floor(Date.now() / 1000) > ended || undefined);
    const between = textAt(await shop.pay(), 'order_id');
    const moment = psql(socket, 5432, 'SELECT clock_timestamp()');
    const after = textAt(await shop.pay(), 'order_id');
    psql(socket, 5432, 'SELECT pg_switch_wal()');
    asPostgres('pgbackrest --stanza=money check');

    const drill = `KEEP=1 FLORIN=/bin/true /opt/deploy/restore-drill.sh money ${at('repository')}/drill '${moment}'`;
    const restored = join(at('repository'), 'drill/socket');
    stops.push(() =>
      runIn(place(), [`${BIN}/pg_ctl`, '-D', join(at('repository'), 'drill/data'), '-m', 'immediate', 'stop']),
    );
    expect(asPostgres(drill)).toMatch(/RPO: [\s\S]*RTO: \d+ s/);
    const has = (id: string) =>
      psql(restored, 5999, `SELECT count(*) FROM payment.orders WHERE id = decode('${id}', 'hex')`);
    expect([has(before), has(between), has(after)]).toEqual(['1', '1', '0']);
    expect(
      psql(restored, 5999, 'SELECT (SELECT count(*) FROM vault.cvcs) + (SELECT count(*) FROM vault.cvc_keys)'),
    ).toBe('0');

    const there = { FLORIN_DATABASE_URL: url(restored, 5999) };
    const said = await outcomeOf({ cwd: home, command: ['ledger', 'verify'], settings: there });
    expect([said.code, said.said]).toEqual([0, expect.stringContaining('The ledger agrees with every order.')]);
    // the simulated bank goes on beside it: its books know what came after
    const books = await outcomeOf({ cwd: home, command: ['reconcile'], settings: there });
    expect(books.code).toBe(1);
    const missing = [...books.said.matchAll(/^missing here .*$/gm)].map(([line]) => line);
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.filter((line) => !line.includes(after))).toEqual([]);
    expect(books.said).not.toMatch(/^(?:missing there|amount|state|double)/m);

    const ports = { FLORIN_API_PORT: '0', FLORIN_VAULT_PORT: '0', FLORIN_BACKOFFICE_PORT: '0' };
    const startWith = async (name: string, without: string) => {
      mkdirSync(at(name));
      cpSync(join(home, 'data'), join(at(name), 'data'), {
        recursive: true,
        filter: (path) => !path.includes(without),
      });
      return await outcomeOf({ cwd: at(name), settings: { ...there, ...ports } });
    };
    expect(await startWith('no-vault-keys', '/keys')).toMatchObject({
      code: 1,
      said: expect.stringContaining('The vault database was sealed under other keys'),
    });
    expect(await startWith('no-money-key', 'payment-key.json')).toMatchObject({
      code: 1,
      said: expect.stringContaining('payment-key.json'),
    });
  },
);
