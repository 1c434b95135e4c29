// PostgreSQL behind one small door. A statement has a name and `:parameters`; it is prepared once per connection and
// costs one round trip and one commit. A statement of the money zone is preceded, in the same round trip and the same
// transaction, by the merchant account it works for, so that row-level security sees it.
import pg from 'pg';
import type { Log } from './log.ts';
import { type Behind, transaction, withClient } from './database/behind.ts';
import type { Door } from './database/door.ts';
import { Backlog } from './database/backlog.ts';
import { behindCommit } from './database/errors.ts';
import { type Asked, type Batcher, batcher } from './database/batch.ts';
import { openPool } from './database/pool.ts';
import { type Reads, openReads } from './database/reads.ts';
import type { RowStatement } from './database/rows.ts';
import { type Parameter, type Prepared, type Row, sendStatement, sendStatements } from './database/statement.ts';
import { tryCommit } from './database/trial.ts';

export type { Row } from './database/statement.ts';
export {
  DatabaseUnavailable,
  afterCommit,
  behindCommit,
  deniesAll,
  isAway,
  isLockTimeout,
  violated,
} from './database/errors.ts';
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
   * As `run`, but the statement may share its round trip and its commit with others that arrive at the same time
   * (kit/database/batch.ts). For frequent writes that wait for no lock for long. `rows`: equal requests may be joined
   * into one statement.
   */
  readonly batch: RunRow;
  /** As `batch`, for reads by key, which then wait for no write. */
  readonly batchRead: RunRow;
};

export type RunRow = <R extends Row = Row>(
  name: string,
  text: string,
  parameters?: Parameters,
  rows?: RowStatement,
) => Promise<R[]>;

/**
 * Runs the statement for one row: alone, or with those that ask for the same meanwhile where `run` is one of
 * `Batching`.
 */
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
     * For repeated looks for due work: looks of one moment share a round trip and a commit. They wait for no lock, so
     * none of them holds up another.
     */
    readonly looks: Runner;
    /** How many commits of writes this process has begun. */
    commits(): number;
    /** Called whenever something is done for an account, in this process. */
    stirred(listener: () => void): void;
    /**
     * An order was accepted, and acknowledged to its caller: named in the log if it is found missing in the next two
     * minutes.
     */
    acknowledged(merchant_account_id: string, id: string): void;
    tenant(merchant_account_id: string): TenantRunner;
    /**
     * For reads that only show something: they wait for no write, and use connections of their own, which cannot write.
     * If too many wait, they are refused before any statement that moves money is.
     */
    reading(merchant_account_id: string): TenantRunner;
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
  /** How many of these connections are for `reading`; absent: it has none of its own. */
  readonly readers?: number;
  readonly log: Log;
  /** Commits do not wait for the disk: only for what may be lost in a crash. */
  readonly relaxed?: true;
  /** Looks at each connection; absent: every server that answers is worked with. */
  readonly door?: Door;
};

/** Runs in one transaction that sees this account only. */
export async function withTransaction<T>(
  db: Pick<Database, 'begin'>,
  merchant_account_id: string,
  work: (tx: TenantRunner) => Promise<T>,
): Promise<T> {
  const fate: Fate = { is_committed: false, stands_elsewhere: false };
  try {
    const done = await db.begin(merchant_account_id, (runner) => {
      // its statements are never batched with others
      const tx = { ...runner, batch: runner.run, batchRead: runner.run, merchant_account_id };
      FATES.set(tx, fate);
      return work(tx);
    });
    fate.is_committed = true;
    return done;
  } catch (error) {
    throw fate.stands_elsewhere ? behindCommit(error) : error;
  }
}

type Fate = { is_committed: boolean; stands_elsewhere: boolean };
const FATES = new WeakMap<Runner, Fate>();

/** Whether a transaction has ended, and what was done in it stands. */
export function isCommitted(tx: Runner): boolean {
  return FATES.get(tx)?.is_committed === true;
}

