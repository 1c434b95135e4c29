// What the built pages are made from, as one hash. It is kept beside them, so that a test sees without a build that they are stale.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SITE = fileURLToPath(new URL('../', import.meta.url));
export const BUILT = fileURLToPath(new URL('../../web/site-built/', import.meta.url));
/** The file of the hash, in the folder of the built pages. */
export const FINGERPRINT = 'made-from.txt';

/** Of site/: what is made by an installation or a build, and what makes the content, which is in the hash itself. */
const LEFT_OUT = /^(?:node_modules|\.astro|\.made|\.out|make)(?:\/|$)/;

/** `content`: what the pages are made of that is not written in site/. */
export function fingerprint(content: ReadonlyMap<string, string>): string {
  const own = filesBelow(SITE).filter((name) => !LEFT_OUT.test(name));
  const parts = [
    ...own.map((name) => `${name}\n${sha256(readFileSync(join(SITE, name)))}`),
    ...[...content].map(([name, text]) => `.made/${name}\n${sha256(text)}`),
  ];
  return sha256(parts.toSorted().join('\n'));
}

/** Paths with slashes, from the folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const top = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return top.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [entry.name];
    return filesBelow(path).map((name) => `${entry.name}/${name}`);
  });
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
