// PostgreSQL behind one small door. A statement has a name and `:parameters`; it is prepared once per connection and costs
// one round trip and one commit. A statement of the money zone is preceded, in the same round trip and the same
// transaction, by the merchant account it works for, so that row-level security sees it (engine.md 6).
import pg from 'pg';
import type { Log } from './log.ts';
import { counter, gauge } from './metrics/registry.ts';
import type { Door } from './database/door.ts';
import {
  DatabaseUnavailable,
  Unreplicated,
  isConnectionLost,
  unknownCommit,
  withoutEffect,
} from './database/errors.ts';
import { requireReplicated } from './database/notices.ts';
import { type Asked, batcher } from './database/batch.ts';
import { openPool } from './database/pool.ts';
import type { RowStatement } from './database/rows.ts';
import { type Parameter, type Prepared, type Row, sendStatement, sendStatements } from './database/statement.ts';

export type { Row } from './database/statement.ts';
export { DatabaseUnavailable, afterCommit, isLockTimeout, violated } from './database/errors.ts';
export { type RowStatement, askedOnce, listParameters, rowStatement } from './database/rows.ts';
export type Parameters = Readonly<Record<string, Parameter>>;

/** Something that runs statements: the pool, the pool for one merchant account, or one transaction. */
export type Runner = {
  run<R extends Row = Row>(name: string, text: string, parameters?: Parameters): Promise<R[]>;
};

/** A Runner whose statements see one merchant account only. */
export type TenantRunner = Runner & Batching & { readonly merchant_account_id: string };

export type Batching = {
  /**
   * As `run`, but the statement may share its round trip and its commit with others that arrive at the same time (kit/database/batch.ts).
   * For writes of the hot path that wait for no lock for long. `rows`: others that ask for the same may be asked for in one statement.
   */
  readonly batch: RunRow;
  /** As `batch`, for reads by key, which so wait for no write. */
  readonly batchRead: RunRow;
};

export type RunRow = <R extends Row = Row>(
  name: string,
  text: string,
  parameters?: Parameters,
  rows?: RowStatement,
) => Promise<R[]>;

/** Runs the statement for one row: alone, or with those that ask for the same meanwhile where `run` is one of `Batching`. */
export async function askRow<R extends Row>(
  run: RunRow,
  of: RowStatement,
  parameters: Parameters,
): Promise<R | undefined> {
  // known from the first time on: so what is looked at is all that may be run
  compile(of.many.name, of.many.text);
  return (await run<R>(of.name, of.one, parameters, of))[0];
}

export type Database = Runner &
  Batching & {
    /**
     * For what is asked again and again, for work that is due: looks of one moment share a round trip and a commit. They wait for
     * no lock, and so none of them holds up another.
     */
    readonly looks: Runner;
    /** Called whenever something is done for an account, in this process. */
    stirred(listener: () => void): void;
    tenant(merchant_account_id: string): TenantRunner;
    /** Several statements in one transaction. For the slow paths: each costs a round trip more. */
    begin<T>(merchant_account_id: string | undefined, work: (tx: Runner) => Promise<T>): Promise<T>;
    ready(): Promise<boolean>;
    close(): Promise<void>;
  };

export type DatabaseOptions = {
  /** postgres:// address, or socket folder, user and database of the embedded server. */
  readonly at:
    | { readonly url: string }
    | { readonly socket_dir: string; readonly user: string; readonly database: string };
  /** SET ROLE at connect: the least-privileged role of this zone, when the login is another one. */
  readonly role?: string;
  readonly name: string;
  readonly max: number;
  readonly log: Log;
  /** Commits do not wait for the disk: only for what may be lost in a crash. */
  readonly relaxed?: true;
  /** Looks at each connection; absent: every server that answers is worked with. */
  readonly door?: Door;
};

/** Runs in one transaction that sees this account only. */
export function withTransaction<T>(
  db: Pick<Database, 'begin'>,
  merchant_account_id: string,
  work: (tx: TenantRunner) => Promise<T>,
): Promise<T> {
  return db.begin(merchant_account_id, (runner) => work(runnerOfTransaction(runner, merchant_account_id)));
}

/** A runner for one transaction: its statements are never batched with others. */
function runnerOfTransaction(runner: Runner, merchant_account_id: string): TenantRunner {
  return { ...runner, batch: runner.run, batchRead: runner.run, merchant_account_id };
}

/** Done in the transaction of a change, so that neither is there without the other. */
export type InCommit = (tx: TenantRunner) => Promise<void>;

/** Ids and hashes are bytes in the database and hex text everywhere else. */
export function bytes(hex: string): string;
export function bytes(hex: string | null | undefined): string | null;
export function bytes(hex: string | null | undefined): string | null {
  return hex === null || hex === undefined ? null : `\\x${hex}`;
}

/** SQL that gives a time as text: ISO 8601 UTC with milliseconds, as JavaScript writes it. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A text with a NUL is refused with all that stands beside it: what others wrote must not leave an outcome unrecorded for ever. */
export const storable = (text: string): string => text.replaceAll('\0', '');

const STATEMENTS = new Map<string, { text: string; names: readonly string[] }>();

/** Every statement run so far, as PostgreSQL gets it. The bench takes its ceiling from here. */
export function preparedStatements(): ReadonlyMap<string, { text: string; names: readonly string[] }> {
  return STATEMENTS;
}

