// Commands of an operator while the database misbehaves: each meets a fault at its round trips to the database. It says
// so in words, ends with 0 only where all is done, and when it has been run once more, what is stored is what one
// undisturbed run stores.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { databaseProblem } from '../../src/kit/database/errors.ts';
import { StartError, fileProblem } from '../../src/kit/start-error.ts';
import { world } from '../world.ts';
import { type Command, type Ready, STORIES, type Stage, type Story } from './commands/stories.ts';
import { type Fault, FaultyWay, type Wrong } from './faulty-way.ts';

// what is in doubt waits for the command
vi.mock(import('../../src/worker/loop.ts'), () => ({
  startWorker: () => ({ stop: async () => undefined, wake: () => undefined }),
}));

// rotations wait for other processes; here there are none
vi.mock(import('../../src/commands/vault-session.ts'), async (original) => {
  const { openVault } = await original();
  const quick = async (actor?: string) => {
    const vault = await openVault(actor);
    return { ...vault, clock: { ...vault.clock, sleep: async () => undefined } };
  };
  return { openVault: quick };
});

const WRONGS: readonly Wrong[] = ['40P01', '57014', '53100', 'cut before', 'cut behind'];
const LASTING: readonly Wrong[] = ['53100', 'cut before'];
const IS_FULL = process.env['FLORIN_TEST_FULL'] !== undefined;
const LONGEST = { timeout: IS_FULL ? 1_800_000 : 120_000 };
/** Later than any command is at work. */
const WELL: Fault = { wrong: '57014', nth: 1_000_000, stays: false };

let way: FaultyWay;
let stage: Stage;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  way = stack.use(await FaultyWay.open(inject('server').socket_dir));
  const w = stack.use(await world());
  // what the stories arm would make the provider one that nothing is sent to
  vi.spyOn(w.service.tools.breaker, 'saw').mockReturnValue(undefined);
  vi.spyOn(w.service.tools.breaker, 'decided').mockReturnValue(undefined);
  const host = encodeURIComponent(way.socket_dir);
  const settings = {
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_URL: `postgres://${inject('server').user}@/${w.database}?host=${host}`,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_LOG_LEVEL: 'silent',
    FLORIN_ARCHIVE_DIR: join(w.data_dir, 'archive'),
    FLORIN_ARCHIVE_AFTER_MONTHS: '12',
  };
  // those of the test run are none of Florin
  for (const name of Object.keys(process.env)) if (name.startsWith('FLORIN_')) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  let count = 0;
  stage = {
    w,
    merchant: w.account,
    fresh: () => count++,
    well: async (command, ...args) => {
      const { code, said } = await run(command, args);
      if (code !== 0) throw new Error(said);
      return said;
    },
  };
});
afterAll(() => stack.disposeAsync());

/** Runs it to its end as src/main.ts does: its exit code, and all that it said. An error without words is thrown. */
async function run(command: Command, args: readonly string[]): Promise<{ code: number; said: string }> {
  using spies = new DisposableStack();
  let said = '';
  const hear = (...words: readonly unknown[]) => void (said += `${words.join(' ')}\n`);
  spies.use(vi.spyOn(console, 'log').mockImplementation(hear));
  spies.use(vi.spyOn(console, 'error').mockImplementation(hear));
  spies.use(vi.spyOn(process.stderr, 'write').mockReturnValue(true));
  process.exitCode = 0;
  try {
    await command(args);
  } catch (error) {
    const words = error instanceof StartError ? error.message : (fileProblem(error) ?? databaseProblem(error));
    if (words === undefined) throw error;
    hear(words);
    process.exitCode = 1;
  }
  const code = process.exitCode;
  process.exitCode = 0;
  return { code, said };
}

async function play({ command, prepare }: Story, fault: Fault) {
  const ready: Ready = await prepare(stage);
  way.set(fault);
  const { code, said } = await run(command, ready.args).finally(() => way.mend());
  return { ready, code, said, asked: [...way.asked] };
}

/**
 * In `npm run test:full` each round trip meets every fault. In `npm test` the connection ends behind each commit, the
 * first round trip meets a deadlock, and each 21st one of the others, a different one from one to the next.
 */
function faultsAt(place: number, nth: number, asked: string): readonly Fault[] {
  const all = WRONGS.flatMap((wrong) => [
    { wrong, nth, stays: false },
    ...(LASTING.includes(wrong) ? [{ wrong, nth, stays: true }] : []),
  ]);
  if (IS_FULL) return all;
  if (asked === 'COMMIT') return [{ wrong: 'cut behind', nth, stays: false }];
  if (nth === 1) return [{ wrong: '40P01', nth, stays: false }];
  return (place + nth) % 21 === 0 ? all.filter((_, i) => i === (place * 3 + nth) % all.length) : [];
}

describe.each(STORIES.map((story, place) => [story.name, story, place] as const))('%s', (_, story, place) => {
  test('says what went wrong, and when it is run again all is as without', LONGEST, async () => {
    const well = await play(story, WELL);
    expect([well.code, well.said]).toEqual([story.ends ?? 0, well.said]);
    const wanted = await well.ready.outcome(well.said);
    for (const [i, name] of well.asked.entries())
      for (const fault of faultsAt(place, i + 1, name)) {
        const { ready, code, said, asked } = await play(story, fault);
        const at = `${JSON.stringify(fault)} among ${asked.join(', ')}: ${said}`;
        if (code === 0) expect(await ready.outcome(said), at).toEqual(wanted);
        await ready.again?.();
        const again = await run(story.command, ready.args);
        expect(await ready.outcome(said + again.said), at).toEqual(wanted);
      }
  });
});
