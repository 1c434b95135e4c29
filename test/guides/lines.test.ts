// Every line on the guides is run: in the order of its page, against a sandbox of its own, and prints what the page
// shows.
import { describe, expect, test } from 'vitest';
import { world } from '../world.ts';
import { differences, isAs, playLines } from './lines.ts';
import { has } from './merchant.ts';
import { type Block, kindOf, pageNames, readPage } from './pages.ts';

const pages = pageNames()
  .map(readPage)
  .filter(({ blocks }) => blocks.some((block) => /^(?:lines|second terminal)$/.test(kindOf(block))));

const NEEDS = ['php', 'python3'] as const;

/** A program that the page's lines call and this machine has not: said in the name of the test that is left out. */
const missing = (blocks: readonly Block[]) =>
  NEEDS.find(
    (name) => blocks.some(({ lang, text }) => lang === 'sh' && new RegExp(`\\b${name} `).test(text)) && !has(name),
  );

describe.skipIf(!has('curl'))('the lines of a page (skipped without curl)', () => {
  for (const page of pages) {
    const without = missing(page.blocks);
    test.skipIf(without !== undefined)(
      `${page.name} runs from its first line to its last (skipped without the languages that it calls)`,
      async () => {
        await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
        const played = await playLines(page, w);
        expect([page.name, played.code, played.code === 0 ? '' : played.all]).toEqual([page.name, 0, '']);
        let [printed, second] = ['', ''];
        for (const block of page.blocks) {
          const kind = kindOf(block);
          if (kind === 'lines') printed = played.printed.get(block.line) ?? '';
          if (kind === 'second terminal') second = played.printed.get(block.line) ?? '';
          const at = `${page.name}:${block.line}`;
          if (kind === 'answer')
            expect([at, differences(JSON.parse(block.text), lastAnswer(printed))]).toEqual([at, []]);
          if (kind === 'prints') expect([at, notPrinted(block.text, printed)]).toEqual([at, []]);
          if (kind === 'second prints') expect([at, notPrinted(block.text, second)]).toEqual([at, []]);
        }
      },
    );
  }
});

function lastAnswer(printed: string): unknown {
  const line = printed.split('\n').findLast((one) => one.startsWith('{')) ?? 'null';
  return JSON.parse(line);
}

/** Lines of a page that were not printed in this order. */
function notPrinted(shown: string, printed: string): string[] {
  const left = printed.split('\n').map((line) => line.trimEnd());
  return shown
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const at = left.findIndex((real) => isAs(line, real));
      left.splice(0, at + 1);
      return at < 0 ? [`${line} (printed: ${printed})`] : [];
    });
}

test.each([
  ['a member that is another', { a: 1 }, { a: 2 }, ['.a: 2, not 1']],
  ['a member that is not there', { a: { b: 'x' } }, { a: {} }, ['.a.b: undefined, not "x"']],
  ['what changes is left out', { a: '66bf…' }, { a: '66bf18', c: 1 }, []],
  ['but not what stands before it', { a: '66bf…' }, { a: '77' }, ['.a: 77']],
])('an answer on a page: %s', (_, shown, real, found) => {
  expect(differences(shown, real)).toEqual(found);
});
