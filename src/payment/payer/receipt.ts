// The contents of a receipt: the same on screen, on paper and in a mail. Pure.
import { SCHEMES, type Scheme } from '../../core/card.ts';
import { toDecimal } from '../../core/money.ts';
import { type PageLanguage, moneyText } from '../../core/payer/language.ts';
import type { Letter } from '../../kit/mail/letter.ts';
import { atLeastNothing } from '../order-rules/amounts.ts';
import { chargedBack } from '../order-rules/blocked.ts';
import type { Standing } from '../order-rules/standing.ts';
import { fill, textsOf } from './texts.ts';

export type Paid = {
  readonly merchant: string;
  readonly amount_minor: bigint;
  /** Undefined: nothing went back. */
  readonly returned: Returned | undefined;
  readonly currency: string;
  /** The card, if the order has one; a receipt shows only its scheme and its last four digits. */
  readonly card: { readonly scheme: Scheme; readonly last4: string } | undefined;
  /** Undefined: there is no order. */
  readonly at: Date | undefined;
  readonly reference: string;
  /** The text on the card's statement. */
  readonly statement: string | undefined;
};

export type Returned = {
  /** In a mail that of one refund, on screen that of all of them; 0: there is none. */
  readonly refunded_minor: bigint;
  /** What the payer's bank has taken back, in disputes that are open or lost. */
  readonly charged_back_minor: bigint;
  /** The part of the payment that is left after both. */
  readonly left_minor: bigint;
};

export type ReceiptFact = {
  readonly name:
    | ('amount' | 'refunded' | 'charged_back' | 'refund_left' | 'payment_left')
    | ('payee' | 'card' | 'date' | 'reference' | 'statement');
  readonly label: string;
  readonly text: string;
};

/** The known facts, in the order in which they are shown. */
export function receiptFacts(paid: Paid, language: PageLanguage): readonly ReceiptFact[] {
  const texts = textsOf(language);
  const said: readonly (readonly [ReceiptFact['name'], string | undefined])[] = [
    ['amount', amountOf(paid, language)],
    ...wentBack(paid, language),
    ['payee', paid.merchant],
    ['card', paid.card && cardText(paid.card, language)],
    ['date', paid.at && dateText(paid.at, language)],
    ['reference', paid.reference],
    ['statement', paid.statement],
  ];
  return said.flatMap(([name, text]) => (text === undefined ? [] : [{ name, label: texts[name], text }]));
}

function wentBack(paid: Paid, language: PageLanguage): readonly (readonly [ReceiptFact['name'], string])[] {
  if (!paid.returned) return [];
  const { refunded_minor, charged_back_minor, left_minor } = paid.returned;
  const money = (minor: bigint) => moneyOf(minor, paid, language);
  return [
    ...(refunded_minor > 0n ? [['refunded', money(refunded_minor)] as const] : []),
    ...(charged_back_minor > 0n ? [['charged_back', money(charged_back_minor)] as const] : []),
    [charged_back_minor > 0n ? 'payment_left' : 'refund_left', money(left_minor)],
  ];
}

/**
 * What went back to the payer of an order of which `refunded_minor` are refunded in all; a receipt of one refund tells
 * of `told_minor` of it. Undefined: nothing.
 */
export function returnedOf(
  order: Pick<Standing, 'captured_minor' | 'disputes'>,
  refunded_minor: bigint,
  told_minor = refunded_minor,
): Returned | undefined {
  const charged_back_minor = chargedBack(order);
  if (refunded_minor <= 0n && charged_back_minor <= 0n) return undefined;
  const left_minor = atLeastNothing(order.captured_minor - refunded_minor - charged_back_minor);
  return { refunded_minor: told_minor, charged_back_minor, left_minor };
}

/** The receipt of a payment, or of a refund if there is one; `help_url`: where to ask the merchant; empty: nowhere. */
export function receiptLetter(paid: Paid, language: PageLanguage, help_url: string): Letter {
  const texts = textsOf(language);
  const { returned } = paid;
  // kept apart from the sentence, whichever direction either has (Unicode isolates)
  const merchant = `\u2068${paid.merchant}\u2069`;
  return {
    language,
    subject: fill(returned ? texts.refund_subject : texts.mail_subject, {
      amount: returned ? moneyOf(returned.refunded_minor, paid, language) : amountOf(paid, language),
      merchant: paid.merchant,
    }),
    paragraphs: [fill(returned ? texts.refund_said : texts.mail_thanks, { merchant })],
    facts: receiptFacts(paid, language).map(({ label, text }) => [label, text] as const),
    ...(help_url !== '' && { link: { text: texts.help, url: help_url } }),
    why: fill(texts.mail_why, { merchant }),
  };
}

/** The card that an order was paid with, as its transactions name it; undefined: none that a receipt can name. */
export function cardPaid(
  transactions: readonly { readonly id: string; readonly last4: string | null; readonly payment_method_name: string }[],
  winner_id: string | null,
): Paid['card'] {
  const paid = transactions.find(({ id }) => id === winner_id);
  if (!paid || paid.last4 === null || !isScheme(paid.payment_method_name)) return undefined;
  return { scheme: paid.payment_method_name, last4: paid.last4 };
}

function isScheme(name: string): name is Scheme {
  return Object.hasOwn(SCHEMES, name);
}

const amountOf = (paid: Paid, language: PageLanguage) => moneyOf(paid.amount_minor, paid, language);

const moneyOf = (minor: bigint, { currency }: Pick<Paid, 'currency'>, language: PageLanguage) =>
  moneyText(toDecimal(minor, currency), currency, language);

function cardText({ scheme, last4 }: NonNullable<Paid['card']>, language: PageLanguage): string {
  return fill(textsOf(language).card_of, { scheme: SCHEMES[scheme].display_name, last4: `\u2066${last4}\u2069` });
}

function dateText(at: Date, language: PageLanguage): string {
  const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