function compile(name: string, text: string): { text: string; names: readonly string[] } {
  const known = STATEMENTS.get(name);
  if (known) return known;
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-z][a-z0-9_]*)/g, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  const statement = { text: numbered, names };
  STATEMENTS.set(name, statement);
  return statement;
}

const connections = gauge(
  'florin_database_connections',
  'Connections of a pool: busy, idle, and requests that wait for one',
);
const lost = counter('florin_database_unavailable_total', 'Times no connection could be had');

/** Opens a pool. Nothing is connected before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { door } = options;
  const { pool, stopWatching } = openPool(options);
  const behind = { pool, door };
  const runner = (tenant?: string): Runner => ({
    run: <R extends Row>(name: string, text: string, parameters: Parameters = {}) =>
      withClient(behind, (client) => send<R>(client, { name, text, parameters, tenant })),
  });
  const unwatch = connections.from(() => [
    [{ database: options.name, state: 'busy' }, pool.totalCount - pool.idleCount],
    [{ database: options.name, state: 'idle' }, pool.idleCount],
    [{ database: options.name, state: 'waited for' }, pool.waitingCount],
  ]);
  const sendAll = (all: readonly Prepared[]) => withClient(behind, (client) => sendStatements(client, all));
  const [batchWrite, batchRead] = [batcher(sendAll), batcher(sendAll)];
  // nobody waits for a look: it goes when all timers of this moment had their turn
  const look = batcher(sendAll, (go) => setImmediate(go));
  let stir = () => undefined as void;
  const batching = (tenant?: string): Batching => {
    const through =
      (batch: (asked: Asked) => Promise<Row[]>): RunRow =>
      async <R extends Row>(name: string, text: string, parameters: Parameters = {}, rows?: RowStatement) =>
        (await batch(askedFor({ name, text, parameters, tenant }, rows))) as R[];
    return { batch: through(batchWrite), batchRead: through(batchRead) };
  };
  return {
    ...runner(),
    ...batching(),
    looks: {
      run: async <R extends Row>(name: string, text: string, parameters: Parameters = {}) =>
        (await look({ statement: prepared({ name, text, parameters, tenant: undefined }) })) as R[],
    },
    stirred: (listener) => {
      stir = listener;
    },
    tenant: (merchant_account_id) => {
      stir();
      return { ...runner(merchant_account_id), ...batching(merchant_account_id), merchant_account_id };
    },
    begin: (tenant, work) => {
      if (tenant !== undefined) stir();
      return transaction(behind, (client) =>
        work({ run: (name, text, parameters = {}) => send(client, { name, text, parameters, tenant }) }),
      );
    },
    ready: () =>
      withClient(behind, (client) => client.query<{ writable: boolean }>(CAN_WRITE)).then(
        ({ rows }) => rows[0]?.writable ?? false,
        () => false,
      ),
    close: async () => {
      unwatch();
      await stopWatching();
      await pool.end();
    },
  };
}

/** A standby answers every read: ready is who can write. */
const CAN_WRITE = 'SELECT NOT pg_is_in_recovery() AS writable';

type Call = {
  readonly name: string;
  readonly text: string;
  readonly parameters: Parameters;
  readonly tenant: string | undefined;
};

async function send<R extends Row>(client: pg.PoolClient, call: Call): Promise<R[]> {
  return (await sendStatement(client, prepared(call))) as R[];
}

function prepared(call: Call): Prepared {
  const { text, names } = compile(call.name, call.text);
  const values = names.map((name) => {
    if (!(name in call.parameters)) throw new Error(`statement ${call.name} wants the parameter ${name}`);
    return call.parameters[name];
  });
  return { name: call.name, text, values, tenant: call.tenant };
}

function askedFor(call: Call, of: RowStatement | undefined): Asked {
  const statement = prepared(call);
  if (!of) return { statement };
  const { parameters: values, tenant } = call;
  return { statement, row: { of, values, prepare: (all) => prepared({ ...of.many, parameters: all, tenant }) } };
}

type Behind = { readonly pool: pg.Pool; readonly door: Door | undefined };

async function withClient<T>(behind: Behind, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(behind);
  try {
    const done = await work(client);
    requireStands(behind, client);
    client.release();
    return done;
  } catch (error) {
    client.release(isConnectionLost(error));
    throw withoutEffect(error);
  }
}

/** Throws if what was committed by this connection may be lost all the same. */
function requireStands({ door }: Behind, client: pg.PoolClient): void {
  requireReplicated(client);
  if (door && !door.isOurs(client)) throw new Unreplicated('another server is the primary since');
}

async function connect({ pool, door }: Behind): Promise<pg.PoolClient> {
  if (door?.closed !== undefined) throw new DatabaseUnavailable(door.closed);
  const client = await pool.connect().catch((error: unknown) => {
    lost.add({});
    const said = error instanceof DatabaseUnavailable ? error.message : 'the database is not reachable';
    throw new DatabaseUnavailable(said, { cause: error });
  });
  if (!door || door.isOurs(client)) return client;
  client.release(true);
  return connect({ pool, door });
}

async function transaction<T>(behind: Behind, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(behind);
  let broken = false;
  try {
    await client.query('BEGIN');
    const done = await work(client);
    await client.query('COMMIT').catch((error: Error) => {
      throw unknownCommit(error);
    });
    requireStands(behind, client);
    return done;
  } catch (error) {
    broken = isConnectionLost(error);
    if (!broken) await client.query('ROLLBACK');
    throw withoutEffect(error);
  } finally {
    client.release(broken);
  }
}
