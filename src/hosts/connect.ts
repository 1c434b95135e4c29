// The first connection of a start: to the primary of the servers that an address names; and what is said where there is
// none.
import pg from 'pg';
import type { DatabaseOptions } from '../kit/database.ts';
import type { Door } from '../kit/database/door.ts';
import { DatabaseUnavailable } from '../kit/database/errors.ts';
import { addressesOf } from '../kit/database/places.ts';
import { STILL_MS } from '../kit/database/pool.ts';
import { cut } from '../kit/database/probe.ts';
import { isStandby } from '../kit/login.ts';
import { StartError } from '../kit/start-error.ts';

export type Place = DatabaseOptions['at'];

/** Connects to the server that takes writes, or throws a StartError that names the setting. */
export async function connectTo(place: Place, setting: string): Promise<pg.Client> {
  const places = 'url' in place ? addressesOf(place.url).map((url) => ({ url })) : [place];
  const said: string[] = [];
  let full = 0;
  let unready = 0;
  for (const one of places) {
    const client = newClient(one, setting);
    // it is told twice: what the server says as it ends the connection, and that it has ended
    client.on('error', () => undefined);
    const why = await client.connect().then(
      () => whyNot(client),
      (error: Error) => {
        if ('code' in error && error.code === TOO_MANY_CONNECTIONS) full += 1;
        if ('code' in error && error.code === CANNOT_CONNECT_NOW) unready += 1;
        return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
      },
    );
    if (why === undefined) return bounded(client);
    said.push(why);
    cut(client);
  }
  if (said.every((why) => why === STANDBY))
    throw new StartError(
      `${setting} names ${places.length > 1 ? 'standbys only' : 'a standby'}: they take no writes. Name the primary, or all servers, separated by commas.`,
    );
  if (full > 0)
    throw new StartError(
      `The database of ${setting} takes no further connection: ${said.join('; ')}. Raise its max_connections (or the limit of its role or database), or lower FLORIN_DATABASE_CONNECTIONS: each process holds so many for each of its zones, and ${RELAXED_CONNECTIONS + LOOKING} more.`,
    );
  if (unready > 0)
    throw new StartError(
      `The database of ${setting} takes no connection yet: ${said.join('; ')}. It is starting, or recovers from a crash: wait, and if it does not come, look at its log and at the room on its disk.`,
    );
  throw new StartError(
    `The database of ${setting} is not reachable: ${said.join('; ')}. Start it, or correct the address.`,
  );
}

/** A command that stands still, or is cut off, in the middle of a transaction is put out by the server. */
async function bounded(client: pg.Client): Promise<pg.Client> {
  await client.query(`SET idle_in_transaction_session_timeout = ${STILL_MS}`);
  return client;
}

const STANDBY = 'it is a standby';

/** Connections of a zone whose commits do not wait for the disk. */
export const RELAXED_CONNECTIONS = 2;
/** The one that looks where the server is (kit/database/probe.ts): without it nothing is taken. */
const LOOKING = 1;

/** SQLSTATE of a server, database or role whose connections are all taken. */
const TOO_MANY_CONNECTIONS = '53300';

/** SQLSTATE of a server that starts, recovers or ends. */
const CANNOT_CONNECT_NOW = '57P03';

const PATIENCE_MS = 5000;

/** Also a pooler whose server is away, or a server that stands still, takes connections. */
async function whyNot(client: pg.Client): Promise<string | undefined> {
  return isStandby(client, PATIENCE_MS).then(
    (is_standby) => (is_standby ? STANDBY : undefined),
    (error: Error) => `it takes the connection, and answers no question (${error.message})`,
  );
}

/** StartError unless the door lets this server in, in the words it has for it. */
export async function requireServer(
  client: pg.Client,
  { door, setting }: { readonly door: Door; readonly setting: string },
): Promise<void> {
  await door.admit(client, { starting: true }).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new StartError(`The database of ${setting} cannot be used: ${error.message}.`, { cause: error });
  });
}

function newClient(place: Place, setting: string): pg.Client {
  try {
    const at =
      'url' in place
        ? { connectionString: place.url }
        : { host: place.socket_dir, user: place.user, database: place.database };
    return new pg.Client({ ...at, connectionTimeoutMillis: PATIENCE_MS });
  } catch {
    // the wrong address is not shown, because it holds a password
    throw new StartError(`${setting} is no address: it must look like postgres://user:password@host:5432/database.`);
  }
}
