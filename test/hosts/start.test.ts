// Hosts alone: what each must be told and may not know, their own databases, and a clean end of each.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { makeCerts } from '../../src/hosts/certs.ts';
import type { HostRole } from '../../src/hosts/needs.ts';
import { Client } from '../client.ts';
import { type Settings, newFolder, outcomeOf, takePort } from '../start/child.ts';
import { gone, treeOf } from '../start/processes.ts';
import { HOSTS, startProcesses } from './processes.ts';

// Several hosts start; on a machine with much else to do, that takes its time.

const ALL: Settings = {
  FLORIN_DATABASE_URL: 'postgres://payment_app@db/florin',
  FLORIN_VAULT_DATABASE_URL: 'postgres://vault_app@vault-db/florin',
  FLORIN_VAULT_LINK_URL: 'https://10.0.0.2:8083',
  FLORIN_TLS_DIR: '/certs',
  FLORIN_BASE_URL: 'https://pay.example.com',
  FLORIN_VAULT_URL: 'https://vault.example.com',
  FLORIN_SIMULATOR_URL: 'http://127.0.0.1:8085',
};

const WANTS: Readonly<Record<'payment' | 'vault' | 'worker', readonly string[]>> = {
  payment: [
    'FLORIN_DATABASE_URL',
    'FLORIN_VAULT_LINK_URL',
    'FLORIN_TLS_DIR',
    'FLORIN_VAULT_URL',
    'FLORIN_SIMULATOR_URL',
  ],
  vault: ['FLORIN_VAULT_DATABASE_URL', 'FLORIN_TLS_DIR', 'FLORIN_BASE_URL', 'FLORIN_SIMULATOR_URL'],
  worker: ['FLORIN_DATABASE_URL', 'FLORIN_VAULT_LINK_URL', 'FLORIN_TLS_DIR', 'FLORIN_SIMULATOR_URL'],
};
const SECRETS = {
  payment: 'FLORIN_VAULT_DATABASE_URL',
  vault: 'FLORIN_DATABASE_URL',
  worker: 'FLORIN_VAULT_DATABASE_URL',
} as const;

function problemsOf(settings: Settings, shape: HostRole): readonly string[] {
  try {
    readConfig(settings, shape);
    return [];
  } catch (error) {
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {2}- /, ''));
  }
}

describe.each(['payment', 'vault', 'worker'] as const)('florin %s', (shape) => {
  const right = Object.fromEntries(Object.entries(ALL).filter(([name]) => name !== SECRETS[shape]));

  test('says everything that is missing in one message, and ends with 1', async () => {
    using folder = newFolder();
    const { code, said } = await outcomeOf({ cwd: folder.path, command: [shape] });
    expect(code).toBe(1);
    for (const name of WANTS[shape]) expect(said).toContain(`  - ${name} is required for florin ${shape}`);
    expect(said.match(/ {2}- /g)).toHaveLength(WANTS[shape].length);
    expect(said).not.toMatch(/^ +at /m);
  });

  test('takes what it needs, and not what belongs to another host', () => {
    expect(problemsOf(right, shape)).toEqual([]);
    for (const name of WANTS[shape])
      expect(problemsOf({ ...right, [name]: '' }, shape)).toEqual([expect.stringContaining(`${name} is required`)]);
    expect(problemsOf(ALL, shape)).toEqual([
      `${SECRETS[shape]} must not be set for florin ${shape}: this host may not know it`,
    ]);
  });

  test('takes no link without TLS', () => {
    const links = { FLORIN_VAULT_LINK_URL: 'http://10.0.0.2:8083', FLORIN_PAYMENT_LINK_URL: 'http://10.0.0.3:8084' };
    expect(problemsOf({ ...right, ...links }, shape)).toEqual([
      'FLORIN_VAULT_LINK_URL must be an https address: a link is never without TLS',
      'FLORIN_PAYMENT_LINK_URL must be an https address: a link is never without TLS',
    ]);
  });

  test('in production has no simulator, and public hosts have TLS', () => {
    const said = problemsOf({ ...right, FLORIN_ENVIRONMENT: 'production', FLORIN_DATA_DIR: 'nowhere' }, shape).join(
      '\n',
    );
    expect(said).toContain('FLORIN_SIMULATOR_URL is for a sandbox');
    expect(said.includes('FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE are required')).toBe(shape !== 'worker');
    expect(said).toContain('FLORIN_DESTINATIONS_FILE and FLORIN_DESTINATIONS_KEY_FILE are required');
    expect(said.includes("must hold the folder keys with the vault's key files")).toBe(shape === 'vault');
  });

  test.each(['', 'http://office.example'])(
    'in production mails no link to the back office that leads nowhere or goes without TLS: "%s"',
    (FLORIN_BACKOFFICE_URL) => {
      const said = problemsOf({ ...right, FLORIN_ENVIRONMENT: 'production', FLORIN_BACKOFFICE_URL }, shape).join('\n');
      expect(said.includes('FLORIN_BACKOFFICE_URL must be an https address in production')).toBe(shape !== 'vault');
    },
  );

  test('says what is wrong with its certificates', async () => {
    using folder = newFolder();
    makeCerts({ folder: join(folder.path, 'certs'), renew: false, days: 1 });
    const other = shape === 'vault' ? 'payment' : 'vault';
    const start = (dir: string) =>
      outcomeOf({ cwd: folder.path, command: [shape], settings: { ...right, FLORIN_TLS_DIR: dir } });
    const wrong = await start(`certs/${other}`);
    expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining(`are not those of the ${shape} host`)]);
    const none = await start('nowhere');
    expect([none.code, none.said]).toEqual([1, expect.stringContaining('Make the certificates with: florin certs')]);
  });
});

