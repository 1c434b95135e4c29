// npm run chaos -- [--nightly | --release] [--seed TEXT] [--only main|mutants|NAME,NAME] [--seconds N] [--product DIR]
// Tries to break the service: real processes, a real PostgreSQL, a simulated bank that misbehaves and keeps books of
// its own. Load, kills, crashes; then everything is compared with everything. After that the mutants: each is a copy of
// the product with a few lines broken, and each must be caught, or held by the line of defence that is named. A short
// run plays half of them, drawn by its seed; `--only mutants` plays all. Ends with 1 if anything is not as it must be.
// It prints its seed: the same seed draws the same stories and faults, though not the same interleaving.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FORMS, type FormName, pointsOf } from './forms.ts';
import { judgeMutants } from './mutants.ts';
import { makeTemplate } from './postgres.ts';
import { reportRun } from './report.ts';
import { type Outcome, type RunPlan, run } from './run.ts';
import { wiredPoints } from './tree.ts';

const { values: asked } = parseArgs({
  options: {
    nightly: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
    seed: { type: 'string', default: Math.floor(Math.random() * 1e9).toString(36) },
    only: { type: 'string', default: '' },
    // less than the form's time of faults: for a quick look
    seconds: { type: 'string', default: '' },
    // another checkout of the product, instead of this one
    product: { type: 'string', default: '' },
  },
});

/** The least part of the wanted kills and crashes that must have been possible: a run with fewer proves nothing. */
const LEAST_PART = 0.25;
/** So many later tries at least were made: fewer say nothing of them. */
const LEAST_LATER = 8;
/** So many orders at least were won by real providers, all together: fewer say nothing of them. */
const LEAST_WON = 8;

const began = performance.now();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-chaos-')));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
// services, database and bank hold pipes of ours, and end when we do
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
process.exitCode = (await chaos()) ? 0 : 1;
process.exit();

/** True: everything was as it must be. */
async function chaos(): Promise<boolean> {
  const { seed, product, only } = asked;
  const name: FormName = asked.release ? 'release' : asked.nightly ? 'nightly' : 'short';
  const form = FORMS[name];
  const say = (line: string) => console.log(line);
  say(`chaos: ${name} form, seed ${seed}, Node ${process.versions.node}`);
  const template = await makeTemplate(join(folder, 'template'), { migrated: false });
  const common = { seed, product, within: folder, template, say };
  const verdicts: string[] = [];
  let good = true;
  if (only === '' || only === 'main') {
    const { faults } = form.plan;
    const longest_s = asked.seconds === '' ? faults.longest_s : Number(asked.seconds);
    const points = pointsOf(seed, wiredPoints(product), form.times_each_point);
    const outcome = await run({ ...form.plan, ...common, points, faults: { ...faults, longest_s } });
    for (const line of reportRun(seed, outcome)) say(line);
    const short = asked.seconds === '' ? shortfall(form.plan, outcome) : '';
    verdicts.push(verdictOf(outcome) + short);
    good = outcome.violations.length === 0 && short === '';
  }
  if (only !== 'main') {
    // another checkout has a schema of its own
    const migrated = product === '' ? await makeTemplate(join(folder, 'migrated'), { migrated: true }) : template;
    const { count, bad } = await judgeMutants({ ...common, migrated, only, form });
    verdicts.push(`${count} mutants, ${bad} survived`);
    good &&= bad === 0;
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  say(`chaos ${good ? 'passed' : 'FAILED'} after ${seconds} s: ${verdicts.join('; ')}; seed ${seed}`);
  return good;
}

function verdictOf({ compared, faults, tally, points_left, violations }: Outcome): string {
  const { services, points, bank } = faults.kills;
  const missed = new Set(points_left.map((point) => point.split(':')[0]));
  for (const hit of tally.points.keys()) missed.delete(hit);
  const reached = `${tally.points.size} of ${tally.points.size + missed.size} kill points`;
  const kills = `${services + points + bank} kills at ${reached} and at random, ${faults.crashes} database crashes`;
  return `${compared.last} orders, ${kills}, ${violations.length} violations`;
}

function shortfall({ faults: wanted }: Pick<RunPlan, 'faults'>, { faults, vendors, tries }: Outcome): string {
  const won = [...vendors.won.values()].reduce((sum, one) => sum + one, 0);
  if (won < LEAST_WON) return ` (${won} orders at real providers: too few to say anything)`;
  if (tries.later < LEAST_LATER) return ` (${tries.later} later tries: too few to say anything)`;
  const kills = faults.kills.services + faults.kills.points + faults.kills.bank;
  const enough = kills >= LEAST_PART * wanted.kills && faults.crashes >= LEAST_PART * wanted.crashes;
  return enough ? '' : ` (too few to say anything: the machine was too slow)`;
}
