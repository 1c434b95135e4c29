// florin doctor beside a running sandbox: what is well, and what is broken on purpose is found with what to do about
// it.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { judge } from '../../src/commands/doctor/database.ts';
import { lookAtNetwork, lookAtOpenFiles, lookAtProxy } from '../../src/commands/doctor/machine.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { readConfig } from '../../src/settings/config.ts';
import { written } from '../connections/wire.ts';
import { type Run, runFlorin, takePort } from '../start/child.ts';
import { type World, world } from '../world.ts';

type Finding = { readonly check: string; readonly level: string; readonly says: string; readonly fix?: string };
type Report = { readonly result: string; readonly findings: readonly Finding[] };

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const portOf = (url: string) => new URL(url).port;

async function examined(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; report: Report }> {
  const { socket_dir, user } = inject('server');
  const run: Run = runFlorin({
    cwd: w.data_dir,
    command: ['doctor', '--json'],
    settings: {
      FLORIN_DATA_DIR: w.data_dir,
      FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
      FLORIN_API_PORT: portOf(w.service.addresses.base_url),
      FLORIN_VAULT_PORT: portOf(w.service.addresses.vault_url),
      FLORIN_BACKOFFICE_PORT: portOf(w.service.addresses.backoffice_url),
      ...settings,
    },
  });
  const { code } = await run.ended;
  return { code, report: JSON.parse(run.out()) as Report };
}

test('florin doctor finds a vault without the key that its database is sealed with, as after a rotation elsewhere', async () => {
  const check = 'vault database: key';
  const found = async () => (await examined()).report.findings.find((one) => one.check === check);
  expect(await found()).toMatchObject({ level: 'ok' });
  const [before] = await w.sql<{ kek_ref: string }>(`SELECT kek_ref FROM vault.key_epoch`);
  await w.sql(`UPDATE vault.key_epoch SET kek_ref = $1`, ['f'.repeat(24)]);
  expect(await found()).toMatchObject({
    level: 'problem',
    says: expect.stringContaining(`${'f'.repeat(24)}, is not in ${join(w.data_dir, 'keys')}`),
    fix: expect.stringContaining('Copy both of its parts'),
  });
  await w.sql(`UPDATE vault.key_epoch SET kek_ref = $1`, [before?.kek_ref]);
});

test('florin doctor finds several vaults that keep a security code for themselves alone', async () => {
  const found = async (settings = {}) =>
    (await examined(settings)).report.findings.find((one) => one.check === 'security codes');
  expect(await found()).toMatchObject({ level: 'ok' });
  await w.sql(
    `INSERT INTO vault.processes (id, beat_at) VALUES (decode('${'0'.repeat(23)}2', 'hex'), now() + interval '1 minute'),
                                                      (decode('${'0'.repeat(23)}3', 'hex'), now() + interval '1 minute')`,
  );
  expect(await found()).toMatchObject({
    level: 'problem',
    says: expect.stringContaining('vaults'),
    fix: 'Set FLORIN_CVC_STORE=database on every vault.',
  });
  expect(await found({ FLORIN_CVC_STORE: 'database' })).toMatchObject({ level: 'ok' });
  await w.sql(`DELETE FROM vault.processes WHERE beat_at > now() + interval '10 seconds'`);
});

test('florin doctor finds what is broken, each with what to do, and says what is well too', async () => {
  const taken = await takePort();
  await w.sql(`ALTER TABLE payment.orders NO FORCE ROW LEVEL SECURITY`);
  await w.sql(`GRANT EXECUTE ON FUNCTION payment.queue_figures() TO PUBLIC`);
  await w.sql(`INSERT INTO payment.providers (name, health, next_probe_at) VALUES ('nobody', 'open', 'infinity')`);
  await w.sql(`DELETE FROM vault.migrations WHERE name = (SELECT max(name) FROM vault.migrations)`);
  const { code, report } = await examined({ FLORIN_BACKOFFICE_PORT: String(taken.port) });
  await taken.release();
  const bad = report.findings.filter((one) => one.level !== 'ok');
  expect(bad.map((one) => `${one.level} ${one.check}`)).toEqual(
    expect.arrayContaining([
      'problem payment database: row-level security',
      'problem payment database: grants',
      'problem payment database: durability',
      'problem vault database: schema',
      'warning providers',
      `problem back office at port ${taken.port}`,
    ]),
  );
  expect(bad.every((one) => one.fix !== undefined && one.fix.length > 10)).toBe(true);
  expect([code, report.result]).toEqual([1, 'problem']);
  const well = report.findings.filter((one) => one.level === 'ok').map((one) => one.check);
  expect(well).toEqual(
    expect.arrayContaining([
      'settings',
      'disk',
      'payment database: schema',
      'payment database: clock',
      'payment database: role',
      'worker',
      `payment API at port ${portOf(w.service.addresses.base_url)}`,
    ]),
  );
});

