// Issuer, country and kind of a card from a table that the operator names: CSV with a header, of which the columns
// `bin`, `issuer`, `isoCode2`, `type` and `category` are read, as public lists of card ranges have them. Outside the
// vault only six digits of a card are known, so a longer range counts for its first six: where ranges of the same six
// digits differ, nothing is known.
import { readFileSync } from 'node:fs';
import { type CardOrigin, type Funding, NO_ORIGIN } from '../../core/origin/origins.ts';
import { StartError } from '../start-error.ts';

/**
 * Reads the table; throws a StartError that names the line that is wrong. Answers the origin of a card's first six
 * digits.
 */
export function readCardRanges(file: string): (first6: string) => CardOrigin {
  const table = new Map<string, CardOrigin>();
  const fail = (why: string, cause?: unknown) =>
    new StartError(`FLORIN_CARD_RANGES_FILE: ${file} ${why}`, cause === undefined ? {} : { cause });
  const [header = '', ...lines] = linesOf(file, fail);
  const names = cellsOf(header).map((name) => name.trim().toLowerCase());
  const bin = names.indexOf('bin');
  if (bin < 0) throw fail('has no column "bin" in its first line.');
  const [issuer = -1, country = -1, type = -1, category = -1] = ['issuer', 'isocode2', 'type', 'category'].map((name) =>
    names.indexOf(name),
  );
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const cells = cellsOf(line);
    const digits = cells[bin]?.trim() ?? '';
    if (!/^\d{6,11}$/.test(digits)) throw fail(`has no card range of 6 to 11 digits in line ${i + 2}.`);
    const funding = fundingIn(cells[type], cells[category]);
    const own = { issuer: textIn(cells[issuer]), country: countryIn(cells[country]), funding };
    const first6 = digits.slice(0, 6);
    const known = table.get(first6);
    table.set(first6, known ? agreed(known, own) : own);
  }
  return (first6) => table.get(first6) ?? NO_ORIGIN;
}

function linesOf(file: string, fail: (why: string, cause: unknown) => StartError): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
  } catch (error) {
    throw fail('cannot be read.', error);
  }
}

/** Two ranges of the same six digits: what they differ in is not known. */
function agreed(one: CardOrigin, other: CardOrigin): CardOrigin {
  return {
    issuer: one.issuer === other.issuer ? one.issuer : null,
    country: one.country === other.country ? one.country : null,
    funding: one.funding === other.funding ? one.funding : null,
  };
}

/** Lists call a prepaid card so in its category, and most of them debit in its type. */
function fundingIn(type = '', category = ''): Funding | null {
  if (/\bprepaid\b/i.test(`${type} ${category}`)) return 'prepaid';
  if (/\bdebit\b/i.test(type)) return 'debit';
  return /\b(?:credit|charge)\b/i.test(type) ? 'credit' : null;
}

function textIn(cell: string | undefined): string | null {
  const text = cell?.trim() ?? '';
  return text === '' || text.length > 255 ? null : text;
}

function countryIn(cell: string | undefined): string | null {
  const code = cell?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

/** The cells of one line; a quoted one may hold commas, and a doubled quote for one. */
function cellsOf(line: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? '';
    if (quoted && character === '"' && line[i + 1] === '"') cell += line[++i] ?? '';
    else if (character === '"') quoted = !quoted;
    else if (quoted || character !== ',') cell += character;
    else {
      cells.push(cell);
      cell = '';
    }
  }
  return [...cells, cell];
}
