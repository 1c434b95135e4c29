// Visa's categories of response codes: category 1 is never to be tried again, 2 to 4 a limited number of times. Two
// editions are known; where a region has another category than the rest, the stricter one holds, for an acceptor's
// region is not known.
import { type Day, isInForce } from './day.ts';

export type Category = 1 | 2 | 3 | 4;

export type Edition = {
  readonly category: Category;
  readonly codes: readonly string[];
  readonly region: string;
  readonly valid_from: Day;
  readonly valid_to: Day | null;
  readonly confirmed: string;
  readonly source: string;
};

const FIRST = {
  region: 'any',
  valid_from: '2021-04-17',
  valid_to: '2026-04-17',
  confirmed: 'secondary',
  source: 'docs.bill1st.com/docs/mac-response-codes; support.forte.net 11000097635',
} as const;
const SECOND = {
  region: 'any',
  valid_from: '2026-04-18',
  valid_to: null,
  confirmed: 'rulebook, second hand',
  source:
    'Visa Core Rules 2026-04-18 Table 7-2 as quoted by ianfoxdev/decline-codes (tests/VisaProfileTest.php, CHANGELOG)',
} as const;

const codes = (text: string) => text.split(' ');

export const EDITIONS: readonly Edition[] = [
  { ...FIRST, category: 1, codes: codes('03 04 07 12 15 41 43 57 62 78 93 R0 R1 R3') },
  { ...FIRST, category: 2, codes: codes('19 51 59 61 65 75 86 91 96 N3 N4') },
  { ...FIRST, category: 3, codes: codes('14 54 55 82 N7 1A') },
  { ...SECOND, category: 1, codes: codes('04 07 12 14 15 41 43 46 57 R0 R1 R3') },
  {
    ...SECOND,
    category: 2,
    codes: codes('03 19 39 51 52 53 59 61 62 65 75 78 86 91 93 96 5C 9G N3 N4 Z5'),
  },
  { ...SECOND, category: 3, codes: codes('54 55 82 6P N7') },
  { ...SECOND, valid_from: '2026-07-25', category: 2, codes: codes('83') },
  { ...SECOND, region: 'Europe; CEMEA', category: 3, codes: codes('70 1A') },
];

/** Every code that is not listed. */
const REST: Category = 4;

export function categoryOn(day: Day, response_code: string): Category {
  const found = EDITIONS.find((edition) => isInForce(edition, day) && edition.codes.includes(response_code));
  return found?.category ?? REST;
}
