// Days of the viewer's zone, in the form of a date field.

/** The day of a moment in the viewer's zone. */
export function localDay(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first moment of a day in the viewer's zone, or of the day `after` days later. */
export function dayStart(day: string, after = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return day === '' ? '' : new Date(year, month - 1, date + after).toISOString();
}

/** The day so many days before that of a moment: by the calendar, because a day may have 23 or 25 hours. */
export const dayBefore = (at_ms: number, days: number): string =>
  localDay(dayStart(localDay(new Date(at_ms).toISOString()), -days));
