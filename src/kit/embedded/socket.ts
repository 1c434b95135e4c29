// The folder of the server's socket. Only the server's account (and root) can enter it: that is the whole access
// control.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { giveTo } from './home.ts';

export type SocketFolder = {
  readonly dir: string;
  /** Made for this one run, to be removed after it. */
  readonly temporary: boolean;
};

// sockaddr_un holds 108 bytes with the closing zero.
const LONGEST = 107;

/** `home`/socket, or a new folder with a short name when the path would be too long for a socket. */
export function makeSocketFolder(home: string, account: Account): SocketFolder {
  const usual = join(home, 'socket');
  const temporary = !isShort(usual);
  const dir = temporary ? mkdtempSync(join(shortTmp(), 'florin-')) : usual;
  if (!temporary) {
    // A killed server leaves its socket and a lock beside it, whose pid may be another program's now.
    for (const stale of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(dir, stale), { force: true });
    mkdirSync(dir, { recursive: true });
  }
  chmodSync(dir, 0o700);
  giveTo(dir, account);
  return { dir, temporary };
}

function shortTmp(): string {
  return isShort(join(tmpdir(), 'florin-123456')) ? tmpdir() : '/tmp';
}

function isShort(dir: string): boolean {
  return Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= LONGEST;
}
