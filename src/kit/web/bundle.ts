// Browser code out of TypeScript: one minified script an entry. Made at the first start and kept beside the compile
// cache, by the contents of its sources, so that a later start reads one file and loads no bundler.
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../crypto.ts';
import { BROWSERS } from './browsers.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Beside the compile cache. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'florin');

export type Bundling = {
  /** The file that is run, from the project's root. */
  readonly entry: string;
  /** Folders and files it may take code from: a change in one of them makes it anew. */
  readonly sources: readonly string[];
};

/**
 * The script as text, an immediately called function without globals of its own. The same sources give the same bytes.
 */
export async function bundle({ entry, sources }: Bundling): Promise<string> {
  const file = join(CACHE, `${sha256(fingerprint(entry, sources))}.js`);
  const known = read(file);
  if (known !== undefined) return known;
  const { rolldown } = await import('rolldown');
  const transform = { target: BROWSERS };
  const build = await rolldown({ input: join(ROOT, entry), platform: 'browser', logLevel: 'silent', transform });
  try {
    const plain = { sourcemap: false, codeSplitting: false, comments: false } as const;
    const { output } = await build.generate({ format: 'iife', minify: true, ...plain });
    const [{ code }] = output;
    keep(file, code);
    return code;
  } finally {
    await build.close();
  }
}

function fingerprint(entry: string, sources: readonly string[]): string {
  const { version }: { version: string } = createRequire(import.meta.url)('rolldown/package.json');
  const files = sources.flatMap((source) => (source.endsWith('.ts') ? [source] : filesIn(source)));
  const texts = files.toSorted().map((path) => `${path}\n${sha256(readFileSync(join(ROOT, path)))}`);
  return [version, OPTIONS, ...BROWSERS, entry, ...texts].join('\n');
}

/** Counted up when the options of the build change: they are part of what a file was made from. */
const OPTIONS = '2';

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // not made yet, or the folder is not there: it is made now
    return undefined;
  }
}

/** Two processes may make the same file: each writes its own and moves it into place whole. */
function keep(file: string, code: string): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, file);
  } catch {
    // a folder that cannot be written, as in a sealed image: the next start makes it again
  }
}
