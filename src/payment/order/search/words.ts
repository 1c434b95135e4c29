// How a person is looked for: the words of a text, compared without capitals and marks, each as the beginning of a
// word.
import { isId } from '../../../core/ids.ts';

/** Letters that no decomposition takes apart, and capitals outside ASCII, each with what stands for it below. */
const LETTERS = 'ØŁĐÐÞŊŦĦÆŒẞøłđðþŋŧħıςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ';
const BECOME = 'olddtnthæœßolddtnthiσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ';
const IN_SMALL = new Map([...LETTERS].map((letter, n) => [letter, [...BECOME][n] ?? letter]));
const SPELLED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe' };

/**
 * The characters between words: the spaces, signs and punctuation of ASCII, Latin-1, and those common to many scripts.
 */
const BETWEEN = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/;

/** The spaces among these, as the folding leaves them. */
const SPACES = /[\u0001-\u0020]+/;

/** The length at which payment.search_words_of cuts words. */
const LONGEST = 100;
/** More words are no name. */
const MOST_WORDS = 10;

/** A text without marks and in small letters, as payment.search_fold has it: "Noémie" and "NOEMIE" are one. */
function foldText(value: string): string {
  return value
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll(/[\u0080-\uffff]/g, (letter) => IN_SMALL.get(letter) ?? letter)
    .replaceAll(/[ßæœ]/g, (letter) => SPELLED[letter] ?? letter);
}

/**
 * The words of a text, without capitals and marks. What has an @ is the beginning of an e-mail address, and stays
 * whole.
 */
export function wordsOf(value: string): readonly string[] {
  const parts = foldText(value).split(SPACES);
  const words = parts.flatMap((part) => (part.includes('@') ? [part] : part.split(BETWEEN)));
  const cut = words.map((word) => [...word].slice(0, LONGEST).join(''));
  return [...new Set(cut)].filter((word) => word !== '');
}

/**
 * The beginnings of a person's words that a search text names; none: the text is an id or a number, or too short for a
 * name.
 */
export function beginningsOf(text: string): readonly string[] {
  if (isId(text.trim().toLowerCase())) return [];
  const words = wordsOf(text);
  const tells = words.some((word) => word.length > 1 && /[^0-9]/.test(word));
  return tells && words.length <= MOST_WORDS ? words : [];
}

/** All words with this beginning stand at or above it, and below this. */
export function endOf(beginning: string): string {
  return `${beginning}\u{10ffff}`;
}
