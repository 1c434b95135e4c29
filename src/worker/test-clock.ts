// Moves a sandbox's clock ahead (contract 15.4): from one moment at which something is due to the next, and at each of
// them all work that is due, so that everything happens in the order of time. How far it is to go stands in the
// database: when the process that moves it dies, another one goes on.
import { followClock } from '../kit/database/follow-clock.ts';
import { findMoments, leaveClockLease, moveClock, readClock, takeClockLease } from '../payment/sandbox/clock/store.ts';
import type { ClockState, TestClock, Tools } from '../payment/tools.ts';
import type { Job } from './jobs.ts';

/**
 * So long after a process died the clock is not moved and no worker works. Real time; a process that lives renews it in
 * time.
 */
const LEASE_S = 5;
const BEAT_MS = 1000;
const AGAIN_MS = 200;
/** Looks at one moment. What is due even then is taken up again a millisecond later, in its time. */
const ROUNDS = 20;
/** So often on end, and the steps grow, or the goal is reached without it: it is work that never ends. */
const PATIENT_STEPS = 50;
/**
 * While the clock is moved, an inquiry about what is pending at the provider may be late by this share of the
 * operation's age: inquiries of many operations share a step, and a day of them takes some 50 steps instead of 300 for
 * each operation.
 */
const PATIENCE = 0.25;

export type MovingClock = TestClock & {
  /** The clock is being moved, and who moves it does the work: the workers leave it alone. */
  driving(): boolean;
  /** Takes the clock as the database has it, and follows its moves until it is stopped. */
  follow(): Promise<() => Promise<void>>;
};

export function makeTestClock(tools: Tools, jobs: readonly Job[]): MovingClock {
  const driver = tools.chance.id();
  let drive: Promise<boolean> | undefined;
  let elsewhere = false;
  let stopped = false;
  /** The last move did not come to its end. */
  let failed = false;
  const driveOn = () =>
    (drive ??= driveAll({ tools, jobs, driver, stopped: () => stopped })
      .catch((error: unknown) => {
        tools.log.warn({ error: String(error) }, 'the clock could not be moved on');
        return false;
      })
      .then((done) => {
        failed = !done;
        drive = undefined;
        return done;
      }));
  return {
    driving: () => drive !== undefined || elsewhere,
    look: () => look(tools, jobs),
    reach: async (shift_ms, patience_ms) => {
      const until = tools.clock.ticks() + patience_ms;
      for (;;) {
        const timer = tools.clock.timer(Math.max(0, until - tools.clock.ticks()));
        const done = await Promise.race([driveOn(), timer.done]);
        timer.end();
        if (done === true && tools.clock.shift_ms() >= shift_ms) return true;
        if (tools.clock.ticks() >= until || stopped) return false;
        await tools.clock.sleep(AGAIN_MS);
      }
    },
    follow: async () => {
      const { db, clock, environment, log } = tools;
      // the card zone or the simulated providers may be new, and know of no move yet
      failed = (await readClock(db)).shift_ms !== 0;
      const stop = await followClock({
        clock,
        environment,
        log,
        read: async () => {
          const { shift_ms, goal_ms, driven } = await readClock(db);
          elsewhere = driven && drive === undefined;
          // a move that its process did not finish
          const open = goal_ms > shift_ms || failed;
          if (open && environment === 'sandbox' && !driven && !stopped) void driveOn();
          return shift_ms;
        },
        moved: async () => undefined,
      });
      return async () => {
        stopped = true;
        await stop();
        await drive;
      };
    },
  };
}

type Driving = {
  readonly tools: Tools;
  readonly jobs: readonly Job[];
  readonly driver: string;
  stopped(): boolean;
};

/** Goes to the goal. False: another process is on its way there, or this one is to stop. */
async function driveAll({ tools, jobs, driver, stopped }: Driving): Promise<boolean> {
  const take = () => takeClockLease(tools.db, driver, LEASE_S);
  if (!(await take())) return false;
  // work at one moment may take longer than the lease
  const arrived = new AbortController();
  const beating = beat(tools, take, arrived.signal);
  try {
    // the last move may have been broken off in the middle
    let heard = await alignClocks(tools);
    for (let over = 0, patience = PATIENCE; ;) {
      const { is_over, next_ms, messages } = await settleAndHear({ tools, jobs, patience, heard });
      heard = messages;
      over = is_over ? 0 : over + 1;
      const next = earliest([next_ms, is_over ? undefined : stepOf(over)]);
      const wheel = await take();
      if (!wheel || stopped()) return false;
      const { shift_ms, goal_ms } = wheel;
      const is_there = goal_ms <= shift_ms && (is_over || over > PATIENT_STEPS);
      if (is_there && patience === 0) break;
      // at the goal itself nothing that is due may wait
      patience = is_there ? 0 : PATIENCE;
      if (is_there) continue;
      // at least a millisecond, so that nothing can hold it up for ever
      heard = await moveAll(tools, Math.min(goal_ms, shift_ms + Math.max(1, next ?? Number.POSITIVE_INFINITY)));
    }
    // what waits on no moment of its own
    for (const { due, next, run } of jobs) if (due.length === 0 && !next) await run();
    return true;
  } finally {
    arrived.abort();
    await beating;
    await leaveClockLease(tools.db, driver);
  }
}

