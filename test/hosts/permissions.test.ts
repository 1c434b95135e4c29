// A host that runs alone may read its program and what its settings name; it writes nowhere in production, and starts
// nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { optionsOf } from '../../src/hosts/permissions.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { until } from '../client.ts';
import { ROOT, newFolder } from '../start/child.ts';
import { type World, worldOfProcesses } from '../world.ts';
import type { Processes } from './processes.ts';

/** What somebody would try who got his own code to run in a host: said on standard output, one line a signal. */
const PLANTED = `
import fs from 'node:fs'; import child from 'node:child_process'; import worker from 'node:worker_threads';
import inspector from 'node:inspector'; import v8 from 'node:v8';
const tries = {
  read: () => fs.readFileSync('/etc/passwd'),
  read_project: () => fs.readFileSync(process.cwd() + '/../secret'),
  list: () => fs.readdirSync('/'),
  write: () => fs.writeFileSync(process.cwd() + '/written', 'x'),
  write_program: () => fs.writeFileSync(${JSON.stringify(join(ROOT, 'node_modules/.planted'))}, 'x'),
  spawn: () => child.spawnSync('true').status,
  exec: () => child.execSync('true'),
  worker: () => new worker.Worker('1', { eval: true }),
  addon: () => process.dlopen({ exports: {} }, ${JSON.stringify(join(ROOT, 'package.json'))}),
  inspector: () => inspector.open(0),
  snapshot: () => v8.writeHeapSnapshot(process.cwd() + '/heap'),
  link: () => fs.symlinkSync('/etc/passwd', process.cwd() + '/data/link'),
};
process.on('SIGUSR2', () => {
  const said = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { attempt(); said[name] = 'done'; } catch (error) { said[name] = error.code; }
  }
  console.log('tried ' + JSON.stringify(said));
});`;

const DENIED = {
  read: 'ERR_ACCESS_DENIED',
  read_project: 'ERR_ACCESS_DENIED',
  list: 'ERR_ACCESS_DENIED',
  write: 'ERR_ACCESS_DENIED',
  write_program: 'ERR_ACCESS_DENIED',
  spawn: 'ERR_ACCESS_DENIED',
  exec: 'ERR_ACCESS_DENIED',
  worker: 'ERR_ACCESS_DENIED',
  addon: 'ERR_DLOPEN_DISABLED',
  inspector: 'ERR_ACCESS_DENIED',
  snapshot: 'ERR_ACCESS_DENIED',
  link: 'ERR_ACCESS_DENIED',
};

/** Of the operator's own files, which lie anywhere. */
const elsewhere = newFolder();
const file = (name: string, text: string) => {
  const path = join(elsewhere.path, name);
  writeFileSync(path, text);
  return path;
};

