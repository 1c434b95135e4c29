// The texts that payers read, in each language of the hosted page and of the elements: what no reader of one language
// would notice.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PAGE_LANGUAGES } from '../../src/core/payer/language.ts';
import { textOf } from '../../src/kit/mail/letter.ts';
import { receiptLetter } from '../../src/payment/payer/receipt.ts';
import { languageFor, textsOf } from '../../src/payment/payer/texts.ts';
import { makeAssets } from '../../src/vault/elements/assets.ts';

/** Every text of a file below the path of its names. */
function textsIn(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  return new Map(Object.entries(value ?? {}).flatMap(([name, item]) => [...textsIn(item, `${path}.${name}`)]));
}

/** Each text's path with the {names} in it. */
const namesIn = (texts: ReadonlyMap<string, string>) =>
  [...texts].map(([path, text]) => [path, ...(text.match(/\{\w+\}/g) ?? []).toSorted()]);

/**
 * Words that speak to the payer in the form that the texts of a language do not use: familiar where they are polite,
 * and the other way about.
 */
const OTHER_FORM: Readonly<Record<string, string>> = {
  cs: 'ty|tě|tobě|tebe|tvůj|tvoje|tvou|tvé',
  de: 'du|dich|dir|dein|deine|deinen|deiner|deinem',
  el: 'εσύ|εσένα|σου|μπορείς',
  es: 'tú|tu|tus|te|ti|puedes',
  fi: 'te|teidän|teille|teitä',
  fr: 'tu|te|toi|ton|ta|tes|peux',
  hu: 'te|téged|neked|tied',
  it: String.raw`tu|te|ti|tuo|tua|tuoi|tue|puoi|ricevi|\p{L}+rai|non pagare|ricarica|attivalo|controlla|contatta|chiedi|inserisci|riprova o|paga con carta`,
  nl: 'je|jij|jou|jouw',
  pl: 'pan|pani|państwo|państwa|państwu',
  pt: 'tu|te|ti|teu|tua|teus|tuas|podes',
  ro: 'tu|tine|tău|ta|tale|poți',
  sv: 'ni|er|ert|era',
};

describe.each(['page', 'elements'])('the texts of the %s', (part) => {
  const folder = new URL(`../../web/${part}/texts/`, import.meta.url);
  const read = (language: string) => textsIn(JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')));
  const english = read('en');

  test('are one file for each language, and no other', () => {
    const files = readdirSync(folder).map((file) => file.replace('.json', ''));
    expect(files.toSorted()).toEqual(PAGE_LANGUAGES.toSorted());
  });

  test.each(PAGE_LANGUAGES)('are complete in %s, none empty, with the {names} of the English ones', (language) => {
    const texts = read(language);
    expect([...texts.keys()]).toEqual([...english.keys()]);
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
    expect(namesIn(texts)).toEqual(namesIn(english));
  });

  test.each(PAGE_LANGUAGES.filter((language) => language !== 'en'))('are not left in English in %s', (language) => {
    const same = [...read(language)].filter(([path, text]) => text === english.get(path)).map(([path]) => path);
    // MM / YY is so in other languages too, and so are single words such as Total, Date and Privacy
    const phrases = same.filter((path) => /\s/.test(english.get(path) ?? ''));
    expect(phrases.filter((path) => path !== '.inside.expiry_placeholder')).toEqual([]);
  });

  test.each(Object.entries(OTHER_FORM))('speak to the payer in one form in %s', (language, words) => {
    const other = new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'iu');
    expect([...read(language)].filter(([, text]) => other.test(text))).toEqual([]);
  });
});

test.each([
  ['fi_FI', undefined, 'fi'],
  ['CS-cz', undefined, 'cs'],
  ['zz', 'ja, el-GR;q=0.9', 'el'],
  ['zz', 'hu ;q=0.5', 'hu'],
  // Filipino and Kashubian begin like Finnish and Czech
  ['zz', 'fil-PH, csb;q=0.9, ro;q=0.8', 'ro'],
  ['fil', undefined, 'en'],
  [42, '*', 'en'],
])('locale %s with accept-language %s is %s', (locale, accepted, language) => {
  expect(languageFor(locale, accepted)).toBe(language);
});

/** The word for a clear answer, in some language. */
const CLEAR =
  /clear|eindeutig|claire|clara|chiara|duidelijk|klart|tydligt|selvää|jednoznaczn|jednoznačn|clar\.|egyértelmű|σαφή|واضح/;

test.each(PAGE_LANGUAGES)(
  'in doubt the payer is not told that the bank is silent, in %s: it may have contradicted itself',
  (language) => {
    expect(textsOf(language).doubt_more).toMatch(CLEAR);
  },
);

test('no line breaks before a mark that French sets a space before: on the page, in a mail and in the elements', () => {
  const bundles = { outside: '', inside: '' };
  const names = { brand: 'florin', environment: 'sandbox', vault_url: '' };
  const elements = makeAssets(bundles, names).texts.get('fr');
  const texts = [...textsIn(textsOf('fr')), ...textsIn(elements)];
  expect(texts.filter(([, text]) => / [:;!?%»]|« /.test(text))).toEqual([]);
  expect(textsOf('fr').mail_subject).toBe('Reçu\u00a0: {amount}, {merchant}');
  expect(textsOf('en').mail_subject).not.toMatch(/[\u00a0\u202f]/);
});

test('the plain text of a receipt sets its colons as its language does', () => {
  const paid = {
    merchant: 'Shop',
    amount_minor: 4250n,
    returned: undefined,
    currency: 'EUR',
    card: undefined,
    at: undefined,
  };
  const written = (language: 'fr' | 'de') =>
    textOf(
      receiptLetter({ ...paid, reference: 'cart-1', statement: undefined }, language, 'https://shop.example/help'),
    );
  expect(written('fr')).toContain('Montant\u00a0: 42,50\u00a0€\n');
  expect(written('fr')).toContain('Aide\u00a0:\nhttps://shop.example/help');
  expect(written('de')).toContain('Betrag: 42,50\u00a0€\n');
});
