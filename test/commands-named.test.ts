// The commands that the pages for operators and shops name are there, and take the words and options named.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from './start/root.ts';

const GUIDES = 'site/src/content/docs/guides';
const PAGES = [
  'README.md',
  'docs/operations.md',
  'docs/going-live.md',
  'docs/hardening.md',
  ...readdirSync(join(ROOT, GUIDES)).map((name) => `${GUIDES}/${name}`),
];

async function saidBy(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'bin/florin.mjs'), ...words]);
  return stdout;
}

/** These words are also nouns of the trade, so they name a command only behind `florin`. */
const NOUNS = new Set([
  'account',
  'cards',
  'clock',
  'order',
  'payment',
  'routing',
  'simulator',
  'vault',
  'version',
  'worker',
]);

/** What the pages name, with the place of each: `florin COMMAND …` anywhere, `COMMAND …` alone where it is code. */
function named(commands: ReadonlySet<string>): readonly (readonly [place: string, words: readonly string[]])[] {
  return PAGES.flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const [said = ''] = line.split(/\s# /);
        const code = [...said.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
        const behind = [...said.matchAll(/\bflorin(?:\.mjs)? ([a-z][^`|;#)]*)/g)].map(([, text = '']) => text);
        const alone = code.filter((text) => !NOUNS.has(text.split(' ', 1)[0] ?? ''));
        return [...alone, ...behind]
          .map((text) => text.trim().split(/\s+/))
          .filter(([command = '']) => commands.has(command))
          .map((words) => [`${page}:${at + 1}`, words] as const);
      }),
  );
}

test('every command that a page names exists, with its words and options', async () => {
  const commands = new Set(
    [...(await saidBy('help')).matchAll(/^ {2}([a-z][a-z-]*) {2}/gm)].map(([, name = '']) => name),
  );
  const found = named(commands);
  expect(found.length).toBeGreaterThan(50);
  const helps = new Map<string, string>();
  for (const command of new Set(found.map(([, [first = '']]) => first)))
    helps.set(command, await saidBy(command, '--help'));
  const wrong = found.filter(([, [command = '', second = '', ...more]]) => {
    const [, usage = ''] = (helps.get(command) ?? '').split(/^Usage:\s+/m);
    const takes_any = new RegExp(`^florin ${command} \\[?[A-Z]`).test(usage);
    const words = [second, ...more].filter(
      (word, i) => /^--[a-z]/.test(word) || (i === 0 && !takes_any && /^[a-z][a-z-]+$/.test(word)),
    );
    return words.some((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage));
  });
  expect(wrong.map(([place, words]) => `${place} ${words.join(' ')}`)).toEqual([]);
}, 300_000);
