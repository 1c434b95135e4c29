// A copy of the product that a run works with: nobody's edits reach a run, and a mutant is this copy with a few lines replaced.
import { cpSync, mkdirSync, readFileSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KILL_POINTS } from '../../src/core/kill-points.ts';

const ROOT = realpathSync(join(import.meta.dirname, '../..'));

/** One replacement in one file. The text must stand there exactly once, or the mutant is of another version. */
export type Patch = { readonly file: string; readonly find: string; readonly put: string };

export type Copying = { readonly folder: string; readonly from: string; readonly patches: readonly Patch[] };

/** Copies what runs (src, bin, package.json, the packages by a link) and applies the patches. `from` empty: this product. */
export function copyProduct({ folder, from, patches }: Copying): void {
  mkdirSync(folder, { recursive: true });
  for (const part of ['src', 'bin', 'web', 'package.json'])
    cpSync(join(from === '' ? ROOT : from, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const patch of patches) apply(folder, patch);
}

/** The kill points that the product comes by, of those that it knows. */
export function wiredPoints(product: string): readonly string[] {
  const src = join(product === '' ? ROOT : product, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const text = files
    .filter((file) => file !== join('core', 'kill-points.ts'))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .join('\n');
  return KILL_POINTS.filter((point) => text.includes(`'${point}'`));
}

function apply(folder: string, { file, find, put }: Patch): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const count = timesIn(text, find);
  if (count !== 1)
    throw new Error(`a mutant no longer fits: in ${file} this stands ${count} times, not once:\n${find}`);
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
}

const timesIn = (text: string, find: string): number => text.split(find).length - 1;

/** How often what a patch replaces stands in this product: once, if it fits. */
export function timesFound({ file, find }: Patch): number {
  return timesIn(readFileSync(join(ROOT, file), 'utf8'), find);
}
