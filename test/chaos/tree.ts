// A copy of the product that a run works with: nobody's edits reach a run, and a mutant is this copy with something
// changed.
import { cpSync, mkdirSync, readFileSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { KILL_POINTS } from '../../src/core/kill-points.ts';
import { type Patch, apply } from './patch.ts';

export const ROOT = realpathSync(join(import.meta.dirname, '../..'));

export type Copying = { readonly folder: string; readonly from: string; readonly patches: readonly Patch[] };

/**
 * Copies what runs (src, bin, web, the packages by a link) and applies the patches. `from` empty: this
 * product.
 */
export function copyProduct({ folder, from, patches }: Copying): void {
  mkdirSync(folder, { recursive: true });
  for (const part of ['src', 'bin', 'web', 'package.json', 'tsconfig.json'])
    cpSync(join(from === '' ? ROOT : from, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  apply(folder, patches);
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
