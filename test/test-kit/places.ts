// Folders of a test's own, and what of sandboxes stands and runs in them: for tests that look whether anything is left.
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporary(prefix: string, folder = tmpdir()) {
  const path = mkdtempSync(join(realpathSync(folder), prefix));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Folders of sandboxes, and the command lines of processes that name them, where their temporary files are made here.
 */
export function leftIn(tmp: string): readonly string[] {
  const folders = readdirSync(tmp).filter((name) => name.startsWith('florin-sandbox-'));
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => command.includes(`${tmp}/florin-sandbox-`));
  return [...folders.map((name) => join(tmp, name)), ...processes];
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // it has just ended
    return '';
  }
}

/**
 * The sandboxes that projects share, with this cache, by the folder of their data; those whose data are below `tmp`.
 */
export function sandboxesIn(cache: string, tmp = '/'): readonly string[] {
  const folder = join(cache, 'florin', 'shared');
  if (!existsSync(folder)) return [];
  const notes = readdirSync(folder).map((name) => join(folder, name, 'data'));
  return notes
    .flatMap((note) => (existsSync(note) ? [readFileSync(note, 'utf8')] : []))
    .filter((data) => data.startsWith(tmp));
}
