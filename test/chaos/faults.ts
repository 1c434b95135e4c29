// The faults of a run: kill -9 and a stop in the middle of a step for services, kill -9 for the bank, crashes of the
// database, a bank that changes how it misbehaves. stalls.ts has what stands still for a while.
import type { Arena } from './arena.ts';
import { pause } from './ask.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { Mood } from './receiver.ts';
import { ail, stall } from './stalls.ts';

export type FaultPlan = {
  /** Enough of both ends the faults; so does the time. */
  readonly kills: number;
  readonly crashes: number;
  readonly longest_s: number;
  /** Between two kills, on the average. */
  readonly kill_every_ms: number;
  /**
   * So many answers must have been given since the last kill: on a slow machine it is to be a kill of something that
   * works.
   */
  readonly kill_after: number;
  /** Between two crashes of the database, at least and at most; null: none. */
  readonly crash_every_s: readonly [number, number] | null;
  /** Longest stop in mid-step; 0: nothing is stopped, and no disk is full. */
  readonly freeze_ms: number;
  /** How the merchant's server stands, in turns, beside well; none: it does not fail. */
  readonly receiver_moods: readonly Mood[];
  /** How the bank misbehaves (POST /control of the simulated provider); null: it does not. */
  readonly chaos: { readonly rate: number; readonly late_ms: number; readonly pending_ms: number } | null;
  /** Faults that are armed for the next calls, again and again (POST /scenarios of the simulated provider). */
  readonly scenarios: readonly Readonly<Record<string, string | number>>[];
  /** How long a call without an answer is held, in turns: null, until its caller gives up. */
  readonly hangs_ms: readonly (number | null)[];
};

export type Done = {
  readonly schedule: string[];
  kills: { services: number; points: number; bank: number };
  crashes: number;
  freezes: number;
  /** Backends and the bank stopped, disks that were full. */
  stalls: number;
  /** Milliseconds from the database's crash until it took connections again. */
  readonly recoveries: number[];
  /** Kill points that were to be armed and were not reached. */
  points_left: readonly string[];
};

/** After this long without an answer, a kill may help. */
const IDLE_MS = 10_000;
const TURN_MS = 4_000;
const LOOK_MS = 50;
const MOST_STALLED_MS = 2_000;

export type Faulting = {
  readonly arena: Arena;
  readonly chance: Chance;
  readonly plan: FaultPlan;
  /** Ends the faults early. */
  isOver(): boolean;
  /** Answers given so far. */
  answered(): number;
  readonly seed: string;
};

export async function runFaults(faulting: Faulting): Promise<Done> {
  const { arena, chance, plan } = faulting;
  const began = performance.now();
  const done: Done = {
    schedule: [],
    kills: { services: 0, points: 0, bank: 0 },
    crashes: 0,
    freezes: 0,
    stalls: 0,
    recoveries: [],
    points_left: [],
  };
  const note = (what: string) => done.schedule.push(`${((performance.now() - began) / 1000).toFixed(1)} ${what}`);
  const isLong = () => performance.now() - began > plan.longest_s * 1000;
  const isEnough = () => {
    count(arena, done);
    const { services, points, bank } = done.kills;
    return services + points + bank >= plan.kills && done.crashes >= plan.crashes;
  };
  const goes = () => !faulting.isOver() && !isLong() && !isEnough();
  const sleep = async (ms: number) => {
    const until = performance.now() + ms;
    while (goes() && performance.now() < until) await pause(LOOK_MS);
  };
  // no messages: what recovery has to find out by itself nobody tells it
  await arena.bank.steer({ chaos: plan.chaos && { seed: faulting.seed, ...plan.chaos }, callbacks: 'none' });
  const killing = async () => {
    while (goes()) {
      const before = faulting.answered();
      await sleep(plan.kill_every_ms * (0.5 + chance.next()));
      const give_up_at = performance.now() + IDLE_MS;
      while (goes() && faulting.answered() < before + plan.kill_after && performance.now() < give_up_at)
        await pause(LOOK_MS);
      if (goes()) await strike({ arena, chance, plan, done, note });
    }
  };
  const crashing = async () => {
    const [least, most] = plan.crash_every_s ?? [0, 0];
    while (goes() && plan.crash_every_s) {
      await sleep(1000 * (least + (most - least) * chance.next()));
      if (!goes()) return;
      note('crash database');
      const from = performance.now();
      await arena.postgres.crash();
      done.crashes++;
      done.recoveries.push(performance.now() - from);
    }
  };
  const turning = async () => {
    for (let turn = 0; goes() && (plan.chaos || plan.scenarios.length > 0); turn++) {
      await arena.bank.steer({ hang_ms: plan.hangs_ms[turn % plan.hangs_ms.length] ?? null });
      for (const [n, scenario] of plan.scenarios.entries())
        await arena.bank.arm({ id: `chaos-${turn}-${n}`, times: 100, ...scenario });
      await sleep(TURN_MS);
    }
  };
  const stalled = (what: string) => {
    done.stalls++;
    note(what);
  };
  const chance_of = (part: string) => chanceOf(faulting.seed, part);
  const still = { arena, goes, sleep, note: stalled, longest_ms: Math.min(plan.freeze_ms, MOST_STALLED_MS) };
  await Promise.all([
    killing(),
    crashing(),
    turning(),
    plan.freeze_ms > 0 && stall({ ...still, chance: chance_of('stalls') }),
    plan.receiver_moods.length > 0 && ail({ ...still, chance: chance_of('receiver') }, plan.receiver_moods),
  ]);
  for (const service of arena.services.all) service.thaw();
  await arena.receiver.be('well');
  await arena.bank.steer({ chaos: null, hang_ms: null });
  await arena.bank.disarm();
  done.points_left = arena.points.splice(0);
  count(arena, done);
  return done;
}

function count({ services }: Arena, done: Done): void {
  done.kills.services = services.tally.killed;
  done.kills.points = [...services.tally.points.values()].reduce((sum, n) => sum + n, 0);
}

type Strike = {
  readonly arena: Arena;
  readonly chance: Chance;
  readonly plan: FaultPlan;
  readonly done: Done;
  note(what: string): void;
};

async function strike({ arena, chance, plan, done, note }: Strike): Promise<void> {
  const { all } = arena.services;
  const ready = await readyServices(arena);
  // what is to die at a place of its own is given the time to come by it
  const free = ready.filter((service) => !service.isArmed());
  const lot = chance.next();
  const victim = chance.pick([free, ready, all].find((some) => some.length > 0) ?? all);
  if (lot < 0.62) {
    note(`kill ${victim.name}`);
    victim.kill();
  } else if (lot < 0.7) {
    note('kill all services');
    for (const service of all) service.kill();
  } else if (lot < 0.86 || plan.freeze_ms === 0) {
    note('kill bank');
    done.kills.bank++;
    await arena.bank.kill();
  } else {
    const ms = chance.between(300, plan.freeze_ms);
    note(`stop ${victim.name} for ${ms} ms`);
    done.freezes++;
    victim.freeze();
    await pause(ms);
    victim.thaw();
  }
}

/** On a slow machine services are given the time to come up: what is never up is not killed, only kept down. */
async function readyServices({ services }: Arena) {
  for (let looks = 0; looks < PATIENT_LOOKS; looks++) {
    const ready = services.all.filter((service) => service.isReady());
    if (ready.length > 0) return ready;
    await pause(LOOK_MS);
  }
  return services.all;
}

const PATIENT_LOOKS = 100;
