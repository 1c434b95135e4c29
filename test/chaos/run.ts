// A run: an arena, clients, faults and watchers; then peace, and everything is compared with everything.
import { join } from 'node:path';
import { openAcks } from './acks.ts';
import { type Arena, openArena } from './arena.ts';
import { type Counts, type Driver, ask } from './ask.ts';
import { chanceOf } from './chance.ts';
import { contradictSome } from './contradictions.ts';
import { evidenceOf } from './evidence.ts';
import { type Done, type FaultPlan, runFaults } from './faults.ts';
import { BANK_ALONE, compareAll, drain, hurried } from './settle.ts';
import { chooseAgain } from './routing/rules.ts';
import { endTries, hasten } from './routing/tries.ts';
import { TRIES_MADE, type TriesMade } from './routing/invariants.ts';
import { type Settled, settleTimes } from './settle-times.ts';
import { type Habits, beClient } from './stories.ts';
import { compareTold, subscribe, waitUntilTold } from './told.ts';
import type { Patch } from './patch.ts';
import type { VendorTrouble } from './vendors/vendors.ts';
import { watch } from './watch.ts';

export type RunPlan = {
  readonly seed: string;
  readonly clients: number;
  readonly habits: Habits;
  readonly services: number;
  /** With routing rules. */
  readonly routed: boolean;
  readonly vendors: VendorTrouble | null;
  readonly deadline_s: number;
  readonly faults: FaultPlan;
  /** Kill points to arm, one a start. */
  readonly points: readonly string[];
  /** Nothing may be open so long after the last fault. */
  readonly drain_s: number;
  /** The place where the run's folder is made. */
  readonly within: string;
  /** The folder of the product; empty: this one. */
  readonly product: string;
  readonly patches?: readonly Patch[];
  /** For mutants: the violation was seen, and the run ends. */
  isCaught?(violations: readonly string[]): boolean;
  /** Has enough been seen to end the faults? */
  isEnough?(tally: Arena['services']['tally']): boolean;
  /** A database cluster to begin with, instead of making one; empty: none. */
  readonly template: string;
  say(line: string): void;
};

export type Outcome = {
  /** The violations, each with its order. */
  readonly violations: readonly string[];
  readonly faults: Done;
  readonly counts: Counts;
  readonly tally: Arena['services']['tally'];
  readonly acks: number;
  readonly receiver: Arena['receiver']['tally'];
  /** Orders whose notifications were compared with what happened. */
  readonly told: number;
  readonly polls: number;
  /** contradicted: orders of which the bank said the opposite in the end. */
  readonly compared: { readonly live: number; readonly last: number; readonly contradicted: number };
  readonly points_left: readonly string[];
  readonly drain_s: number;
  /**
   * For each real provider: the orders that it won, the calls that were to go wrong, and the seconds until nothing of
   * it was open.
   */
  readonly vendors: {
    readonly won: ReadonlyMap<string, number>;
    readonly troubles: ReadonlyMap<string, number>;
    readonly drain_s: number;
  };
  /** chosen: attempts whose choice was made again. */
  readonly tries: TriesMade & { readonly chosen: number };
  readonly settled: Settled | undefined;
  readonly observations: readonly { readonly source: string; readonly outcome: string; readonly n: number }[];
  readonly seconds: number;
};

const NO_TRIES: TriesMade = { policies: 0, later: 0, held: 0, fallbacks: 0, endings: {} };
const MOST_VIOLATIONS = 40;
const MOST_SUSPECTS = 5;
/** Real time, in which the sandbox's goes by faster. */
const VENDORS_DRAIN_S = 90;
/** 99 of 100 unknown outcomes are settled within this time. */
const SETTLED_P99_S = 30;

export async function run(plan: RunPlan): Promise<Outcome> {
  const began = performance.now();
  const chance = chanceOf(plan.seed, 'starts');
  const seen = findings(plan, began);
  const arena = await openArena({
    chance: chanceOf(plan.seed, 'merchant'),
    violated: seen.violated,
    services: plan.services,
    routed: plan.routed,
    vendors: plan.vendors,
    deadline_s: plan.deadline_s,
    armed: () => chance.isLucky(0.6),
    within: plan.within,
    product: plan.product,
    template: plan.template,
    patches: plan.patches ?? [],
  });
  try {
    return await runIn(arena, plan, { began, seen });
  } finally {
    await arena.close();
  }
}

type Findings = {
  readonly violations: string[];
  /** Orders that one of them is about. */
  readonly suspects: ReadonlySet<string>;
  violated(order_id: string, what: string): void;
};

function findings(plan: RunPlan, began: number): Findings {
  const violations: string[] = [];
  const suspects = new Set<string>();
  const violated = (order_id: string, what: string) => {
    const line = order_id === '' ? what : `order ${order_id}: ${what}`;
    if (violations.includes(line)) return;
    if (violations.length < MOST_VIOLATIONS)
      plan.say(`VIOLATION at ${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`);
    violations.push(line);
    if (order_id !== '') suspects.add(order_id);
  };
  return { violations, suspects, violated };
}

