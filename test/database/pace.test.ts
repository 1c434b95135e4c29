// How often a worker looks for work: as often as there can be any. On a clock of the test's own.
import { expect, test } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import type { Job } from '../../src/worker/jobs.ts';
import { type Pacing, startWorker } from '../../src/worker/loop.ts';

type Timer = { readonly at: number; end(): void };

/** Moves from one moment at which somebody waits to the next. */
function stage() {
  let now = 0;
  let timers: readonly Timer[] = [];
  let stir = () => undefined as void;
  const looks: { readonly job: string; readonly at: number }[] = [];
  const timer = (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = {
      at: now + ms,
      end: () => {
        timers = timers.filter((other) => other !== one);
        resolve();
      },
    };
    timers = [...timers, one];
    return { done: promise, end: one.end };
  };
  const pacing: Pacing = {
    clock: { ticks: () => now, timer },
    db: {
      stirred: (listener) => {
        stir = listener;
      },
    },
  };
  const job = (name: string, every_ms: number): Job => ({
    name,
    every_ms,
    due: [],
    run: async () => {
      looks.push({ job: name, at: now });
      return false;
    },
  });
  const turn = () => new Promise((done) => setImmediate(done));
  return {
    pacing,
    job,
    stir: () => stir(),
    /** Those that were made until then. */
    until: async (moment: number) => {
      await turn();
      for (let next = first(timers); next && next.at <= moment; next = first(timers)) {
        now = next.at;
        next.end();
        await turn();
      }
      now = moment;
      return looks.splice(0);
    },
  };
}

const first = (timers: readonly Timer[]) => timers.toSorted((one, other) => one.at - other.at)[0];
const rest = { log: openLog('silent'), paused: () => false };
const momentsOf = (looks: readonly { readonly at: number }[]) => looks.map(({ at }) => at);

test('jobs look at common moments, whenever each of them was woken', async () => {
  const { pacing, job, until } = stage();
  const worker = startWorker(pacing, { jobs: [job('often', 250), job('seldom', 500)], ...rest });
  await until(110);
  worker.wake();
  const looks = await until(1000);
  const of = (name: string) => momentsOf(looks.filter((look) => look.job === name));
  expect(of('often')).toEqual([110, 250, 500, 750, 1000]);
  expect(of('seldom')).toEqual([110, 500, 1000]);
  await worker.stop();
});

test('five seconds after the last word about an account it looks once a second, and at once and as often again with the next', async () => {
  const { pacing, job, stir, until } = stage();
  const worker = startWorker(pacing, { jobs: [job('often', 250), job('seldom', 60_000)], ...rest });
  expect(await until(5000)).toHaveLength(22);
  await until(6000);
  expect(momentsOf(await until(9100))).toEqual([7000, 8000, 9000]);
  stir();
  expect(momentsOf(await until(9600))).toEqual([9100, 9250, 9500]);
  await worker.stop();
});

test('the worker is never quiet if other processes answer the requests', async () => {
  const { pacing, job, until } = stage();
  const worker = startWorker(pacing, { jobs: [job('often', 250)], ...rest, apart: true });
  await until(20_000);
  expect(momentsOf(await until(20_600))).toEqual([20_250, 20_500]);
  await worker.stop();
});

test('jobs begin one after the other, each when the one before had its turn, or after a twentieth of a second', async () => {
  const { pacing, job, until } = stage();
  const hangs = new Promise<boolean>(() => undefined);
  const slow: Job = { ...job('slow', 60_000), run: () => hangs };
  startWorker(pacing, {
    jobs: [job('first', 60_000), slow, job('behind', 60_000)],
    log: openLog('silent'),
    paused: () => false,
  });
  expect(await until(49)).toEqual([{ job: 'first', at: 0 }]);
  expect(await until(50)).toEqual([{ job: 'behind', at: 50 }]);
});

test('a trouble that stays is said once a minute, another one at once, and that it is over', async () => {
  const { pacing, until } = stage();
  let trouble: string | undefined = 'no room';
  const said: string[] = [];
  const note = ({ error }: { readonly error?: unknown }, text: string) => void said.push(`${text} ${String(error)}`);
  const log = { ...openLog('silent'), warn: note, info: note };
  const run = async () => {
    if (trouble !== undefined) throw new Error(trouble);
    return false;
  };
  const worker = startWorker(pacing, {
    jobs: [{ name: 'often', every_ms: 250, due: [], run }],
    paused: () => false,
    log,
  });
  const told = async (moment: number) => {
    await until(moment);
    return said.splice(0);
  };
  const failed = (why: string) => `the worker could not do its work Error: ${why}`;
  expect(await told(59_000)).toEqual([failed('no room')]);
  expect(await told(119_000)).toEqual([failed('no room')]);
  trouble = 'no connection';
  expect(await told(125_000)).toEqual([failed('no connection')]);
  trouble = undefined;
  expect(await told(130_000)).toEqual(['the worker does its work again undefined']);
  trouble = 'no connection';
  expect(await told(135_000)).toEqual([failed('no connection')]);
  await worker.stop();
});

test('two troubles that take turns are each said once a minute', async () => {
  const { pacing, until } = stage();
  const said: string[] = [];
  const note = ({ error }: { readonly error?: unknown }) => void said.push(String(error));
  let turns = 0;
  const run = async () => {
    turns += 1;
    throw new Error(turns % 2 === 0 ? 'timeout expired' : 'not reachable');
  };
  const worker = startWorker(pacing, {
    jobs: [{ name: 'often', every_ms: 250, due: [], run }],
    paused: () => false,
    log: { ...openLog('silent'), warn: note },
  });
  await until(59_000);
  expect(said).toEqual(['Error: not reachable', 'Error: timeout expired']);
  await worker.stop();
});
