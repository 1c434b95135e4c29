// Statements of florin archive. They run as the owner of the database; the service itself detaches no parts.
import pg from 'pg';
import { isLockTimeout } from '../../kit/database.ts';
import { undone } from '../../kit/database/errors.ts';

/** A month whose part is detached; its rows are in the table archive_ID until that is dropped. */
export type TakenOff = { readonly id: number; readonly part: string };
/** A month that has a file. */
export type Archived = TakenOff & {
  readonly state: 'dropped' | 'back';
  readonly row_count: string;
  readonly sha256: string;
};

export const tableOf = ({ id }: Pick<TakenOff, 'id'>) => `payment.archive_${id}`;

/** Takes the lock that admits one archive run in a database, until the connection ends. False: another run has it. */
export async function takeTurn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('payment.archive')) AS taken`,
  );
  await client.query('SET ROLE florin_owner');
  return rows[0]?.taken === true;
}

/** Months that an earlier run detached and did not finish. */
export async function findTakenOff(client: pg.Client): Promise<readonly TakenOff[]> {
  const { rows } = await client.query<TakenOff>(
    `SELECT id, part FROM payment.archives WHERE state = 'taken_off' ORDER BY id`,
  );
  return rows;
}

/**
 * Parts whose month ended long enough ago and in which nothing was written since, the oldest first: a refund of an old
 * order writes into an old month. A month that was put back stays for some days. `part`: this one, if it is due.
 */
export async function findDue(
  client: pg.Client,
  { months, days_back, part }: { months: number; days_back: number; part?: string },
) {
  const { rows } = await client.query<{ part: string }>(
    `SELECT m.part
     FROM payment.months_of('observations') m
     CROSS JOIN LATERAL (
       SELECT (payment.now() AT TIME ZONE 'UTC') - make_interval(months => $1)
     ) x (until)
     WHERE m.ends <= x.until
       AND ($3::text IS NULL OR m.part = $3)
       AND NOT EXISTS (
         SELECT
         FROM payment.observations o
         WHERE o.transaction_id >= ${LOW}
           AND o.transaction_id < ${HIGH}
           AND o.at > x.until AT TIME ZONE 'UTC'
       )
       AND NOT EXISTS (
         SELECT
         FROM payment.archives a
         WHERE a.state = 'back'
           AND a.back_at > payment.now() - make_interval(days => $2)
           AND a.low < ${HIGH}
           AND a.high > ${LOW}
       )
     ORDER BY m.ends`,
    [months, days_back, part ?? null],
  );
  return rows.map((row) => row.part);
}

/** The range of ids in a part `m` of months_of. */
const LOW = `CASE
           WHEN m.begins = '-infinity' THEN payment.id_at('epoch')
           ELSE payment.id_at(m.begins AT TIME ZONE 'UTC')
         END`;
const HIGH = `payment.id_at(m.ends AT TIME ZONE 'UTC')`;

/** Between two of its statements; as long as a payment waits for a lock. */
const STILL_MS = 2000;

/** Undefined if payments held the lock for longer than a second: payments go first. */
export async function takeOff(client: pg.Client, part: string): Promise<TakenOff | undefined> {
  const name = pg.escapeIdentifier(part);
  try {
    // every payment waits while this holds the whole table: a process that stands still meanwhile is put out
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '1s'; SET LOCAL idle_in_transaction_session_timeout = '${STILL_MS}ms'`,
    );
    const { rows } = await client.query<TakenOff>(
      `INSERT INTO payment.archives (part, low, high)
       SELECT m.part, ${LOW}, ${HIGH}
       FROM payment.months_of('observations') m
       WHERE m.part = $1
       RETURNING id, part`,
      [part],
    );
    const [taken] = rows;
    if (!taken) throw new Error(`no part ${part}`);
    await client.query(`ALTER TABLE payment.observations DETACH PARTITION payment.${name}`);
    await client.query(`ALTER TABLE payment.${name} RENAME TO archive_${taken.id}`);
    await client.query(`CREATE POLICY keeper ON ${tableOf(taken)} TO florin_owner USING (true)`);
    await client.query('COMMIT');
    return taken;
  } catch (error) {
    await undone(client.query('ROLLBACK'));
    if (isLockTimeout(error)) return undefined;
    throw error;
  }
}

const PAGES = 256;

