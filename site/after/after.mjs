// What is done with the pages once Astro and its search have made them, as an integration of Astro.
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packCode } from './code.mjs';
import { findDeadLinks } from './links.mjs';
import { writeMarkdown } from './markdown.mjs';
import { Pack, shortNames } from './pack.mjs';
import { Strict } from './strict.mjs';
import { withTabs } from './tabs.mjs';

/** Of the search only what our pages ask for is kept: no other faces of it, no second WebAssembly. */
const UNUSED = /^pagefind\/(?:pagefind-(?:component-ui|modular-ui|ui|highlight)\.(?:css|js)|wasm\.unknown\.pagefind)$/;
/** Look and script of code, which ./code.mjs leaves nothing for. */
const UNASKED = /^assets\/ec\..*\.(?:css|js)$/;

export function after() {
  return {
    name: 'florin-after',
    hooks: { 'astro:build:done': ({ dir }) => finish(fileURLToPath(dir)) },
  };
}

export async function finish(folder) {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  for (const name of names.filter((file) => UNUSED.test(file) || UNASKED.test(file))) await rm(join(folder, name));
  const kept = names.filter((name) => !UNASKED.test(name));
  const pages = await readAll(folder, kept, /\.html$/);
  for (const [name, html] of pages) pages.set(name, withTabs(html));
  await writeMarkdown(folder, pages);

  const [strict, pack] = [new Strict(), new Pack()];
  for (const [name, html] of pages) pages.set(name, strict.page(pack.page(packCode(reachable(html)))));
  for (const [name, html] of pages) pages.set(name, pack.named(strict.named(html)));
  const texts = shortNames(
    new Map([...pages, ...(await readAll(folder, kept, /^assets\/.*\.(?:css|js)$/)), ...strict.files()]),
  );
  for (const [name, text] of texts) await writeFile(join(folder, name), text);
  await writeFile(join(folder, pack.sheetName()), pack.sheet());

  const dead = findDeadLinks(pages, new Set(await readdir(folder, { recursive: true })));
  if (dead.length > 0) throw new Error(`${dead.length} links lead nowhere:\n${dead.join('\n')}`);
}

async function readAll(folder, names, pattern) {
  const wanted = names.filter((name) => pattern.test(name));
  const texts = await Promise.all(wanted.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
  return new Map(texts);
}

/** A wide table scrolls sideways: the keyboard must get to it. A head without words is none. */
function reachable(html) {
  return html.replaceAll('<table>', '<table tabindex="0">').replace(/<th>\s*<\/th>/g, '<td></td>');
}
