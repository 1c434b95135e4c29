// The embedded PostgreSQL: real servers in temporary folders, killed and started in every way that has gone wrong
// somewhere.
import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startEmbedded } from '../src/kit/embedded.ts';
import { StartError } from '../src/kit/start-error.ts';
import {
  base,
  endAll,
  endLater,
  expectAnswer,
  folderWith,
  inChild,
  isPossible,
  isRoot,
  madeBefore,
  outcome,
  parentOf,
  postmaster,
  query,
  removeAll,
  serversIn,
  socketOf,
  start,
  until,
  workersOf,
} from './embedded/servers.ts';

afterEach(endAll);
afterAll(removeAll);

describe('a start', () => {
  test('makes a database that answers, and a stop leaves no process', async () => {
    const said: string[] = [];
    const data_dir = join(base, 'first');
    const server = await start({ data_dir, say: (line) => said.push(line), settings: { work_mem: '5MB' } });
    expect(said).toEqual([expect.stringContaining('first start only')]);
    const settings = ['data_checksums', 'fsync', 'listen_addresses', 'timezone', 'shared_buffers', 'work_mem'];
    const rows = await query(
      server,
      `SELECT ${settings.map((name) => `current_setting('${name}') AS ${name}`).join()}`,
    );
    expect(rows).toEqual([
      {
        data_checksums: 'on',
        fsync: 'on',
        listen_addresses: '',
        timezone: 'UTC',
        shared_buffers: '64MB',
        work_mem: '5MB',
      },
    ]);
    const [database] = await query(
      server,
      'SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()',
    );
    expect(database).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' });
    expect(statSync(server.socket_dir).mode & 0o777).toBe(0o700);
    expect(serversIn(data_dir)).not.toEqual([]);

    await Promise.all([server.stop(), server.stop(), server.ended]);
    expect(serversIn(data_dir)).toEqual([]);
    expect(server.lastWords()).toContain('database system is shut down');
    await expect(query(server, 'SELECT 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);

    const again = await start({ data_dir, say: (line) => said.push(line) });
    await expectAnswer(again);
    expect(said).toHaveLength(1);
  });

  test.each([
    ['spaces and umlauts', 'Käse und Öl, "süß"'],
    ['a path too long for a socket', join('x'.repeat(60), 'y'.repeat(60))],
  ])('works in a folder with %s', async (_, name) => {
    const data_dir = await madeBefore(name);
    const server = await start({ data_dir });
    await expectAnswer(server);
    expect(statSync(server.socket_dir).mode & 0o777).toBe(0o700);
    await server.stop();
    if (!server.socket_dir.startsWith(base))
      expect(lstatSync(server.socket_dir, { throwIfNoEntry: false })).toBe(undefined);
  });

  test('hears of a server that somebody killed', async () => {
    const data_dir = await madeBefore('killed');
    const server = await start({ data_dir });
    process.kill(postmaster(data_dir), 'SIGKILL');
    await server.ended;
    await expectAnswer(await start({ data_dir }));
  });

  test('ends the server when somebody kills the guard', async () => {
    const data_dir = await madeBefore('guard-killed');
    const server = await start({ data_dir });
    const pid = postmaster(data_dir);
    const guard = parentOf(pid);
    for (const part of workersOf(guard)) if (part !== pid) process.kill(part, 'SIGKILL');
    process.kill(guard, 'SIGKILL');
    await server.ended;
    expect(serversIn(data_dir)).toEqual([]);
    await expectAnswer(await start({ data_dir }));
  });
});

describe('the same folder twice', () => {
  test('is refused with the folder and the process that has it, while the first goes on', async () => {
    const data_dir = await madeBefore('twice');
    const first = await start({ data_dir });
    const words = `The data folder "${data_dir}" is in use by another Florin (process ${process.pid}). Stop that one (kill ${process.pid})`;
    const said: string[] = [];
    await expect(startEmbedded({ data_dir, say: (line) => said.push(line) })).rejects.toThrow(
      new StartError(`${words}, or give this one another data folder.`),
    );
    // and does not wait for the first to end, as it would, and say so, for the last workers of a killed one
    expect(said).toEqual([]);
    expect(await outcome(inChild({ data_dir }))).toContain(`refused StartError ${words}`);
    await expectAnswer(first);
  });

  test('has one winner when both begin at once and there is no database yet', async () => {
    const data_dir = join(base, 'race');
    const contenders = [inChild({ data_dir }), inChild({ data_dir }), inChild({ data_dir })];
    const outcomes = (await Promise.all(contenders.map((child) => outcome(child)))).toSorted();
    expect(outcomes.map((text) => text.split(' ')[0])).toEqual(['refused', 'refused', 'socket']);
    const pids = contenders.map((child) => `(process ${child.pid})`);
    for (const text of outcomes.slice(0, 2)) expect(pids.some((pid) => text.includes(pid))).toBe(true);
  });
});

describe('after kill -9', () => {
  test('of the process, its server ends by itself, and the next start has every committed row', async () => {
    const data_dir = await madeBefore('kill-9');
    const child = inChild({ data_dir });
    const at = await socketOf(child);
    await query(at, 'CREATE TABLE paid (id int)');
    await query(at, 'INSERT INTO paid VALUES (1), (2)');
    child.kill('SIGKILL');
    // At once: the old server may still be shutting down.
    const server = await start({ data_dir });
    expect(await query(server, 'SELECT id FROM paid ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
    await server.stop();
    await until(() => serversIn(data_dir).length === 0);

    const other = inChild({ data_dir });
    await outcome(other);
    other.kill('SIGKILL');
    await until(() => serversIn(data_dir).length === 0);
  });

  test('of the process during its first start, the next one begins anew', async () => {
    const data_dir = join(base, 'half');
    const child = inChild({ data_dir });
    const begun = () =>
      lstatSync(data_dir, { throwIfNoEntry: false }) && readdirSync(data_dir).find((name) => /new-/.test(name));
    await until(() => begun() !== undefined);
    child.kill('SIGKILL');
    const server = await start({ data_dir });
    await expectAnswer(server);
    await server.stop();
    // What the killed one began may outlive this start, as its initdb is a moment in dying; no later one.
    await until(() => serversIn(data_dir).length === 0);
    await expectAnswer(await start({ data_dir }));
    expect(begun()).toBe(undefined);
  });

  test('of the process and the guard, the server that is left is ended by the next start', async () => {
    const data_dir = await madeBefore('guard');
    const child = inChild({ data_dir });
    await outcome(child);
    const left = postmaster(data_dir);
    process.kill(parentOf(left), 'SIGKILL');
    child.kill('SIGKILL');
    const said: string[] = [];
    const server = await start({ data_dir, say: (line) => said.push(line) });
    expect(postmaster(data_dir)).not.toBe(left);
    await expectAnswer(server);
  });

  test('of process and server, a worker that is slow to notice is waited for', async () => {
    const data_dir = await madeBefore('slow');
    const child = inChild({ data_dir });
    await outcome(child);
    const server = postmaster(data_dir);
    const worker = workersOf(server)[0] ?? 0;
    process.kill(worker, 'SIGSTOP');
    for (const pid of [server, child.pid ?? 0]) process.kill(pid, 'SIGKILL');
    await until(() => serversIn(data_dir).length === 0);
    const said: string[] = [];
    const starting = start({ data_dir, say: (line) => said.push(line) });
    await until(() => said.some((line) => line.includes('last workers')));
    process.kill(worker, 'SIGCONT');
    await expectAnswer(await starting);
  });

  test('a pid that is now another program is not taken for the server', async () => {
    const data_dir = await madeBefore('reused');
    const child = inChild({ data_dir });
    await outcome(child);
    const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
    const stale = readFileSync(pid_file, 'utf8').replace(/^\d+/, String(process.pid));
    for (const pid of [postmaster(data_dir), child.pid ?? 0]) process.kill(pid, 'SIGKILL');
    await until(() => serversIn(data_dir).length === 0);
    writeFileSync(pid_file, stale);
    writeFileSync(join(data_dir, 'florin.pid'), `${process.ppid}\n`);
    await expectAnswer(await start({ data_dir }));
  });
});

describe('a clear word is said of', () => {
  test('a database of another PostgreSQL', async () => {
    const data_dir = folderWith('major', { PG_VERSION: '15\n' });
    await expect(startEmbedded({ data_dir })).rejects.toThrow(
      /was written by PostgreSQL 15, and this Florin brings PostgreSQL \d\d\. .*pg_dump/,
    );
  });

  test('files that are no database', async () => {
    const data_dir = folderWith('files', { 'letter.txt': 'Dear' });
    await expect(startEmbedded({ data_dir })).rejects.toThrow('holds files but no PostgreSQL database. Move it away');
  });

  test('a file where the folder should be', async () => {
    writeFileSync(join(base, 'file'), '');
    await expect(startEmbedded({ data_dir: join(base, 'file') })).rejects.toThrow('a file of that name is in the way');
  });

  test('a PostgreSQL on the files that is not ours, which is left alone', async () => {
    const data_dir = await madeBefore('foreign');
    const cluster = join(data_dir, 'postgres');
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres', cluster], {
      stdio: 'ignore',
    });
    endLater(other);
    writeFileSync(join(cluster, 'postmaster.pid'), `${other.pid}\n`);
    await expect(startEmbedded({ data_dir })).rejects.toThrow(
      `Another PostgreSQL (process ${other.pid}) that Florin did not start`,
    );
    expect(other.exitCode ?? other.signalCode).toBe(null);
  });

  test('a setting that PostgreSQL does not take, in its own words', async () => {
    const options = { data_dir: await madeBefore('setting'), settings: { shared_buffers: 'many' } };
    await expect(startEmbedded(options)).rejects.toThrow(/did not start:\n.*shared_buffers.*many/s);
    expect(serversIn(options.data_dir)).toEqual([]);
  });

  test.for([
    ['full', 'size=20m', 'is full. Free at least 200 MB'],
    ['read-only', 'size=20m,ro', 'is on a read-only disk. Use another'],
  ] as const)('a disk that is %s', async ([name, mount, words], { skip }) => {
    const disk = folderWith(`disk-${name}`, {});
    const mounted = `mount -t tmpfs -o ${mount} none "$1" && shift && exec "$@"`;
    const inside = ['unshare', isRoot ? '-m' : '-Urm', 'sh', '-c', mounted, 'sh', disk];
    skip(!isPossible(inside), 'this account may not mount a disk of its own');
    const said = await outcome(inChild({ data_dir: disk }, { inside }));
    expect(said).toContain('refused StartError');
    expect(said).toContain(words);
  });
});
