// florin cards: lists the card numbers with a meaning in a sandbox (contract 15.2, 15.3), the codes for the bank's page
// (15.1), and the number for any result code.
import { luhn } from '../../core/card.ts';
import { findResult } from '../../core/results.ts';
import { readWords } from '../arguments.ts';
import { tableOf } from '../ledger/table.ts';
import { type Json, listIn, openMerchant } from './session.ts';

const USAGE = `florin cards [WORDS]    those whose number, outcome or code holds all words; a six-digit code also gives its own number
  --key KEY    a private key; the demo account's unless given`;

export async function cardsCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['key'] });
  const told = await openMerchant(words.text('key')).get('/sandbox/cards');
  const listed = [...listIn(told, 'cards').map(rowOf), ...listIn(told, 'challenge_codes').map(rowOfChallenge)];
  const all = [...listed, ...words.rest.flatMap(rowOfCode)];
  const wanted = words.rest.map((word) => word.toLowerCase());
  const rows = all.filter((row) => wanted.every((word) => row.join(' ').toLowerCase().includes(word)));
  if (rows.length === 0) {
    console.log(
      `No card here has anything of ${words.rest.join(' ')}. Any other number of a supported scheme is approved.`,
    );
    return;
  }
  console.log(tableOf([{ title: 'number' }, { title: 'outcome' }, { title: 'codes' }], rows));
}

function rowOf({ number, outcome, codes }: Json): string[] {
  return [String(number), String(outcome), Array.isArray(codes) ? codes.join(', ') : ''];
}

function rowOfChallenge({ code, outcome, result }: Json): string[] {
  return [String(code), `typed at the page of the bank: ${String(outcome)}`, typeof result === 'string' ? result : ''];
}

function rowOfCode(word: string): string[][] {
  const row = findResult(word);
  return row && isNumbered(row.code) ? [[codeNumber(row.code), `ends so: ${row.description}`, row.code]] : [];
}

/** True for codes that have a number: they belong to a phase and are not pending. */
function isNumbered(code: string): boolean {
  return /^(?:1[35]|[2-7])\d{4,5}$/.test(code) && findResult(code)?.name.endsWith('_pending') === false;
}

/** The number is made of `40000099`, `9`, the code and the Luhn digit (contract 15.3). */
export function codeNumber(code: string): string {
  const numbers = Array.from({ length: 10 }, (_, digit) => `400000999${code}${digit}`);
  return numbers.find((number) => luhn(Buffer.from(number, 'latin1'))) ?? '';
}
