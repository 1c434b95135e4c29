// How the simulated acquirer answers by the number of a card and by the end of an amount. Everything else is decided by
// its books.
import { luhn } from '../../core/card.ts';

/** The numbers that merchants know from sandboxes, and the code each is answered with. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  '4000000000000002': '05',
  '4000000000000341': '05',
  '4000000000009987': '41',
  '4000000000009979': '43',
  '4000000000000069': '54',
  '4000000000000127': 'N7',
  '4000000000000119': '91',
};

/** Approved only with the proof of an authentication. */
const WANTS_PROOF: Readonly<Record<string, string>> = {
  '4000002760003184': '1A',
  '4000000000003220': '1A',
  '4000002500003155': '1A',
  '5200000000001096': '65',
};

/** Nothing on it, and nothing allowed. */
export const EMPTY_CARD = '4000000000009995';
export const LIMITED_CARD = '4000000000006975';

/** An amount that ends in 90 and one of these is answered with it: 90.05 with 05. */
const BY_AMOUNT = new Set(
  '01 03 04 05 07 09 10 12 13 14 15 19 30 31 33 34 36 38 39 41 43 54 55 57 58 59 62 63 65 68 70 75 78 82 91 92 93 94 96'.split(
    ' ',
  ),
);

export type Asked = {
  readonly number: string;
  /** YYMM. */
  readonly expiry: string;
  readonly amount: string;
  readonly merchant: string;
  /** It came with the proof of an authentication. */
  readonly proved: boolean;
  readonly now: Date;
};

/** A code that ends it, `10` (a part only) or `94` (done, and called a duplicate); undefined: the books decide. */
export function behaviourOf({ number, expiry, amount, merchant, proved, now }: Asked): string | undefined {
  if (merchant.startsWith('UNKNOWN')) return '03';
  if (!luhn(Buffer.from(number))) return '14';
  const month = now.toISOString().slice(2, 7).replace('-', '');
  if (expiry < month) return '54';
  const wanted = proved ? undefined : WANTS_PROOF[number];
  const code = amount.slice(-2);
  return wanted ?? BY_NUMBER[number] ?? (amount.slice(-4, -2) === '90' && BY_AMOUNT.has(code) ? code : undefined);
}
