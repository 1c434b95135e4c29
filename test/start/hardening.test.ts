// A process that handles cards keeps its memory to itself, and does not go on after an error nobody expected
// (docs/hardening.md).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { HARD_OPTIONS, processProblems } from '../../src/kit/process/hardening.ts';
import { textAt, until } from '../client.ts';
import { ROOT, newFolder, startFlorin } from './child.ts';
import { gone, partsOf, treeOf } from './processes.ts';

const folder = newFolder();
afterAll(() => folder[Symbol.dispose]());

test('the launcher and the check know the same options', () => {
  const launcher = readFileSync(join(ROOT, 'bin/florin.mjs'), 'utf8');
  const listed = /HARD_OPTIONS = \[([^\]]+)\]/.exec(launcher)?.[1]?.match(/--[\w=-]+/g);
  expect(listed).toEqual([...HARD_OPTIONS]);
});

describe('florin start', () => {
  test.skipIf(process.platform !== 'linux')(
    'runs with them, without core files, as one process (skipped but on Linux)',
    async () => {
      await using florin = await startFlorin(folder.path);
      const limits = readFileSync(`/proc/${florin.pid}/limits`, 'utf8');
      const options = readFileSync(`/proc/${florin.pid}/cmdline`, 'utf8').split('\0');
      const checked = processProblems({ options, inherited: '', limits, confined: false });
      expect([checked, /^Max core file size\s+0\s+0\s/m.test(limits)]).toEqual([[], true]);
      const nodes = florin.tree().filter(({ command }) => command.includes('florin.mjs'));
      expect(nodes.length).toBe(1);
      // it would open a debugger otherwise, and say so
      process.kill(florin.pid, 'SIGUSR1');
      for (let n = 0; n < 20; n++) expect((await florin.shop.pay()).code).toBe('955555');
      expect(florin.err()).toBe('');
    },
  );

  test.each([
    ['a rejection', `Promise.reject(new Error('planted 4242424242424242'))`],
    ['an exception', `setImmediate(() => { throw new Error('planted 4242424242424242'); })`],
  ])('logs %s that nobody expected, takes no new work, and ends with 1', async (_, breakage) => {
    using other = newFolder();
    const planted = join(other.path, 'planted.mjs');
    writeFileSync(planted, `process.on('SIGUSR2', () => { ${breakage}; });\n`);
    const settings = { NODE_OPTIONS: `--import=${pathToFileURL(planted).href}` };
    await using florin = await startFlorin(other.path, settings);
    const checkout = await florin.shop.api('/payment/checkout', { body: {} });
    expect(checkout.status).toBe(400);
    const tree = treeOf(florin.pid);
    expect(partsOf(tree).postmaster.pid).toBeGreaterThan(0);
    const { code } = await florin.stop('SIGUSR2');
    expect(code).toBe(1);
    await gone(tree);
    const log = florin.err();
    expect(log).toContain('an unexpected error');
    expect(log).toContain('planted');
    expect(log).not.toContain('4242424242424242');
    await expect(fetch(`${florin.shop.addresses.base_url}/health`)).rejects.toThrow('fetch failed');
  });

  test('is what payments run on as before', async () => {
    await using florin = await startFlorin(folder.path);
    const order = await florin.shop.pay();
    expect(order.code).toBe('955555');
    await until(async () => ((await florin.shop.read(textAt(order, 'order_id'))).status === 200 ? true : undefined));
  });
});

describe('a process is not fit for production', () => {
  const hard = {
    options: [...HARD_OPTIONS],
    inherited: '',
    limits: 'Max core file size  0  0  bytes',
    confined: false,
  };

  test('and is, when nothing is wrong', () => {
    expect(processProblems(hard)).toEqual([]);
    expect(processProblems({ ...hard, limits: undefined })).toEqual([]);
    expect(processProblems({ ...hard, options: [], inherited: HARD_OPTIONS.join(' ') })).toEqual([]);
  });

  test.each([
    '--inspect',
    '--inspect-brk=0.0.0.0:9229',
    '--heapsnapshot-signal=SIGUSR2',
    '--heap-prof',
    '--cpu-prof',
    '--report-on-signal',
    '--abort-on-uncaught-exception',
    '--tls-keylog=/tmp/keys',
    '--tls-min-v1.0',
    '--insecure-http-parser',
    '--import=./other.mjs',
    '-r',
  ])('with %s, wherever it stands', (option) => {
    const said = [`Node runs with ${option.replace(/=.*/, '')}, which must not be in production`];
    expect(processProblems({ ...hard, options: [...hard.options, option] })).toEqual(said);
    expect(processProblems({ ...hard, inherited: `--max-old-space-size=200 ${option}` })).toEqual(said);
  });

  test('alone, without the permission model', () => {
    const alone = { ...hard, confined: true };
    expect(processProblems(alone)).toEqual(['Node runs without --permission: start Florin through bin/florin.mjs']);
    expect(processProblems({ ...alone, options: [...hard.options, '--permission'] })).toEqual([]);
  });

  test('but for the secure heap where passwords are hashed: the launcher starts a payment host without it', () => {
    const payment = {
      ...hard,
      options: [...hard.options.filter((one) => !one.startsWith('--secure-heap')), '--permission'],
    };
    expect(processProblems({ ...payment, confined: true, hashes_passwords: true })).toEqual([]);
    expect(processProblems({ ...payment, confined: true })).toHaveLength(1);
  });

  test('without one of its options, or with core files', () => {
    for (const option of HARD_OPTIONS)
      expect(processProblems({ ...hard, options: hard.options.filter((one) => one !== option) })).toEqual([
        `Node runs without ${option}: start Florin through bin/florin.mjs`,
      ]);
    expect(processProblems({ ...hard, limits: 'Max core file size  unlimited  unlimited  bytes' })).toEqual([
      expect.stringContaining('ulimit -c 0'),
    ]);
  });
});
