// Statements of the money zone's clock: where it stands, where it is to go, and when what is due next. Spans are
// milliseconds.
import { type Runner, bytes } from '../../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../../store.ts';

export type ClockRow = {
  /** So far the clock is ahead of the real one, and so far it is to go. */
  readonly shift_ms: number;
  readonly goal_ms: number;
  /** A process is moving it. */
  readonly driven: boolean;
};

export async function readClock(db: Runner): Promise<ClockRow> {
  const rows = await db.run<ClockRow>(
    'read_clock',
    `-- any account: one clock for all
     SELECT
       (extract(epoch FROM shift) * 1000)::float8 AS shift_ms,
       (extract(epoch FROM goal) * 1000)::float8 AS goal_ms,
       driven_until > clock_timestamp() AS driven
     FROM payment.clock
     WHERE one = true`,
  );
  return theRow(rows);
}

export type Aim = {
  readonly merchant_account_id: string;
  readonly id: string;
  /** One of the two is set: move by this much, or to that moment. */
  readonly by_ms: number | null;
  readonly to: Date | null;
  /** An Idempotency-Key moves the clock once. */
  readonly key: Key | undefined;
};

/** Sets the goal further. Undefined: the Idempotency-Key was used before. */
export async function aimClock(db: Runner, { key, ...aim }: Aim): Promise<ClockRow | undefined> {
  const rows = await db.run<ClockRow>(
    'aim_clock',
    `WITH ${newKey(null, ':id')}
     UPDATE payment.clock
     SET goal = greatest(
       goal,
       CASE
         WHEN :by_ms::float8 IS NULL THEN
           date_trunc('milliseconds', :to::timestamptz - clock_timestamp()) + interval '1 ms'
         ELSE greatest(goal, shift) + make_interval(secs => :by_ms::float8 / 1000)
       END)
     WHERE one = true
       AND (:key IS NULL OR EXISTS (SELECT 1 FROM new_key))
     RETURNING
       (extract(epoch FROM shift) * 1000)::float8 AS shift_ms,
       (extract(epoch FROM goal) * 1000)::float8 AS goal_ms,
       driven_until > clock_timestamp() AS driven`,
    {
      ...aim,
      merchant_account_id: bytes(aim.merchant_account_id),
      id: bytes(aim.id),
      ...keyParameters(key),
    },
  );
  return rows[0];
}

/**
 * Takes, or keeps, the right to move the clock: one process at a time; a dead one's ends by itself. Real time. Answers
 * where it stands.
 */
export async function takeClockLease(db: Runner, driver: string, lease_s: number): Promise<ClockRow | undefined> {
  const rows = await db.run<ClockRow>(
    'take_wheel',
    `-- any account: one clock for all
     UPDATE payment.clock
     SET driver = :driver, driven_until = clock_timestamp() + make_interval(secs => :lease_s)
     WHERE one = true
       AND (driver = :driver OR driven_until < clock_timestamp())
     RETURNING
       (extract(epoch FROM shift) * 1000)::float8 AS shift_ms,
       (extract(epoch FROM goal) * 1000)::float8 AS goal_ms, true AS driven`,
    { driver: bytes(driver), lease_s },
  );
  return rows[0];
}

export async function leaveClockLease(db: Runner, driver: string): Promise<void> {
  await db.run(
    'leave_wheel',
    `-- any account: one clock for all
     UPDATE payment.clock
     SET driven_until = '-infinity'
     WHERE one = true
       AND driver = :driver`,
    { driver: bytes(driver) },
  );
}

/** Moves the clock ahead; never back. */
export async function moveClock(db: Runner, shift_ms: number): Promise<void> {
  await db.run(
    'move_clock',
    `-- any account: one clock for all
     UPDATE payment.clock
     SET
       shift = greatest(shift, make_interval(secs => :shift_ms::float8 / 1000)),
       goal = greatest(goal, make_interval(secs => :shift_ms::float8 / 1000))
     WHERE one = true`,
    { shift_ms },
  );
}

/** Sets where the clock of a sandbox begins, before or after the real one. Throws once there is an account. */
export async function beginClock(db: Runner, shift_ms: number): Promise<void> {
  await db.run(
    'begin_clock',
    `-- any account: one clock for all
     UPDATE payment.clock
     SET
       shift = make_interval(secs => :shift_ms::float8 / 1000),
       goal = make_interval(secs => :shift_ms::float8 / 1000)
     WHERE one = true`,
    { shift_ms },
  );
}

/**
 * The milliseconds until each moment, by its place in the list; 0 or less: now; a moment that will not come is left
 * out. Each is a call of a function of the schema, which sees all accounts; all of them are one round trip. `patience`:
 * the share of its age by which an operation that waits for its provider or for a person may be asked about later than
 * it is due. The list is the same at every call.
 */
export async function findMoments(
  db: Runner,
  { moments, patience }: { readonly moments: readonly string[]; readonly patience: number },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.run<{ place: number; in_ms: number }>(
    'find_next_due',
    `-- any account: the work of all of them
     SELECT
       d.place::float8 AS place,
       -- apart: before its version 17 PostgreSQL takes nothing from infinity
       ceil((extract(epoch FROM d.at) - extract(epoch FROM payment.now())) * 1000)::float8 AS in_ms
     FROM unnest(ARRAY[${moments.join(', ')}]) WITH ORDINALITY AS d (at, place)
     WHERE d.at IS NOT NULL`,
    { patience },
  );
  return new Map(rows.map(({ place, in_ms }) => [place - 1, in_ms]));
}

function theRow(rows: readonly ClockRow[]): ClockRow {
  const [row] = rows;
  if (!row) throw new Error('payment.clock has its row');
  return row;
}
