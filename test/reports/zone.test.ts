// Days of time zones, over the nights in which clocks are moved, and spans of reports that come by themselves.
import { expect, test } from 'vitest';
import { beginOfDay, isZone, lastSpan, localText, nextMoment } from '../../src/core/zone.ts';

const iso = (date: Date) => date.toISOString();

test('a day begins where the clocks of its zone say so, on the days that have 23 and 25 hours too', () => {
  const days: readonly (readonly [zone: string, month: number, day: number, begins: string])[] = [
    ['Europe/Paris', 3, 28, '2027-03-27T23:00:00.000Z'],
    ['Europe/Paris', 3, 29, '2027-03-28T22:00:00.000Z'],
    ['Europe/Paris', 10, 31, '2027-10-30T22:00:00.000Z'],
    ['Europe/Paris', 11, 1, '2027-10-31T23:00:00.000Z'],
    ['America/New_York', 3, 15, '2027-03-15T04:00:00.000Z'],
    ['Asia/Kathmandu', 1, 1, '2026-12-31T18:15:00.000Z'],
    ['Pacific/Auckland', 4, 5, '2027-04-04T12:00:00.000Z'],
    ['UTC', 2, 30, '2027-03-02T00:00:00.000Z'],
    // midnight is skipped, east and west of Greenwich: the day begins at one o'clock
    ['Africa/Cairo', 4, 30, '2027-04-29T22:00:00.000Z'],
    ['America/Santiago', 9, 5, '2027-09-05T04:00:00.000Z'],
    ['America/Havana', 3, 14, '2027-03-14T05:00:00.000Z'],
    ['Atlantic/Azores', 3, 28, '2027-03-28T01:00:00.000Z'],
    // midnight comes twice: the day begins with the first
    ['America/Havana', 11, 7, '2027-11-07T04:00:00.000Z'],
    ['Atlantic/Azores', 10, 31, '2027-10-31T00:00:00.000Z'],
  ];
  for (const [zone, month, day, begins] of days)
    expect([zone, month, day, iso(beginOfDay({ year: 2027, month, day }, zone))]).toEqual([zone, month, day, begins]);
  expect([isZone('Europe/Paris'), isZone('Europe/Atlantis'), isZone('')]).toEqual([true, false, false]);
});

test('a moment is told as the clocks of its zone show it', () => {
  const at = new Date('2027-03-28T01:30:00Z');
  expect(localText(at, 'Europe/Paris')).toBe('2027-03-28T03:30:00+02:00');
  expect(localText(at, 'America/St_Johns')).toBe('2027-03-27T23:00:00-02:30');
  expect(localText(at, 'UTC')).toBe('2027-03-28T01:30:00+00:00');
});

test('days, weeks from Monday and months follow each other without a gap, each made an hour after its end', () => {
  for (const every of ['daily', 'weekly', 'monthly'] as const) {
    let now = new Date('2027-01-30T10:00:00Z');
    let end = '';
    for (let i = 0; i < 60; i++) {
      now = nextMoment(every, 'Europe/Paris', now);
      const { from, to } = lastSpan(every, 'Europe/Paris', now);
      expect([every, now.getTime() - to.getTime()]).toEqual([every, 3_600_000]);
      if (end !== '') expect([every, iso(from)]).toEqual([every, end]);
      end = iso(to);
    }
  }
  for (const zone of ['America/Santiago', 'America/Havana', 'Atlantic/Azores', 'Africa/Cairo']) {
    const made = new Set<string>();
    for (let now = new Date('2027-01-01T12:00:00Z'); made.size < 365; made.add(iso(now))) {
      const before = now;
      now = nextMoment('daily', zone, now);
      expect([zone, iso(now) > iso(before)]).toEqual([zone, true]);
    }
  }
  expect(iso(nextMoment('daily', 'UTC', new Date('2027-01-30T00:30:00Z')))).toBe('2027-01-30T01:00:00.000Z');
});
