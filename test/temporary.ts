// Where the folders of a run are made: in memory where the machine has room for them there. Hundreds of databases are
// copied and dropped, and a disk that is told of each of their files costs more than all the rest of them. No test is
// about the disk itself.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;
const NAME = 'florin-run-';

/** The usual folder for temporary files, for what outlives a run. */
export const USUAL = process.env['TEST_USUAL_TMPDIR'] ?? tmpdir();

/**
 * From now on this process and those it starts make their temporary folders here. Removed at the end, with all that is
 * in it.
 */
export function temporaryFolder(): Disposable {
  if (!hasRoom()) return { [Symbol.dispose]: () => undefined };
  removeLeft();
  const folder = join(MEMORY, NAME + process.pid);
  mkdirSync(folder);
  // some tests start Florin and PostgreSQL as other accounts
  chmodSync(folder, 0o1777);
  process.env['TEST_USUAL_TMPDIR'] = USUAL;
  process.env['TMPDIR'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // a run that is broken off comes to no end of its own
  process.once('exit', remove);
  return { [Symbol.dispose]: remove };
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/** What a run left that was killed. */
function removeLeft(): void {
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith(NAME)))
    if (!existsSync(`/proc/${name.slice(NAME.length)}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
}
