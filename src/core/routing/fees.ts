// The fees that a merchant pays under a contract, as the merchant states them: a table that is read from the top; the
// first row that fits holds. Pure.
import { country, currency, money0, oneOf } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { toMinor, toCount } from '../money.ts';
import { SCHEME_NAMES } from '../card.ts';
import { type Read, type Reading, type Shape, readShape, required } from '../shape.ts';
import { FUNDINGS, type Funding } from '../origin/origins.ts';
import type { Day } from '../retries/day.ts';
import { FEE_FACTS, neverReached } from './fee-gaps.ts';
import { REGIONS, refuseRegions, regionOf } from './region.ts';
import { type RouteDraft, type RouteRule, isTexts } from './table.ts';

const ROW = {
  currency,
  scheme: oneOf(...SCHEME_NAMES),
  region: oneOf(...REGIONS),
  funding: oneOf(...FUNDINGS),
  percent: required(money0),
  fixed: money0,
  attempt: money0,
} as const satisfies Shape;

/**
 * Absent currency, scheme, region or funding: any. `percent`: of an approved amount. `fixed`: of an approved payment,
 * `attempt`: of each one that is sent, approved or not; both in major units of the row's currency. All as canonical
 * decimal texts.
 */
export type FeeRow = Read<typeof ROW>;

export type FeeTable = {
  /** ISO 3166 code of the country in which the contract's acquirer is; null: it was not told. */
  readonly acquirer_country: string | null;
  readonly fees: readonly FeeRow[];
};

/** The fees that were stated of one contract, from a day (in UTC) on. */
export type ContractFees = FeeTable & {
  readonly contract_id: string;
  readonly version: number;
  readonly valid_from: Day;
};

const MAX_ROWS = 100;
const MAX_PERCENT = 50;
const PERCENT_DECIMALS = 4;

/**
 * Reads `{ "acquirer_country": "FR", "fees": […] }` or the list alone; every problem goes to `reading`. What is unknown
 * is refused, not ignored.
 */
export function readFees(value: JsonValue, reading: Reading): FeeTable {
  const members = new Map(value instanceof Map ? value : [['fees', value]]);
  const list = members.get('fees');
  const told = members.get('acquirer_country') ?? '';
  const { acquirer_country } = readShape(COUNTRY, new Map([['acquirer_country', told]]), { reading });
  for (const name of members.keys())
    if (name !== 'fees' && name !== 'acquirer_country') reading.refuse(name, 'is no member that is known here');
  const table = { acquirer_country: acquirer_country ?? null, fees: [] };
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ROWS)
    return reading.refuse('fees', `must be a list of 1 to ${MAX_ROWS} rows`) ?? table;
  const rows = list.map((item: JsonValue, i) => readRow(item, `fees[${i}]`, reading));
  refuseRegions(rows, told === '' ? null : acquirer_country, reading);
  // rows keep their places where one of them cannot be read
  const places = rows.flatMap((row, i) => (row ? [i] : []));
  const fees = rows.flatMap((row) => row ?? []);
  for (const { row, by } of neverReached({ ...table, fees })) {
    const whose = by === undefined ? 'the rows above it together take' : `fees[${places[by]}], above it, takes`;
    reading.refuse(`fees[${places[row]}]`, `is never reached: ${whose} all of its payments`);
  }
  return { ...table, fees };
}

const COUNTRY = { acquirer_country: country } as const satisfies Shape;

function readRow(value: JsonValue, path: string, reading: Reading): FeeRow | undefined {
  if (!(value instanceof Map)) return reading.refuse(path, 'must be an object');
  const before = reading.problems.length;
  const unknown = reading.ignored.length;
  const row = readShape(ROW, value, { reading, path: `${path}.` });
  for (const name of reading.ignored.slice(unknown)) reading.refuse(name, 'is no member that is known here');
  const { percent } = row;
  if (percent !== undefined && Number(percent) > MAX_PERCENT)
    reading.refuse(`${path}.percent`, `must be from 0 to ${MAX_PERCENT}`);
  if (percent !== undefined && (percent.split('.')[1] ?? '').length > PERCENT_DECIMALS)
    reading.refuse(`${path}.percent`, `has more than ${PERCENT_DECIMALS} decimals`);
  for (const name of ['fixed', 'attempt'] as const) {
    const amount = row[name];
    if (amount === undefined) continue;
    const read = row.currency === undefined ? undefined : toMinor(amount, row.currency);
    if (!read && value.get('currency') === undefined)
      reading.refuse(`${path}.currency`, `must be told where there is a ${name} amount`);
    if (read && 'problem' in read) reading.refuse(`${path}.${name}`, read.problem);
  }
  return reading.problems.length > before ? undefined : (row as FeeRow);
}

/** A payment as fees see it; null: not known. */
export type Priced = {
  readonly currency: string;
  readonly scheme: string;
  readonly card_country: string | null;
  readonly funding: Funding | null;
};

/**
 * The row that holds: the first that fits. Undefined: none was stated for it, or a row above might hold, which what is
 * not known of the card would tell.
 */
export function feeOf({ acquirer_country, fees }: FeeTable, { card_country, ...priced }: Priced): FeeRow | undefined {
  const known = { ...priced, region: regionOf(acquirer_country, card_country) };
  const row = fees.find((one) => FEE_FACTS.every((name) => known[name] === null || takes(one, name, known[name])));
  return row && FEE_FACTS.every((name) => takes(row, name, known[name] ?? undefined)) ? row : undefined;
}

const takes = (row: FeeRow, name: (typeof FEE_FACTS)[number], asked: string | undefined) =>
  row[name] === undefined || row[name] === asked;

