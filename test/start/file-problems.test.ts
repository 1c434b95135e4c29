// What the system will not do with a file is said as what it is: the file, why, and what to do; never as a fault of the
// program with the places in its code.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPossible, isRoot } from '../embedded/servers.ts';
import { newFolder, outcomeOf } from './child.ts';
import { ROOT } from './root.ts';

const PRODUCTION = { FLORIN_ENVIRONMENT: 'production', FLORIN_DATA_DIR: 'a-file/data' };

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ['a-file', ['certs', 'a-file'], {}],
  ['a-file/live', ['certs', 'a-file/live'], {}],
  ['nowhere/operator.pub', ['destinations', 'key', 'nowhere/operator.key', 'nowhere/operator.pub'], {}],
  ['a-file/data/keys', ['make-keys'], PRODUCTION],
  ['a-file/data/keys', ['make-keys', 'payment'], PRODUCTION],
  ['a-file', ['start'], { FLORIN_DATA_DIR: 'a-file' }],
  ['a-file/data/keys', ['start'], { FLORIN_DATA_DIR: 'a-file/data' }],
])('where %s cannot be made or read, florin %j says so and ends with 1', async (path, command, settings) => {
  using folder = newFolder();
  writeFileSync(join(folder.path, 'a-file'), '');
  const { code, said } = await outcomeOf({ cwd: folder.path, command, settings });
  expect([code, said]).toEqual([1, expect.stringContaining(path)]);
  expect(said).toMatch(/Name another|is not there/);
  expect(said).not.toMatch(/^ +at /m);
});

const NOT_THERE = /ENOENT: .*nowhere\.txt'\nThat file, or the folder that it should be in, is not there/;
const IN_THE_WAY = /a-folder.*: EISDIR: .*\nA file is where a folder should be, or a folder where a file should be/;

