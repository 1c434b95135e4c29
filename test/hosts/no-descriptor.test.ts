// A sandbox that has no file descriptor left at the moment when its simulated provider or its database is to be started
// again: that program does not come up, and the next round tries again, or says why. Found by lowering the limit of a
// running sandbox: a rejection that nobody heard ended the whole service.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runSimulator } from '../../src/hosts/simulator-process.ts';
import { startGuarded } from '../../src/kit/embedded/guard.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const started: ChildProcess[] = [];
let failures = 0;
vi.mock(import('node:child_process'), async (original) => {
  const real = await original();
  const spawned = (...args: Parameters<typeof spawn>) => {
    if (failures > 0) return withoutDescriptor();
    const child = real.spawn(...args);
    started.push(child);
    return child;
  };
  return { ...real, spawn: spawned as typeof spawn };
});

/** As Node answers it: no pipes, and an error in the next turn. */
function withoutDescriptor(): ChildProcess {
  failures -= 1;
  const child = Object.assign(new EventEmitter(), { ref: () => undefined, unref: () => undefined });
  process.nextTick(() => child.emit('error', new Error('spawn node EMFILE')));
  return child as ChildProcess;
}

test('a database that cannot be started says why, and ends no process', async () => {
  failures = 1;
  const guarded = startGuarded({ prefix: [], ids: {} }, ['postgres']);
  guarded.end();
  expect(await guarded.ended).toBe(1);
  expect(guarded.tail()).toBe('Error: spawn node EMFILE');
});

test('a simulated provider that cannot be started again is tried again, and ends no process', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  const data_dir = mkdtempSync(join(tmpdir(), 'florin-descriptor-'));
  const said: string[] = [];
  const error = (about: { readonly error?: unknown }) => void said.push(String(about.error));
  const log = { ...openLog('silent'), error };
  const turn = () => new Promise<void>((done) => setImmediate(done));
  const simulator = await runSimulator({ url: '', public_url: '', data_dir, log, sleep: turn });
  failures = 2;
  const [first] = started;
  first?.kill('SIGKILL');
  await until(async () =>
    started.length > 1 &&
    (await fetch(`${simulator.url}/clock`).then(
      ({ ok }) => ok,
      () => false,
    ))
      ? true
      : undefined,
  );
  await simulator.close();
  await turn();
  process.off('unhandledRejection', hear);
  rmSync(data_dir, { recursive: true, force: true });
  expect(said).toEqual(['Error: spawn node EMFILE', 'Error: spawn node EMFILE']);
  expect(unheard).toEqual([]);
});
