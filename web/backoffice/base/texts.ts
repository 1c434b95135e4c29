// The words of the back office in the person's language. English stands in the pages and is the key; another language
// is a catalogue of these keys (web/backoffice/french), loaded where it is chosen. A language holds until the page is
// loaded anew, so that words may also stand in tables of a module (docs/decisions/0121).
import { type Catalogue, LANGUAGES, type Language } from './languages.ts';

export const KEPT = 'florin-language';
/** Of English in a browser that knows none: a day before its month, as everywhere but in one country. */
const USUAL: Readonly<Record<Language, string>> = { en: 'en-GB', fr: 'fr-FR' };
const wanted: readonly string[] = globalThis.navigator?.languages ?? [];

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);
const languageOf = (tag: string) => tag.split('-')[0] ?? '';

/** What was chosen here, or the first that the browser asks for and that there is. */
export const LANGUAGE: Language =
  [globalThis.localStorage?.getItem(KEPT) ?? '', ...wanted].map(languageOf).find(isLanguage) ?? 'en';

/** For dates and numbers: as the browser writes that language. */
export const LOCALE = wanted.find((tag) => languageOf(tag) === LANGUAGE) ?? USUAL[LANGUAGE];

const catalogue: Record<string, Catalogue[string]> =
  LANGUAGE === 'fr' ? { ...(await import('../french/first.ts')).FIRST } : {};
let whole: Promise<unknown> | undefined;

/** Before a page other than the first is loaded: its words, too. Rejects where they are out of reach. */
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
 * A text whose English is the key. `Open [verb]` tells two meanings of one word apart: what is in brackets is not
 * shown.
 */
export function t<Key extends string>(key: Key, ...[values]: Values<Names<Key>, Word>): string {
  return filled(formOf(key), values ?? {});
}

/** A text in which `{count}` decides between one and several. */
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

/** A text that came from the server, or from one of its tables: translated where it is known, else as it came. */
export const said = (text: string): string => formOf(text);

/** For base/rich.ts: the text before its values are in it. */
export function formOf(key: string, single = false): string {
  const found = catalogue[key];
  if (found === undefined) return key.replace(/ \[[a-z ]+\]$/, '');
  return spaced(typeof found === 'string' ? found : found[single ? 0 : 1]);
}

/** French wants a space before these marks, at which no line may break. */
const spaced = (text: string) => text.replaceAll(/ (?=[:»])|(?<=«) /g, '\u00a0').replaceAll(/ (?=[;!?%])/g, '\u202f');

const filled = (text: string, values: Readonly<Record<string, Word>>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
