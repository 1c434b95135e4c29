// What follows a decline: the tables against the data they were taken from, where those are there, and what of
// several words holds.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ADVICE, adviceOn } from '../../src/core/retries/advice.ts';
import { CAPS, feesOn, limitsOn } from '../../src/core/retries/caps.ts';
import { CLASSED, classOf } from '../../src/core/retries/classes.ts';
import { type Decline, sawScheme, whatFollows } from '../../src/core/retries/follow.ts';
import { EDITIONS, categoryOn } from '../../src/core/retries/visa.ts';
import { RESULTS } from '../../src/core/results.ts';
import { CODES } from '../../src/provider/iso8583/results.ts';

const DATA = new URL('../../../shared/data/routing/', import.meta.url);
const there = existsSync(DATA);

/** Rows of a CSV file with quoted fields, by column. */
function rowsOf(name: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = readFileSync(new URL(name, DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field = '']) => unquoted(field)));
  return rows.map((row) => Object.fromEntries(head.map((column, i) => [column, row[i] ?? ''])));
}

const unquoted = (field: string) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
const text = (value: string | number | null) => (value === null ? '' : String(value));

describe.skipIf(!there)(
  'the tables against the data they were taken from (skipped without ../shared/data/routing)',
  () => {
    test('every result has the class, the stop and the schedule of its row', () => {
      const theirs = rowsOf('retry-classes.csv').map((row) => [
        row['result'],
        row['class'],
        row['stop_scope'],
        row['schedule'],
        row['counts_for_approval'],
        row['counts_for_health'],
      ]);
      expect(theirs).toHaveLength(51);
      const ours = CLASSED.map(([name, row]) => [
        name,
        row.class,
        text(row.stop_scope),
        text(row.schedule),
        row.counts_for_approval,
        row.counts_for_health,
      ]);
      expect(ours).toEqual(theirs);
    });

    test('every cap, with its days and its source', () => {
      const columns = ['scheme', 'rule', 'category', 'initiator', 'key', 'limit', 'window_s', 'fee_from'] as const;
      const more = [
        'fee_amount',
        'fee_currency',
        'fee_scope',
        'valid_from',
        'valid_to',
        'confirmed',
        'source',
      ] as const;
      const all = [...columns, ...more];
      expect(CAPS.map((row) => all.map((column) => text(row[column])))).toEqual(
        rowsOf('scheme-retry-caps.csv').map((row) => all.map((column) => row[column])),
      );
    });

    test('every advice code', () => {
      const ours = ADVICE.map((row) => [
        row.source === 'visa' ? `visa:${row.code}` : row.code,
        row.action.replace('by_result', 'by result'),
        text(row.wait_s),
        row.who,
        row.valid_from,
        text(row.valid_to),
        row.where,
      ]);
      expect(ours).toEqual(
        rowsOf('mastercard-advice-codes.csv').map((row) => [
          row['advice'],
          row['action'],
          row['wait_s'],
          row['who'],
          row['valid_from'],
          row['valid_to'],
          row['source'],
        ]),
      );
    });

    test("every response code's category at Visa", () => {
      const ours = EDITIONS.flatMap((edition) =>
        edition.codes.map((code) =>
          [code, edition.category, edition.region, edition.valid_from, text(edition.valid_to)].join(' '),
        ),
      );
      const theirs = rowsOf('visa-response-categories.csv')
        .filter((row) => row['response_code'] !== '*')
        .map((row) => ['response_code', 'category', 'region', 'valid_from', 'valid_to'].map((c) => row[c]).join(' '));
      expect(ours.toSorted()).toEqual(theirs.toSorted());
    });
  },
);

describe('what holds within the tables', () => {
  test('another provider is tried only where the code allows one', () => {
    const elsewhere = RESULTS.filter(({ name }) => classOf(name).class.startsWith('other_route'));
    expect(elsewhere.length).toBeGreaterThan(10);
    expect(elsewhere.filter(({ fallback_allowed }) => !fallback_allowed)).toEqual([]);
  });

  test('no code that Visa never wants to see again is tried again by a row of ISO 8583', () => {
    const kinder = Object.entries(CODES).filter(
      ([code, { retry }]) => categoryOn('2026-11-23', code) === 1 && (retry === 'later' || retry === 'another_route'),
    );
    expect(kinder).toEqual([]);
  });

  test('no two rows of one rule, region and currency hold on one day', () => {
    const key = (row: (typeof CAPS)[number]) =>
      [row.scheme, row.rule, row.initiator, row.fee_scope, row.fee_currency].join();
    const over = CAPS.filter((one, i) =>
      CAPS.some(
        (other, j) =>
          i < j &&
          key(one) === key(other) &&
          one.valid_from <= (other.valid_to ?? '9') &&
          other.valid_from <= (one.valid_to ?? '9'),
      ),
    );
    expect(over).toEqual([]);
  });
});

