// An amount as a person types it in the dialogs that move money.
import { CURRENCIES, readDecimal, toMinor } from '../../../../src/core/money.ts';
import { POINT, moneyText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';

export const plain = (amount: string) => amount.trim().replace(',', '.');

/** Two decimals behind a comma or a point; to many people 1,000 or 1.000 is a thousand, so it is no amount of one. */
function isThousands(amount: string, currency: string): boolean {
  const [, mark, digits = ''] = /([.,])(\d+)$/.exec(amount.trim()) ?? [];
  const decimals = CURRENCIES.get(currency) ?? 0;
  return digits.length > decimals || (digits.length === 3 && mark === ',' && POINT !== ',');
}

/** The typed amount in minor units, or its problem. */
export function minorOf(amount: string, currency: string) {
  if (isThousands(amount, currency)) return { problem: t('has more decimals than the currency allows') };
  const read = readDecimal(plain(amount), 'refused');
  return 'problem' in read ? read : toMinor(read.decimal, currency);
}

/** The problem of the amount, found before the server is asked. */
export function problemOf(amount: string, left: number, currency: string): string | undefined {
  const money = minorOf(amount, currency);
  if ('problem' in money) return capital(money.problem);
  return money.minor > BigInt(left)
    ? t('At most {amount} {currency} is left', { amount: moneyText(left, currency), currency })
    : undefined;
}

const capital = (text: string) => t('It {problem}', { problem: text });
