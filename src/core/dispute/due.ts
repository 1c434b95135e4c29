// The date until which a dispute must be answered, and the days on which people are reminded. The provider's own date
// counts. If the provider gives none, the date is what providers tell their merchants for each scheme, less two days
// (Adyen, dispute timeframes, read in November 2026).
import { DAY_MS, HOUR_MS } from '../durations.ts';
const EARLIER_DAYS = 2;

const DAYS: ReadonlyMap<string, number> = new Map([
  ['visa', 18],
  ['mastercard', 40],
  ['maestro', 40],
  ['amex', 14],
  ['discover', 25],
  ['diners', 25],
  ['jcb', 40],
  ['unionpay', 30],
]);
/** The shortest that a provider names: Stripe gives 7 to 21 days and says which. */
const FEWEST_DAYS = 7;

/** Our own reckoning, which a page says is one. */
export function reckonedDue(scheme: string | null, opened_at: Date): Date {
  const days = DAYS.get(scheme ?? '') ?? FEWEST_DAYS;
  return new Date(opened_at.getTime() + (days - EARLIER_DAYS) * DAY_MS);
}

/** How long before the end `dispute.due` is sent. */
const REMINDED_MS = [7 * DAY_MS, 3 * DAY_MS, DAY_MS, 6 * HOUR_MS];

/** The next moment after `from` to remind of an answer that is due then; undefined: there is none any more. */
export function nextReminder(due_at: Date, from: Date): Date | undefined {
  const moments = REMINDED_MS.map((before) => due_at.getTime() - before);
  const next = moments.find((moment) => moment > from.getTime());
  return next === undefined ? undefined : new Date(next);
}