describe('the strictest holds', () => {
  const follow = (decline: Partial<Decline>) =>
    whatFollows({ result: 'issuer_declined', scheme: 'mastercard', day: '2026-11-23', ...decline });

  test.each([
    ['a result alone', follow({}), 'other_route_soft', null],
    ["the provider's row over it", follow({ retry: 'later' }), 'later', null],
    [
      "the provider's row never makes it kinder",
      follow({ result: 'card_lost', retry: 'another_route' }),
      'stop',
      'card',
    ],
    ['never, of a row', follow({ result: 'acquirer_unreachable', retry: 'never' }), 'stop', 'order'],
    ['advice to stop', follow({ retry: 'later', advice: { source: 'mastercard', code: '03' } }), 'stop', 'card'],
    [
      'advice to wait',
      follow({ result: 'acquirer_declined', advice: { source: 'mastercard', code: '24' } }),
      'later',
      null,
    ],
    ['advice to update the card', follow({ advice: { source: 'mastercard', code: '01' } }), 'fix_input', null],
    [
      "advice of another scheme than the card's",
      follow({ advice: { source: 'visa', code: '03' } }),
      'other_route_soft',
      null,
    ],
    ['category 1', follow({ scheme: 'visa', retry: 'later', response_code: '46' }), 'stop', 'card'],
    ['category 2', follow({ scheme: 'visa', result: 'funds_insufficient', response_code: '51' }), 'later', null],
  ])('%s', (_, followed, name, stop) => {
    expect([followed.class, followed.stop]).toEqual([name, stop]);
  });

  test('advice 24 waits an hour and not 24 minutes, 02 three days', () => {
    const waits = ['24', '25', '30', '02'].map(
      (code) => follow({ advice: { source: 'mastercard', code } }).wait_s ?? 0,
    );
    expect(waits.map((seconds) => seconds / 3600)).toEqual([1, 24, 240, 72]);
  });

  test('rows of the day of the decline: 46 was no category 1 before 2026-04-18, 78 was one', () => {
    const days = ['2026-04-17', '2026-04-18'];
    expect(days.map((day) => [categoryOn(day, '46'), categoryOn(day, '78')])).toEqual([
      [4, 1],
      [1, 2],
    ]);
    expect(adviceOn('2021-10-31', { source: 'mastercard', code: '03' })).toBeUndefined();
  });

  test("limits are those of the day, with the margin, and Visa's payer and merchant apart", () => {
    const visa = (day: string) => limitsOn(CAPS, day, 'visa').map(({ most, by_initiator }) => [most, by_initiator]);
    expect([visa('2025-05-24'), visa('2025-05-25'), visa('2026-11-23')]).toEqual([
      [[13, false]],
      [[18, true]],
      [[18, true]],
    ]);
    expect(
      limitsOn(CAPS, '2026-11-23', 'mastercard').map(({ most, window_s, by_amount }) => [most, window_s, by_amount]),
    ).toEqual([
      [8, 86_400, false],
      [33, 2_592_000, true],
    ]);
    expect(limitsOn(CAPS, '2026-11-23', 'amex').map(({ most, window_s }) => [most, window_s])).toEqual([
      [10, 2_592_000],
      [5, 86_400],
    ]);
  });

  test('what no scheme saw is not counted', () => {
    const unseen = ['provider_unreachable', 'provider_credentials_invalid', 'authentication_incorrect'] as const;
    expect(unseen.map(sawScheme)).toEqual([false, false, false]);
    expect((['issuer_declined', 'acquirer_unreachable', 'card_lost'] as const).map(sawScheme)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

test('a fee is that of the day, the rule and the region, and none where either is not known', () => {
  const fee = (day: string, scheme: string, rule: string, region: string) => {
    const found = feesOn(CAPS, day, { scheme, rule, region });
    return found && `${found.minor} ${found.currency}`;
  };
  expect([
    fee('2026-04-25', 'visa', 'reattempts', 'Europe'),
    fee('2026-04-24', 'visa', 'reattempts', 'Europe'),
    fee('2026-11-23', 'mastercard', 'excessive_attempts_day', 'EU'),
    fee('2026-11-23', 'mastercard', 'excessive_attempts_day', 'US'),
    fee('2026-11-23', 'amex', 'default', 'US'),
  ]).toEqual(['25 USD', undefined, '55 EUR', '50 USD', undefined]);
});
