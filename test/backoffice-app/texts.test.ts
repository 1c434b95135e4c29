// The back office is whole in each language it offers: no text of a page goes past the catalogue, none is missing
// there, none is left over, and each takes the values that its English takes.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILE_FIELDS, TEXT_FIELDS } from '../../src/core/dispute/evidence.ts';
import { FAMILY_WORDS } from '../../src/core/dispute/reasons.ts';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import { ENDINGS } from '../../src/core/retries/policy.ts';
import { FLAG_FACTS, WORD_FACTS } from '../../src/core/routing/facts.ts';
import { RESULTS } from '../../src/core/results.ts';
import { AUDIT_ACTIONS } from '../../src/backoffice/audit/audit.ts';
import { ROLES } from '../../src/backoffice/rights.ts';
import { EVENTS } from '../../src/payment/notification/events.ts';
import { sentence } from '../../web/backoffice/base/format.ts';
import type { Catalogue, LANGUAGES } from '../../web/backoffice/base/languages.ts';
import { CODES } from '../../web/backoffice/french/codes.ts';
import { FIRST } from '../../web/backoffice/french/first.ts';
import { REST } from '../../web/backoffice/french/rest.ts';
import { callsOf, treeOf, untranslated } from './untranslated.ts';

/** By the folder in which a text stands first. */
const FRENCH: Catalogue = { ...FIRST, ...REST };
const APP = join(import.meta.dirname, '../../web/backoffice');
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
    tell('It is done'); tellError(t('Known'), new Error('It is too large')); throw new Error('Nobody reads this'); api('GET /a b'); plural(n, '{count} a', '{count} bs');`;
  expect(untranslated(treeOf('a.tsx', page)).map(({ text }) => text.trim())).toEqual([
    'Opened twice',
    '{} left',
    'of',
    'any',
    'Some words',
    'on',
    'It is done',
    'It is too large',
  ]);
});

test('no text of a page goes past the catalogue', () => {
  const past = files.flatMap(({ name, text, tree }) =>
    untranslated(tree).map((found) => {
      const line = text.slice(0, found.node.start).split('\n').length;
      return `${name}:${line} is not inside of t(…): ${found.text.trim()}`;
    }),
  );
  expect(past).toEqual([]);
});

test('the arguments of t, plural and rich are written as texts, so that they can be looked up', () => {
  expect(calls.filter(({ keys }) => keys.includes('?')).map(({ name, by }) => `${name}: ${by}`)).toEqual([]);
});

/** Lengths that a person chooses among, and what Florin does not decide. */
const OF_NO_LIMIT = [
  /^\d+ (?:hours?|days?|minutes)$/,
  /^Overview of 30 days$/,
  /Banks take 45 to 70 days\.$/,
  /last (?:24 hours|30 days)/,
];

test('a limit of the server stands in no text: its number is a value, taken from where the limit is kept', () => {
  const limit = /\d+ (?:to \d+ )?(?:characters|letters|minutes|hours|days|seconds|tries|[KM]i?B)\b/;
  expect(
    ['Up to 5 MB each', 'Within 30 days', 'As of 2 to 30 minutes'].filter((text) => limit.test(text)),
  ).toHaveLength(3);
  const written = calls.flatMap(keysOf).filter((key) => limit.test(key));
  expect(written.filter((key) => !OF_NO_LIMIT.some((known) => known.test(key)))).toEqual([]);
});

test('both forms of a plural take the same values', () => {
  const plurals = calls.filter(({ by }) => by === 'plural').map(({ keys }) => keys);
  const unlike = plurals.filter(([one = '', other = '']) => {
    const missing = namesIn(one).filter((name) => !namesIn(other).includes(name));
    return missing.length > 0 || !namesIn(other).includes('{count}');
  });
  expect(unlike).toEqual([]);
});

test('numbers, dates and names follow the chosen language, not the browser', () => {
  const loose = files.filter(({ text }) =>
    /new Intl\.\w+\((?:\)|undefined)|\.toLocale(?:Date|Time)?String\(/.test(text),
  );
  expect(loose.map(({ name }) => name)).toEqual([]);
});

test('a text has one translation: no two files have the same key', async () => {
  const folder = join(APP, 'french');
  const names = readdirSync(folder).filter((name) => !['first.ts', 'rest.ts'].includes(name));
  const modules: readonly Readonly<Record<string, Catalogue>>[] = await Promise.all(
    names.map((name) => import(join(folder, name))),
  );
  const keys = modules.flatMap((one) => Object.values(one)).flatMap((one) => Object.keys(one));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  expect(keys.toSorted()).toEqual(Object.keys(FRENCH).toSorted());
});

test('the texts of the sign-in and the overview are loaded with them', () => {
  const shown = new Set<string>();
  const follow = (name: string): void => {
    const file = files.find((one) => one.name === name);
    if (!file || shown.has(name)) return;
    shown.add(name);
    const imported = [...file.text.matchAll(/^(?:import|export) (?!type)[^;]*? from '(\.[^']+)'/gm)];
    for (const [, path = ''] of imported) follow(join(dirname(name), path));
  };
  follow('start.tsx');
  follow('pages/overview/overview.tsx');
  // a walk that finds nothing would prove nothing
  expect(shown.size).toBeGreaterThan(30);
  const missing = calls.filter(({ name }) => shown.has(name)).flatMap(keysOf);
  expect([...new Set(missing.filter((key) => key in FRENCH && !(key in FIRST)))]).toEqual([]);
});

/** What the server says in words of its own, out of its tables. */
const SAID = [
  ...RESULTS.map(({ description }) => description),
  ...Object.values(FAMILY_WORDS).flatMap(({ title, claim, wins }) => [title, claim, wins]),
  ...[...Object.values(TEXT_FIELDS), ...Object.values(FILE_FIELDS)].flatMap(({ label, help }) => [label, help]),
  ...Object.values(ENDINGS),
  ...[...Object.entries(SCOPES).flat(), ...EVENTS, ...AUDIT_ACTIONS].map(sentence),
  ...[...Object.keys(WORD_FACTS), ...FLAG_FACTS].map(sentence),
  ...ROLES.filter((role) => role !== 'reader').map(sentence),
].filter((text) => text !== '');

const CATALOGUES = { fr: FRENCH } satisfies Record<Exclude<keyof typeof LANGUAGES, 'en'>, Catalogue>;

describe.each(Object.entries(CATALOGUES))('in %s', (_, catalogue) => {
  const english = new Map(calls.flatMap((call) => keysOf(call).map((key) => [key, call])));

  test('every text has a translation', () => {
    const missing = [...english].filter(([key]) => !Object.hasOwn(catalogue, key));
    expect(missing.map(([key, { name }]) => `${name}: ${key}`)).toEqual([]);
  });

  test('what the server says out of a table has a translation, too', () => {
    expect(SAID.filter((text) => !Object.hasOwn(catalogue, text))).toEqual([]);
  });

  test('no translation is left over', () => {
    const known = new Set([...english.keys(), ...SAID, ...Object.keys(CODES)]);
    expect(Object.keys(catalogue).filter((key) => !known.has(key))).toEqual([]);
  });

  test('one and several are told apart where English does, and nowhere else', () => {
    const unlike = Object.entries(catalogue).filter(
      ([key, text]) => (typeof text !== 'string') !== (english.get(key)?.by === 'plural'),
    );
    expect(unlike).toEqual([]);
  });

  test('a translation takes the values that the English text takes; one alone may leave its number out', () => {
    const like = (form: string, key: string) => namesIn(form).join() === namesIn(key).join();
    const unlike = Object.entries(catalogue).filter(([key, text]) => {
      if (typeof text === 'string') return !like(text, key);
      const [one, other] = text;
      return !like(other, key) || (!like(one, key) && !like(`${one} {count}`, key));
    });
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
