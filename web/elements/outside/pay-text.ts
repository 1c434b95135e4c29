// What the pay button says: the amount in the payer's language, where the page has told it.
import { moneyText } from '../../../src/core/payer/language.ts';
import { CURRENCIES, readDecimal, toMinor } from '../../../src/core/money.ts';
import { type OutsideTexts, warn } from './build.ts';
import type { Config } from './config.ts';

/** "Pay €42.50"; "Pay" without an amount, or with one that cannot be read: a wrong amount must not be shown. */
export function payText(texts: OutsideTexts, language: string, { amount, currency }: Config): string {
  if (amount === '') return texts.pay;
  const read = readDecimal(amount, 'refused');
  const decimal = 'decimal' in read && CURRENCIES.has(currency) ? read.decimal : undefined;
  if (decimal === undefined || 'problem' in toMinor(decimal, currency)) {
    warn(`amount ${amount} ${currency} cannot be read: the pay button names none`);
    return texts.pay;
  }
  return texts.pay_amount.replace('{amount}', () => moneyText(decimal, currency, language));
}
