// A statement written once for one row and for many: alone its values are parameters, together they are lists, and
// everything behind the part `asked` is the same text. What several requests ask for at one moment costs PostgreSQL one
// statement then (decision 0092).
import type { Parameter } from './statement.ts';

type Values = Readonly<Record<string, Parameter>>;
/** SQL types by name. */
type Columns = Readonly<Record<string, string>>;
type Item = Exclude<Parameter, readonly unknown[] | undefined>;

export type RowStatement = {
  readonly name: string;
  readonly one: string;
  readonly many: { readonly name: string; readonly text: string };
  /** The parameters of `many` for these of `one`, whose rows are numbered from 1. */
  together(all: readonly Values[]): Values;
  /** Rows that have one of these in common never stand in one statement: they would write the same row of a table. */
  apart(row: Values): readonly string[];
  /** A row that gives nothing back was refused, and is asked for once more alone; of a read that is the answer. */
  readonly reads: boolean;
};

type Given = {
  readonly columns: Columns;
  /** Tables of their own beside `asked`, with any number of rows for each of its rows, which they name as `n`. */
  readonly lists?: Readonly<Record<string, Columns>>;
  readonly apart?: (row: Values) => readonly (string | null)[];
  readonly reads?: true;
};

/**
 * `text` is given the parts that the statement begins with: `asked`, with the columns and the number `n` of each row,
 * and those of `lists`. Every row that is done gives back its `n`.
 */
export function rowStatement(
  name: string,
  { columns, lists = {}, apart, reads }: Given,
  text: (asked: string) => string,
): RowStatement {
  const names = Object.keys(columns);
  const beside = Object.entries(lists).map(([list, of]) => listPart(list, { n: 'int', ...of }));
  const listed = Object.entries(lists).flatMap(([list, of]) => Object.keys(of).map((column) => `${list}_${column}`));
  const counted = Object.keys(lists).map((list) => `${list}_n`);
  const numbered = `asked AS (\n  SELECT *\n  FROM unnest(${arrays('', columns)})\n    WITH ORDINALITY AS asked (${names.join(', ')}, n)\n)`;
  return {
    name,
    one: text([askedOnce(columns), ...beside].join(',\n')),
    many: { name: `${name}_together`, text: text([numbered, ...beside].join(',\n')) },
    together: (all) => {
      const joined: Record<string, Parameter> = { ...all[0] };
      for (const column of names) joined[column] = all.map((values) => item(values[column]));
      for (const column of listed) joined[column] = all.flatMap((values) => items(values[column]));
      for (const column of counted) joined[column] = all.flatMap((values, i) => numbers(values[column], i + 1));
      return joined;
    },
    apart: (row) => apart?.(row).filter((value) => value !== null) ?? [],
    reads: reads === true,
  };
}

/** The part `asked` of a statement that is only ever run for one row. */
export function askedOnce(columns: Columns): string {
  const values = Object.entries(columns).map(([column, type]) => `:${column}::${type} AS ${column}`);
  return `asked AS (\n  SELECT 1 AS n, ${values.join(', ')}\n)`;
}

/** The parameters of a list of one row. */
export function listParameters<C extends Columns>(
  list: string,
  columns: C,
  rows: readonly Readonly<Record<keyof C, Item>>[],
): Values {
  const values: Record<string, readonly Item[]> = { [`${list}_n`]: rows.map(() => 1) };
  for (const [column, parameter] of parametersOf(list, columns))
    values[parameter] = rows.map((row) => row[column] ?? null);
  return values;
}

/** Names that are put together anew for each statement cost more than the values they stand for. */
const PARAMETERS = new WeakMap<Columns, readonly (readonly [column: string, parameter: string])[]>();

function parametersOf(list: string, columns: Columns): readonly (readonly [column: string, parameter: string])[] {
  const known = PARAMETERS.get(columns);
  if (known) return known;
  const made = Object.keys(columns).map((column) => [column, `${list}_${column}`] as const);
  PARAMETERS.set(columns, made);
  return made;
}

function listPart(list: string, columns: Columns): string {
  return `${list} (${Object.keys(columns).join(', ')}) AS (\n  SELECT * FROM unnest(${arrays(`${list}_`, columns)})\n)`;
}

function arrays(prefix: string, columns: Columns): string {
  return Object.entries(columns)
    .map(([column, type]) => `:${prefix}${column}::${type}[]`)
    .join(', ');
}

function item(value: Parameter): Item {
  if (Array.isArray(value)) throw new Error('a row of a statement holds no lists');
  return (value ?? null) as Item;
}

const items = (value: Parameter): readonly Item[] => (Array.isArray(value) ? (value as readonly Item[]) : []);
const numbers = (value: Parameter, n: number): readonly number[] => items(value).map(() => n);
