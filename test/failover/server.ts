// A PostgreSQL of this machine, as tests of failover need it: where its programs are, whose it is, how it is asked and
// stopped.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export const USER = 'postgres';

/** Where the programs of a PostgreSQL with replication are; undefined: nowhere. */
export function findPrograms(): string | undefined {
  const folders = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : [];
  return folders.toReversed().find((folder) => existsSync(join(folder, 'pg_basebackup')));
}

export type Ids = { readonly uid: number; readonly gid: number } | undefined;

/** As root PostgreSQL does not start: then it is the account that its package made. */
export function accountOf(): Ids {
  if (process.getuid?.() !== 0) return undefined;
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${USER}:`))
    ?.split(':');
  if (!row) throw new Error(`there is no account ${USER} on this machine`);
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

/** A server that a test looks at by its own way. */
export type Server = { look<R extends pg.QueryResultRow>(text: string, database?: string): Promise<R[]> };

/** The rows of a statement at the server of a port; what a test sees or sets does not wait for a standby. */
export async function lookAt<R extends pg.QueryResultRow>(
  port: number,
  text: string,
  database = 'postgres',
): Promise<R[]> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: USER,
    database,
    connectionTimeoutMillis: 2000,
    query_timeout: 40_000,
    options: '-c synchronous_commit=local',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/** To the server first: what it starts while we look has its signal already when it is stopped. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const children = childrenOf(pid);
  for (const one of [pid, ...children, ...childrenOf(pid)]) {
    try {
      process.kill(one, signal);
    } catch {
      // it has ended by itself
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // behind the name in brackets: state, then the parent
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8')
            .replace(/^.*\) /, '')
            .split(' ')[1] === String(pid)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
