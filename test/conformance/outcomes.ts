// The outcomes of the stories that really ran, for each provider and scenario, file by file. Only `npm run
// test:providers` writes them (keep-outcomes.ts). They are committed as outcomes.json; docs/provider-scenarios.md is
// made from it, and table.test.ts compares it with the list and the capabilities.
import { readFileSync } from 'node:fs';
import { providers as registry } from '../../src/provider/registry.ts';
import type { Provider } from '../../src/provider/contract.ts';

/** The abilities that a provider needs for a scenario. If it lacks one, the same story looks for the opposite. */
export const ABILITIES = {
  captures: ({ can }) => can.captures === 'many',
  redirect: ({ can }) => can.three_ds.includes('redirect'),
  data: ({ can }) => can.three_ds.includes('data'),
  /** A provider without a page of its own is asked again with a proof of ours. */
  'our proof': ({ can }) => !can.three_ds.includes('redirect'),
  exemptions: ({ can }) => can.exemptions,
  scheme_choice: ({ can }) => can.scheme_choice,
  'no keys': ({ can }) => can.key_kept_h === 0,
  messages: ({ notices }) => notices !== undefined,
  'answers to disputes': ({ disputing }) => disputing !== undefined,
} satisfies Readonly<Record<string, (provider: Provider) => boolean>>;
export type Ability = keyof typeof ABILITIES;

export function isAble(name: string, ability: Ability): boolean {
  const provider = registry().get(name);
  if (!provider) throw new Error(`there is no provider ${name}`);
  return ABILITIES[ability](provider);
}

export const abilitiesOf = (name: string): readonly Ability[] =>
  (Object.keys(ABILITIES) as Ability[]).filter((ability) => isAble(name, ability));

/** `lacks`: the opposite was looked for, as the provider lacks this. */
export type Told = { readonly passed: number; readonly failed: number; readonly lacks?: string };
/** Number of a scenario → file → what its stories there came to. */
type ToldBy = Readonly<Record<string, Readonly<Record<string, Told>>>>;
export type Outcomes = Readonly<
  Record<string, { readonly able: Readonly<Record<string, true>>; readonly stories: ToldBy }>
>;

export const OUTCOMES_FILE = new URL('outcomes.json', import.meta.url);

export function readOutcomes(): Outcomes {
  const outcomes: Outcomes = JSON.parse(readFileSync(OUTCOMES_FILE, 'utf8'));
  return outcomes;
}

export const toldOf = (outcomes: Outcomes, name: string, number: number): readonly Told[] =>
  Object.values(outcomes[name]?.stories[number] ?? {});

/** `1, 2 what happens` is the title of a story of scenarios 1 and 2. */
export function numbersOf(title: string): readonly number[] {
  const [, numbers = ''] = /^(\d+(?:, \d+)*) /.exec(title) ?? [];
  return numbers === '' ? [] : numbers.split(', ').map(Number);
}

/** The opposite was looked for. */
export function lacks({ meta }: { readonly meta: object }, ability: Ability): void {
  Object.assign(meta, { lacks: ability });
}

export const lackedIn = (meta: object): string | undefined =>
  'lacks' in meta && typeof meta.lacks === 'string' ? meta.lacks : undefined;
