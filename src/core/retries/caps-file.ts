// A table of what card schemes limit as a person writes it: read with every problem, and beside the one that holds. A
// change is a new row and an end date in the old one: nothing that holds today is edited or left out.
import { SCHEME_NAMES } from '../card.ts';
import { DAY_S } from '../durations.ts';
import { date, int, oneOf, text, textOfForm } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { type Reading, type Shape, readShape, required } from '../shape.ts';
import { type CapRow, type CapsTable, MARGIN } from './caps.ts';
import { type Day, LAST_DAY } from './day.ts';

/** Rows of declines are kept for 31 days: no limit can look further back. */
const LONGEST_S = 31 * DAY_S;
const MAX_ROWS = 500;

const ROW = {
  scheme: required(oneOf('any', 'elo', ...SCHEME_NAMES)),
  rule: required(text(60)),
  category: text(30),
  initiator: oneOf('any', 'cit', 'mit'),
  key: oneOf('card', 'card+acceptor', 'card+acceptor+amount', 'acceptor'),
  limit: int(0, 1_000_000),
  window_s: int(1, LONGEST_S),
  fee_from: int(1, 1_000_000),
  fee_amount: textOfForm(/^\d{1,6}(?:\.\d{1,4})?$/, 'an amount such as 0.25'),
  fee_currency: text(20),
  fee_scope: text(200),
  valid_from: required(date),
  valid_to: date,
  confirmed: required(oneOf('acquirer', 'provider', 'rulebook second hand', 'secondary', 'unconfirmed', 'own')),
  source: required(text(500)),
} as const satisfies Shape;

/** Reads `{ "as_of": DAY, "rows": […] }`, newer than `now`, which holds; `today` is the last day that it may be of. */
export function readCaps(
  value: JsonValue,
  reading: Reading,
  { now, today }: { readonly now: CapsTable; readonly today: Day },
): CapsTable {
  const { as_of = '' } = readShape(
    { as_of: required(date) },
    new Map(value instanceof Map ? [...value].filter(([name]) => name !== 'rows') : []),
    { reading },
  );
  for (const name of reading.ignored) reading.refuse(name, 'is no member that is known here');
  if (as_of !== '' && as_of <= now.as_of)
    reading.refuse('as_of', `must be after ${now.as_of}, of which the table in force is`);
  if (as_of > today) reading.refuse('as_of', 'is to come');
  const list = value instanceof Map ? value.get('rows') : undefined;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ROWS)
    return { as_of, rows: reading.refuse('rows', `must be a list of 1 to ${MAX_ROWS} rows`) ?? [] };
  const read = list.map((item: JsonValue, i) => readRow(item, `rows[${i}]`, reading));
  for (const [i, row] of read.entries()) {
    const other = row ? read.slice(0, i).findIndex((one) => one && isOneRule(one, row) && overlap(one, row)) : -1;
    if (other >= 0) reading.refuse(`rows[${i}]`, `is the same rule on the same days as rows[${other}]`);
  }
  const rows = read.flatMap((row) => row ?? []);
  refuseEdits(rows, { reading, now });
  return { as_of, rows };
}

function readRow(value: JsonValue, path: string, reading: Reading): CapRow | undefined {
  if (!(value instanceof Map)) return reading.refuse(path, 'must be an object');
  const before = reading.problems.length;
  const unknown = reading.ignored.length;
  const read = readShape(ROW, value, { reading, path: `${path}.` });
  for (const name of reading.ignored.slice(unknown)) reading.refuse(name, 'is no member that is known here');
  const { limit, confirmed, valid_from = '', valid_to, fee_amount, fee_currency } = read;
  if (valid_to !== undefined && valid_to < valid_from) reading.refuse(`${path}.valid_to`, 'is before valid_from');
  if (limit !== undefined && limit > 0 && confirmed !== 'own' && limit <= MARGIN)
    reading.refuse(`${path}.limit`, `must be 0, or more than ${MARGIN}: so many are left to the scheme's own count`);
  if (limit !== undefined && limit > 0)
    for (const name of ['window_s', 'key'])
      if ((value.get(name) ?? null) === null) reading.refuse(`${path}.${name}`, 'must be told where there is a limit');
  if (fee_amount !== undefined && fee_currency === undefined)
    reading.refuse(`${path}.fee_currency`, 'must be told where there is a fee');
  if (reading.problems.length > before) return undefined;
  const absent = Object.fromEntries(Object.keys(ROW).map((name) => [name, null]));
  return { ...absent, ...read } as CapRow;
}

/** A rule may have a row for each region, which differ only in their fee. */
const isOneRule = (one: CapRow, other: CapRow) =>
  (['scheme', 'rule', 'category', 'initiator', 'fee_scope'] as const).every((name) => one[name] === other[name]);

const overlap = (one: CapRow, other: CapRow) =>
  one.valid_from <= (other.valid_to ?? LAST_DAY) && other.valid_from <= (one.valid_to ?? LAST_DAY);

/** A known row stays as it is: only its end may be added. */
function refuseEdits(
  rows: readonly CapRow[],
  { reading, now }: { readonly reading: Reading; readonly now: CapsTable },
): void {
  for (const was of now.rows) {
    const kept = rows.some((row) => sameBut(row, was) && (row.valid_to === was.valid_to || was.valid_to === null));
    if (!kept) {
      const { scheme, rule, valid_from, fee_scope } = was;
      const named = [scheme, rule, `since ${valid_from}`, ...(fee_scope === null ? [] : [`(${fee_scope})`])].join(' ');
      reading.refuse(
        'rows',
        `lacks a row that is known, or has another one in its place: ${named}; end it by valid_to`,
      );
    }
  }
}

function sameBut({ valid_to: _, ...one }: CapRow, { valid_to: __, ...other }: CapRow): boolean {
  return Object.entries(other).every(([name, value]) => one[name as keyof typeof one] === value);
}