test.for<[readonly string[], RegExp]>([
  [
    ['destinations', 'show', 'nope'],
    /^There is no table nope in this build\. Its tables: adyen, .*stripe, three-ds\.$/m,
  ],
  [['destinations', 'sign', 'nowhere.txt', 'operator.key'], NOT_THERE],
  [['destinations', 'sign', 'a-folder', 'operator.key'], IN_THE_WAY],
  [['destinations', 'sign', 'an-empty-file', 'nowhere.txt'], NOT_THERE],
  [
    ['destinations', 'sign', 'an-empty-file', 'an-empty-file'],
    /^The key in an-empty-file cannot be used: it is damaged, or/m,
  ],
  [
    ['destinations', 'sign', 'an-empty-file', 'an-rsa.key'],
    /^The key in an-rsa\.key cannot be used: it is no Ed25519 key\.$/m,
  ],
  [['destinations', 'check', 'nowhere.txt', 'operator.pub'], NOT_THERE],
  [['destinations', 'check', 'a-folder', 'operator.pub'], IN_THE_WAY],
])('florin %j says in plain words what is wrong with the file', async ([command, says]) => {
  using folder = newFolder();
  const write = (name: string, text = '') => writeFileSync(join(folder.path, name), text);
  mkdirSync(join(folder.path, 'a-folder'));
  write('an-empty-file');
  for (const [name, { privateKey }] of [
    ['operator.key', generateKeyPairSync('ed25519')],
    ['an-rsa.key', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const)
    write(name, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const { code, said } = await outcomeOf({ cwd: folder.path, command });
  expect([code, said]).toEqual([1, expect.stringMatching(says)]);
  expect(said).not.toMatch(/Error|^ +at |file:/m);
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.sig'))).toEqual([]);
});

test.for<[readonly string[], Readonly<Record<string, string>>]>([
  [['certs', 'disk/live'], {}],
  [['make-keys', 'payment'], { FLORIN_ENVIRONMENT: 'production', FLORIN_DATA_DIR: 'disk/florin/data' }],
  [['start'], { FLORIN_DATA_DIR: 'disk/data' }],
])(
  'where the disk of a new folder is read-only, florin %j says that it is (skipped where no disk may be mounted)',
  ([command, settings], { skip }) => {
    using folder = newFolder();
    const disk = join(folder.path, 'disk');
    mkdirSync(disk);
    const mounted = 'mount -t tmpfs -o ro none "$1" && shift && exec "$@"';
    const inside = [isRoot ? '-m' : '-Urm', 'sh', '-c', mounted, 'sh', disk];
    skip(!isPossible(['unshare', ...inside]), 'this account may not mount a disk of its own');
    const run = [...inside, process.execPath, join(ROOT, 'src/main.ts'), ...command];
    const { status, stderr } = spawnSync('unshare', run, {
      cwd: folder.path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...settings },
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/EROFS.*disk.*\n.*The disk is read-only/)]);
  },
);

// Node's own way to make a folder with those above it asks again for ever here
test.skipIf(!existsSync('/proc/self'))(
  'where a folder can be made by nobody, florin certs says so and ends (skipped without /proc)',
  () => {
    const run = [join(ROOT, 'src/main.ts'), 'certs', '/proc/florin-live'];
    const { status, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8', timeout: 60_000 });
    expect([status, stderr]).toEqual([1, expect.stringContaining("mkdir '/proc/florin-live'")]);
  },
);

test('half of an operator key pair is not left behind', async () => {
  using folder = newFolder();
  const command = ['destinations', 'key', 'operator.key', 'nowhere/operator.pub'];
  const { code, said } = await outcomeOf({ cwd: folder.path, command });
  expect([code, said]).toEqual([1, expect.stringContaining('nowhere/operator.pub')]);
  expect(readdirSync(folder.path)).toEqual([]);
  mkdirSync(join(folder.path, 'nowhere'));
  expect(await outcomeOf({ cwd: folder.path, command })).toMatchObject({ code: 0 });
});

test('an operator key pair that the disk does not take leaves no empty file in the way', async () => {
  using folder = newFolder();
  const words = ['destinations', 'key', 'operator.key', 'operator.pub'];
  // no file grows at all here
  const run = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, join(ROOT, 'src/main.ts'), ...words];
  const { status, stderr } = spawnSync('/bin/sh', run, { cwd: folder.path, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('lets no file of this account grow that large')]);
  expect(readdirSync(folder.path)).toEqual([]);
  expect(await outcomeOf({ cwd: folder.path, command: words })).toMatchObject({ code: 0 });
});

test('a demo account that the disk does not take leaves no half of one, which the next start would call damaged', () => {
  using folder = newFolder();
  const made = (...before: string[]) => {
    const script = `
      import { demoAccount } from '${join(ROOT, 'src/hosts/demo-account.ts')}';
      import { systemChance, systemClock } from '${join(ROOT, 'src/kit/clock.ts')}';
      import { readConfig } from '${join(ROOT, 'src/settings/config.ts')}';
      console.log(demoAccount(readConfig(), systemChance(systemClock())).merchant_account_id);`;
    const run = ['-c', `${before.join('; ')}; exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', script];
    const env = { PATH: process.env['PATH'], FLORIN_DATA_DIR: folder.path };
    return spawnSync('/bin/sh', run, { cwd: folder.path, encoding: 'utf8', env });
  };
  // no file grows at all here
  expect(made('ulimit -f 0').stderr).toContain('EFBIG');
  expect(readdirSync(folder.path)).toEqual([]);
  const { stdout } = made('true');
  expect(stdout).toMatch(/^[0-9a-f]{24}\n$/);
  expect(made('true').stdout).toBe(stdout);
  expect(readdirSync(folder.path)).toEqual(['demo-account.json']);
});

test('a public key alone, as of a run that was killed, is told from a pair that is there', async () => {
  using folder = newFolder();
  writeFileSync(join(folder.path, 'operator.pub'), '');
  const command = ['destinations', 'key', 'operator.key', 'operator.pub'];
  const { code, said } = await outcomeOf({ cwd: folder.path, command });
  expect([code, said]).toEqual([1, expect.stringContaining('operator.pub is there, and operator.key is not')]);
  expect(said).toContain('remove operator.pub');
});

test('a signature that the disk does not take leaves the one before it as it was', async () => {
  using folder = newFolder();
  const florin = (...command: string[]) => outcomeOf({ cwd: folder.path, command: ['destinations', ...command] });
  expect(await florin('key', 'operator.key', 'operator.pub')).toMatchObject({ code: 0 });
  writeFileSync(join(folder.path, 'd.json'), '{}');
  expect(await florin('sign', 'd.json', 'operator.key')).toMatchObject({ code: 0 });
  const before = readFileSync(join(folder.path, 'd.json.sig'), 'utf8');
  const words = ['destinations', 'sign', 'd.json', 'operator.key'];
  const run = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, join(ROOT, 'src/main.ts'), ...words];
  const { status, stderr } = spawnSync('/bin/sh', run, { cwd: folder.path, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('d.json could not be signed')]);
  expect(readFileSync(join(folder.path, 'd.json.sig'), 'utf8')).toBe(before);
  expect(readdirSync(folder.path).toSorted()).toEqual(['d.json', 'd.json.sig', 'operator.key', 'operator.pub']);
});

test.each([
  ['a-file', /^ PROBLEM +data folder .*ENOTDIR/m],
  ['a-folder', /^ PROBLEM +payment key file .*payment-key\.json cannot be read: .*EISDIR/m],
])('the doctor of a host whose data are in %s says all that it finds, this too', async (FLORIN_DATA_DIR, says) => {
  using folder = newFolder();
  writeFileSync(join(folder.path, 'a-file'), '');
  mkdirSync(join(folder.path, 'a-folder', 'keys', 'payment-key.json'), { recursive: true });
  const command = ['doctor', '--production', 'payment'];
  const { code, said } = await outcomeOf({ cwd: folder.path, command, settings: { FLORIN_DATA_DIR } });
  expect([code, said]).toEqual([1, expect.stringMatching(says)]);
  expect(said).toMatch(/^\d+ problems, \d+ warnings/m);
});

test('the doctor says before the first start that a port may not be opened (skipped without root, or where all may)', async ({
  skip,
}) => {
  const first = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  if (process.getuid?.() !== 0 || !existsSync(first) || Number(readFileSync(first, 'utf8')) < 2)
    skip('an account without rights is needed, and a port that it may not open');
  using folder = newFolder();
  chmodSync(folder.path, 0o777);
  const { said } = await outcomeOf({
    cwd: folder.path,
    command: ['doctor', '--production', 'payment'],
    settings: { FLORIN_API_PORT: '1' },
    uid: 65_534,
  });
  expect(said).toMatch(
    /^ PROBLEM +payment API at port 1 +may not be opened by this user\n +→ Set FLORIN_API_PORT .*sysctl/m,
  );
});
