// The text of the pay button: with the amount in the payer's language, if the page has given it.
import { moneyText } from '../../../src/core/payer/language.ts';
import { CURRENCIES, readDecimal, toMinor } from '../../../src/core/money.ts';
import { type OutsideTexts, warn } from './build.ts';
import type { Config } from './config.ts';

/** "Pay €42.50"; only "Pay" if there is no amount or it cannot be read, because a wrong amount must not be shown. */
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
