// The texts of the back office in the person's language. Pages hold the English text, which is also the key; another
// language is a catalogue of these keys (web/backoffice/french), loaded when it is chosen. A new choice takes effect
// when the page is loaded again, so tables of a module may hold texts too (docs/decisions/0121).
import { spaced } from '../../../src/core/payer/language.ts';
import { type Catalogue, LANGUAGES, type Language } from './languages.ts';

export const KEPT = 'florin-language';
/** For English in a browser that asks for no English, the day comes before the month, as in most countries. */
const USUAL: Readonly<Record<Language, string>> = { en: 'en-GB', fr: 'fr-FR' };
/** Language tags alone: where the system names no locale, Chromium asks for `en-US@posix`, which Intl refuses. */
const wanted = (globalThis.navigator?.languages ?? []).map((tag) => /^[a-z\d-]*/i.exec(tag)?.[0] ?? '');

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);
const languageOf = (tag: string) => tag.split('-')[0] ?? '';

/** The language chosen in this browser, or the first one that the browser asks for and that exists here. */
export const LANGUAGE: Language =
  [globalThis.localStorage?.getItem(KEPT) ?? '', ...wanted].map(languageOf).find(isLanguage) ?? 'en';

/** The locale for dates and numbers: the browser's own form of the language. */
export const LOCALE = wanted.find((tag) => languageOf(tag) === LANGUAGE) ?? USUAL[LANGUAGE];

const catalogue: Record<string, Catalogue[string]> =
  LANGUAGE === 'fr' ? { ...(await import('../french/first.ts')).FIRST } : {};
let whole: Promise<unknown> | undefined;

/** Loads the texts of all further pages. Rejects if they cannot be loaded. */
export async function wholeLanguage(): Promise<void> {
  if (LANGUAGE === 'en') return;
  whole ??= import('../french/rest.ts').then(({ REST }) => Object.assign(catalogue, REST));
  await whole.catch((error: unknown) => {
    whole = undefined;
    throw error;
  });
}
const rules = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);

export type Names<Key> = Key extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
export type Values<Name extends string, Value> = [Name] extends [never] ? [] : [values: Readonly<Record<Name, Value>>];
type Word = string | number;

/**
 * A text by its English form. `Open [verb]` tells two meanings of one word apart; the part in brackets is not shown.
 */
export function t<Key extends string>(key: Key, ...[values]: Values<Names<Key>, Word>): string {
  return filled(formOf(key), values ?? {});
}

/** A text with one form for one and one form for several; `{count}` decides. */
export function plural<One extends string, Other extends string>(
  count: number,
  one: One,
  other: Other,
  ...[values]: Values<Exclude<Names<One | Other>, 'count'>, Word>
): string {
  const single = rules.select(count) === 'one';
  const form = LANGUAGE === 'en' ? (single ? one : other) : formOf(other, single);
  return filled(form, { ...values, count: numbers.format(count) });
}

/** A text from the server, or from one of its tables: translated if there is a translation. */
export const said = (text: string): string => formOf(text);

/** The text before its values are filled in, for base/rich.ts. */
export function formOf(key: string, single = false): string {
  const found = catalogue[key];
  if (found === undefined) return key.replace(/ \[[a-z ]+\]$/, '');
  return spaced(typeof found === 'string' ? found : found[single ? 0 : 1], LANGUAGE);
}

const filled = (text: string, values: Readonly<Record<string, Word>>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
