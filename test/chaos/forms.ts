// How much each form of the gate does.
import { chanceOf } from './chance.ts';
import type { FaultPlan } from './faults.ts';
import { MOODS } from './receiver.ts';
import type { RunPlan } from './run.ts';
import { ALL_STORIES } from './stories.ts';

export type FormName = 'short' | 'nightly' | 'release';

export type Form = {
  readonly plan: Omit<RunPlan, 'seed' | 'within' | 'product' | 'template' | 'points' | 'say'>;
  readonly times_each_point: number;
  /** Longest time of a mutant's faults. */
  readonly mutant_s: number;
  readonly mutants_at_once: number;
  /** So many of them, drawn by the seed, where none are named (docs/decisions/0183). */
  readonly mutants: number;
};

/**
 * The bank's time: it is waited for 2 s, and what it has not done after 3 s it never does. A late commit comes between
 * the two; a call that is cut after 100 ms is asked about before, so "not found" is heard of what still comes.
 */
export const DEADLINE_S = 2;
const CHAOS = { rate: 0.36, late_ms: 2_300, pending_ms: 3_000 } as const;

export const FAULTS: FaultPlan = {
  kills: 100,
  crashes: 10,
  longest_s: 180,
  kill_every_ms: 1_300,
  kill_after: 8,
  crash_every_s: [12, 15],
  freeze_ms: 3_000,
  receiver_moods: MOODS,
  chaos: CHAOS,
  scenarios: [],
  hangs_ms: [null, 100],
};

const BASE = {
  clients: 16,
  habits: { stories: [...ALL_STORIES, 'elsewhere'], pace_ms: 200 },
  services: 2,
  routed: true,
  vendors: { part: 0.2 },
  deadline_s: DEADLINE_S,
  drain_s: 60,
} as const;
const LONG = { ...FAULTS, kill_every_ms: 1_500, crash_every_s: [12, 20] } as const;

export const FORMS: Readonly<Record<FormName, Form>> = {
  short: {
    plan: { ...BASE, faults: FAULTS },
    times_each_point: 2,
    mutant_s: 30,
    mutants_at_once: 2,
    mutants: 15,
  },
  nightly: {
    plan: { ...BASE, faults: { ...LONG, kills: 1_000, crashes: 50, longest_s: 3_000 } },
    times_each_point: 25,
    mutant_s: 45,
    mutants_at_once: 2,
    mutants: Infinity,
  },
  release: {
    plan: { ...BASE, faults: { ...LONG, kills: 3_000, crashes: 150, longest_s: 9_000 } },
    times_each_point: 75,
    mutant_s: 45,
    mutants_at_once: 2,
    mutants: Infinity,
  },
};

/** How often a point is passed before it kills, at most: the rare ones at once. */
const PASSES: Readonly<Record<string, number>> = {
  claim_committed: 2,
  tombstone_committed: 2,
  reversal_acknowledged: 1,
  step_committed: 1,
};
const USUAL_PASSES = 12;

/**
 * Each kill point so many times, as FLORIN_CRASH_AT takes them, the rare ones first, in an order that the seed draws.
 */
export function pointsOf(seed: string, names: readonly string[], times: number): readonly string[] {
  const chance = chanceOf(seed, 'points');
  const all = Array.from({ length: times }, () => names).flat();
  const isUsual = (point: string) => (point in PASSES ? 0 : 1);
  const drawn = chance.shuffled(all).toSorted((a, b) => isUsual(a) - isUsual(b));
  return drawn.map((point) => `${point}:${chance.between(0, PASSES[point] ?? USUAL_PASSES)}`);
}
