// Statements of the card zone's clock; spans are milliseconds.
import type { Runner } from '../../kit/database.ts';

/** So far it is ahead of the real one; always 0 in production. */
export async function readShift(db: Runner): Promise<number> {
  const rows = await db.run<{ shift_ms: number }>(
    'read_vault_shift',
    `-- any account: one clock for all
     SELECT (extract(epoch FROM shift) * 1000)::float8 AS shift_ms
     FROM vault.clock
     WHERE one = true`,
  );
  const [row] = rows;
  if (!row) throw new Error('vault.clock has its row');
  return row.shift_ms;
}

/** The clock of the database's machine, in milliseconds, whatever a sandbox has moved. */
export async function readMachineClock(db: Runner): Promise<number> {
  const [row] = await db.run<{ now_ms: number }>(
    'read_vault_machine_clock',
    `-- any account: one clock for all
     SELECT (extract(epoch FROM vault.now() - shift) * 1000)::float8 AS now_ms
     FROM vault.clock
     WHERE one = true`,
  );
  if (!row) throw new Error('vault.clock has its row');
  return row.now_ms;
}

/** Never back. */
export async function moveShift(db: Runner, shift_ms: number): Promise<void> {
  await db.run(
    'move_vault_shift',
    `-- any account: one clock for all
     UPDATE vault.clock
     SET shift = make_interval(secs => :shift_ms::float8 / 1000)
     WHERE one = true
       AND shift < make_interval(secs => :shift_ms::float8 / 1000)`,
    { shift_ms },
  );
}

/** Sets where the clock begins, which may be before the real one. Throws once the vault takes calls. */
export async function beginShift(db: Runner, shift_ms: number): Promise<void> {
  await db.run(
    'begin_vault_shift',
    `-- any account: one clock for all
     UPDATE vault.clock
     SET shift = make_interval(secs => :shift_ms::float8 / 1000)
     WHERE one = true`,
    { shift_ms },
  );
}
