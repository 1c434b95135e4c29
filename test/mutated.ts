// A product that is broken on purpose, with the tests beside it: what must see it is run there.
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Patch } from './chaos/patch.ts';
import { ROOT, copyProduct } from './chaos/tree.ts';

export function copyWithTests(folder: string, patches: readonly Patch[]): void {
  copyProduct({ folder, from: '', patches });
  // every answer is held to the description of the API
  for (const part of ['test', 'docs/openapi.json', 'vitest.config.ts', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
}

export type Ran = { readonly code: number | null; readonly said: string };

/** Vitest with these words, as if nothing ran around it. */
export async function runVitest(product: string, words: readonly string[]): Promise<Ran> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|FLORIN_)/.test(name)));
  const child = spawn(process.execPath, ['bin/florin.mjs', 'tool', 'vitest', 'run', ...words, '--no-color'], {
    cwd: product,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

/** What a test's name is looked for by, sign by sign. */
export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
