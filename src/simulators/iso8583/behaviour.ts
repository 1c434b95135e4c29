// How the card number and the end of the amount decide an answer of the simulated acquirer. The books decide all else.
import { luhn } from '../../core/card.ts';

/** Card numbers that merchants know from other sandboxes, with the code of the answer. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  '4000000000000002': '05',
  '4000000000000341': '05',
  '4000000000009987': '41',
  '4000000000009979': '43',
  '4000000000000069': '54',
  '4000000000000127': 'N7',
  '4000000000000119': '91',
};

/** These cards are approved only with the proof of an authentication; without it the answer has this code. */
const WANTS_PROOF: Readonly<Record<string, string>> = {
  '4000002760003184': '1A',
  '4000000000003220': '1A',
  '4000002500003155': '1A',
  '5200000000001096': '65',
};

/** A card without a balance, and a card with a limit of zero. */
export const EMPTY_CARD = '4000000000009995';
export const LIMITED_CARD = '4000000000006975';

/** An amount that ends in 90 and one of these codes gets that code: 90.05 gets 05. */
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
  /** The request had the proof of an authentication. */
  readonly proved: boolean;
  readonly now: Date;
};

/**
 * A code that declines it, `10` (only a part is approved) or `94` (done, and called a duplicate); undefined: the books
 * decide.
 */
export function behaviourOf({ number, expiry, amount, merchant, proved, now }: Asked): string | undefined {
  if (merchant.startsWith('UNKNOWN')) return '03';
  if (!luhn(Buffer.from(number))) return '14';
  const month = now.toISOString().slice(2, 7).replace('-', '');
  if (expiry < month) return '54';
  const wanted = proved ? undefined : WANTS_PROOF[number];
  const code = amount.slice(-2);
  return wanted ?? BY_NUMBER[number] ?? (amount.slice(-4, -2) === '90' && BY_AMOUNT.has(code) ? code : undefined);
}
