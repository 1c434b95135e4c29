// The back office is whole in each language it offers: no text of a page goes past the catalogue, none is missing there, none is
// left over, and each takes the values that its English takes.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Catalogue, LANGUAGES } from '../../web/backoffice/base/languages.ts';
import { FRENCH } from '../../web/backoffice/french/french.ts';
import { callsOf, treeOf, untranslated } from './untranslated.ts';

const APP = join(import.meta.dirname, '../../web/backoffice');
/** Folders whose pages are not translated yet. */
const WAITING = /^pages\/(?!door|overview)/;

const files = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('french/'))
  .map((name) => {
    const text = readFileSync(join(APP, name), 'utf8');
    return { name, text, tree: treeOf(name, text) };
  });
const calls = files.flatMap(({ name, tree }) => callsOf(tree).map((call) => ({ name, ...call })));
const keysOf = ({ by, keys }: (typeof calls)[number]) => (by === 'plural' ? keys.slice(1) : keys);
const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();

test('a text of a page that nothing translates is found wherever it stands', () => {
  const page = `
    import { a } from 'A b';
    const WORDS = { open: ['good', 'Opened twice'], 'Not read': x['Not read'] };
    const told = (n: 'No text') => (n === 'No text' ? t('Known') : \`\${n} left\`);
    <A className="not read" to="/x" label="of" title={c ? 'any' : t('x {y}', { y })}>
      Some words <b>{d ? 'on' : e}</b> {t('known')} ·
    </A>;
    tell('It is done'); throw new Error('Nobody reads this'); api('GET /a b'); plural(n, '{count} a', '{count} bs');`;
  expect(untranslated(treeOf('a.tsx', page)).map(({ text }) => text.trim())).toEqual([
    'Opened twice',
    '{} left',
    'of',
    'any',
    'Some words',
    'on',
    'It is done',
  ]);
});

test('no text of a page goes past the catalogue', () => {
  const past = files
    .filter(({ name }) => !WAITING.test(name))
    .flatMap(({ name, text, tree }) =>
      untranslated(tree).map((found) => {
        const line = text.slice(0, found.node.start).split('\n').length;
        return `${name}:${line} is not inside of t(…): ${found.text.trim()}`;
      }),
    );
  expect(past).toEqual([]);
});

test('what is given to t, plural and rich stands there as a text, so that it can be looked up', () => {
  expect(calls.filter(({ keys }) => keys.includes('?')).map(({ name, by }) => `${name}: ${by}`)).toEqual([]);
});

test('both forms of a plural take the same values', () => {
  const plurals = calls.filter(({ by }) => by === 'plural').map(({ keys }) => keys);
  const unlike = plurals.filter(([one = '', other = '']) => {
    const missing = namesIn(one).filter((name) => !namesIn(other).includes(name));
    return missing.length > 0 || !namesIn(other).includes('{count}');
  });
  expect(unlike).toEqual([]);
});

const CATALOGUES = { fr: FRENCH } satisfies Record<Exclude<keyof typeof LANGUAGES, 'en'>, Catalogue>;

describe.each(Object.entries(CATALOGUES))('in %s', (_, catalogue) => {
  const english = new Map(calls.flatMap((call) => keysOf(call).map((key) => [key, call])));

  test('every text has a translation', () => {
    const missing = [...english].filter(([key]) => !Object.hasOwn(catalogue, key));
    expect(missing.map(([key, { name }]) => `${name}: ${key}`)).toEqual([]);
  });

  test('no translation is left over', () => {
    expect(Object.keys(catalogue).filter((key) => !english.has(key))).toEqual([]);
  });

  test('one and several are told apart where English does, and nowhere else', () => {
    const unlike = Object.entries(catalogue).filter(
      ([key, text]) => (typeof text !== 'string') !== (english.get(key)?.by === 'plural'),
    );
    expect(unlike).toEqual([]);
  });

  test('a translation takes the values that the English text takes', () => {
    const unlike = Object.entries(catalogue).filter(([key, text]) =>
      [text].flat().some((form) => namesIn(form).join() !== namesIn(key).join()),
    );
    expect(unlike).toEqual([]);
  });

  test('none is empty, or begins and ends otherwise than its English text', () => {
    const edges = (text: string) => [/^[\s:]/.test(text), /\s$/.test(text), text === ''].join();
    const unlike = Object.entries(catalogue).filter(([key, text]) =>
      [text].flat().some((form) => edges(form) !== edges(key)),
    );
    expect(unlike).toEqual([]);
  });
});
