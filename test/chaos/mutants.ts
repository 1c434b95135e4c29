// The mutants: each is run until it is caught, or held by the line of defence that is named.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chanceOf } from './chance.ts';
import type { Form } from './forms.ts';
import { MUTANTS, type Mutant } from './mutants/list.ts';
import { type Outcome, run } from './run.ts';
import { UNHURRIED } from './stories.ts';
import { DEADLINE_S, FAULTS } from './forms.ts';

export type Judging = {
  readonly seed: string;
  readonly only: string;
  readonly within: string;
  readonly product: string;
  readonly template: string;
  /** The template at the schema of the product: for mutants that are no change of the schema. */
  readonly migrated: string;
  readonly form: Form;
  say(line: string): void;
};

export async function judgeMutants(judging: Judging): Promise<{ count: number; bad: number }> {
  const { only, form, say, seed } = judging;
  const names = only.split(',');
  const waiting =
    only === ''
      ? chanceOf(seed, 'mutants').shuffled(MUTANTS).slice(0, form.mutants)
      : MUTANTS.filter(({ name }) => only === 'mutants' || names.includes(name));
  if (waiting.length === 0) throw new Error(`there is no mutant ${only}`);
  const count = waiting.length;
  let bad = 0;
  const work = async (_: unknown, n: number) => {
    // one after the other at one place: what was compiled for one serves the next
    const place = join(judging.within, `place-${n}`);
    mkdirSync(place, { mode: 0o711 });
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      let judged = await judge(mutant, { ...judging, within: place });
      if (judged.unlucky) {
        say(`${judged.line}; once more, with another seed`);
        judged = await judge(mutant, { ...judging, within: place, seed: `${judging.seed}|again` });
      }
      if (!judged.good) bad++;
      say(judged.line);
    }
  };
  await Promise.all(Array.from({ length: form.mutants_at_once }, work));
  return { count, bad };
}

/** Bad luck comes mostly from the mutant. */
const QUIET = {
  kills: Infinity,
  crash_every_s: null,
  kill_every_ms: 4_000,
  freeze_ms: 0,
  receiver_moods: [],
} as const;
/** So often the line of defence must have been needed; fewer times count too, when the time is up. */
const ENOUGH = 3;

function timesOf(names: readonly string[], { refused }: Outcome['tally']): number {
  return [...refused].filter(([name]) => names.includes(name)).reduce((sum, [, n]) => sum + n, 0);
}

/**
 * `unlucky`: nothing was wrong and nothing had to be refused, as on a machine that was too slow for the faults to meet
 * it.
 */
type Judged = { readonly good: boolean; readonly unlucky: boolean; readonly line: string };

async function judge(mutant: Mutant, { seed, within, product, template, migrated, form }: Judging): Promise<Judged> {
  const { name, says, expect } = mutant;
  const outcome = await run({
    seed: `${seed}|${name}`,
    clients: 10,
    habits: { stories: mutant.stories ?? UNHURRIED, pace_ms: 100 },
    services: 2,
    routed: mutant.routed ?? false,
    vendors: mutant.vendors ?? null,
    deadline_s: mutant.deadline_s ?? DEADLINE_S,
    faults: { ...FAULTS, ...QUIET, longest_s: form.mutant_s, ...mutant.faults },
    isEnough: (tally) => expect !== 'caught' && timesOf(expect.held_by, tally) >= ENOUGH,
    points: mutant.points ?? [],
    drain_s: 25,
    within,
    product,
    template: mutant.patches.some((patch) => 'drop' in patch || 'schema' in patch.in) ? template : migrated,
    patches: mutant.patches,
    isCaught: (violations) => evidence(mutant, violations) !== undefined,
    say: () => undefined,
  });
  const [good, how] = verdictOf(mutant, outcome);
  return {
    good,
    unlucky: !good && outcome.violations.length === 0,
    line: `mutant ${name} ${good ? how : `SURVIVED: ${how}`} after ${outcome.seconds.toFixed(0)} s: ${says}`,
  };
}

/** The first thing that was seen of it. */
function evidence({ as }: Mutant, violations: readonly string[]): string | undefined {
  return violations.find((violation) => as === undefined || as.test(violation));
}

function verdictOf(mutant: Mutant, { violations, tally }: Outcome): [boolean, string] {
  const { expect } = mutant;
  const [first = ''] = violations;
  if (expect === 'caught') {
    const seen = evidence(mutant, violations);
    if (seen !== undefined) return [true, `caught (${seen.slice(0, 160)})`];
    return [false, first === '' ? 'nothing was noticed' : `only this was noticed: ${first.slice(0, 300)}`];
  }
  const names = expect.held_by.join(' or ');
  const times = timesOf(expect.held_by, tally);
  if (first !== '') return [false, `${names} did not hold it: ${first.slice(0, 300)}`];
  return times === 0
    ? [false, `${names} never had to refuse anything`]
    : [true, `held by ${names}, which refused ${times} times`];
}