test('florin doctor says so where there is no database or settings are wrong, and does not fail over it', async () => {
  const gone = await examined({ FLORIN_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  expect(gone.report.findings.find((one) => one.check === 'payment database')).toMatchObject({
    level: 'problem',
    // and not that Florin brings a database of its own: in production, and for a host alone, it brings none
    says: expect.stringMatching(/is not reachable: .*ECONNREFUSED.* Start it, or correct the address\.$/),
  });
  expect(gone.report.findings.map((one) => one.check)).toContain('disk');
  const wrong = await examined({ FLORIN_BRAND: 'NO', FLORIN_API_PORT: 'x' });
  expect(wrong.report.findings).toHaveLength(1);
  expect(wrong.report.findings[0]?.says).toContain('FLORIN_BRAND');
  expect([gone.code, wrong.code]).toEqual([1, 1]);
});

test('florin doctor says what to do where the database takes no further connection', async () => {
  const crowded = `crowded_${w.database}`;
  await w.sql(`CREATE ROLE ${crowded} LOGIN CONNECTION LIMIT 0`);
  const { socket_dir } = inject('server');
  const address = `postgres://${crowded}@/${w.database}?host=${encodeURIComponent(socket_dir)}`;
  const { report } = await examined({ FLORIN_DATABASE_URL: address });
  await w.sql(`DROP ROLE ${crowded}`);
  expect(report.findings.find((one) => one.check === 'payment database')).toMatchObject({
    level: 'problem',
    says: expect.stringMatching(/takes no further connection: .* Raise .* or lower FLORIN_DATABASE_CONNECTIONS/),
  });
});

test('florin doctor makes its other checks where the database has one connection left, and says what it lacks', async () => {
  const last = `last_${w.database}`;
  await w.sql(`CREATE ROLE ${last} LOGIN CONNECTION LIMIT 1`);
  await w.sql(`GRANT payment_app TO ${last}`);
  const { socket_dir } = inject('server');
  const address = `postgres://${last}@/${w.database}?host=${encodeURIComponent(socket_dir)}`;
  const { code, report } = await examined({ FLORIN_DATABASE_URL: address });
  await w.sql(`DROP ROLE ${last}`);
  expect([code, report.findings.find((one) => one.check === 'payment database')]).toMatchObject([
    1,
    { level: 'problem', says: expect.stringContaining('too many connections for role'), fix: expect.any(String) },
  ]);
  expect(report.findings.map((one) => one.check)).toContain(
    `payment API at port ${portOf(w.service.addresses.base_url)}`,
  );
});

test('florin doctor finds a database that was made read-only, as some providers do where its disk is full', async () => {
  const reader = `reader_${w.database}`;
  await w.sql(`CREATE ROLE ${reader} LOGIN`);
  await w.sql(`ALTER ROLE ${reader} SET default_transaction_read_only = on`);
  await w.sql(`GRANT payment_app TO ${reader}`);
  const { socket_dir } = inject('server');
  const address = `postgres://${reader}@/${w.database}?host=${encodeURIComponent(socket_dir)}`;
  const { code, report } = await examined({ FLORIN_DATABASE_URL: address });
  await w.sql(`DROP ROLE ${reader}`);
  expect([code, report.findings.find((one) => one.check === 'payment database: writes')]).toMatchObject([
    1,
    { level: 'problem', says: expect.stringContaining('default_transaction_read_only is on') },
  ]);
});

test('florin doctor warns of the schema of a newer Florin, and makes its other checks', async () => {
  await w.sql(`INSERT INTO payment.migrations (name, checksum) VALUES ('9999-newer.sql', 'x')`);
  const { report } = await examined();
  await w.sql(`DELETE FROM payment.migrations WHERE name = '9999-newer.sql'`);
  expect(report.findings.find((one) => one.check === 'payment database: schema')).toMatchObject({
    level: 'warning',
    says: 'is that of a newer Florin (payment/9999-newer.sql)',
    fix: expect.stringContaining('the version before it runs here'),
  });
  expect(report.findings.map((one) => one.check)).toContain('payment key');
});

/** A server that answers who connects with this, and nothing more. */
async function serverThatSays(bytes: Buffer) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://nobody@127.0.0.1:${listeningPort(server)}/none`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('florin doctor ends, and says so, where the database takes the connection and stands still', async () => {
  await using still = await serverThatSays(Buffer.concat([written('R', '\0\0\0\0'), written('Z', 'I')]));
  const { code, report } = await examined({ FLORIN_DATABASE_URL: still.url });
  expect([code, report.findings.find((one) => one.check === 'payment database')]).toMatchObject([
    1,
    { level: 'problem', says: expect.stringContaining('takes the connection, and answers no question') },
  ]);
});

