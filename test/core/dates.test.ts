import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longDate, readDate, readDatetime } from '../../src/core/dates.ts';

const LONG = 'Fri Aug 16 2024 09:30:15 GMT+0000 (Coordinated Universal Time)';

test.each([
  ['Zulu', '2024-08-16T09:30:15Z', '2024-08-16T09:30:15.000Z'],
  ['small letters', '2024-08-16t09:30:15z', '2024-08-16T09:30:15.000Z'],
  ['milliseconds', '2024-08-16T09:30:15.118Z', '2024-08-16T09:30:15.118Z'],
  ['one digit of a fraction', '2024-08-16T09:30:15.1Z', '2024-08-16T09:30:15.100Z'],
  ['microseconds are cut', '2024-08-16T09:30:15.118999Z', '2024-08-16T09:30:15.118Z'],
  ['no offset is UTC', '2024-08-16T09:30:15', '2024-08-16T09:30:15.000Z'],
  ['no seconds', '2024-08-16T09:30Z', '2024-08-16T09:30:00.000Z'],
  ['an offset', '2024-08-16T09:30:15+02:00', '2024-08-16T07:30:15.000Z'],
  ['an offset without colon', '2024-08-16T09:30:15+0200', '2024-08-16T07:30:15.000Z'],
  ['an offset of hours', '2024-08-16T09:30:15-05', '2024-08-16T14:30:15.000Z'],
  ['an offset of half an hour', '2024-08-16T00:10:00+05:30', '2024-08-15T18:40:00.000Z'],
  ['the offset of notifications', '2024-08-16T09:16:05+0000', '2024-08-16T09:16:05.000Z'],
  ['a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['the last moment', '9999-12-31T23:59:59.999+00:00', '9999-12-31T23:59:59.999Z'],
  ['the long form', LONG, '2024-08-16T09:30:15.000Z'],
  ['the long form without a name', 'Fri Aug 16 2024 09:30:15 GMT+0000', '2024-08-16T09:30:15.000Z'],
  [
    'the long form of another zone',
    'Fri Aug 16 2024 11:30:15 GMT+0200 (heure d’été d’Europe centrale)',
    '2024-08-16T09:30:15.000Z',
  ],
  ['the long form west of Greenwich', 'Thu Aug 15 2024 23:00:00 GMT-0930', '2024-08-16T08:30:00.000Z'],
])('%s is read', (_, text, read) => {
  expect(readDatetime(text)).toBe(read);
});

test.each([
  ['2023-02-29T00:00:00Z', 'no leap year'],
  ['1900-02-29T00:00:00Z', 'no leap year of the century'],
  ['2024-04-31T00:00:00Z', 'no such day'],
  ['2024-13-01T00:00:00Z', 'no such month'],
  ['2024-00-10T00:00:00Z', 'no month'],
  ['2024-01-00T00:00:00Z', 'no day'],
  ['2024-01-01T24:00:01Z', 'no such hour'],
  ['2024-01-01T10:60:00Z', 'no such minute'],
  ['2024-01-01T10:00:61Z', 'no such second'],
  ['2024-01-01T10:00:00+2500', 'no such offset'],
  ['2024-01-01T10:00:00+01:60', 'no such offset in minutes'],
  ['16.08.2024', 'another order'],
  ['08/16/2024', 'an American date'],
  ['2024-8-16', 'one digit'],
  ['20240816T093015Z', 'the basic form'],
  ['1723800615', 'Unix seconds'],
  ['tomorrow', 'a word'],
  ['2024-08-16T09:30:15Z ', 'a space behind'],
  [' 2024-08-16T09:30:15Z', 'a space before'],
  ['2024-08-16T09:30:15Z\n', 'a line end'],
  ['2024-08-16T09:30:15ZZ', 'twice Zulu'],
  ['Fri Aug 16 2024', 'the long form without a time'],
  ['Fri Aug 32 2024 09:30:15 GMT+0000', 'the long form of no such day'],
  ['Fre Aug 16 2024 09:30:15 GMT+0000', 'another language'],
  ['Fri Aug 16 2024 09:30:15 UTC', 'the long form without GMT'],
  [`${LONG} x`, 'more behind'],
  ['２０２４-08-16T09:30:15Z', 'wide digits'],
  ['9999-12-31T23:59:59-18:00', 'a year of five digits by its offset'],
  ['Fri Dec 31 9999 23:59:59 GMT-0001', 'the long form of such a year'],
  ['', 'nothing'],
])('%j is refused: %s', (text) => {
  expect(readDatetime(text)).toBeUndefined();
});

test.each([
  ['1990-05-01', '1990-05-01'],
  ['1990-05-01T23:30:00Z', '1990-05-01'],
  ['1990-05-01T23:30:00-05:00', '1990-05-01'],
  ['1990-05-01T00:30:00+09:00', '1990-05-01'],
  ['1990-05-01T00:00:00.000Z', '1990-05-01'],
  ['1990-02-30', undefined],
  ['1990-5-1', undefined],
  ['01.05.1990', undefined],
  ['1990-05', undefined],
  ['1990-05-01x', undefined],
  [LONG, undefined],
])('the date %s is read as %s', (text, read) => {
  expect(readDate(text)).toBe(read);
});

const moments = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9998-12-31T00:00:00Z'),
  noInvalidDate: true,
});

test('the long form is what JavaScript writes in UTC, and is read as the same second', () => {
  fc.assert(
    fc.property(moments, (at) => {
      const second = new Date(Math.floor(at.getTime() / 1000) * 1000);
      expect(readDatetime(longDate(at))).toBe(second.toISOString());
      expect(new Date(longDate(at)).getTime()).toBe(second.getTime());
      expect(longDate(at)).toMatch(/^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000 \(Coordinated Universal Time\)$/);
    }),
    { numRuns: 2000 },
  );
});

test('every ISO moment with every offset is read as JavaScript reads it', () => {
  const offsets = fc.tuple(
    fc.constantFrom('+', '-'),
    fc.integer({ min: 0, max: 14 }),
    fc.constantFrom('00', '30', '45'),
  );
  fc.assert(
    fc.property(moments, offsets, (at, [sign, hours, minutes]) => {
      const text = at.toISOString().replace('Z', `${sign}${String(hours).padStart(2, '0')}:${minutes}`);
      expect(readDatetime(text)).toBe(new Date(text).toISOString());
    }),
    { numRuns: 2000 },
  );
});
