// A commit of our own that changes nothing: where commits wait for a standby, it shows whether one ends. Nobody is told
// of it, so its wait may be cancelled. A server that is told nothing lets it wait for as long as no standby comes, also
// when its connection is gone: one after the other they would take every connection that the server has.
import { createConnection } from 'node:net';
import type pg from 'pg';

/** A few bytes in the log, and nothing in a table. */
const COMMIT_ONE = "SELECT pg_logical_emit_message(true, 'florin', '')";
/** How long to wait; less than the time limit of a query, after which the server would not be told. */
const ENOUGH_MS = 5000;

/** Ends with its commit. One whose wait was cancelled has a warning, by which it counts for nothing (notices.ts). */
export async function tryCommit(client: pg.ClientBase): Promise<void> {
  const late = setTimeout(() => cancel(client), ENOUGH_MS);
  try {
    await client.query(COMMIT_ONE);
  } finally {
    clearTimeout(late);
  }
}

/** The members of a connection that the driver has and its types do not name. */
type Connected = pg.ClientBase & {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
};

/** PostgreSQL's number for it, in place of a version of the protocol. */
const CANCEL = 80_877_102;

/** Asks the server to cancel what this connection waits for: by a connection of its own, which is never answered. */
function cancel(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as Connected;
  const message = Buffer.alloc(16);
  for (const [i, word] of [message.length, CANCEL, processID, secretKey].entries()) message.writeInt32BE(word, 4 * i);
  const socket = createConnection(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  // a server that does not hear it is one whose connection is cut by the time limit of the query
  socket.on('error', () => undefined);
  socket.setTimeout(ENOUGH_MS, () => socket.destroy());
  socket.end(message);
}
