// A log that cannot be written, on a full disk or in a pipe that nobody reads: it stops nothing, neither the work of
// the process nor its end. Found by filling the disk of a sandbox's log: the next line ended the service, which then
// hung in its last words for ever, with its ports closed.
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LogFile, type WriteTo } from '../../src/kit/log-file.ts';
import { HANGS_MS, until } from '../client.ts';
import { ROOT } from '../start/root.ts';

/** Reads files behind the lines, so that their write has failed; then ends with lines that were never written. */
const PROGRAM = `
  const { openLog } = await import('./src/kit/log.ts');
  const { readFile } = await import('node:fs/promises');
  const log = openLog('info');
  log.warn({}, 'first');
  log.warn({}, 'second');
  for (let i = 0; i < 20; i++) await readFile('package.json');
  log.warn({}, 'third');
  console.log('went on');`;

test.for([
  ['is told to end', 'process.exit(0);'],
  ['has nothing left to do', ''],
])(
  'a process whose log has no room goes on, and ends when it %s (skipped where there is no /dev/full)',
  ([, end = ''], { skip }) => {
    if (!existsSync('/dev/full')) return skip('there is no /dev/full');
    const { status, signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM + end], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
      encoding: 'utf8',
      timeout: HANGS_MS,
      killSignal: 'SIGKILL',
    });
    expect([stdout, status, signal]).toEqual(['went on\n', 0, null]);
  },
);

type Disk = { room: number; hangs: boolean; text: string; readonly to: WriteTo; release(): void };

/** A disk with so much room; while it hangs, a write does not come back. */
function disk(room: number): Disk {
  let held: (() => void)[] = [];
  const one: Disk = {
    room,
    hangs: false,
    text: '',
    to: (bytes, done) => {
      const finish = () => {
        const taken = Math.min(bytes.length, one.room);
        one.room -= taken;
        one.text += bytes.subarray(0, taken).toString('utf8');
        done(taken > 0 ? null : new Error('ENOSPC: no space left on device, write'), taken);
      };
      if (one.hangs) held.push(finish);
      else setImmediate(finish);
    },
    release: () => {
      one.hangs = false;
      for (const finish of held) finish();
      held = [];
    },
  };
  return one;
}

test('what a full disk did not take is written when there is room, from where it was cut off', async () => {
  const full = disk(8);
  const file = new LogFile(full.to);
  file.write('first line\n');
  file.write('second line\n');
  await until(() => full.room === 0 || undefined);
  file.write('third line\n');
  expect(full.text).toBe('first li');
  full.room = Infinity;
  await until(() => full.text.includes('third') || undefined);
  expect(full.text).toBe('first line\nsecond line\nthird line\n');
});

test('lines of a log that nobody reads are left out when a megabyte waits, and their number is said', async () => {
  const pipe = disk(Infinity);
  pipe.hangs = true;
  const file: LogFile = new LogFile(pipe.to, (lines) => file.write(`${lines} were left out\n`));
  const line = `${'x'.repeat(1023)}\n`;
  for (let i = 0; i < 3000; i++) file.write(line);
  pipe.release();
  const said = await until(() => /(\d+) were left out\n/.exec(pipe.text) ?? undefined);
  expect(pipe.text.split(line).length - 1).toBe(3000 - Number(said[1]));
  expect(pipe.text.length).toBeLessThan(1.1 * 1_048_576);
  file.write('after it\n');
  await until(() => pipe.text.endsWith('after it\n') || undefined);
  expect(pipe.text.split('left out').length).toBe(2);
});
