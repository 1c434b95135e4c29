// What the stories made of each mutant when they ran last (`npm run test:mutants`), and its part of
// docs/provider-scenarios.md.
import { readFileSync } from 'node:fs';
import { PROVIDERS } from '../providers.ts';
import type { At } from '../at/contract.ts';
import { ELSEWHERE, MUTANTS, type Mutant } from './list.ts';

/** Mutant → provider → the story that went red. */
export type Caught = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const CAUGHT_FILE = new URL('caught.json', import.meta.url);

export function readCaught(): Caught {
  const caught: Caught = JSON.parse(readFileSync(CAUGHT_FILE, 'utf8'));
  return caught;
}

/** The simulated bank is registered twice. */
export const MUTATED: readonly At[] = PROVIDERS.filter(({ name }) => name !== 'simulator_b');

export const storyOf = ({ file, title }: { readonly file: string; readonly title: string }): string =>
  `${file}: ${title}`;

/** Notes under the table, each once. */
function notesOf(caught: Caught): readonly string[] {
  const all = MUTANTS.flatMap((mutant) => MUTATED.map((at) => noteOf(caught, mutant, at)));
  return [...new Set(all.flatMap(({ note }) => note ?? []))];
}

function noteOf(caught: Caught, mutant: Mutant, at: At): { readonly verdict: string; readonly note?: string } {
  const seen = mutant.seenAt(at);
  if ('not' in seen) return { verdict: 'no difference', note: `No difference: ${seen.not}.` };
  const story = caught[mutant.name]?.[at.name];
  return story === undefined
    ? { verdict: '**not run**' }
    : { verdict: 'caught', note: `Caught by \`test/conformance/${seen.file}.test.ts\`, "${seen.title}".` };
}

export function mutantsPart(caught: Caught): readonly string[] {
  const notes = notesOf(caught);
  const cellOf = (mutant: Mutant, at: At) => {
    const { verdict, note } = noteOf(caught, mutant, at);
    return note === undefined ? verdict : `${verdict} (${LETTERS[notes.indexOf(note)]})`;
  };
  return [
    '## A Florin that is broken on purpose',
    '',
    'Written by `npm run test:mutants`: each is this product with one thing changed. At each provider one story must see it: it is green without the',
    'change and red with it, while a plain authorization is green with it, too.',
    '',
    `| mutant | what is wrong | ${MUTATED.map(({ name }) => name).join(' | ')} |`,
    `|${'---|'.repeat(MUTATED.length + 2)}`,
    ...MUTANTS.map(
      (mutant) => `| ${mutant.name} | ${mutant.says} | ${MUTATED.map((at) => cellOf(mutant, at)).join(' | ')} |`,
    ),
    '',
    ...notes.map((note, n) => `- (${LETTERS[n]}) ${note}`),
    ...ELSEWHERE.map(({ name, says, held_by }) => `- ${name}, ${says}: ${held_by}.`),
    '',
  ];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