/**
 * Reads a table that no transaction writes to, some pages at a time and in the order of writing: one line of JSON a
 * row.
 */
export async function* linesOf(
  client: pg.Client,
  table: string,
  progress: (done: number, total: number) => void,
): AsyncGenerator<readonly string[]> {
  const { rows: sizes } = await client.query<{ pages: number }>(
    `SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int AS pages`,
    [table],
  );
  const pages = sizes[0]?.pages ?? 0;
  for (let from = 0; from < pages; from += PAGES) {
    const { rows } = await client.query<{ line: string }>(
      // a line break in a stored JSON text can only be between its members
      `SELECT translate(row_to_json(t)::text, E'\\n\\r', '  ') AS line
       FROM ${table} t
       WHERE t.ctid >= $1::tid
         AND t.ctid < $2::tid
       ORDER BY t.ctid`,
      [`(${from},0)`, `(${from + PAGES},0)`],
    );
    yield rows.map(({ line }) => line);
    progress(Math.min(from + PAGES, pages), pages);
  }
}

export type Written = { readonly file: string; readonly row_count: number; readonly sha256: string };

/** Drops the rows and records their file, both in one transaction. */
export async function drop(client: pg.Client, taken: TakenOff, { file, row_count, sha256 }: Written): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`DROP TABLE ${tableOf(taken)}`);
    await client.query(
      `UPDATE payment.archives
       SET
         state = 'dropped',
         file = $2,
         row_count = $3,
         sha256 = decode($4, 'hex'),
         dropped_at = payment.now()
       WHERE id = $1`,
      [taken.id, file, row_count, sha256],
    );
  });
}

export async function findArchive(client: pg.Client, file: string): Promise<Archived | undefined> {
  const { rows } = await client.query<Archived>(
    `SELECT id, part, state, row_count, encode(sha256, 'hex') AS sha256
     FROM payment.archives
     WHERE file = $1`,
    [file],
  );
  return rows[0];
}

/** Files that hold what a file held that was put back: those that were written since, of the same ids. */
export async function findArchivedSince(client: pg.Client, { id }: Pick<TakenOff, 'id'>): Promise<readonly string[]> {
  const { rows } = await client.query<{ file: string }>(
    `SELECT a.file
     FROM payment.archives a
     JOIN payment.archives b ON b.id = $1 AND a.low < b.high AND a.high > b.low
     WHERE a.state = 'dropped'
       AND a.taken_off_at > b.back_at
     ORDER BY a.id`,
    [id],
  );
  return rows.map(({ file }) => file);
}

/** Commits all statements of `work`, or none. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await undone(client.query('ROLLBACK'));
    throw error;
  }
}

/** Inserts rows into their months; a row without a month waits in the default part (keepMonths). */
export async function putBack(client: pg.Client, lines: readonly string[]): Promise<void> {
  await client.query(
    `INSERT INTO payment.observations OVERRIDING SYSTEM VALUE
     SELECT x.*
     FROM unnest($1::text[]) AS l (line)
     CROSS JOIN LATERAL json_populate_record(NULL::payment.observations, l.line::json) AS x`,
    [lines],
  );
}

/** Undefined: the lock was not free within a second. */
async function unlessLocked(
  client: pg.Client,
  text: string,
  values: readonly string[] = [],
): Promise<true | undefined> {
  try {
    await client.query(text, [...values]);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return undefined;
    throw error;
  }
}

/** Makes the part of a month, if it is not there. Undefined: the lock was not free within a second. */
export async function makeMonthOf(client: pg.Client, { part }: Pick<TakenOff, 'part'>): Promise<true | undefined> {
  if (part.includes('_before_')) return true;
  return unlessLocked(client, `SELECT payment.make_month('observations', to_date(right($1, 6), 'YYYYMM')::timestamp)`, [
    part,
  ]);
}

/** Moves rows from the default part into their months. Undefined: the lock was not free within a second. */
export async function keepMonths(client: pg.Client): Promise<true | undefined> {
  return unlessLocked(client, 'SELECT payment.keep_months(0)');
}

export async function markBack(client: pg.Client, { id }: Pick<TakenOff, 'id'>): Promise<void> {
  await client.query(`UPDATE payment.archives SET state = 'back', back_at = payment.now() WHERE id = $1`, [id]);
}