/** Do they depend on more of a card than its scheme? */
export const askForCard = (tables: readonly FeeTable[]): boolean =>
  tables.some(({ fees }) => fees.some(({ region, funding }) => (region ?? funding) !== undefined));

/** Parts of an amount: what is left of it where it is approved, and what each attempt costs. */
export type Worth = { readonly kept: number; readonly attempt: number };

/** `margin`: what a payment is worth to the merchant, as a part of its amount. */
export function worthOf(
  { percent, fixed = '0', attempt = '0' }: FeeRow,
  { currency: of, amount_minor, margin }: { currency: string; amount_minor: number; margin: number },
): Worth {
  const part = (decimal: string) => minorOf(decimal, of) / amount_minor;
  return { kept: margin - Number(percent) / 100 - part(fixed), attempt: part(attempt) };
}

/** So many payments that are alike to fees, and how much they are together. */
export type Part = Pick<Priced, 'card_country' | 'funding'> & { readonly tried: number; readonly amount_minor: number };

/** A cell with more amount than this whose fees are not known is not compared. */
const MOST_UNKNOWN = 0.05;

/**
 * The mean worth of payments of several kinds, weighted by their amounts. A few kinds without known fees are left out.
 * Undefined: too many have no known fees.
 */
export function worthOfParts(
  table: FeeTable,
  { currency: of, scheme, margin }: Pick<Priced, 'currency' | 'scheme'> & { readonly margin: number },
  parts: readonly Part[],
): Worth | undefined {
  const known = parts.flatMap((part) => {
    const row = feeOf(table, { ...part, currency: of, scheme });
    return row ? [{ part, row }] : [];
  });
  const total = sumOf(known.map(({ part }) => part));
  if (total === 0 || total < (1 - MOST_UNKNOWN) * sumOf(parts)) return undefined;
  let worth: Worth = { kept: margin, attempt: 0 };
  for (const { part, row } of known) {
    const mean = part.amount_minor / part.tried;
    const { kept, attempt } = worthOf(row, { currency: of, amount_minor: mean, margin: 0 });
    const weight = part.amount_minor / total;
    worth = { kept: worth.kept + kept * weight, attempt: worth.attempt + attempt * weight };
  }
  return worth;
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0);

function minorOf(decimal: string, of: string): number {
  const read = toMinor(decimal, of);
  return 'minor' in read ? toCount(read.minor) : 0;
}

const PERCENT_UNITS = 10n ** BigInt(PERCENT_DECIMALS);

/**
 * The fee of an attempt that was sent, in minor units, a half rounded up. `approved_minor`: the amount to which
 * percentages apply; undefined: it was not approved. It is an estimate: a provider's settlement report says what was
 * really taken.
 */
export function feeMinor(
  row: FeeRow,
  { currency: of, approved_minor }: { readonly currency: string; readonly approved_minor: bigint | undefined },
): bigint {
  const { fixed = '0', attempt = '0' } = row;
  const tried = BigInt(minorOf(attempt, of));
  return approved_minor === undefined ? tried : tried + BigInt(minorOf(fixed, of)) + percentMinor(row, approved_minor);
}

/** The percentage of a row applied to an amount: the only fee of a further capture. */
export function percentMinor({ percent }: Pick<FeeRow, 'percent'>, amount_minor: bigint): bigint {
  const [whole = '0', fraction = ''] = percent.split('.');
  const units = BigInt(whole + fraction.padEnd(PERCENT_DECIMALS, '0'));
  const over = 100n * PERCENT_UNITS;
  return (2n * amount_minor * units + over) / (2n * over);
}

type Known = {
  readonly contracts: readonly { readonly id: string; readonly name: string }[];
  /** The fees that are in force. */
  readonly fees: readonly ContractFees[];
};

/**
 * A rule that chooses by value needs the fees of each of its contracts, for whatever currencies and schemes it names.
 */
export function refuseWithoutFees({ rules }: RouteDraft, { contracts, fees }: Known, reading: Reading): void {
  for (const [i, { when, then }] of rules.entries()) {
    if (!('best_of' in then) || then.by !== 'value') continue;
    for (const [j, name] of then.best_of.entries()) {
      const contract = contracts.find((one) => one.id === name || one.name === name);
      const stated = fees.find((one) => one.contract_id === contract?.id);
      const path = `rules[${i}].then.best_of[${j}]`;
      if (!stated) {
        reading.refuse(path, `has no fees: by value is compared only what is known (florin routing fees)`);
        continue;
      }
      const lacking = namedBy(when).filter(
        (asked) =>
          !stated.fees.some((row) => tells(row, 'currency', asked.currency) && tells(row, 'scheme', asked.scheme)),
      );
      for (const one of lacking)
        reading.refuse(path, `has no fees for ${[one.currency, one.scheme].filter(Boolean).join(' ')}`);
    }
  }
}

type Asked = Pick<Priced, 'currency' | 'scheme'>;

/** Does it tell the fee of some payment of a rule? What the rule does not name is any. */
const tells = (row: FeeRow, name: keyof Asked, asked: string | undefined) =>
  asked === undefined || takes(row, name, asked);

/** Currencies and schemes that a rule names; undefined: any. */
function namedBy(when: RouteRule['when']): readonly Partial<Asked>[] {
  const named = (name: keyof Asked) => (isTexts(when[name]) ? when[name].map((one) => ({ [name]: one })) : [{}]);
  return named('currency').flatMap((one) => named('scheme').map((other) => ({ ...one, ...other })));
}
