// The data folder is its owner's alone: keys, secrets, the simulated bank's journal and whatever else comes to lie in
// it.
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, startFlorin } from './child.ts';

/**
 * Every folder and file, but for the database's own files, which PostgreSQL looks after: folder and mode as octal text.
 */
function modesIn(folder: string): readonly (readonly [path: string, mode: string])[] {
  const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8).padStart(4, '0');
  const found: [string, string][] = [['.', mode(folder)]];
  const walk = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      found.push([path, mode(join(folder, path))]);
      if (entry.isDirectory() && path !== 'postgres') walk(path);
    }
  };
  walk('');
  return found;
}

const openIn = (folder: string) => modesIn(folder).filter(([, mode]) => !mode.endsWith('00'));

function openAll(folder: string): void {
  for (const [path] of modesIn(folder)) {
    if (path.startsWith('postgres')) continue;
    const { mode } = lstatSync(join(folder, path));
    chmodSync(join(folder, path), (mode & 0o700) | 0o055);
  }
}

test('a sandbox keeps all of its data folder to its owner, and closes what an earlier version left open', async () => {
  using home = newFolder();
  const data = join(home.path, 'data');
  {
    await using florin = await startFlorin(home.path);
    expect((await florin.shop.pay()).status).toBe(200);
    const found = modesIn(data).map(([path]) => path);
    expect(found).toEqual(expect.arrayContaining(['simulator.journal', 'simulator.url', 'demo-account.json']));
    expect(openIn(data)).toEqual([]);
    await florin.stop('SIGTERM');
  }
  openAll(data);
  expect(openIn(data)).not.toEqual([]);
  await using again = await startFlorin(home.path);
  expect((await again.shop.pay()).status).toBe(200);
  expect(openIn(data)).toEqual([]);
});