test('florin simulator is for a sandbox, and names its port when it is taken', async () => {
  using folder = newFolder();
  const taken = await takePort();
  const settings = { FLORIN_SIMULATOR_PORT: String(taken.port) };
  const { code, said } = await outcomeOf({ cwd: folder.path, command: ['simulator'], settings });
  await taken.release();
  expect([code, said]).toEqual([1, expect.stringContaining(`did not start at port ${taken.port}`)]);
  expect(problemsOf({ FLORIN_ENVIRONMENT: 'production' }, 'simulator').join()).toContain('it is for a sandbox only');
});

describe('on two databases', () => {
  test('each zone is migrated alone, its hosts know the other not, a payment passes, and each ends with 0', async () => {
    using folder = newFolder();
    const { socket_dir, user } = inject('server');
    const admin = new pg.Client({ host: socket_dir, user, database: 'postgres' });
    await admin.connect();
    const names = { payment: `p_${process.pid}`, vault: `v_${process.pid}` };
    for (const name of Object.values(names)) await admin.query(`CREATE DATABASE ${name}`);
    const url = (login: string, zone: keyof typeof names) =>
      `postgres://${login}@/${names[zone]}?host=${encodeURIComponent(socket_dir)}`;
    try {
      const nothing = await outcomeOf({ cwd: folder.path, command: ['migrate', 'vault'] });
      expect([nothing.code, nothing.said]).toEqual([
        1,
        expect.stringContaining('FLORIN_VAULT_DATABASE_URL is required'),
      ]);
      for (const [zone, setting] of [
        ['payment', 'FLORIN_DATABASE_URL'],
        ['vault', 'FLORIN_VAULT_DATABASE_URL'],
      ] as const) {
        const settings = { [setting]: url(user, zone) };
        const { code, said } = await outcomeOf({ cwd: folder.path, command: ['migrate', zone], settings });
        expect([code, said]).toEqual([0, expect.stringContaining(`the database of ${zone} is at the schema`)]);
      }
      await payAndEnd(folder.path, url('payment_app', 'payment'), url('vault_app', 'vault'));
      for (const zone of ['payment', 'vault'] as const) expect(await schemasOf(names[zone])).toEqual([zone]);
    } finally {
      for (const name of Object.values(names)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    }
  });
});

async function payAndEnd(folder: string, payment_url: string, vault_url: string): Promise<void> {
  const home = join(folder, 'hosts');
  mkdirSync(home);
  const settings = { FLORIN_LOG_LEVEL: 'error' };
  const service = await startProcesses({ folder: home, payment_url, vault_url, settings });
  try {
    const { addresses, demo, runs } = service;
    if (!demo) throw new Error('a sandbox has a demo account');
    expect((await new Client(addresses, demo).pay()).code).toBe('955555');
    for (const name of HOSTS.toReversed()) {
      const run = runs.get(name);
      const tree = treeOf(run?.child.pid ?? 0);
      service.signal(name, 'SIGTERM');
      expect([name, await run?.ended]).toEqual([name, { code: 0, signal: null }]);
      expect([name, run?.err()]).toEqual([name, '']);
      expect(run?.out()).toMatch(/stopping\n.* s {2}stopped\n$/);
      await gone(tree);
    }
  } finally {
    await service.close();
  }
}

async function schemasOf(database: string): Promise<readonly string[]> {
  const { socket_dir, user } = inject('server');
  const client = new pg.Client({ host: socket_dir, user, database });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('payment', 'vault') ORDER BY 1`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}
