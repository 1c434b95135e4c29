// The words of the hosted page in each of PAGE_LANGUAGES; which one: the checkout's locale, else what the browser asks
// for, of those that the account offers.
import { readFileSync } from 'node:fs';
import { PAGE_LANGUAGES, type PageLanguage, languageOfTag, spaced } from '../../core/payer/language.ts';

const FOLDER = new URL('../../../web/page/texts/', import.meta.url);

export type Texts = Readonly<Record<TextName, string>>;
export type TextName = (typeof NAMES)[number];

const NAMES = [
  ...(['title', 'pay', 'paying', 'cancel', 'amount', 'reference', 'delivery', 'tax', 'sandbox', 'no_script'] as const),
  ...(['not_loaded', 'declined', 'attempts', 'card_again', 'paid', 'paid_more', 'refused', 'refused_more'] as const),
  ...(['left', 'left_more', 'expired', 'expired_more', 'waiting', 'waiting_more', 'look_again', 'bank'] as const),
  ...(['bank_more', 'bank_go', 'unknown', 'unknown_more', 'failed', 'failed_more', 'try_again', 'note'] as const),
  ...(['go_on', 'range', 'shut', 'shut_more', 'busy', 'busy_more'] as const),
  ...(['held', 'held_more', 'taken_more', 'unable', 'unable_more', 'on', 'on_more', 'on_go'] as const),
  ...(['pay_to', 'paid_to', 'payee'] as const),
  ...(['details', 'subtotal', 'discount', 'tax_added', 'total', 'language', 'change_language'] as const),
  ...(['declined_more', 'no_funds', 'card_expired', 'wrong_details', 'bank_undone', 'time_left', 'no_line'] as const),
  ...(['bank_leave', 'bank_safe', 'step_card', 'step_bank', 'step_done', 'doubt', 'doubt_more', 'bank_time'] as const),
  ...(['card', 'card_of', 'date', 'statement', 'print', 'back_to', 'secured', 'terms', 'privacy', 'help'] as const),
  ...(['accept', 'mail_subject', 'mail_thanks', 'mail_why', 'wallet_pay', 'wallet_or', 'wallet_failed'] as const),
  ...(['refunded', 'refund_left', 'charged_back', 'payment_left', 'refund_subject', 'refund_said'] as const),
] as const;

/** Reads one language; a text that is missing or left over is an error of the build. */
function readTexts(language: PageLanguage): Texts {
  const read: Record<string, unknown> = JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8'));
  const names = Object.keys(read);
  if (names.toSorted().join() !== [...NAMES].toSorted().join())
    throw new Error(`the texts of ${language} are not complete`);
  return Object.fromEntries(names.map((name) => [name, spaced(String(read[name]), language)])) as Texts;
}

const TEXTS = new Map<PageLanguage, Texts>();

export function textsOf(language: PageLanguage): Texts {
  const texts = TEXTS.get(language) ?? readTexts(language);
  TEXTS.set(language, texts);
  return texts;
}

/** A text with its {names} filled in. */
export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
}

/**
 * A locale of the checkout that is offered, else the first language of the browser that is, else the first of those
 * offered. An empty list offers all, and English first.
 */
export function languageFor(
  locale: unknown,
  accept_language: string | undefined,
  offered: readonly PageLanguage[] = [],
): PageLanguage {
  const spoken = offered.length === 0 ? PAGE_LANGUAGES : offered;
  const wanted = [typeof locale === 'string' ? locale : '', ...(accept_language ?? '').split(',')];
  for (const text of wanted) {
    const language = languageOfTag(text);
    const known = spoken.find((name) => name === language);
    if (known) return known;
  }
  return spoken[0] ?? 'en';
}
