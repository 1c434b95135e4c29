// npm run test:mutants: a copy of the product for each mutant, the stories that must see it, and a plain one that must
// not. What they came to is kept in caught.json and docs/provider-scenarios.md; FLORIN_MUTANTS names some, and then
// theirs alone is kept anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { literally, copyWithTests, runVitest } from '../../mutated.ts';
import { newFolder } from '../../start/child.ts';
import { readOutcomes } from '../outcomes.ts';
import { PAGE_FILE, pageOf } from '../page.ts';
import { CAUGHT_FILE, type Caught, MUTATED, readCaught, storyOf } from './caught.ts';
import { MUTANTS, type Mutant, type Story } from './list.ts';
import type { Patch } from '../../chaos/patch.ts';

vi.setConfig({ testTimeout: 1_200_000 });

const { FLORIN_MUTANTS = '' } = process.env;
const wanted = FLORIN_MUTANTS === '' ? MUTANTS : MUTANTS.filter(({ name }) => FLORIN_MUTANTS.split(',').includes(name));

const PLAIN = { file: 'money', title: 'an authorization holds the amount' } as const;

type Row = { readonly provider: string; readonly story: string; readonly is_green: boolean; readonly why: string };

/** What the report of vitest has of a test. */
type Told = {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
};
type Report = {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Told[] }[];
};

const bare = (title: string) => title.replace(/^[\d, ]+ /, '');

/** Runs these stories at every provider in a product with these patches. */
async function play(patches: readonly Patch[], stories: readonly (Story | typeof PLAIN)[]): Promise<readonly Row[]> {
  using folder = newFolder('florin-mutant-');
  const product = join(folder.path, 'product');
  copyWithTests(product, patches);
  const files = [...new Set(stories.map(({ file }) => `test/conformance/${file}.test.ts`))];
  const titles = [...new Set(stories.map(({ title }) => literally(title)))].join('|');
  const providers = MUTATED.map(({ name }) => name).join('|');
  const report = join(folder.path, 'report.json');
  const words = ['--mode', 'providers', ...files, '-t', `^(?:${providers})\\W+[\\d, ]*(?:${titles})$`];
  const { said } = await runVitest(product, [...words, '--reporter=json', `--outputFile=${report}`]);
  let read: Report;
  try {
    read = JSON.parse(readFileSync(report, 'utf8')) as Report;
  } catch {
    throw new Error(`nothing was told: ${said.slice(-2000)}`);
  }
  return read.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ ancestorTitles: [provider = ''], title, status, failureMessages }) =>
      status === 'passed' || status === 'failed'
        ? [
            {
              provider,
              story: storyOf({ file: /([^/]+)\.test\.ts$/.exec(name)?.[1] ?? '', title: bare(title) }),
              is_green: status === 'passed',
              why: failureMessages[0]?.split('\n')[0] ?? '',
            },
          ]
        : [],
    ),
  );
}

const cellsOf = (mutant: Mutant) =>
  MUTATED.flatMap((at) => {
    const seen = mutant.seenAt(at);
    return 'not' in seen ? [] : [{ provider: at.name, seen, story: storyOf(seen) }];
  });

const before = readCaught();
const caught = new Map<string, Readonly<Record<string, string>>>();

test('without any of them every story is green', async () => {
  const cells = wanted.flatMap(cellsOf);
  const rows = await play([], [...cells.map(({ seen }) => seen), PLAIN]);
  const isGreen = (provider: string, story: string) =>
    rows.some((row) => row.provider === provider && row.story === story && row.is_green);
  const red = cells.filter(({ provider, story }) => !isGreen(provider, story));
  expect(red.map(({ provider, story }) => `${provider} ${story}`)).toEqual([]);
});

test.each(wanted)('$name is caught: $says', async (mutant) => {
  const cells = cellsOf(mutant);
  const rows = await play(mutant.patches, [...cells.map(({ seen }) => seen), PLAIN]);
  const lives = MUTATED.filter(({ name }) =>
    rows.some(({ provider, story, is_green }) => provider === name && story === storyOf(PLAIN) && is_green),
  );
  expect(lives.map(({ name }) => name)).toEqual(MUTATED.map(({ name }) => name));
  const of = cells.map(({ provider, story }) => ({
    provider,
    story,
    row: rows.find((row) => row.provider === provider && row.story === story),
  }));
  for (const { provider, story, row } of of)
    process.stdout.write(
      `${mutant.name} at ${provider}: ${row === undefined ? 'NOT RUN' : row.is_green ? 'SURVIVED' : `caught, ${row.why}`} (${story})\n`,
    );
  const survived = of.filter(({ row }) => row === undefined || row.is_green);
  caught.set(
    mutant.name,
    Object.fromEntries(of.filter((one) => !survived.includes(one)).map(({ provider, story }) => [provider, story])),
  );
  expect(survived.map(({ provider }) => provider)).toEqual([]);
});

afterAll(() => {
  const kept: Caught = Object.fromEntries(
    MUTANTS.flatMap(({ name }) => {
      const row = caught.get(name) ?? before[name];
      return row ? [[name, row]] : [];
    }),
  );
  writeFileSync(CAUGHT_FILE, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(PAGE_FILE, pageOf(readOutcomes(), kept));
});
