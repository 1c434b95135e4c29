// A night of the worker while the database misbehaves: each of its jobs meets a fault at each of its round trips to
// the database. When all is well again, what the job had to do is done as without the fault: nothing twice at the
// provider, nothing lost, nothing given up, and nothing complained about any more.
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { alarms, noting } from '../../src/hosts/noting.ts';
import { type Job, jobsOf } from '../../src/worker/jobs.ts';
import { firstOwner } from '../backoffice/person.ts';
import { until } from '../client.ts';
import { mailServer, settingsOf } from '../mail/server.ts';
import { receiver } from '../notifications/receiver.ts';
import { world } from '../world.ts';
import { type Fault, FaultyWay, type Wrong } from './faulty-way.ts';
import type { Night } from './night/parts.ts';
import { STORIES, type Story } from './night/stories.ts';

// the jobs run when a test says so
vi.mock(import('../../src/worker/loop.ts'), () => ({
  startWorker: () => ({ stop: async () => undefined, wake: () => undefined }),
}));

// the clock is moved by the tests alone
vi.mock(import('../../src/kit/database/follow-clock.ts'), () => ({
  followClock: async ({ clock, read }) => {
    clock.moveTo(await read());
    return async () => undefined;
  },
}));

// what runs beside the jobs, by timers of its own
vi.mock(import('../../src/kit/database/statistics.ts'), async (original) => ({
  ...(await original()),
  keepStatistics: () => async () => undefined,
}));

const WRONGS: readonly Wrong[] = ['40P01', '40001', '57014', '53100', 'cut before', 'cut behind'];
/** As long as the disk is full, or the server away. */
const LASTING: readonly Wrong[] = ['53100', 'cut before'];
const IS_FULL = process.env['FLORIN_TEST_FULL'] !== undefined;
const LONGEST = { timeout: IS_FULL ? 1_800_000 : 120_000 };
/** Later than any job is at work. */
const NEVER = 1_000_000;

let night: Night;
let way: FaultyWay;
let jobs: readonly Job[];
const complaints: string[] = [];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  way = stack.use(await FaultyWay.open(inject('server').socket_dir));
  const mails = stack.use(await mailServer());
  const server = stack.use(await receiver());
  const settings = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes', FLORIN_WITH: 'stripe', ...settingsOf(mails) };
  const w = stack.use(await world(settings, { socket_dir: way.socket_dir }));
  const { tools, simulators } = w.service;
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(tools.log, level).mockImplementation((...said: readonly unknown[]) => {
      complaints.push(JSON.stringify(said));
    });
  // what the stories arm would make the provider one that nothing is sent to
  vi.spyOn(tools.breaker, 'saw').mockReturnValue(undefined);
  vi.spyOn(tools.breaker, 'decided').mockReturnValue(undefined);
  jobs = jobsOf(tools, noting(), [alarms(tools)]);
  const ada = await firstOwner(w);
  await w.shop.api('/notification/endpoint', { body: { url: server.url } });
  let count = 0;
  night = {
    w,
    ada,
    server,
    mails,
    fresh: () => `night-${count++}`,
    advance: async (seconds) => {
      // on a slow machine an answer comes before all of it has happened
      let left = seconds;
      await until(async () => {
        const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: left } });
        left = 1;
        return moved.at('settled') === true ? true : undefined;
      });
    },
    control: async (verb, body) => {
      const url = `${simulators?.get('stripe')?.control_url}/control/${verb}`;
      const answer = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {});
      return (await answer.json()) as Record<string, unknown>;
    },
  };
});
afterAll(() => stack.disposeAsync());

/** Works on what is due, as the worker would. */
async function work(job: Job): Promise<void> {
  for (let turns = 0; turns < 20 && (await job.run()); turns++);
  await job.drain?.();
}

async function play({ job: name, prepare, outcome, seconds = 60 }: Story, fault: Fault) {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  const id = await prepare(night);
  way.set(fault);
  await work(job).catch(() => undefined);
  await job.drain?.();
  const asked = [...way.asked];
  const has_met = way.mend();
  await until(async () => ((await fetch(`${night.w.service.addresses.base_url}/ready`)).ok ? true : undefined));
  complaints.length = 0;
  await night.w.sql(LEASES_OVER);
  await work(job);
  await night.advance(seconds);
  return { asked, has_met, became: await outcome(night, id), complaints: [...complaints] };
}

/** Leases that go by the machine's clock, which no test moves. */
const LEASES_OVER = `
  UPDATE payment.notifications SET leased_until = NULL;
  UPDATE payment.mails SET due_at = clock_timestamp() WHERE state = 'waiting'`;

/**
 * In `npm run test:full` each round trip meets every fault; in `npm test` each eighth meets one, a different one from
 * one to the next.
 */
function faultsAt(place: number, nth: number): readonly Fault[] {
  const all = WRONGS.flatMap((wrong) => [
    { wrong, nth, stays: false },
    ...(LASTING.includes(wrong) ? [{ wrong, nth, stays: true }] : []),
  ]);
  if (IS_FULL) return all;
  return (place + nth) % 8 === 0 ? all.filter((_, i) => i === (place * 5 + nth) % all.length) : [];
}

describe.each(STORIES.map((story, place) => [story.job, story.what, story, place] as const))(
  '%s: %s',
  (_, __, story, place) => {
    test('comes to the same end, whichever round trip to the database goes wrong', LONGEST, async () => {
      const well = await play(story, { wrong: '57014', nth: NEVER, stays: false });
      expect(well.complaints).toEqual([]);
      let met = 0;
      // there may be more round trips than without a fault, and fewer
      for (let nth = 1; nth <= well.asked.length; nth++)
        for (const fault of faultsAt(place, nth)) {
          const { has_met, asked, became, complaints: after } = await play(story, fault);
          const at = `${JSON.stringify(fault)} among ${asked.join(', ')}`;
          expect(became, at).toEqual(well.became);
          expect(after, at).toEqual([]);
          if (has_met) met += 1;
        }
      if (IS_FULL) expect(met).toBeGreaterThan(0);
    });
  },
);

test('every job of the worker is tried here', () => {
  expect([...new Set(STORIES.map(({ job }) => job))].toSorted()).toEqual(jobs.map(({ name }) => name).toSorted());
});