/** Keeps the lease until `done` says that the work is done. */
async function beat({ clock, log }: Tools, take: () => Promise<unknown>, done: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(BEAT_MS, done);
    if (done.aborted) return;
    await take().catch((error: unknown) => log.warn({ error: String(error) }, 'the clock is not held in time'));
  }
}

/** Moves the money zone, the card zone and the simulated providers to one moment. Answers as `askSimulator`. */
async function moveAll(tools: Tools, shift_ms: number): Promise<unknown> {
  // first: what the vault tells of its sendings is then never younger than the money zone takes it to be
  await tools.vault.moveClock({ shift_ms });
  await moveClock(tools.db, shift_ms);
  tools.clock.moveTo(shift_ms);
  return askSimulator(tools, shift_ms);
}

/**
 * When this is done, everything that became due at the simulator has happened, and its messages were offered to us.
 * Answers how many messages there were so far.
 */
async function askSimulator({ sandbox }: Tools, shift_ms: number): Promise<unknown> {
  const said = await sandbox?.({ method: 'POST', path: '/clock', body: { shift_ms } });
  if (sandbox && said?.status !== 200) throw new Error('the simulated providers did not move their clock');
  return said?.body['messages'];
}

/** Brings the card zone and the simulated providers to where the money zone's clock stands: one of them may be new. */
async function alignClocks(tools: Tools): Promise<unknown> {
  const { shift_ms } = await readClock(tools.db);
  return shift_ms === 0 ? askSimulator(tools, shift_ms) : moveAll(tools, shift_ms);
}

/** Milliseconds to the next look at work that is still due, after so many moments of it on end. */
function stepOf(moments: number): number {
  return 2 ** Math.max(0, moments - PATIENT_STEPS);
}

type Settled = {
  /** False: there was more than is done at one moment. */
  readonly is_over: boolean;
  /** Milliseconds until the next work that is due later. */
  readonly next_ms: number | undefined;
};

/**
 * As `settle`, with what the simulated providers told meanwhile: their clocks run by themselves, and what they tell is
 * of this moment.
 */
async function settleAndHear({
  tools,
  jobs,
  patience,
  heard,
}: Pick<Driving, 'tools' | 'jobs'> & { readonly patience: number; readonly heard: unknown }): Promise<
  Settled & Pick<Bank, 'messages'>
> {
  let before = heard;
  for (let round = 0; ; round++) {
    const { is_over, next_ms } = await settle(tools, jobs, patience);
    const { in_ms, messages } = await lookAtSimulator(tools);
    // who is paid without a pause hears without an end
    if (messages === before || round === ROUNDS) return { is_over, next_ms: earliest([next_ms, in_ms]), messages };
    before = await askSimulator(tools, tools.clock.shift_ms());
  }
}

/** All work that is due now has been done, calls that are under way included. */
async function settle(tools: Tools, jobs: readonly Job[], patience: number): Promise<Settled> {
  for (let round = 0; ; round++) {
    await tools.running.drain();
    const next = await nextOf(tools, jobs, patience);
    const due = jobs.filter((job) => (next.get(job) ?? 1) <= 0);
    const next_ms = earliest([...next.values()].filter((in_ms) => in_ms > 0));
    if (due.length === 0) return { is_over: true, next_ms };
    if (round === ROUNDS) {
      tools.log.warn(
        { jobs: due.map(({ name }) => name).join() },
        'more is due at one moment than is done at one: it goes on',
      );
      return { is_over: false, next_ms };
    }
    for (const job of due) {
      while (await job.run());
      await job.drain?.();
    }
  }
}

/** For each job, the milliseconds until it has work. */
async function nextOf(tools: Tools, jobs: readonly Job[], patience: number): Promise<ReadonlyMap<Job, number>> {
  const moments = jobs.flatMap(({ due }) => due);
  const found = await findMoments(tools.db, { moments, patience });
  const nexts = await Promise.all(
    jobs.map(async (job) => {
      const next = earliest([...job.due.map((moment) => found.get(moments.indexOf(moment))), await job.next?.()]);
      return next === undefined ? [] : [[job, next] as const];
    }),
  );
  return new Map(nexts.flat());
}

function earliest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

type Bank = {
  /** Milliseconds until something is due there. */
  readonly in_ms: number | undefined;
  /** How many it has sent. */
  readonly messages: unknown;
};

async function lookAtSimulator({ sandbox }: Tools): Promise<Bank> {
  const said = await sandbox?.({ method: 'GET', path: '/clock' });
  const { now, next_due, messages } = said?.body ?? {};
  if (typeof now !== 'string' || typeof next_due !== 'string') return { in_ms: undefined, messages };
  return { in_ms: Date.parse(next_due) - Date.parse(now), messages };
}

async function look(tools: Tools, jobs: readonly Job[]): Promise<ClockState> {
  const { shift_ms } = await readClock(tools.db);
  const own = [...(await nextOf(tools, jobs, 0)).values()];
  const next_in_ms = earliest([...own, (await lookAtSimulator(tools)).in_ms]);
  tools.clock.moveTo(shift_ms);
  return { now: tools.clock.now(), shift_ms, next_in_ms };
}
