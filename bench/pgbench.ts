// The ceilings of the database, by pgbench: the least that any service must make durable (reference.sql), several
// payments at once as the service writes them; and the service's own statements of one payment, row by row, under its
// own grants and row security.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { bareEnvironment } from './florin.ts';
import { type Script, type TypesOf } from './script.ts';

const BENCH_ROLE = 'florin_bench';
const OLDEST_MAJOR = 15;
const PLACES = ['pgbench', ...[18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin/pgbench`)];

export type Pgbench = { readonly program: string; readonly version: string };

export type PgbenchRun = {
  readonly script_file: string;
  readonly script: Script;
} & Running;

type Running = {
  readonly socket_dir: string;
  readonly database: string;
  readonly clients: number;
  readonly seconds: number;
  /** Settings of the service's connections. */
  readonly options: string;
};

/** A pgbench that knows pipelines in prepared mode, or why there is none. */
export function findPgbench(): Pgbench | { readonly missing: string } {
  let old = '';
  for (const program of PLACES) {
    try {
      const version = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();
      if (Number(/(\d+)/.exec(version)?.[1]) >= OLDEST_MAJOR) return { program, version };
      old = `${version} is too old`;
    } catch {
      // not here
    }
  }
  return { missing: old || 'pgbench is not installed (Debian: postgresql-contrib)' };
}

/** The role, and how PostgreSQL types the parameters of a statement. */
export async function makeBenchRole(admin: pg.Client): Promise<void> {
  await admin.query(`CREATE ROLE ${BENCH_ROLE} LOGIN IN ROLE payment_app, vault_app`);
}

export function typesFrom(admin: pg.Client): TypesOf {
  return async (text) => {
    await admin.query(`PREPARE bench_types AS ${text}`);
    const { rows } = await admin.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types
       FROM pg_prepared_statements
       WHERE name = 'bench_types'`,
    );
    await admin.query('DEALLOCATE bench_types');
    return rows[0]?.types ?? [];
  };
}

export type PgbenchPlayed = { readonly count: number; readonly per_second: number; readonly seconds_hex: string };

export async function runPgbench(found: Pgbench, run: PgbenchRun): Promise<PgbenchPlayed> {
  writeFileSync(run.script_file, run.script.text);
  const now = new Date();
  const seconds_hex = Math.floor(now.getTime() / 1000).toString(16);
  return { ...(await play(found, run, run.script_file, run.script.defines(now, seconds_hex))), seconds_hex };
}

/** Tables and rights of the reference; dropped with the database of the run. */
export async function makeReference(admin: pg.Client): Promise<void> {
  await admin.query(readFileSync(join(import.meta.dirname, 'reference.sql'), 'utf8'));
}

/** As many payments in a commit as the service has there: `batch`. What comes back counts payments. */
export async function runReference(
  found: Pgbench,
  run: Running & { readonly batch: number },
): Promise<Pick<PgbenchPlayed, 'count' | 'per_second'>> {
  const { batch } = run;
  const file = join(import.meta.dirname, 'reference-flow.sql');
  const { count, per_second } = await play(found, run, file, [`batch=${batch}`]);
  return { count: count * batch, per_second: per_second * batch };
}

export async function countReferencePaid(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(
    `SELECT count(*)
     FROM reference.orders
     JOIN reference.entries ON entries.order_id = orders.id
     JOIN reference.events ON events.order_id = orders.id
     WHERE orders.state = 'paid'`,
  );
  return Number(rows[0]?.count);
}

async function play({ program }: Pgbench, run: Running, file: string, defines: readonly string[]) {
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(run.clients),
    '-j',
    '1',
    '-T',
    String(run.seconds),
    '-f',
    file,
    '-h',
    run.socket_dir,
    '-U',
    BENCH_ROLE,
    ...defines.flatMap((define) => ['-D', define]),
    run.database,
  ];
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    env: { ...bareEnvironment(), PGOPTIONS: run.options },
    timeout: (run.seconds + 30) * 1000,
    encoding: 'utf8',
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`pgbench failed: ${error.stderr ?? error.message}`);
  });
  const count = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  const per_second = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(count > 0) || /error|abort/i.test(stderr)) throw new Error(`pgbench failed:\n${stdout}\n${stderr}`);
  return { count, per_second };
}

/**
 * How many orders of one run are really paid: pgbench itself sees no difference between a payment and a refusal. The
 * ids of a run begin with its second and then with the first digits of the script's numbers.
 */
export async function countPaid(admin: pg.Client, seconds_hex: string): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(
    `SELECT count(*)
     FROM payment.orders
     WHERE id >= $1::bytea
       AND id < $2::bytea
       AND status = 'capture_successful'`,
    [`\\x${seconds_hex}1000`, `\\x${seconds_hex}1001`],
  );
  return Number(rows[0]?.count);
}
