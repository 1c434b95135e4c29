// What depends on a reader's language, on our pages, in mails and in the payment form alike: which language it is, its
// direction, how money is written, and where a line must not break.
import { CURRENCIES } from '../money.ts';

/** The languages of the hosted page. Its texts are in web/page/texts, the texts of the card fields in web/elements. */
export const PAGE_LANGUAGES = [
  ...(['en', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'pl'] as const),
  ...(['sv', 'da', 'fi', 'cs', 'el', 'ro', 'hu', 'ar'] as const),
] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language of a locale or of a browser's tag: fr_FR, fr-BE and fr;q=0.8 are fr, and fil-PH is fil, not Finnish. */
export function languageOfTag(tag: string): string {
  return (
    tag
      .trim()
      .toLowerCase()
      .split(/[^a-z]/)[0] ?? ''
  );
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/**
 * An amount as people of this language write it, with the digits that are on their cards and bills. `decimal`: major
 * units as decimal text, such as 42.5, read exactly; `currency`: a code of CURRENCIES; `language`: two letters.
 */
export function moneyText(decimal: string, currency: string, language: string): string {
  const decimals = CURRENCIES.get(currency) ?? 0;
  // our Portuguese is that of Portugal
  const locale = language === 'pt' ? 'pt-PT' : language;
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // Intl reads a decimal text exactly
  const parts = format.formatToParts(decimal as Intl.StringNumericLiteral);
  // from right to left, the $ of US$ would stand before US: isolated, a currency keeps its own order
  const isolated = ({ type, value }: Intl.NumberFormatPart) => (type === 'currency' ? `\u2068${value}\u2069` : value);
  return parts.map((part) => (directionOf(language) === 'rtl' ? isolated(part) : part.value)).join('');
}

/** A written text as it is shown: French has a space before these marks, at which no line may break. */
export function spaced(text: string, language: string): string {
  if (language !== 'fr') return text;
  return text.replaceAll(/ (?=[:»])|(?<=«) /g, '\u00a0').replaceAll(/ (?=[;!?%])/g, '\u202f');
}

/** What stands between a name and what is said of it. */
export const colonIn = (language: string): string => spaced(language === 'fr' ? ' :' : ':', language);
