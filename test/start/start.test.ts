// The first five minutes: start, what is printed, the request that works as printed, and start again.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send, textAt, until } from '../client.ts';
import { type Florin, ROOT, newFolder, outcomeOf, runFlorin, startFlorin, takePort } from './child.ts';
import { workingOn } from './processes.ts';

// A start takes a second; on a machine with much else to do, many.

const folder = newFolder('florin start with spaces ');
const home = join(folder.path, "where it's started from");
let florin: Florin;
beforeAll(async () => {
  mkdirSync(home);
  florin = await startFlorin(home);
});
afterAll(async () => {
  await florin[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('a first start in a folder with spaces', () => {
  test('says what it does with times, and then the addresses and the demo keys', () => {
    const out = florin.out();
    expect(out).toMatch(/^ +\d+(?:\.\d)? s {2}Florin \d+\.\d+\.\d+, sandbox, Node \d+/);
    for (const step of ['creating the database files in', 'schema payment: ', 'schema vault: ', 'ready'])
      expect(out).toMatch(new RegExp(`^ +\\d+(?:\\.\\d)? s {2}${step}`, 'm'));
    const { addresses, keys } = florin.shop;
    for (const url of [addresses.base_url, addresses.vault_url, florin.backoffice_url])
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([keys.private_key.slice(0, 6), keys.public_key.slice(0, 7)]).toEqual(['FL_PR_', 'FL_PUB_']);
    expect(florin.err()).toBe('');
  });

  test('keeps its data below the folder it is started from, out of reach of other accounts', () => {
    const data = join(home, 'data');
    expect(existsSync(join(data, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(statSync(join(data, 'demo-account.json')).mode & 0o077).toBe(0);
    expect(statSync(join(data, 'keys')).mode & 0o077).toBe(0);
  });

  test('prints a request that works as it is printed', async () => {
    const line = /^ {2}(curl .*)$/m.exec(florin.out())?.[1] ?? '';
    const curl = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    // 127: there is no curl on this machine. What it would send is read off the line.
    const answered = curl.status === 127 ? await sendAsCurl(line) : curl.stdout;
    expect(JSON.parse(answered)).toMatchObject({ result: { code: '011111' } });
  });

  test('has a shop beside it, which pays with keys of its own', async () => {
    const { base_url, vault_url } = florin.shop.addresses;
    const at = { FLORIN_BASE_URL: base_url, FLORIN_VAULT_URL: vault_url, FLORIN_SHOP_PORT: '0' };
    const run = runFlorin({ cwd: home, command: ['shop'], settings: at });
    const url = await until(() => /open: (http:\/\/localhost:\d+)/.exec(run.out())?.[1]);
    const buy = (way: string) => fetch(`${url}/buy`, { method: 'POST', body: new URLSearchParams({ way }) });
    for (const way of ['elements', 'page-inputs']) {
      const page = await buy(way);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`${vault_url}/javascript/`)]);
    }
    run.child.kill('SIGTERM');
    await run.ended;
    expect(run.err()).toBe('');
    // without a service there is nothing to pay at, and it says so
    using empty = newFolder();
    const alone = await outcomeOf({ cwd: empty.path, command: ['shop'] });
    expect([alone.code, alone.said]).toEqual([1, expect.stringContaining('Start Florin first (npm start)')]);
  });

  test('is alive and ready on each host', async () => {
    const { base_url, vault_url } = florin.shop.addresses;
    for (const url of [base_url, vault_url, florin.backoffice_url]) {
      expect(await send(`${url}/health`, {})).toMatchObject({ status: 200, body: { status: 'up' } });
      expect(await send(`${url}/ready`, {})).toMatchObject({ status: 200, body: { status: 'ready', database: true } });
    }
    expect((await send(`${vault_url}/ready`, {})).at('keys')).toBe('ok');
  });

  test('takes a whole payment', async () => {
    expect((await florin.shop.pay()).code).toBe('955555');
  });
});

/** -H and -d of a printed curl line, sent without curl. */
async function sendAsCurl(line: string): Promise<string> {
  const url = /https?:\/\/\S+/.exec(line)?.[0] ?? '';
  const headers = [...line.matchAll(/-H '([^:']+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const body = /-d '([^']+)'/.exec(line)?.[1] ?? '';
  return (await send(url, { body, headers: Object.fromEntries(headers) })).text;
}

describe('beside a Florin that runs', () => {
  test('a second one on the same data folder says who has it, and the first goes on', async () => {
    const { code, said } = await outcomeOf({ cwd: home, settings: { FLORIN_API_PORT: '0' } });
    expect(code).toBe(1);
    expect(said).toContain(`The data folder "${florin.data_dir}" is in use by another Florin (process ${florin.pid})`);
    expect(said).not.toMatch(/^ +at /m);
    expect((await florin.shop.pay()).code).toBe('955555');
  });

  test.each([['FLORIN_API_PORT'], ['FLORIN_VAULT_PORT'], ['FLORIN_BACKOFFICE_PORT']])(
    'a taken port is named with its setting %s, and nothing is left running',
    async (setting) => {
      using other = newFolder();
      const taken = await takePort();
      const free = { FLORIN_API_PORT: '0', FLORIN_VAULT_PORT: '0', FLORIN_BACKOFFICE_PORT: '0' };
      const settings = { ...free, FLORIN_DATA_DIR: other.path, [setting]: String(taken.port) };
      const { code, said } = await outcomeOf({ cwd: home, settings });
      await taken.release();
      expect(code).toBe(1);
      expect(said).toMatch(new RegExp(`Port ${taken.port} \\(.+\\) is taken by another program.* set ${setting} to`));
      expect(said).not.toMatch(/^ +at /m);
      expect(workingOn(other.path)).toEqual([]);
    },
  );
});

test('a warm start finds account, keys and orders as they were, and migrates nothing', async () => {
  using other = newFolder();
  await using first = await startFlorin(other.path);
  const paid = await first.shop.pay();
  expect((await first.stop('SIGTERM')).code).toBe(0);
  await using second = await startFlorin(other.path);
  expect(second.shop.keys).toEqual(first.shop.keys);
  expect((await second.shop.read(textAt(paid, 'order_id'))).at('status')).toBe('capture_successful');
  expect(second.out()).not.toMatch(/creating|migration/);
});

test('demo keys can be given, and those given before are refused after', async () => {
  using other = newFolder();
  const make = (letter: string) => ({
    FLORIN_DEMO_PRIVATE_KEY: `private_${letter.repeat(24)}`,
    FLORIN_DEMO_PUBLIC_KEY: `public_${letter.repeat(24)}`,
  });
  await using first = await startFlorin(other.path, make('a'));
  expect(Object.values(first.shop.keys)).toEqual(Object.values(make('a')));
  expect((await first.shop.pay()).code).toBe('955555');
  await first.stop('SIGTERM');
  await using second = await startFlorin(other.path, make('b'));
  expect((await second.shop.pay()).code).toBe('955555');
  expect((await second.shop.api('/payment/checkout', { body: {}, key: first.shop.keys.private_key })).status).toBe(403);
  expect((await second.shop.vault('/token', { body: {}, key: first.shop.keys.public_key })).status).toBe(403);
});

test('Florin runs as an account without a name (skipped without root, or where that account may not read the tree)', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can start it as another account');
  const readable = spawnSync(process.execPath, ['-e', `require('fs').readFileSync('${ROOT}src/main.ts')`], {
    uid: NOBODY,
    gid: NOBODY,
  });
  if (readable.status !== 0) return context.skip(`uid ${NOBODY} may not read ${ROOT}`);
  using other = newFolder();
  chownSync(other.path, NOBODY, NOBODY);
  await using service = await startFlorin(other.path, {}, NOBODY);
  expect((await service.shop.pay()).code).toBe('955555');
  expect(statSync(join(service.data_dir, 'postgres')).uid).toBe(NOBODY);
});

const NOBODY = 65_534;
