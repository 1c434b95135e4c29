// Days as the pages of the back office reckon them: by the calendar of the viewer's zone, which has days of 23 and 25
// hours.
import { afterEach, expect, test, vi } from 'vitest';
import { dayBefore, dayStart } from '../../web/backoffice/base/days.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Europe/Paris', '2026-03-31T22:30:00Z', '2026-03-19'],
  ['Europe/Paris', '2026-11-02T22:30:00Z', '2026-10-20'],
  // where the clocks go forward at midnight
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-11'],
])(
  'thirteen days before are so many of the calendar, also around a change of the clocks (%s, %s)',
  (zone, now, day) => {
    vi.stubEnv('TZ', zone);
    expect(dayBefore(Date.parse(now), 13)).toBe(day);
  },
);

test('the last day of a list is the one before its end, also where the clocks skip midnight', () => {
  vi.stubEnv('TZ', 'Africa/Cairo');
  for (const day of ['2026-04-23', '2026-04-24', '2026-10-29', '2026-10-30'])
    expect(dayBefore(Date.parse(dayStart(day, 1)), 1)).toBe(day);
});