async function runIn(
  arena: Arena,
  plan: RunPlan,
  { began, seen }: { began: number; seen: Findings },
): Promise<Outcome> {
  const { violations, suspects, violated } = seen;
  let going = true;
  let peace_at: number | undefined;
  const acks = openAcks(join(arena.folder, 'acknowledged'));
  const counts: Counts = {
    orders: 0,
    operations: 0,
    requests: 0,
    again: 0,
    why: new Map(),
    unanswered: 0,
    codes: new Map(),
  };
  const isCaught = () => plan.isCaught?.(violations) === true;
  const driver: Driver = {
    services: arena.services,
    acks,
    counts,
    vendors: arena.vendors,
    routed: plan.routed,
    began,
    violated,
    isGoing: () => going && !isCaught(),
    isAborted: isCaught,
    peaceMs: () => (peace_at === undefined ? 0 : performance.now() - peace_at),
  };
  await subscribe(driver, chanceOf(plan.seed, 'endpoint'), arena.receiver);
  arena.points.push(...plan.points);
  const eyes = watch(arena, violated);
  const hurrying = hasten(arena);
  const clients = Promise.all(
    Array.from({ length: plan.clients }, (_, n) => beClient(driver, chanceOf(plan.seed, `client ${n}`), plan.habits)),
  );
  const faults = await runFaults({
    arena,
    chance: chanceOf(plan.seed, 'faults'),
    plan: plan.faults,
    isOver: () => isCaught() || plan.isEnough?.(arena.services.tally) === true,
    answered: () => acks.count,
    seed: plan.seed,
  });
  going = false;
  await arena.vendors?.calm();
  await hurrying.stop();
  peace_at = performance.now();
  plan.say(`faults over after ${((performance.now() - began) / 1000).toFixed(0)} s; draining`);
  let drain_s = 0;
  let last = 0;
  let vendors = { won: new Map<string, number>() as ReadonlyMap<string, number>, drain_s: 0 };
  let told = 0;
  let contradicted = 0;
  let chosen = 0;
  let settled: Settled | undefined;
  // clients that wait for what a mutant lost need not be waited for
  if (!isCaught()) {
    const left = within(clients, plan.drain_s * 1000);
    const drained = await drain(arena, plan.drain_s, violated);
    drain_s = drained.seconds;
    await left;
    // what the last stories began, if nothing is stuck
    if (drain_s < plan.drain_s) await drain(arena, plan.drain_s, violated);
    const step = arena.vendors ? hurried(advanceOf(driver, plan)) : BANK_ALONE;
    const theirs = arena.vendors && (await drain(arena, VENDORS_DRAIN_S, violated, step));
    await endTries(arena, VENDORS_DRAIN_S, violated, step);
    await eyes.stop();
    const compared = await compareAll(arena, acks, violated);
    last = compared.orders;
    vendors = { won: compared.won, drain_s: theirs?.seconds ?? 0 };
    if (plan.routed) {
      const { attempts, defects } = await chooseAgain(arena.beside);
      chosen = attempts;
      if (defects > 0) violated('', `${defects} of ${attempts} choices do not come out again from what is stored`);
    }
    contradicted = await contradictSome(arena, violated);
    settled = await settleTimes(arena, drained.decided);
    if (settled.after_peace.p99 > SETTLED_P99_S)
      violated(
        '',
        `what was open after the last fault was decided too late: p99 ${settled.after_peace.p99.toFixed(1)} s`,
      );
    const telling = { driver, chance: chanceOf(plan.seed, 'histories'), receiver: arena.receiver };
    await waitUntilTold(driver, telling.chance, arena);
    told = await compareTold(telling, arena);
  } else {
    await eyes.stop();
    await clients;
  }
  for (const order_id of [...suspects].slice(0, MOST_SUSPECTS))
    if (!plan.isCaught) for (const line of await evidenceOf(arena, order_id)) plan.say(line);
  const { tally } = arena.services;
  for (const exit of tally.exits) violated('', exit);
  const observations = await arena.postgres.sql<{ source: string; outcome: string; n: number }>(
    `SELECT source, outcome, count(*)::int AS n FROM payment.observations GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const [tries] = await arena.postgres.sql<TriesMade>(TRIES_MADE);
  acks.close();
  return {
    violations,
    faults,
    counts,
    tally,
    acks: acks.count,
    receiver: arena.receiver.tally,
    told,
    polls: eyes.polls,
    compared: { live: eyes.compared, last, contradicted },
    points_left: faults.points_left,
    drain_s,
    vendors: { ...vendors, troubles: arena.vendors?.troubles ?? new Map<string, number>() },
    settled,
    tries: { chosen, ...(tries ?? NO_TRIES) },
    observations,
    seconds: (performance.now() - began) / 1000,
  };
}

/** Moves the clock of the sandbox on. */
function advanceOf(driver: Driver, { seed }: RunPlan) {
  const chance = chanceOf(seed, 'clock');
  return (seconds: number) =>
    ask(driver, chance, {
      path: '/sandbox/clock/advance',
      body: { seconds },
      key: `clock-${chance.hex(20)}`,
      wait_s: 0,
    });
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
