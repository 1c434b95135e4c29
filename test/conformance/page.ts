// docs/provider-scenarios.md, of what really ran.
import type { At } from './at/contract.ts';
import { type Caught, mutantsPart, readCaught } from './mutants/caught.ts';
import { type Outcomes, toldOf } from './outcomes.ts';
import { PROVIDERS } from './providers.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

export const PAGE_FILE = new URL('../../docs/provider-scenarios.md', import.meta.url);

function cellOf(outcomes: Outcomes, { number }: Scenario, at: At): string {
  const told = toldOf(outcomes, at.name, number);
  if (told.some(({ failed }) => failed > 0)) return '**fails**';
  const lacked = told.find(({ lacks }) => lacks !== undefined)?.lacks;
  if (lacked !== undefined) return `cannot: ${lacked}`;
  if (told.length > 0) return `passes, ${told.reduce((sum, { passed }) => sum + passed, 0)}`;
  const place = reasonsOf(at).findIndex(({ numbers }) => numbers.includes(number));
  return place < 0 ? '**not run**' : `no story, ${letterOf(at, place)}`;
}

const reasonsOf = ({ untold }: At) => untold;
/** Reasons are counted through all providers. */
function letterOf(at: At, place: number): string {
  const before = PROVIDERS.slice(0, PROVIDERS.indexOf(at)).reduce((sum, other) => sum + other.untold.length, 0);
  return `(${before + place + 1})`;
}

export function pageOf(outcomes: Outcomes, caught: Caught = readCaught()): string {
  const groups = [...new Set(SCENARIOS.map(({ group }) => group))];
  const names = PROVIDERS.map(({ name }) => name);
  const filesOf = ({ number }: Scenario) => {
    const files = names.flatMap((name) => Object.keys(outcomes[name]?.stories[number] ?? {}));
    return [...new Set(files)].map((file) => `\`${file}\``).join(', ');
  };
  const tableOf = (group: string) => [
    `## ${group}`,
    '',
    `| no. | scenario | ${names.join(' | ')} | stories |`,
    `|${'---|'.repeat(names.length + 3)}`,
    ...SCENARIOS.filter((one) => one.group === group).map(
      (one) =>
        `| ${one.number} | ${one.name} | ${PROVIDERS.map((at) => cellOf(outcomes, one, at)).join(' | ')} | ${filesOf(one)} |`,
    ),
    '',
  ];
  const reasons = PROVIDERS.flatMap((at) =>
    reasonsOf(at).map(
      ({ why, held_by: [file, title] }, place) =>
        `- ${letterOf(at, place)} ${at.name}: ${why}. Held by \`${file}\`, "${title}".`,
    ),
  );
  return [
    '# What each provider passes',
    '',
    'Written by `npm run test:providers` of what its stories came to; `npm test` says where list, capabilities and outcomes no longer fit together.',
    'The stories run through the public API, with the simulator of each provider behind it. After each one nothing is open, the ledger agrees with the',
    "order, and the order with the provider's own books. *Passes*, and how many stories of it ran. *Cannot*: the provider cannot do it, as that capability",
    'says, and the story looks for the opposite: it is refused before any call, or left out. *No story*: it cannot be told over the public API there; why, and',
    'what holds it instead, is said at the end.',
    '',
    ...groups.flatMap(tableOf),
    '## Without a story',
    '',
    ...reasons,
    '',
    ...mutantsPart(caught),
  ].join('\n');
}
