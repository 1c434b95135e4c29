// The facts with which every page of a payer is shown, and the texts that several pages share: who is paid, how much,
// and addresses of the page itself.
import { type PageLanguage, moneyText } from '../../../core/payer/language.ts';
import { toDecimal } from '../../../core/money.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { heldMinor } from '../../order-rules/amounts.ts';
import { chargedBack } from '../../order-rules/blocked.ts';
import type { OrderFacts } from '../../order/facts/order-facts.ts';
import type { Page } from '../load.ts';

/** The subject of every page: who is paid, and how much; and the order, once there is one. */
export type Subject = {
  readonly handle: string;
  readonly account: Pick<Page['account'], 'name' | 'settings'>;
  readonly checkout: Pick<Page['checkout'], 'amount_minor' | 'currency' | 'body'>;
  readonly order?: OrderFacts | undefined;
  /** The payer is still to say how much: there is no amount to show. */
  readonly amount_open?: boolean;
};

export type Shown<P extends Subject = Page> = {
  readonly page: P;
  readonly language: PageLanguage;
  /** Chosen on the page itself: the addresses of the page carry it. */
  readonly chosen: PageLanguage | undefined;
  /** The languages that the payer may choose from. */
  readonly languages: readonly PageLanguage[];
  readonly brand: string;
  readonly sandbox: boolean;
};

export function merchantOf({ account }: Subject): string {
  return account.settings.page_name || account.name;
}

/** The merchant's name inside a sentence: Unicode isolates keep it apart, whichever direction either has. */
export function merchantWord(page: Subject): string {
  return `\u2068${merchantOf(page)}\u2069`;
}

/**
 * What is to be paid; of an order that holds money what the payer paid, or still may: without what was released, and
 * beside a refund, or what the bank took back, what was captured, so that it adds up.
 */
export function amountOf({ checkout, order }: Subject): bigint {
  const taken =
    order && (order.refunded_minor > 0n || chargedBack(order) > 0n ? order.captured_minor : heldMinor(order));
  return taken === undefined || taken <= 0n ? checkout.amount_minor : taken;
}

export function amountText({ page, language }: Pick<Shown<Subject>, 'page' | 'language'>): string {
  return minorText(amountOf(page), page.checkout.currency, language);
}

/** Characters of a large sum that a phone has room for in one line, and of one in smaller letters. */
const LARGE = { fits: 11, fits_smaller: 17 } as const;

/**
 * The large sum of a page. A number that goes on in the next line reads as another one, so a long one has smaller
 * letters.
 */
export function sumLine(shown: Pick<Shown<Subject>, 'page' | 'language'>): string {
  const text = amountText(shown);
  // without the marks of direction, which take no room
  const { length } = text.replace(/\p{Cf}/gu, '');
  const size = length <= LARGE.fits ? '' : length <= LARGE.fits_smaller ? ' long' : ' longest';
  return `<p class="sum${size}">${escapeHtml(text)}</p>`;
}

export function minorText(minor: bigint, currency: string, language: PageLanguage): string {
  return moneyText(toDecimal(minor, currency), currency, language);
}

/**
 * An address of this page, or of `suffix` below it, with what is to be said there; the language that was chosen is
 * kept.
 */
export function hereOf({ page, chosen }: Shown<Subject>, suffix = '', ...words: readonly string[]): string {
  return withWords(`/pay/${page.handle}${suffix}`, [...words, ...languageWord(chosen)]);
}

function languageWord(chosen: PageLanguage | undefined): readonly string[] {
  return chosen === undefined ? [] : [`lang=${chosen}`];
}

export function withWords(path: string, words: readonly string[]): string {
  if (words.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${words.join('&')}`;
}