test('florin doctor says what to do where the database recovers from a crash, as on a full disk', async () => {
  await using recovering = await serverThatSays(
    written('E', 'SFATAL\0VFATAL\0C57P03\0Mthe database system is in recovery mode\0\0'),
  );
  const { report } = await examined({ FLORIN_DATABASE_URL: recovering.url });
  expect(report.findings.find((one) => one.check === 'payment database')).toMatchObject({
    level: 'problem',
    says: expect.stringMatching(/in recovery mode\. .*wait, .*its log and .*the room on its disk/),
  });
});

test('a system that sends what was given up for longer than usual is a problem; where it cannot be asked, nothing is said', () => {
  const file = join(w.data_dir, 'tcp_orphan_retries');
  const levels = (retries: string) => {
    writeFileSync(file, retries);
    return lookAtNetwork(file).map(({ level }) => level);
  };
  expect([levels('0\n'), levels('8\n'), levels('9\n')]).toEqual([[], [], ['problem']]);
  expect(lookAtNetwork(join(w.data_dir, 'no such file'))).toEqual([]);
});

test('a proxy that is not named is a problem: all payers would share the limits of one address', () => {
  const look = (settings: Readonly<Record<string, string>>) =>
    lookAtProxy(readConfig(settings)).map(({ level, fix }) => [level, /FLORIN_\w+/.exec(fix ?? '')?.[0]]);
  const [behind, named] = [{ FLORIN_BEHIND_PROXY: 'yes' }, { FLORIN_TRUSTED_PROXIES: '10.0.0.0/8' }];
  expect([look({}), look({ ...behind, ...named })]).toEqual([[], []]);
  expect(look(behind)).toEqual([['problem', 'FLORIN_TRUSTED_PROXIES']]);
  expect(look(named)).toEqual([['warning', 'FLORIN_BEHIND_PROXY']]);
});

test('the queues are judged one by one', () => {
  const figure = { part: 'simulator', state: '', waiting: 3n, oldest_s: 0 };
  const levels = (queue: string, more: object) =>
    judge([{ ...figure, queue, ...more }])
      .filter((one) => one.level !== 'ok')
      .map((one) => one.check);
  expect(levels('operations', { state: 'review' })).toEqual(['money in review']);
  expect(levels('operations', { state: 'in_doubt', oldest_s: 3601 })).toEqual(['money in doubt']);
  expect(levels('operations', { state: 'in_doubt', oldest_s: 60 })).toEqual([]);
  expect(levels('overdue operations', { oldest_s: 121 })).toEqual(['worker']);
  expect(levels('provider messages', { state: 'parked' })).toEqual(['messages of providers']);
  expect(levels('provider messages', { state: 'received', oldest_s: 10 })).toEqual([]);
  expect(levels('stray findings', {})).toEqual(['findings without an account']);
  expect(levels('card removals', { oldest_s: 7201 })).toEqual(['removed cards']);
  expect(levels('overdue notifications', { oldest_s: 301 })).toEqual(['notifications']);
  expect(levels('failing endpoints', { oldest_s: 3601 })).toEqual(['endpoints']);
  expect(levels('notifications', { oldest_s: 7200 })).toEqual([]);
  expect(levels('search', { waiting: 200_001n })).toEqual(['search']);
});

test('the doctor names a limit of open files that the connections of a host go beyond', () => {
  expect(lookAtOpenFiles(1024)).toEqual([
    {
      check: 'open files',
      level: 'warning',
      says: expect.stringContaining('may have 1024 files and connections open, and a host takes up to 8000'),
      fix: expect.stringContaining('LimitNOFILE'),
    },
  ]);
  for (const limit of [8000, Number.POSITIVE_INFINITY])
    expect(lookAtOpenFiles(limit).map(({ level }) => level)).toEqual(['ok']);
});
