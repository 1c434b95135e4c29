// The program that app-bundle.ts runs: bundles an app into a folder. node app-maker.ts ROOT FOLDER RECIPE
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { BROWSERS } from './browsers.ts';

export type AppRecipe = {
  /** The file that is run first, from the project's root. */
  readonly entry: string;
  /** Style sheets in their order: paths from the root, or files of packages. */
  readonly styles: readonly string[];
  /** Font files of packages; a style sheet names them as font:NAME. */
  readonly fonts: readonly string[];
};

export type Made = { readonly script: string; readonly style: string };

const [root = '', folder = '', recipe = ''] = process.argv.slice(2);
await makeApp(JSON.parse(recipe));

async function makeApp({ entry, styles, fonts }: AppRecipe): Promise<void> {
  await mkdir(folder, { recursive: true });
  const build = await rolldown({
    input: join(root, entry),
    platform: 'browser',
    logLevel: 'silent',
    transform: {
      target: BROWSERS,
      define: { 'process.env.NODE_ENV': '"production"' },
      jsx: { runtime: 'automatic' },
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    minify: true,
    sourcemap: false,
    // what the first page needs is one file: each of forty small ones would cost its own headers and compress worse
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'frame', tags: ['$initial'] }] },
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const script = output.find((part) => part.type === 'chunk' && part.isEntry)?.fileName ?? '';
  const made: Made = { script, style: await makeStyle(styles, await copyFonts(fonts)) };
  await writeFile(join(folder, 'made.json'), JSON.stringify(made));
}

/** Copies the fonts under names of their contents; answers what a style sheet's font:NAME stands for. */
async function copyFonts(fonts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const copied = await Promise.all(
    fonts.map(async (font) => {
      const path = createRequire(import.meta.url).resolve(font);
      const name = basename(font).replace('.woff2', `-${hashOf(await readFile(path))}.woff2`);
      await copyFile(path, join(folder, name));
      return [basename(font), name] as const;
    }),
  );
  return new Map(copied);
}

async function makeStyle(styles: readonly string[], fonts: ReadonlyMap<string, string>): Promise<string> {
  const texts = await Promise.all(
    styles.map((path) =>
      readFile(path.startsWith('web/') ? join(root, path) : createRequire(import.meta.url).resolve(path), 'utf8'),
    ),
  );
  const style = shrink(texts.join('\n')).replace(/font:([\w.-]+)/g, (_, name: string) => fonts.get(name) ?? name);
  const name = `style-${hashOf(style)}.css`;
  await writeFile(join(folder, name), style);
  return name;
}

function hashOf(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, 10);
}

/** Comments and line ends go; no text between quotes of ours has either. */
function shrink(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;}/g, '}')
    .trim();
}
