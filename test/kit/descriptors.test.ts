// A process without a free file descriptor says so: nobody else does, since the system takes each connection that comes
// and closes it at once.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { descriptorState, limitIn, watchDescriptors } from '../../src/kit/process/descriptors.ts';
import { ROOT } from '../start/root.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max core file size        0                    unlimited            bytes
Max open files            400                  1024                 files
`;
const usedUp = () => Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

test('the limit is the one in force, not the one that it may be raised to', () => {
  expect(limitIn(LIMITS)).toBe(400);
  expect(limitIn('Max open files   unlimited   unlimited   files')).toBe(Number.POSITIVE_INFINITY);
  expect(limitIn('')).toBeUndefined();
});

test('it is said once a minute while nearly none is left, and /ready says when none is', () => {
  const said: string[] = [];
  const hear = (_: object, message: string) => void said.push(message);
  const log = { ...openLog('silent'), warn: hear, info: hear };
  let now = 0;
  let limits = () => LIMITS;
  let open = () => 379;
  const end = watchDescriptors({ clock: { ticks: () => now }, log }, { limits: () => limits(), open: () => open() });
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      now += 1000;
      vi.advanceTimersByTime(1000);
    }
  };
  expect([said, descriptorState()]).toEqual([[], 'ok']);
  open = () => 380;
  pass(10_000);
  expect([said, descriptorState()]).toEqual([[expect.stringContaining('LimitNOFILE')], 'ok']);
  // to look takes one
  open = () => {
    throw usedUp();
  };
  limits = () => {
    throw usedUp();
  };
  pass(10_000);
  expect([said.length, descriptorState()]).toEqual([1, 'none left of 400']);
  pass(60_000);
  expect(said).toHaveLength(2);
  limits = () => LIMITS;
  open = () => 40;
  pass(2000);
  expect([said.length, said.at(-1), descriptorState()]).toEqual([3, 'there are file descriptors again', 'ok']);
  end();
});

test('where the system does not tell, nothing is said', () => {
  const nothing = () => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  };
  const end = watchDescriptors(
    { clock: { ticks: () => 0 }, log: openLog('silent') },
    { limits: nothing, open: nothing },
  );
  expect(descriptorState()).toBe('ok');
  end();
});

const PROGRAM = `
  import { openSync } from 'node:fs';
  import { descriptorState, watchDescriptors } from '${join(ROOT, 'src/kit/process/descriptors.ts')}';
  const warn = (about, message) => said.push(about.error + ': ' + message);
  const said = [];
  const tools = { clock: { ticks: () => performance.now() }, log: { warn, info() {}, debug() {}, error() {} } };
  watchDescriptors(tools);
  console.log(JSON.stringify([descriptorState(), said]));
  try {
    for (;;) openSync('/dev/null');
  } catch {}
  const timer = setInterval(() => {
    if (said.length === 0) return;
    console.log(JSON.stringify([descriptorState(), said]));
    clearInterval(timer);
  }, 50);
`;

test('a real process at its limit (skipped without /proc)', ({ skip }) => {
  if (!existsSync('/proc/self/fd')) skip('there is no /proc here');
  const words = ['-c', 'ulimit -n 200; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', PROGRAM];
  const { stdout, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
  const [before, after] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(before, stderr).toEqual(['ok', []]);
  expect(after).toEqual(['none left of 200', [expect.stringContaining('nearly all 200 are taken')]]);
});
