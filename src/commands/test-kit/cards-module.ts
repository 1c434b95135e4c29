// The sandbox's cards for the test kit: a number for each meaning, from the tables. florin docs writes the file.
import { RESULTS } from '../../core/results.ts';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS, codeNumber } from '../../core/sandbox/cards.ts';
import { EVENTS } from '../../payment/notification/events.ts';
import { FAULTS } from '../../payment/sandbox/scenario.ts';

/** A card is named by its outcome in the table. */
function cardNames(): ReadonlyMap<string, string> {
  const rows = [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].map(
    ({ outcome, numbers: [number = ''] }) => [nameOf(outcome), number] as const,
  );
  const ends = RESULTS.flatMap((row) => {
    const number = codeNumber(row);
    return number === undefined ? [] : [[`result_${row.name}`, number] as const];
  });
  const all = [['approved', rows[0]?.[1] ?? ''] as const, ...rows, ...ends];
  const names = new Map(all);
  if (names.size !== all.length) throw new Error('two cards of the sandbox say the same of themselves');
  return names;
}

const LONGEST = 50;

/** The words of the outcome joined, as in declined_by_issuer; of a long outcome only the part before the semicolon. */
function nameOf(outcome: string): string {
  const name = slug(outcome);
  return name.length > LONGEST ? slug(outcome.split(';')[0] ?? '') : name;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("'s", '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

const LEAD = '// Written by npm run docs from the tables in src.\n';

/** The files by path, seen from docs/. */
export function cardModules(): Readonly<Record<string, string>> {
  const lines = (line: (name: string, number: string) => string) =>
    [...cardNames()].map(([name, number]) => line(name, number)).join('\n');
  const union = (words: readonly string[]) => words.map((word) => `\n  | '${word}'`).join('');
  return {
    '../test-kit/cards.cjs': `${LEAD}'use strict';
exports.cards = {
${lines((name, number) => `  ${name}: '${number}',`)}
};
exports.events = [
${EVENTS.map((event) => `  '${event}',`).join('\n')}
];
`,
    '../test-kit/cards.d.cts': `${LEAD}export declare const cards: {
${lines((name, number) => `  readonly ${name}: '${number}';`)}
};
export type EventName =${union(EVENTS)};
export type FaultName =${union(FAULTS)};
`,
  };
}
