// Settings and addresses that are wrong: one message that lists everything, in the operator's words, and exit code 1.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { isLoopback } from '../../src/settings/loopback.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { ownPort } from '../ports.ts';
import { type Settings, newFolder, outcomeOf, takePort } from './child.ts';
import { workingOn } from './processes.ts';

// A start takes a second; on a machine with much else to do, many.

/** A wrong value for every kind of setting, with what is said about it. */
const WRONG: readonly (readonly [keyof typeof SETTINGS, string, string])[] = [
  ['FLORIN_ENVIRONMENT', 'test', 'must be one of sandbox, production'],
  ['FLORIN_LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent'],
  ['FLORIN_API_PORT', '65536', 'must be a port from 0 to 65535'],
  ['FLORIN_VAULT_PORT', '-1', 'must be a port from 0 to 65535'],
  ['FLORIN_BACKOFFICE_PORT', 'http', 'must be a port from 0 to 65535'],
  ['FLORIN_DATABASE_CONNECTIONS', '0', 'must be a whole number above 0'],
  ['FLORIN_REQUESTS_PER_SECOND', '1.5', 'must be a whole number above 0'],
  ['FLORIN_DATABASE_URL', 'mysql://localhost/florin', 'must look like postgres://user:password@host:5432/database'],
  ['FLORIN_BASE_URL', 'https://pay.example.com/path', 'must be an origin such as https://pay.example.com'],
  ['FLORIN_VAULT_URL', 'vault.example.com', 'must be an origin such as https://pay.example.com'],
  ['FLORIN_DEMO_PRIVATE_KEY', 'short', 'must be 24 to 128 letters, digits, _ or -'],
  ['FLORIN_TLS_CERT_FILE', '/nowhere/cert.pem', 'must be a file: there is no /nowhere/cert.pem'],
  ['FLORIN_SERVER_IPS', 'shop.example', 'must be IP addresses, separated by commas'],
  ['FLORIN_BRAND', 'Florin!', 'must be 2 to 20 lower-case letters and digits'],
  ['FLORIN_KEY_LETTERS', 'f', 'must be 2 to 6 upper-case letters'],
];

function problemsOf(settings: Settings): readonly string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    const [first, ...rest] = String(error).split('\n');
    expect(first).toBe('StartError: Florin cannot start with these settings:');
    return rest.map((line) => line.replace(/^ {2}- /, ''));
  }
}

test.each(WRONG)('%s may not be %s', (name, value, says) => {
  expect(problemsOf({ [name]: value })).toContainEqual(expect.stringContaining(`${name} ${says}`));
});

test('settings that are wrong are all named at once, unknown names too, and Florin ends with 1', async () => {
  using folder = newFolder();
  const settings = Object.fromEntries(WRONG.map(([name, value]) => [name, value]));
  const { code, said } = await outcomeOf({ cwd: folder.path, settings: { ...settings, FLORIN_BASE_ULR: 'x' } });
  expect(code).toBe(1);
  for (const [name, , says] of WRONG) expect(said).toContain(`  - ${name} ${says}`);
  expect(said).toContain('  - FLORIN_BASE_ULR is no setting of Florin');
  expect(said.match(/cannot start with these settings/g)).toHaveLength(1);
  expect(said).not.toMatch(/^ +at /m);
});

test('the first line of a file that begins with a byte order mark is no setting that is not there', () => {
  expect(problemsOf({ '\uFEFFFLORIN_ENVIRONMENT': 'production' })).toEqual([
    'before FLORIN_ENVIRONMENT stands a byte order mark: save its file as UTF-8 without one',
  ]);
});

test('a sandbox needs no setting, and what is empty or blank counts as not set', () => {
  const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' ']));
  expect(readConfig(blank)).toEqual(readConfig({}));
  expect(readConfig({}).environment).toBe('sandbox');
  expect(isLoopback(readConfig({}).host)).toBe(true);
});

test('production with nothing set says everything that is missing, in one message', async () => {
  using folder = newFolder();
  const { code, said } = await outcomeOf({ cwd: folder.path, settings: { FLORIN_ENVIRONMENT: 'production' } });
  expect(code).toBe(1);
  for (const name of ['DATABASE_URL', 'VAULT_DATABASE_URL', 'BASE_URL', 'VAULT_URL', 'TLS_CERT_FILE', 'TLS_KEY_FILE'])
    expect(said).toContain(`FLORIN_${name} `);
  expect(said).toMatch(/FLORIN_DATA_DIR must hold .*key files/);
  expect(workingOn(folder.path)).toEqual([]);
});

test.each(['0.0.0.0', '192.0.2.1', '::', '127.0.0.1.example.com', 'florin.example'])(
  'demo keys are refused when the hosts listen at %s',
  (host) => {
    const keys = { FLORIN_DEMO_PRIVATE_KEY: 'p'.repeat(24), FLORIN_DEMO_PUBLIC_KEY: 'q'.repeat(24) };
    expect(problemsOf({ ...keys, FLORIN_HOST: '127.0.0.1' })).toEqual([]);
    const [problem] = problemsOf({ ...keys, FLORIN_HOST: host });
    expect(problem).toContain('are for a sandbox on loopback only');
  },
);

