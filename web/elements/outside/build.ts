// The values that the vault writes in front of the script when it serves it: names and addresses of this deployment
// (contract 1.1, 1.2).
import { languageOfTag } from '../../../src/core/payer/language.ts';

/** Texts outside the frame, in one language. */
export type OutsideTexts = {
  readonly pay: string;
  /** The text contains {amount}. */
  readonly pay_amount: string;
  readonly done: string;
  readonly save: string;
  readonly save_more: string;
  readonly saved_cards: string;
  /** The text contains {scheme}, {last4} and {expiry}. */
  readonly saved_card: string;
  readonly another_card: string;
  readonly frame_title: string;
  readonly unavailable: string;
  readonly try_again: string;
  readonly no_methods: string;
  readonly reasons: Readonly<Record<string, string>>;
  /** Said behind one of a request that never left, where no token before may have been paid with. */
  readonly nothing_paid: string;
  /** Errors of the old generation, whose inputs are not in a frame. */
  readonly card_errors: Readonly<Record<string, string>>;
};

export type Build = {
  readonly brand: string;
  readonly vault_url: string;
  readonly environment: string;
  readonly schemes: Readonly<Record<string, { readonly name: string; readonly stem: string; readonly mark: string }>>;
  readonly texts: Readonly<Record<string, OutsideTexts>>;
  /** The style sheet of the form's shadow tree. */
  readonly style: string;
};

declare const FLORIN_BUILD: Build;

export const BUILD: Build = FLORIN_BUILD;

/** A name for the DOM with this brand's prefix: an id, class, event or variable (contract 1.2). */
export function named(name: string): string {
  return `${BUILD.brand}-${name}`;
}

/** The brand's name for people and for the global: Florin. */
export const BRAND = BUILD.brand.charAt(0).toUpperCase() + BUILD.brand.slice(1);

/** The language for a locale such as fr_FR or fr-BE: fr; for an unknown one: en. */
export function languageOf(locale: unknown): string {
  const language = typeof locale === 'string' ? languageOfTag(locale) : '';
  return Object.hasOwn(BUILD.texts, language) ? language : 'en';
}

export function textsOf(language: string): OutsideTexts {
  const texts = BUILD.texts[language] ?? BUILD.texts['en'];
  if (!texts) throw new Error('the build has no English texts');
  return texts;
}

export function warn(...said: unknown[]): void {
  console.warn(`${BRAND}:`, ...said);
}

export function complain(...said: unknown[]): void {
  console.error(`${BRAND}:`, ...said);
}
