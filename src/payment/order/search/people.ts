// The people whose orders a text may mean: each word of the text begins a word of their name or e-mail address.
import type { TenantRunner } from '../../../kit/database.ts';
import type { Person } from './filters.ts';
import { findPeopleByWords } from './people-store.ts';
import { beginningsOf, endOf } from './words.ts';

/** People whose orders are looked for. Each costs statements of their own, and a list of more is of no use. */
const MOST_PEOPLE = 20;
/**
 * Words looked through for one beginning: where there is one, the first tell enough; several must be there together.
 */
const MOST_WORDS = { one: 2000, several: 100_000 };

export type FoundPeople = {
  /** The first ones, by their words: who is called exactly so stands before who is called longer. */
  readonly people: readonly Person[];
  /** There are more. */
  readonly too_many: boolean;
};

/** People of the account whom a search text names by the beginnings of words; `fresh` as findUnfollowed gives it. */
export async function findPeople(
  db: TenantRunner,
  text: string,
  fresh: () => Promise<readonly string[]>,
): Promise<FoundPeople> {
  const lows = beginningsOf(text);
  if (lows.length === 0) return { people: [], too_many: false };
  // read first: what the worker indexes at the same time is then in both, not in neither
  const ids = await fresh();
  const most = lows.length === 1 ? MOST_WORDS.one : MOST_WORDS.several;
  const found = await findPeopleByWords(db, { lows, highs: lows.map(endOf), ids, most, room: MOST_PEOPLE + 1 });
  const people = found.flatMap(({ by_email, person }) => (person === null ? [] : [{ by_email, person }]));
  return {
    people: people.slice(0, MOST_PEOPLE),
    too_many: people.length > MOST_PEOPLE || people.length < found.length,
  };
}