test('demo keys are refused when they are equal, and in production', () => {
  const same = 'p'.repeat(24);
  const keys = { FLORIN_DEMO_PRIVATE_KEY: same, FLORIN_DEMO_PUBLIC_KEY: same };
  expect(problemsOf(keys)).toEqual([expect.stringContaining('must differ')]);
  expect(problemsOf({ FLORIN_DEMO_PUBLIC_KEY: same, FLORIN_ENVIRONMENT: 'production' }).join()).toContain('loopback');
});

const PASSWORD = 'the-password-of-the-database';

test('a database that is not there is said clearly and soon, without its password', async () => {
  using folder = newFolder();
  const port = await ownPort();
  const url = (host: string) => `postgres://florin:${PASSWORD}@${host}:${port}/florin`;
  for (const host of ['127.0.0.1', 'localhost']) {
    const settings = { FLORIN_DATABASE_URL: url(host), FLORIN_API_PORT: '0' };
    const { code, said, seconds } = await outcomeOf({ cwd: folder.path, settings });
    expect(code).toBe(1);
    expect(said).toMatch(/The database of FLORIN_DATABASE_URL is not reachable: .*ECONNREFUSED/);
    expect(said).not.toMatch(/^ +at /m);
    expect(said).not.toContain(PASSWORD);
    expect(seconds).toBeLessThan(60);
  }
  expect(workingOn(folder.path)).toEqual([]);
});

test('a database that takes the connection and says nothing is given up after seconds', async () => {
  using folder = newFolder();
  const { port, release } = await takePort();
  const settings = { FLORIN_DATABASE_URL: `postgres://florin:${PASSWORD}@127.0.0.1:${port}/florin` };
  const { code, said, seconds } = await outcomeOf({ cwd: folder.path, settings });
  await release();
  expect(code).toBe(1);
  expect(said).toContain('The database of FLORIN_DATABASE_URL is not reachable: timeout');
  expect(seconds).toBeLessThan(60);
});

test('an address that cannot be read is refused without showing the password in it', async () => {
  using folder = newFolder();
  const settings = { FLORIN_DATABASE_URL: `postgres://florin:${PASSWORD}@127.0.0.1:no-port/florin` };
  const { code, said } = await outcomeOf({ cwd: folder.path, settings });
  expect(code).toBe(1);
  expect(said).toContain('FLORIN_DATABASE_URL is no address');
  expect(said).not.toContain(PASSWORD);
});

test('a command that does not exist is named, with those that do', async () => {
  using folder = newFolder();
  const { code, said } = await outcomeOf({ cwd: folder.path, command: ['sart'] });
  expect(code).toBe(1);
  expect(said).toContain('There is no command sart');
  expect(said).toMatch(/^ {2}start +start every host/m);
});

test.each(['payment', 'version'])('florin %s takes no words, and says so', async (name) => {
  using folder = newFolder();
  const { code, said } = await outcomeOf({ cwd: folder.path, command: [name, '--port', '80'] });
  expect([code, said]).toEqual([1, expect.stringContaining(`florin ${name} takes no words, and was given --port 80.`)]);
  expect(workingOn(folder.path)).toEqual([]);
});

test.each([
  [['--help'], /^Florin \d.*\n\nUsage: [^]*^ {2}start +start every host/m],
  [['-h'], /^ {2}start +start every host/m],
  [['help', '-h'], /^ {2}start +start every host/m],
  [['help', 'order'], /^florin order: show ID[^]*^Usage: florin order show ID/m],
  [['order', '--help'], /^florin order: show ID[^]*^Usage: florin order show ID/m],
  [['review', '-h'], /^Usage: florin review/m],
  [['certs', '--help'], /^Usage: florin certs FOLDER/m],
  [['start', '--help'], /^florin start: start every host[^]*^Usage: florin start \[--with NAMES\]/m],
  [['--version'], /^Florin \d+\.\d+\.\d+\n$/],
])('florin %j is answered, starts nothing, and ends well', async (command, says) => {
  using folder = newFolder();
  const { code, said } = await outcomeOf({ cwd: folder.path, command });
  expect([code, said]).toEqual([0, expect.stringMatching(says)]);
  expect(workingOn(folder.path)).toEqual([]);
});

test.each([[['clock']], [['demo']], [['shop']], [['listen']], [['ledger', 'verify']]])(
  'florin %j in a folder where no Florin runs names the data folder that it looked into',
  async (command) => {
    using folder = newFolder();
    const { code, said } = await outcomeOf({ cwd: folder.path, command });
    expect(code).toBe(1);
    expect(said).toContain(`in ${join(folder.path, 'data')}.`);
    expect(said).toContain('set FLORIN_DATA_DIR to its data folder');
  },
);

test('all ports that are taken are named at once, each with its setting', async () => {
  using folder = newFolder();
  const names = ['FLORIN_API_PORT', 'FLORIN_VAULT_PORT', 'FLORIN_BACKOFFICE_PORT'] as const;
  const taken = await Promise.all(names.map(() => takePort()));
  const settings = Object.fromEntries(names.map((name, i) => [name, String(taken[i]?.port)]));
  const { code, said } = await outcomeOf({ cwd: folder.path, settings });
  await Promise.all(taken.map(({ release }) => release()));
  expect(code).toBe(1);
  for (const [i, name] of names.entries())
    expect(said).toMatch(
      new RegExp(`Port ${taken[i]?.port} \\(.+\\) is taken by another program.* set ${name} to a free port`),
    );
});
