// A whole web app out of TypeScript and style sheets: an entry, the chunks it loads when they are wanted, and one style
// sheet, each named by what is in it. Made when the app is opened for the first time, by a process of its own that ends
// with it, and kept beside the compile cache by the contents of its sources: who never opens the app pays nothing
// (docs/decisions/0044).
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../crypto.ts';
import type { AppRecipe, Made } from './app-maker.ts';
import { CACHE, ROOT } from './bundle.ts';

const MAKER = fileURLToPath(new URL('./app-maker.ts', import.meta.url));

export type App = Made & { readonly files: ReadonlyMap<string, Buffer> };

export type BundleRequest = AppRecipe & {
  /** Folders whose files, and packages whose versions, decide what is made. */
  readonly sources: readonly string[];
  readonly packages: readonly string[];
};

/** The files of the app by their names. The same sources give the same bytes. Throws when the sources do not build. */
export async function bundleApp(wanted: BundleRequest): Promise<App> {
  const name = `app-${sha256(fingerprint(wanted)).slice(0, 32)}`;
  const known = await read(join(CACHE, name));
  if (known) return known;
  const parent = await mkdir(CACHE, { recursive: true }).then(
    () => mkdtemp(join(CACHE, 'making-')),
    // a folder that cannot be written, as in a sealed image: the next start makes it again
    () => mkdtemp(join(tmpdir(), 'florin-app-')),
  );
  try {
    const made = join(parent, 'app');
    await make(wanted, made);
    const app = await read(made);
    if (!app) throw new Error('the web app was made without a list of its files');
    // another process may have been quicker: its files are the same
    if (parent.startsWith(CACHE)) await rename(made, join(CACHE, name)).catch(() => rm(made, { recursive: true }));
    return app;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Runs the maker, and says in the error what it printed. */
function make({ entry, styles, fonts }: BundleRequest, folder: string): Promise<void> {
  const recipe: AppRecipe = { entry, styles, fonts };
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [MAKER, ROOT, folder, JSON.stringify(recipe)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    child.on('error', failed);
    child.on('close', (code) =>
      code === 0 ? done() : failed(new Error(`the web app could not be made (${code}): ${said}`)),
    );
  });
}

async function read(folder: string): Promise<App | undefined> {
  let list: string;
  try {
    list = await readFile(join(folder, 'made.json'), 'utf8');
  } catch {
    // not made yet, or the folder is not there: it is made now
    return undefined;
  }
  const made: Made = JSON.parse(list);
  const names = (await readdir(folder)).filter((name) => name !== 'made.json');
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const));
  return { ...made, files: new Map(files) };
}

function fingerprint({ sources, packages, ...recipe }: BundleRequest): string {
  const versions = ['rolldown', ...packages].map((name) => {
    const { version }: { version: string } = JSON.parse(
      readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8'),
    );
    return `${name}@${version}`;
  });
  const files = sources.flatMap((source) => (/\.\w+$/.test(source) ? [source] : filesIn(source)));
  const texts = [...files, 'src/kit/web/app-maker.ts', 'src/kit/web/browsers.ts'].toSorted();
  return [
    JSON.stringify(recipe),
    ...versions,
    ...texts.map((path) => `${path}\n${sha256(readFileSync(join(ROOT, path)))}`),
  ].join('\n');
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css|json)$/.test(name))
    .map((name) => join(folder, name));
}