let w: World & { readonly service: Processes };
beforeAll(async () => {
  w = await worldOfProcesses({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PLANTED)}`,
    FLORIN_SMTP_HOST: 'localhost',
    FLORIN_SMTP_FROM: 'pay@shop.example',
    FLORIN_SMTP_CA_FILE: file('ca.pem', ''),
    FLORIN_CARD_RANGES_FILE: file('ranges.csv', 'bin,issuer,isoCode2\n424242,A bank,FR\n'),
  });
  writeFileSync(join(w.data_dir, 'secret'), 'x');
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  elsewhere[Symbol.dispose]();
});

test.each(['vault', 'payment', 'worker'] as const)('florin %s', async (name) => {
  const run = w.service.runs.get(name);
  w.service.signal(name, 'SIGUSR2');
  const said = await until(() => /^tried (.*)$/m.exec(run?.out() ?? '')?.[1]);
  expect(JSON.parse(said)).toEqual(DENIED);
});

test('payments are made all the same, and the hosts complain of nothing', async () => {
  expect((await w.shop.pay()).code).toBe('955555');
  for (const { err } of w.service.runs.values()) expect(err()).toBe('');
});

const sandbox = readConfig({ FLORIN_DATA_DIR: '/d' });
const granted = (options: readonly string[], what: 'read' | 'write') =>
  options.filter((option) => option.startsWith(`--allow-fs-${what}=`)).map((option) => option.replace(/.*?=/, ''));

test('a sandbox writes its data folder and compiled code, production nothing', () => {
  const cache = join(ROOT, 'node_modules/.cache/florin');
  expect(granted(optionsOf(sandbox, 'vault'), 'write')).toEqual(['/d', '/d/*', cache, join(cache, '*')]);
  for (const shape of ['vault', 'payment', 'worker'] as const)
    expect(granted(optionsOf({ ...sandbox, environment: 'production' }, shape), 'write')).toEqual([]);
});

test('each host reads the files that its own settings name, and the hardware module is native code', () => {
  const named = {
    ...sandbox,
    tls_cert_file: '/c.pem',
    tls_key_file: '/k.pem',
    tls_dir: '/tls',
    destinations_file: '/to.json',
    destinations_key_file: '/to.pem',
    transit_token_file: '/token',
    vault_database_url: 'postgres://v@host/v?sslmode=verify-full&sslrootcert=/v-ca.pem',
    database_url: 'postgres://p@/p?host=/socket&sslrootcert=/p-ca.pem&sslcert=/p.pem&sslkey=/p.key',
  };
  const signed = ['/to.json', '/to.json.sig', '/to.pem'];
  const both = ['/c.pem', '/k.pem', '/tls', '/tls/*', '/d', '/d/*', '/proc/self/limits', ...signed];
  const vault = granted(optionsOf(named, 'vault'), 'read');
  const payment = granted(optionsOf(named, 'payment'), 'read');
  const of_vault = ['/token', '/v-ca.pem'];
  const of_payment = ['/p-ca.pem', '/p.pem', '/p.key'];
  expect(vault).toEqual(expect.arrayContaining([...both, ...of_vault]));
  expect(payment).toEqual(expect.arrayContaining([...both, ...of_payment]));
  expect(vault.filter((path) => of_payment.includes(path))).toEqual([]);
  expect(payment.filter((path) => of_vault.includes(path))).toEqual([]);
  for (const path of [...vault, ...payment]) expect(path, 'nothing as a whole').not.toMatch(/^\/\*?$/);
  const module = { ...named, key_provider: 'pkcs11', pkcs11_module: '/hsm.so', pkcs11_pin_file: '/pin' } as const;
  expect(optionsOf(named, 'vault')).not.toContain('--allow-addons');
  expect(optionsOf(module, 'payment')).not.toContain('--allow-addons');
  expect(optionsOf(module, 'vault')).toContain('--allow-addons');
  expect(granted(optionsOf(module, 'vault'), 'read')).toEqual(expect.arrayContaining(['/hsm.so', '/pin']));
});

test('a host reads every file that a setting can name, but those that are for the other zone', () => {
  const names = Object.entries(SETTINGS).flatMap(([name, { kind }]) => (kind === 'file' ? [name] : []));
  const named = { ...sandbox };
  for (const name of names) Object.assign(named, { [name.slice('FLORIN_'.length).toLowerCase()]: `/named/${name}` });
  const notFor = (role: 'vault' | 'payment' | 'worker') => {
    const reads = granted(optionsOf(named, role), 'read');
    return names.filter((name) => !reads.includes(`/named/${name}`));
  };
  const of_vault = /^FLORIN_(?:TRANSIT|PKCS11|GOOGLE_PAY|APPLE_PAY)_/;
  const of_money = ['FLORIN_ADDRESS_COUNTRIES_FILE', 'FLORIN_CARD_RANGES_FILE', 'FLORIN_SMTP_PASSWORD_FILE'];
  expect(notFor('vault').toSorted()).toEqual(of_money);
  for (const role of ['payment', 'worker'] as const)
    expect(notFor(role)).toEqual(names.filter((n) => of_vault.test(n)));
});
