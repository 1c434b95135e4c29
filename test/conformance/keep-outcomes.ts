// Keeps what the stories of `npm run test:providers` came to, and says how long each provider took. A file of which a
// part was left out by a filter changes nothing.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Outcomes, OUTCOMES_FILE, type Told, abilitiesOf, lackedIn, numbersOf, readOutcomes } from './outcomes.ts';
import { PAGE_FILE, pageOf } from './page.ts';
import { PROVIDERS } from './providers.ts';

type Row = { readonly provider: string; readonly number: number; readonly file: string; readonly told: Told };

export default class KeepOutcomes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    sayTimes(modules);
    const whole = modules.filter(isWhole);
    if (whole.length === 0) return;
    const files = new Set(whole.map(fileOf));
    const rows = [...keptRows().filter(({ file }) => !files.has(file)), ...whole.flatMap(rowsOf)];
    const outcomes = outcomesOf(rows);
    writeFileSync(OUTCOMES_FILE, `${JSON.stringify(outcomes, null, 2)}\n`);
    writeFileSync(PAGE_FILE, pageOf(outcomes));
  }
}

const fileOf = ({ relativeModuleId }: TestModule): string => relativeModuleId;

function isWhole(module: TestModule): boolean {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  return states.length > 0 && states.every((state) => state === 'passed' || state === 'failed');
}

const providerOf = ({ parent }: TestCase): string | undefined =>
  parent.type === 'suite' ? PROVIDERS.find(({ name }) => name === parent.name)?.name : undefined;

function keptRows(): readonly Row[] {
  return Object.entries(readOutcomes()).flatMap(([provider, { stories }]) =>
    Object.entries(stories).flatMap(([number, by]) =>
      Object.entries(by).map(([file, told]) => ({ provider, number: Number(number), file, told })),
    ),
  );
}

/** What one file told of each scenario, at each provider. */
function rowsOf(module: TestModule): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const test of module.children.allTests()) {
    const provider = providerOf(test);
    if (provider === undefined) continue;
    const is_passed = test.result().state === 'passed';
    const lacked = lackedIn(test.meta());
    for (const number of numbersOf(test.name)) {
      const { passed = 0, failed = 0, lacks = lacked } = rows.get(`${provider} ${number}`)?.told ?? {};
      const told = {
        passed: passed + (is_passed ? 1 : 0),
        failed: failed + (is_passed ? 0 : 1),
        ...(lacks !== undefined && { lacks }),
      };
      rows.set(`${provider} ${number}`, { provider, number, file: fileOf(module), told });
    }
  }
  return [...rows.values()];
}

/** In the order of providers, scenarios and files: the same run makes the same file. */
function outcomesOf(rows: readonly Row[]): Outcomes {
  const entries = PROVIDERS.map(({ name }) => {
    const own = rows.filter(({ provider }) => provider === name);
    const numbers = [...new Set(own.map(({ number }) => number))].toSorted((a, b) => a - b);
    const stories = numbers.map((number) => {
      const of = own.filter((row) => row.number === number).toSorted((a, b) => (a.file < b.file ? -1 : 1));
      return [String(number), Object.fromEntries(of.map(({ file, told }) => [file, told]))] as const;
    });
    const able = Object.fromEntries(abilitiesOf(name).map((ability) => [ability, true as const]));
    return [name, { able, stories: Object.fromEntries(stories) }] as const;
  });
  return Object.fromEntries(entries);
}

function sayTimes(modules: readonly TestModule[]): void {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  for (const { name } of PROVIDERS) {
    const own = tests.filter((test) => providerOf(test) === name && test.result().state !== 'skipped');
    const seconds = own.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0) / 1000;
    if (own.length > 0) process.stdout.write(`${name}: ${own.length} stories in ${seconds.toFixed(1)} s\n`);
  }
}
