// What stands still in the middle of a transaction, as a frozen machine does.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { inject } from 'vitest';

/** Makes the client stand still before a statement, until it is let go. */
export function stillBefore(client: pg.Client, statement: string) {
  const [there, onward] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const query = client.query.bind(client);
  const standing = async (text: string, values?: unknown[]) => {
    if (text.includes(statement)) {
      there.resolve();
      await onward.promise;
    }
    return query(text, values);
  };
  Object.assign(client, { query: standing });
  return { there: there.promise, goOn: () => onward.resolve() };
}

const UNTIL_GONE = `
  import pg from 'pg';
  const [pid, host, user] = process.argv.slice(1);
  const client = new pg.Client({ host, user, database: 'postgres' });
  await client.connect();
  while ((await client.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount > 0);
  await client.end();`;

/** Nothing is read or done in this process until the server has ended that connection. */
export function standStillUntilGone(pid: number): void {
  const { socket_dir, user } = inject('server');
  const script = ['--input-type=module', '--eval', UNTIL_GONE];
  execFileSync(process.execPath, [...script, String(pid), socket_dir, user], { stdio: 'inherit' });
}

const ON = `
  import { connect, createServer } from 'node:net';
  const server = createServer((from) => {
    const to = connect(process.argv[1]);
    for (const one of [from, to]) one.on('error', () => undefined);
    from.pipe(to).pipe(from);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** The run's server over TCP, by a process of its own: there, who stood still reads first what the server said. */
export async function overTcp(): Promise<{ readonly port: number; end(): void }> {
  const { socket_dir } = inject('server');
  const script = ['--input-type=module', '--eval', ON];
  const child = spawn(process.execPath, [...script, `${socket_dir}/.s.PGSQL.5432`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  return { port: Number(String(said)), end: () => child.kill() };
}
