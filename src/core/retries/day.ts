// Rows that hold from one day to another: a decision takes those of its own day.

/** YYYY-MM-DD, of UTC. Days compare as texts. */
export type Day = string;

/** Later than every day: a row without an end holds until then. */
export const LAST_DAY: Day = '9999-12-31';

export const dayOf = (at: Date): Day => at.toISOString().slice(0, 10);

/** The last day holds still. */
export function isInForce(
  { valid_from, valid_to }: { readonly valid_from: Day; readonly valid_to: Day | null },
  day: Day,
): boolean {
  return valid_from <= day && (valid_to === null || day <= valid_to);
}

/** Older than this the sources of a table of limits need another look: schemes change them once or twice a year. */
export const OLD_DAYS = 400;
