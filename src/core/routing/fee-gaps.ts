// Checks a table of fees as a whole: rows that no payment reaches, and payments that no row covers. Pure.
import { FUNDINGS } from '../origin/origins.ts';
import type { FeeTable } from './fees.ts';
import { regionsOf } from './region.ts';

export const FEE_FACTS = ['currency', 'scheme', 'region', 'funding'] as const;

/** Payments that are alike to a table; a member that is undefined is any value that is not named. */
export type FeeCell = { readonly [name in (typeof FEE_FACTS)[number]]?: string | undefined };

const takesAll = (row: FeeCell, cell: FeeCell) =>
  FEE_FACTS.every((name) => row[name] === undefined || row[name] === cell[name]);

type Values = readonly (readonly (string | undefined)[])[];

/** For each fact, the values by which the table tells payments apart. */
function valuesIn({ fees, acquirer_country }: FeeTable, beside: FeeNames = {}): Values {
  const named = (name: keyof FeeCell) => new Set(fees.flatMap((row) => row[name] ?? []));
  const list = (name: 'currency' | 'scheme', more: readonly string[] = []) => [
    ...new Set([...named(name), ...more]),
    undefined,
  ];
  const all = (name: keyof FeeCell, values: readonly string[]) => (named(name).size === 0 ? [undefined] : values);
  return [
    list('currency', beside.currencies),
    list('scheme', beside.schemes),
    all('region', regionsOf(acquirer_country)),
    all('funding', FUNDINGS),
  ];
}

function cellsOf(values: Values): readonly FeeCell[] {
  let cells: readonly FeeCell[] = [{}];
  for (const [i, of] of values.entries())
    cells = cells.flatMap((cell) => of.map((value) => ({ ...cell, [FEE_FACTS[i] ?? '']: value })));
  return cells;
}

/**
 * Indices of rows that rows above take all payments of. `by`: the one that does so alone; undefined: several together.
 */
export function neverReached(table: FeeTable): readonly { readonly row: number; readonly by: number | undefined }[] {
  const { fees, acquirer_country } = table;
  const regions: readonly string[] = regionsOf(acquirer_country);
  const reached = new Set(cellsOf(valuesIn(table)).map((cell) => fees.findIndex((row) => takesAll(row, cell))));
  return fees.flatMap((row, i) => {
    // one of a region that there is not is refused for that
    if (reached.has(i) || (row.region !== undefined && !regions.includes(row.region))) return [];
    const by = fees.slice(0, i).findIndex((one) => takesAll(one, row));
    return [{ row: i, by: by < 0 ? undefined : by }];
  });
}

/** The currencies and schemes that a contract accepts besides those that its fees name; an empty list says nothing. */
export type FeeNames = { readonly currencies?: readonly string[]; readonly schemes?: readonly string[] };

/** `others`: of all schemes that the table does not name. */
export type FeeGap = FeeCell & { readonly others?: boolean };

/** Payments that no row tells, as few and as wide as they can be named; of a currency that nobody names none. */
export function feeGaps(table: FeeTable, beside: FeeNames): readonly FeeGap[] {
  const [currencies = [], schemes = [], ...rest] = valuesIn(table, beside);
  const named = currencies.filter((one) => one !== undefined);
  const values = [named.length === 0 ? [undefined] : named, schemes, ...rest];
  const missing = (cell: FeeCell) => !table.fees.some((row) => takesAll(row, cell));
  const gapsIn = (cell: FeeCell, at: number): readonly FeeGap[] => {
    const all = cellsOf(values.map((of, i) => (i < at ? [cell[FEE_FACTS[i] ?? 'currency']] : of)));
    const lacking = all.filter(missing).length;
    if (lacking === 0) return [];
    if (lacking === all.length) return [{ ...cell, ...(at > 1 && isOther(cell, schemes) && { others: true }) }];
    return (values[at] ?? []).flatMap((value) => gapsIn({ ...cell, [FEE_FACTS[at] ?? '']: value }, at + 1));
  };
  return gapsIn({}, 0);
}

const isOther = ({ scheme }: FeeCell, schemes: readonly (string | undefined)[]) =>
  scheme === undefined && schemes.length > 1;

/** In words of the file. */
export const gapText = ({ currency, scheme, region, funding, others }: FeeGap): string => {
  const words = [currency, scheme ?? (others === true ? 'other schemes' : undefined), region, funding];
  const said = words.filter((word) => word !== undefined).join(' ');
  return said === '' ? 'every payment' : said;
};
