import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from './account.ts';
import { type Guarded, startGuarded } from './guard.ts';
import { endOldServer, readServerState } from './old-server.ts';
import type { Programs } from './programs.ts';
import { OUR_MARK, SETTINGS } from './settings.ts';
import type { SocketFolder } from './socket.ts';

export type Server = { readonly ended: Promise<void>; lastWords(): string; askToStop(): void };

export type LaunchOptions = {
  readonly cluster: string;
  readonly socket: SocketFolder;
  readonly account: Account;
  readonly programs: Programs;
  readonly settings: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
};

const POLL_MS = 10;
const LONG_MS = 3_000;

/** Starts the server and waits until it takes connections, or says why it ended instead. */
export async function launchServer(options: LaunchOptions): Promise<Server | { failure: string }> {
  const { cluster, socket, account, programs } = options;
  const command = [programs.postgres, '-D', cluster, ...settingWords(socket.dir, options.settings)];
  const guarded = startGuarded(account, command, socket.temporary ? socket.dir : '');
  if (!(await isReady(guarded, options))) return { failure: guarded.tail() };
  let trouble = '';
  // If the guard is ended but not the server, the server is ended here.
  const ended = guarded.ended
    .then(() => endOldServer(cluster, () => undefined))
    .catch((error: unknown) => {
      trouble = `\n${String(error)}`;
    });
  return { ended, lastWords: () => guarded.tail() + trouble, askToStop: guarded.end };
}

function settingWords(socket_dir: string, settings: Readonly<Record<string, string>>): string[] {
  // The setting is a list: quotes keep a comma in a folder's name from dividing it.
  const unix_socket_directories = `"${socket_dir.replaceAll('"', '""')}"`;
  const all = Object.entries({ ...SETTINGS, unix_socket_directories, ...settings });
  return ['-c', OUR_MARK, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function isReady(guarded: Guarded, { cluster, say }: LaunchOptions): Promise<boolean> {
  let gone = false;
  void guarded.ended.then(() => (gone = true));
  const slow_at = performance.now() + LONG_MS;
  let told = false;
  while (!gone) {
    if (readServerState(cluster)?.ready) return true;
    if (!told && performance.now() > slow_at) {
      told = true;
      say('the database is being recovered after a hard stop; this can take a minute');
    }
    await wait(POLL_MS);
  }
  return false;
}
