// Reads one card of a file by the rules of POST /token (contract 6.1), on bytes, with every problem of a line at once.
import { isUtf8 } from 'node:buffer';
import { type Scheme, schemesOf } from '../../core/card.ts';
import { digitsOf } from '../card/byte-fields.ts';
import { isDigit } from '../card/json-bytes.ts';
import { type Numbers, wrongNumber } from '../card/numbers.ts';
import { holdsOwnNumber } from '../forward/scrub/own-number.ts';
import { type Fields, LineProblem } from './fields.ts';

export type FileCard = {
  /** A buffer of its own, to be overwritten. */
  readonly number: Buffer;
  readonly holder: Buffer;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly schemes: readonly Scheme[];
  readonly scheme: Scheme;
  /** The merchant's own name for the card, given back beside the token. */
  readonly reference: string;
};

export const COLUMNS = [
  'card_number',
  'card_validity_month',
  'card_validity_year',
  'cardholder_name',
  'reference',
] as const;
export const REQUIRED = ['card_number', 'card_validity_month', 'card_validity_year'] as const;

type Rules = { readonly year: number; readonly month: number; readonly numbers: Numbers };

const NOTHING = Buffer.alloc(0);
const TEXTS = [
  ['cardholder_name', 100],
  ['reference', 255],
] as const;

/** Throws a LineProblem that names every field that is wrong, and no value. */
export function readCard(fields: Fields, { numbers, ...today }: Rules): FileCard {
  const problems: string[] = [];
  const field = (name: (typeof COLUMNS)[number]) => fields.get(name) ?? NOTHING;
  const number = readNumber(field('card_number'), { numbers, problems });
  const exp_month = readCount(field('card_validity_month'), { form: /^(?:0?[1-9]|1[0-2])$/, longest: 2 });
  const year = readCount(field('card_validity_year'), { form: /^(?:\d{2}|\d{4})$/, longest: 4 });
  const exp_year = year !== undefined && year < 100 ? Math.trunc(today.year / 100) * 100 + year : year;
  if (exp_month === undefined) problems.push('card_validity_month must be 01 to 12');
  if (exp_year === undefined) problems.push('card_validity_year must be two or four digits');
  else if (exp_year > today.year + 20) problems.push('card_validity_year is more than 20 years ahead');
  else if (exp_year < today.year || (exp_year === today.year && (exp_month ?? 12) < today.month))
    problems.push('card_validity_year is in the past');
  for (const [name, longest] of TEXTS) {
    const found = textProblems(name, field(name), longest);
    // its own number, however it is written: a reference stands in the file of tokens
    if (found.length === 0 && number && holdsOwnNumber(field(name), number)) found.push(holdsNumber(name));
    problems.push(...found);
  }
  const schemes = number ? schemesOf(number) : [];
  const [scheme] = schemes;
  if (problems.length > 0 || !number || !scheme || exp_month === undefined || exp_year === undefined) {
    number?.fill(0);
    throw new LineProblem(problems.join('; '));
  }
  const reference = field('reference').toString('utf8');
  return { number, holder: Buffer.from(field('cardholder_name')), exp_month, exp_year, schemes, scheme, reference };
}

/** 14 to 19 digits; spaces and hyphens between digits are dropped. */
function readNumber(
  value: Buffer,
  { numbers, problems }: { readonly numbers: Numbers; readonly problems: string[] },
): Buffer | undefined {
  if (value.length === 0) {
    problems.push('card_number is required');
    return undefined;
  }
  const number = digitsOf(value);
  const wrong = number ? wrongNumber(number, numbers) : 'must be 14 to 19 digits';
  if (wrong === undefined) return number;
  problems.push(`card_number ${wrong}`);
  number?.fill(0);
  return undefined;
}

function readCount(value: Buffer, { form, longest }: { form: RegExp; longest: number }): number | undefined {
  // a longer one may be a card number in the wrong column: it does not become text
  if (value.length > longest) return undefined;
  const text = value.toString('latin1');
  return form.test(text) ? Number(text) : undefined;
}

const holdsNumber = (name: string) => `${name} holds what looks like a card number`;

function textProblems(name: string, value: Buffer, longest: number): string[] {
  if (!isUtf8(value)) return [`${name} is not UTF-8`];
  if (value.length > longest * 4) return [`${name} is longer than ${longest} characters`];
  if (longestRun(value) >= 12) return [holdsNumber(name)];
  const text = value.toString('utf8');
  if (text.length > longest) return [`${name} is longer than ${longest} characters`];
  return /[\u0000-\u001F\u007F]/.test(text) ? [`${name} holds a control character`] : [];
}

/** Digits one after the other, spaces and hyphens not counted. */
function longestRun(value: Buffer): number {
  let longest = 0;
  let run = 0;
  for (const byte of value) {
    if (isDigit(byte)) longest = Math.max(longest, ++run);
    else if (byte !== 0x20 && byte !== 0x2d) run = 0;
  }
  return longest;
}
