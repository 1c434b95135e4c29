// A part of an order (its transactions, its operations) as the statement reads it: of each row a JSON list with a value
// for each column. Names of columns are written here and not by PostgreSQL, and it formats nothing (decision 0146).

/** SQL of a column, and what is made of its JSON unless that is null. */
export type ColumnRead = string | { readonly sql: string; parse(json: string | number): unknown };

export type Part<T> = {
  /** SQL: the list of one row. */
  readonly list: string;
  of(list: readonly unknown[]): T;
};

export const hex = (sql: string): ColumnRead => `encode(${sql}, 'hex')`;
export const minor = (sql: string): ColumnRead => ({ sql, parse: BigInt });
export const time = (sql: string): ColumnRead => ({ sql, parse: (json) => isoTime(String(json)) });

export function partOf<T>(columns: { readonly [K in keyof T]: ColumnRead }): Part<T> {
  const reads = Object.entries<ColumnRead>(columns).map(([name, read]) =>
    typeof read === 'string' ? { name, sql: read, parse: undefined } : { name, ...read },
  );
  return {
    list: `json_build_array(${reads.map(({ sql }) => sql).join(', ')})`,
    of: (list) => {
      const row: Record<string, unknown> = {};
      for (const [i, { name, parse }] of reads.entries()) {
        const json = list[i];
        row[name] = parse && (typeof json === 'string' || typeof json === 'number') ? parse(json) : json;
      }
      return row as T;
    },
  };
}

/**
 * A time that PostgreSQL wrote into JSON, as JavaScript writes it: UTC, with milliseconds. What is below them is cut
 * off.
 */
export function isoTime(text: string): string {
  // our connections speak UTC: nothing is to be counted
  if (!text.endsWith('+00:00')) return new Date(text).toISOString();
  return `${text.slice(0, 19)}.${text.slice(20, -6).slice(0, 3).padEnd(3, '0')}Z`;
}
