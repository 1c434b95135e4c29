// One prepared statement on the wire, and in front of it the merchant account it works for: Bind and Execute twice, one
// Sync. PostgreSQL runs both in one implicit transaction, so `set_config(…, true)` holds for the statement and ends
// with it, also behind a pooler in transaction mode; and both cost one round trip and one commit.
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { unknownCommit } from './errors.ts';

export type Parameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Buffer
  | readonly (string | number | bigint | boolean | null | Date | Buffer)[]
  | undefined;
export type Row = Readonly<Record<string, unknown>>;
export type Prepared = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Parameter[];
  readonly tenant: string | undefined;
};

type Column = { readonly name: string; readonly parse: (value: string) => unknown };
/** With a row that has nothing in them. */
type Columns = { readonly list: readonly Column[]; readonly none: Readonly<Record<string, null>> };
type Described = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** The statements that a connection has prepared so far, with the columns of each. */
const PREPARED = new WeakMap<pg.Connection, Map<string, Columns>>();
const TENANT = 'tenant';
const SET_TENANT = "SELECT set_config('app.merchant_account_id', $1, true)";
const NO_COLUMNS: Columns = { list: [], none: {} };

export async function sendStatement(client: pg.PoolClient, prepared: Prepared): Promise<Row[]> {
  const [rows] = await sendStatements(client, [prepared]);
  return rows ?? [];
}

/**
 * Sends several statements in one write and one transaction: all of them are committed, or none. Gives the rows of
 * each. `most_ms`: how long it is waited for; absent: as long as the connection's other statements.
 */
export async function sendStatements(
  client: pg.PoolClient,
  all: readonly Prepared[],
  most_ms?: number,
): Promise<Row[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>();
  const statements = new Statements(all, resolve, reject);
  statements.query_timeout = most_ms;
  client.query(statements);
  return promise;
}

type Part = { readonly name: string; readonly rows: Row[]; columns: Columns };

/** Implements what a pg client asks of the query it runs; the methods named handle… are called by it. */
class Statements implements pg.Submittable {
  /** Read by the client's read timeout. */
  callback: (error: Error | null, rows?: Row[][]) => void;
  query_timeout: number | undefined;
  private readonly all: readonly Prepared[];
  /** The parts of the answer, in order: one for each statement, and one before it if the merchant account is set. */
  private readonly parts: Part[] = [];
  private known = new Map<string, Columns>();
  private at = 0;

  constructor(all: readonly Prepared[], resolve: (rows: Row[][]) => void, reject: (error: Error) => void) {
    this.all = all;
    this.callback = (error, rows = []) => (error ? reject(error) : resolve(rows));
  }

  submit = (connection: pg.Connection): void => {
    this.known = PREPARED.get(connection) ?? new Map<string, Columns>();
    PREPARED.set(connection, this.known);
    const messages: Buffer[] = [];
    const fresh = new Set<string>();
    let account: string | undefined;
    for (const { name, text, values, tenant } of this.all) {
      // a statement of no account sees what no account sees, also behind one of an account
      const wanted = tenant ?? (account === undefined ? undefined : '');
      if (wanted !== undefined && wanted !== account) {
        this.add(messages, fresh, { name: TENANT, text: SET_TENANT, values: [wanted] });
        account = wanted;
      }
      this.add(messages, fresh, { name, text, values });
    }
    messages.push(SYNC);
    // one write for the whole batch: several small ones would each cost as much
    connection.stream.write(Buffer.concat(messages));
  };

  private add(messages: Buffer[], fresh: Set<string>, statement: Omit<Prepared, 'tenant'>): void {
    const { name, text, values } = statement;
    const columns = this.known.get(name);
    if (!columns && !fresh.has(name)) messages.push(...prepare(name, text));
    fresh.add(name);
    messages.push(serialize.bind({ statement: name, values: values.map(wireText) }));
    if (!columns) messages.push(DESCRIBE);
    messages.push(EXECUTE);
    this.parts.push({ name, rows: [], columns: columns ?? NO_COLUMNS });
  }

  handleRowDescription(described: Described): void {
    const part = this.parts[this.at];
    if (!part) return;
    const list = described.fields.map((field) => ({ name: field.name, parse: parserOf(field.dataTypeID) }));
    part.columns = { list, none: Object.fromEntries(list.map(({ name }) => [name, null])) };
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    const part = this.parts[this.at];
    if (!part || part.name === TENANT) return;
    const { list, none } = part.columns;
    // a copy has room for every column at once: an object that grows by them leaves much behind
    const row: Record<string, unknown> = { ...none };
    for (let i = 0; i < list.length; i++) {
      const column = list[i];
      const value = message.fields[i] ?? null;
      if (column && value !== null) row[column.name] = column.parse(value);
    }
    part.rows.push(row);
  }

  handleCommandComplete(): void {
    this.at++;
  }

  /** The transaction is committed: only now the caller gets its rows. */
  handleReadyForQuery(): void {
    for (const { name, columns } of this.parts) this.known.set(name, columns);
    this.callback(
      null,
      this.parts.filter(({ name }) => name !== TENANT).map(({ rows }) => rows),
    );
  }

  handleError(error: Error): void {
    // every statement is done: what is left is the commit
    const committing = this.at >= this.parts.length;
    // what was prepared in this batch may or may not be there now: prepare it again next time
    for (const { name } of this.parts) this.known.delete(name);
    this.callback(committing ? unknownCommit(error) : error);
  }

  handleEmptyQuery(): void {
    this.callback(new Error('the statement is empty'));
  }

  handlePortalSuspended(): void {
    this.callback(new Error('portals are never suspended here'));
  }
}

const EXECUTE = serialize.execute({});
const DESCRIBE = serialize.describe({ type: 'P' });
const SYNC = serialize.sync();

/**
 * Close first: a name that a failed batch left behind cannot be prepared twice, and closing an unknown name is no
 * error.
 */
function prepare(name: string, text: string): readonly Buffer[] {
  return [serialize.close({ type: 'S', name }), serialize.parse({ name, text, types: [] })];
}

const INT8 = 20;
const BYTEA = 17;
const TIMESTAMPTZ = 1184;

function parserOf(oid: number): (value: string) => unknown {
  if (oid === INT8) return BigInt;
  if (oid === BYTEA) return (value) => value.slice(2);
  if (oid === TIMESTAMPTZ) return dateOf;
  return pg.types.getTypeParser(oid, 'text');
}

const PARSE_DATE = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/** Our connections speak UTC, which Node reads by itself; what is not of its four-digit years is left to the driver. */
function dateOf(text: string): unknown {
  return /^\d{4}-.*\+00$/.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : PARSE_DATE(text);
}

function wireText(value: Parameter): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(arrayItem).join(',')}}`;
  return String(value);
}

function arrayItem(value: string | number | bigint | boolean | null | Date | Buffer): string {
  const text = wireText(value);
  if (text === null) return 'NULL';
  return typeof value === 'object' || typeof value === 'string' ? `"${escaped(text)}"` : text;
}

/** Most texts are ids and hashes, with one backslash in front: to look for others costs a third of a replacement. */
function escaped(text: string): string {
  const last = text.includes('"') ? text.length : text.lastIndexOf('\\');
  if (last < 0) return text;
  return last === 0 ? `\\${text}` : text.replace(/[\\"]/g, '\\$&');
}
