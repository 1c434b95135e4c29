// docs/provider-scenarios.md: which scenario each provider passes. Made of the list of scenarios and what the providers can do; -u writes it anew.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { providers as registry } from '../../src/provider/registry.ts';
import type { At } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Its messages are no requests of HTTP: stories of its own say the same, and stand there. */
const OWN_STORIES = new Map([['iso8583', 'test/with/iso8583.test.ts']]);

test('the stories run over every provider of the registry, but for those with stories of their own', () => {
  const told = [...PROVIDERS.map(({ name }) => name), ...OWN_STORIES.keys()];
  expect(told.toSorted()).toEqual([...registry().keys()].toSorted());
  for (const file of OWN_STORIES.values()) expect(textOf(file)).toContain('test(');
});

test('a scenario that is said to run has a story with its number', () => {
  const missing = SCENARIOS.filter(({ file = '', number }) => {
    if (!file.startsWith('test/conformance/')) return false;
    const told = [...textOf(file).matchAll(/'((?:\d+(?:, )?)+) /g)].flatMap(([, numbers = '']) => numbers.split(', '));
    return !told.includes(String(number));
  });
  expect(missing).toEqual([]);
});

function cell({ file, needs, only }: Scenario, at: At): string {
  const can = registry().get(at.name)?.can;
  if (file === undefined || !can) return '–';
  if (only && !only(at)) return 'not simulated';
  return needs && !needs.met(can) ? 'refused before any call' : 'passes';
}

test('the table of the papers is fresh', async () => {
  const groups = [...new Set(SCENARIOS.map(({ group }) => group))];
  const names = PROVIDERS.map(({ name }) => name);
  const tableOf = (group: string) => [
    `## ${group}`,
    '',
    `| no. | scenario | ${names.join(' | ')} | stories |`,
    `|${'---|'.repeat(names.length + 3)}`,
    ...SCENARIOS.filter((one) => one.group === group).map(
      (one) =>
        `| ${one.number} | ${one.name} | ${PROVIDERS.map((at) => cell(one, at)).join(' | ')} | ${one.file === undefined ? 'none yet' : `\`${one.file}\``} |`,
    ),
    '',
  ];
  const page = [
    '# What each provider passes',
    '',
    'Made by `test/conformance/table.test.ts`, which says where it is old; `npm run test:providers -- table -u` writes it anew.',
    'The stories run through the public API, with the simulator of each provider behind it. After each one nothing is open, the ledger agrees with the',
    "order, and the order with the provider's own books. *Refused before any call*: the provider cannot do it, and the refusal is what is tested.",
    ...[...OWN_STORIES].map(([name, file]) => `Stories of their own: ${name}, \`${file}\`.`),
    '*Not simulated*: its simulator cannot be made to do it. A dash: there is no story yet, or it is in a test of another kind.',
    '',
    ...groups.flatMap(tableOf),
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/provider-scenarios.md');
});
