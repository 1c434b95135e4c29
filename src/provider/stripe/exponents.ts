// Amounts as Stripe counts them: https://docs.stripe.com/currencies. Nothing is rounded; what it cannot say is not
// sent.
import { CURRENCIES } from '../../core/money.ts';
import { toOurs, toTheirs } from '../amounts.ts';

/** Currencies for which Stripe's number of decimals differs from ISO 4217. */
export const EXPONENTS: Readonly<Record<string, number>> = { ISK: 2, MGA: 0, UGX: 2 };

/** With three decimals the last one must be 0. */
const TENS = 3;

export function theirsOf(amount_minor: bigint, currency: string): bigint | undefined {
  const iso = CURRENCIES.get(currency);
  if (iso === undefined || (iso === TENS && amount_minor % 10n !== 0n)) return undefined;
  return toTheirs(amount_minor, iso, EXPONENTS[currency] ?? iso);
}

/** `currency` as we write it. Undefined: no currency of ours, or a part of its smallest unit. */
export function oursOf(theirs: bigint | undefined, currency: string): bigint | undefined {
  const iso = CURRENCIES.get(currency);
  return theirs === undefined || iso === undefined ? undefined : toOurs(theirs, iso, EXPONENTS[currency] ?? iso);
}