/** A part of what is done in this transaction is committed in another zone, and stands if this one is rolled back. */
export function standsElsewhere(tx: Runner): void {
  const fate = FATES.get(tx);
  if (fate) fate.stands_elsewhere = true;
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

/**
 * A text with a NUL is refused with all that stands beside it: text from outside must never keep an outcome from being
 * recorded.
 */
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

/** Opens a pool. Nothing is connected before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { door, readers = 0 } = options;
  const { pool, close } = openPool({ ...options, max: options.max - readers });
  const asking: Behind = { pool, door };
  const backlog = new Backlog(options.name, () => withClient(asking, tryCommit));
  const behind: Behind = { pool, door, backlog };
  const runner = (tenant?: string): Runner => ({
    run: <R extends Row>(name: string, text: string, parameters: Parameters = {}) =>
      withClient(behind, (client) => send<R>(client, { name, text, parameters, tenant })),
  });
  const sendAll = (all: readonly Prepared[]) => withClient(asking, (client) => sendStatements(client, all));
  const requireRoom = () => backlog.requireRoom();
  const batchWrite = batcher((all) => backlog.commit(() => sendAll(all)), { requireRoom });
  const batchRead = batcher(sendAll);
  const look = batcher(sendAll, { requireRoom });
  const reads = readers > 0 ? openReads({ ...options, max: readers }, batchWrite.waiting) : undefined;
  let stir = () => undefined as void;
  const batching = (tenant?: string): Batching => ({
    batch: through(batchWrite.run, tenant),
    batchRead: through(batchRead.run, tenant),
  });
  const tenantOf = (id: string) => ({ ...runner(id), ...batching(id), merchant_account_id: id });
  return {
    ...runner(),
    ...batching(),
    looks: {
      run: async <R extends Row>(name: string, text: string, parameters: Parameters = {}) =>
        (await look.run({ statement: prepared({ name, text, parameters, tenant: undefined }) })) as R[],
    },
    commits: () => backlog.count,
    stirred: (listener) => {
      stir = listener;
    },
    acknowledged: (merchant_account_id, id) => door?.recent.note({ merchant_account_id, id }),
    tenant: (merchant_account_id) => {
      stir();
      return tenantOf(merchant_account_id);
    },
    reading: (merchant_account_id) => {
      stir();
      return reads ? readingOf(reads, merchant_account_id) : tenantOf(merchant_account_id);
    },
    begin: (tenant, work) => {
      if (tenant !== undefined) stir();
      return transaction(behind, (client) =>
        work({ run: (name, text, parameters = {}) => send(client, { name, text, parameters, tenant }) }),
      );
    },
    ready: () =>
      withClient(asking, (client) => client.query<{ writable: boolean }>(CAN_WRITE)).then(
        ({ rows }) => rows[0]?.writable ?? false,
        () => false,
      ),
    close: async () => {
      backlog.close();
      await Promise.all([close(), reads?.close()]);
    },
  };
}

function readingOf(reads: Reads, tenant: string): TenantRunner {
  const run = async <R extends Row>(name: string, text: string, parameters: Parameters = {}) =>
    (await reads.run(prepared({ name, text, parameters, tenant }))) as R[];
  return { run, batch: run, batchRead: through(reads.batch, tenant), merchant_account_id: tenant };
}

function through(batch: Batcher['run'], tenant: string | undefined): RunRow {
  return async <R extends Row>(name: string, text: string, parameters: Parameters = {}, rows?: RowStatement) =>
    (await batch(askedFor({ name, text, parameters, tenant }, rows))) as R[];
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
    const value = call.parameters[name];
    // found out while its batch is sent, it would leave the connection waiting for an answer that cannot come
    if (Array.isArray(value) ? value.some(isNoTime) : isNoTime(value))
      throw new Error(`statement ${call.name} has no valid time in its parameter ${name}`);
    return value;
  });
  return { name: call.name, text, values, tenant: call.tenant };
}

const isNoTime = (value: unknown) => value instanceof Date && Number.isNaN(value.getTime());

function askedFor(call: Call, of: RowStatement | undefined): Asked {
  const statement = prepared(call);
  if (!of) return { statement };
  const { parameters: values, tenant } = call;
  return { statement, row: { of, values, prepare: (all) => prepared({ ...of.many, parameters: all, tenant }) } };
}
