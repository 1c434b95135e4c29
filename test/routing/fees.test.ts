// Fees as a merchant states them: how a table is read, which row holds, what a payment costs, and what payments are
// worth by them.
import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { FUNDINGS } from '../../src/core/origin/origins.ts';
import { type FeeNames, feeGaps, gapText, neverReached } from '../../src/core/routing/fee-gaps.ts';
import { type FeeRow, feeMinor, feeOf, readFees, worthOf } from '../../src/core/routing/fees.ts';
import { REGIONS } from '../../src/core/routing/region.ts';
import { learnShares, sharesOf } from '../../src/core/routing/learn/weights.ts';
import { guardOf } from '../../src/core/routing/learn/verdict.ts';
import type { BestOf } from '../../src/core/routing/table.ts';
import { Reading } from '../../src/core/shape.ts';
import { sidesOf } from '../../src/payment/routing/learn/learn.ts';
import type { Count } from '../../src/payment/routing/learn/outcomes-store.ts';
import { meanLeft, valued, worthsOf } from '../../src/payment/routing/learn/worth.ts';
import { seeded } from '../seeded.ts';

function read(written: unknown) {
  const reading = new Reading(false);
  const { fees: rows, acquirer_country } = readFees(parseJson(JSON.stringify(written)), reading);
  return { rows, acquirer_country, problems: reading.problems.map(({ field, message }) => `${field} ${message}`) };
}

test('a table is read with its decimals as they are meant, by itself or as the member fees', () => {
  const written = [
    { currency: 'eur', scheme: 'amex', percent: '2.90', fixed: '0.25', attempt: 0.02 },
    { currency: 'EUR', percent: 1.4, fixed: '0.25' },
    { percent: '3' },
  ];
  const rows = [
    { currency: 'EUR', scheme: 'amex', percent: '2.9', fixed: '0.25', attempt: '0.02' },
    { currency: 'EUR', percent: '1.4', fixed: '0.25' },
    { percent: '3' },
  ];
  expect(read(written)).toEqual({ rows, acquirer_country: null, problems: [] });
  expect(read({ fees: written })).toEqual({ rows, acquirer_country: null, problems: [] });
});

test('every problem of a table is named at once, each with its place', () => {
  const { problems } = read({
    fees: [
      { percent: '1', fixed: '0.30' },
      { currency: 'XXX', percent: '101', scheme: 'shop' },
      { currency: 'JPY', percent: '1.23456', fixed: '0.5', per: 'month' },
      'free',
      { currency: 'EUR' },
      { percent: '2' },
      { scheme: 'visa', percent: '1' },
    ],
    note: 'x',
  });
  expect(problems).toEqual([
    'note is no member that is known here',
    'fees[0].currency must be told where there is a fixed amount',
    'fees[1].currency must be a currency code of ISO 4217 with minor units, such as EUR',
    expect.stringMatching(/^fees\[1\]\.scheme must be one of /),
    'fees[1].percent must be from 0 to 50',
    'fees[2].per is no member that is known here',
    'fees[2].percent has more than 4 decimals',
    'fees[2].fixed has more decimals than the currency allows',
    'fees[3] must be an object',
    'fees[4].percent is required',
    'fees[6] is never reached: fees[5], above it, takes all of its payments',
  ]);
  for (const none of [[], {}, 'fees', { fees: {} }])
    expect(read(none).problems).toContain('fees must be a list of 1 to 100 rows');
});

const REGIONAL = {
  acquirer_country: 'fr',
  fees: [
    { currency: 'EUR', region: 'domestic', funding: 'debit', percent: '0.5' },
    { currency: 'EUR', region: 'domestic', percent: '0.9' },
    { currency: 'EUR', region: 'intra_eea', percent: '1.4' },
    { currency: 'EUR', region: 'inter_region', percent: '2.9' },
  ],
};

test('a row may be of a region, seen from the country of the acquirer, and of a kind of card', () => {
  const { rows: fees, acquirer_country, problems } = read(REGIONAL);
  expect([acquirer_country, problems]).toEqual(['FR', []]);
  const percent = (card_country: string | null, funding: 'credit' | 'debit' | null, from = acquirer_country) =>
    feeOf({ acquirer_country: from, fees }, { currency: 'EUR', scheme: 'visa', card_country, funding })?.percent;
  expect(percent('FR', 'debit')).toBe('0.5');
  expect(percent('FR', 'credit')).toBe('0.9');
  expect([percent('DE', 'credit'), percent('NO', null), percent('IS', 'debit')]).toEqual(['1.4', '1.4', '1.4']);
  expect([percent('GB', 'credit'), percent('CH', null), percent('US', 'debit')]).toEqual(['2.9', '2.9', '2.9']);
  // two countries of which one is not of the EEA, and an acquirer outside of it
  expect(percent('FR', 'credit', 'US')).toBe('2.9');
  expect(percent('GB', 'credit', 'GB')).toBe('0.9');
});

test('an unknown fact of a card leaves its fee unknown only if a row above might hold', () => {
  const fees = [
    { currency: 'USD', percent: '3' },
    { region: 'domestic', funding: 'debit', percent: '0.5' },
    { funding: 'credit', percent: '2' },
    { percent: '1' },
  ] as const satisfies readonly FeeRow[];
  const percent = (currency: string, card_country: string | null, funding: 'credit' | 'prepaid' | null) =>
    feeOf({ acquirer_country: 'FR', fees }, { currency, scheme: 'visa', card_country, funding })?.percent;
  expect(percent('USD', null, null)).toBe('3');
  expect(percent('EUR', 'FR', null)).toBe(undefined);
  expect(percent('EUR', 'DE', null)).toBe(undefined);
  // no debit card: where it was issued does not matter
  expect(percent('EUR', null, 'credit')).toBe('2');
  expect(percent('EUR', null, 'prepaid')).toBe('1');
});

test('regions want the country of the acquirer, a region that cannot be is refused, and rows that others take together', () => {
  const { acquirer_country: _, ...nowhere } = REGIONAL;
  expect(read(nowhere).problems).toEqual(['acquirer_country must be told where a row has a region']);
  expect(read({ ...REGIONAL, acquirer_country: 'France' }).problems).toEqual([
    expect.stringMatching(/^acquirer_country must be /),
  ]);
  expect(read({ ...REGIONAL, acquirer_country: 'US' }).problems).toEqual([
    'fees[2].region is never intra_eea: US is not in the EEA',
  ]);
  const row = { currency: 'EUR', scheme: 'visa', percent: '1' };
  expect(read({ ...REGIONAL, fees: [...REGIONAL.fees, row, { percent: '2' }] }).problems).toEqual([
    'fees[4] is never reached: the rows above it together take all of its payments',
  ]);
  const twice = [{ percent: '-1' }, ...REGIONAL.fees.slice(1, 2), { ...row, region: 'domestic', funding: 'prepaid' }];
  expect(read({ ...REGIONAL, fees: twice }).problems).toEqual([
    expect.stringMatching(/^fees\[0\]\.percent /),
    'fees[2] is never reached: fees[1], above it, takes all of its payments',
  ]);
});

test('payments that no row tells are named, as few and as wide as they can be', () => {
  const gaps = (fees: readonly FeeRow[], beside: FeeNames = {}, acquirer_country: string | null = 'FR') =>
    feeGaps({ acquirer_country, fees }, beside).map(gapText);
  expect(gaps([{ percent: '1' }], { currencies: ['EUR'], schemes: ['visa'] })).toEqual([]);
  expect(gaps([{ currency: 'EUR', percent: '1' }])).toEqual([]);
  expect(gaps([{ currency: 'EUR', percent: '1' }], { currencies: ['EUR', 'USD'] })).toEqual(['USD']);
  expect(gaps([{ currency: 'EUR', scheme: 'visa', percent: '1' }], { schemes: ['visa', 'amex'] })).toEqual([
    'EUR amex',
    'EUR other schemes',
  ]);
  const domestic = { currency: 'EUR', region: 'domestic', percent: '1' } as const;
  expect(gaps([domestic])).toEqual(['EUR intra_eea', 'EUR inter_region']);
  expect(gaps([domestic], {}, 'US')).toEqual(['EUR inter_region']);
  expect(gaps([{ region: 'domestic', funding: 'debit', percent: '1' }])).toEqual([
    'domestic credit',
    'domestic prepaid',
    'intra_eea',
    'inter_region',
  ]);
});

test('a row is said to be never reached, and a payment to be without one, just where that is so', () => {
  const random = seeded(11);
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)];
  for (let i = 0; i < 500; i++) {
    const fees = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const facts = {
        currency: one(['EUR', 'USD', undefined]),
        scheme: one(['visa', 'amex', undefined] as const),
        region: one([...REGIONS, undefined]),
        funding: one([...FUNDINGS, undefined]),
      };
      const named = Object.entries(facts).filter(([, value]) => value !== undefined);
      return { percent: '1', ...Object.fromEntries(named) };
    });
    const table = { acquirer_country: 'FR', fees };
    const [reached, without] = [new Set<FeeRow>(), [] as string[]];
    for (const currency of ['EUR', 'USD', 'GBP'])
      for (const scheme of ['visa', 'amex', 'jcb'])
        for (const card_country of ['FR', 'DE', 'US'])
          for (const funding of FUNDINGS) {
            const row = feeOf(table, { currency, scheme, card_country, funding });
            if (row) reached.add(row);
            else if (currency !== 'GBP') without.push(`${currency} ${scheme} ${card_country} ${funding}`);
          }
    const lost = fees.flatMap((row, n) => (reached.has(row) ? [] : [n]));
    expect(neverReached(table).map(({ row }) => row)).toEqual(lost);
    const gaps = feeGaps(table, { currencies: ['EUR', 'USD'], schemes: ['visa', 'amex'] });
    const region = { FR: 'domestic', DE: 'intra_eea', US: 'inter_region' } as Record<string, string>;
    const named = without.filter((text) => {
      const [currency, scheme, country = '', funding] = text.split(' ');
      return gaps.some(
        (gap) =>
          (gap.currency ?? currency) === currency &&
          (gap.others === true ? scheme === 'jcb' : (gap.scheme ?? scheme) === scheme) &&
          (gap.region ?? region[country]) === region[country] &&
          (gap.funding ?? funding) === funding,
      );
    });
    expect(named).toEqual(without);
  }
});

const NOT_KNOWN = { card_country: null, funding: null } as const;
const TABLE: readonly FeeRow[] = [
  { currency: 'EUR', scheme: 'amex', percent: '2.9' },
  { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' },
  { scheme: 'visa', percent: '2' },
];

test('the first row that fits holds, and where none does nothing is known', () => {
  const percent = (currency: string, scheme: string) =>
    feeOf({ acquirer_country: null, fees: TABLE }, { currency, scheme, ...NOT_KNOWN })?.percent;
  expect(percent('EUR', 'amex')).toBe('2.9');
  expect(percent('EUR', 'visa')).toBe('1.4');
  expect(percent('USD', 'visa')).toBe('2');
  expect(percent('USD', 'amex')).toBe(undefined);
});

test('an approved payment costs its percent, rounded half up, and what is fixed', () => {
  const cost = (approved_minor: bigint | undefined, row: FeeRow, currency = 'EUR') =>
    feeMinor(row, { currency, approved_minor });
  expect(cost(10_000n, { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' })).toBe(167n);
  expect(cost(50n, { percent: '1' })).toBe(1n);
  expect(cost(49n, { percent: '1' })).toBe(0n);
  expect(cost(1_000_000_000_000n, { percent: '0.0001' })).toBe(1_000_000n);
  expect(cost(5000n, { currency: 'JPY', percent: '3.6', fixed: '15' }, 'JPY')).toBe(195n);
  // one that was declined costs what an attempt does; of one that is not captured yet no percent falls due
  expect(cost(undefined, { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' })).toBe(2n);
  expect(cost(0n, { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' })).toBe(27n);
});

const CELL = 'EUR visa payer';
const seen = (tried: number, rate: number) => ({ tried, approved: tried * rate });
const shares = (rates: readonly number[], kept: readonly number[]) =>
  learnShares(new Map([[CELL, rates.map((rate) => seen(5000, rate))]]), {
    arms: rates.length,
    floor: 200,
    worths: new Map([[CELL, kept.map((one) => ({ kept: one, attempt: 0 }))]]),
  }).shares;

test('of two contracts with equal approval the cheaper one gets nearly all; of two with equal cost the better one, as by approval', () => {
  expect(shares([0.85, 0.85], [0.97, 0.99])[1]).toBe(9800);
  const random = seeded(5);
  for (let i = 0; i < 200; i++) {
    const cells = new Map(
      [CELL, 'USD amex merchant'].map((cell) => [
        cell,
        [seen(400, random()), seen(900, random()), seen(300, random())],
      ]),
    );
    const worths = new Map([...cells.keys()].map((cell) => [cell, [0, 1, 2].map(() => ({ kept: 1, attempt: 0 }))]));
    const by_approval = learnShares(cells, { arms: 3, floor: 200 });
    expect(learnShares(cells, { arms: 3, floor: 200, worths })).toEqual(by_approval);
  }
});

test('more approvals are worth more fees, up to where the fees take more than they bring', () => {
  // 0.86 × 0.98 = 0.8428 is more than 0.85 × 0.99 = 0.8415, and with the third of a margin it is less: 0.86 × 0.28 and
  // 0.85 × 0.29
  const [dear = 0] = shares([0.86, 0.85], [0.98, 0.99]);
  const [deviation_a, deviation_b] = [0.86, 0.85].map((rate) => Math.sqrt((rate * (1 - rate)) / 5040));
  const deviation = Math.hypot(0.98 * (deviation_a ?? 0), 0.99 * (deviation_b ?? 0));
  const likely = normal((0.86 * 0.98 - 0.85 * 0.99) / deviation);
  expect(Math.abs(dear - (sharesOf([likely, 1 - likely], 200)[0] ?? 0))).toBeLessThan(100);
  expect(dear).toBeGreaterThan(5000);
  expect(shares([0.86, 0.85], [0.28, 0.29])[0]).toBeLessThan(600);
});

const normal = (z: number) => {
  let sum = 0;
  for (let x = -8; x < z; x += 0.001) sum += Math.exp(-(x * x) / 2) * 0.001;
  return sum / Math.sqrt(2 * Math.PI);
};

test('fees that take all there is give shares as well, and never to the one that loses', () => {
  for (const kept of [
    [0, 0.5],
    [-0.2, 0.5],
    [0.0001, 0.9],
  ])
    expect(shares([0.9, 0.8], kept)).toEqual([200, 9800]);
  // where each loses, fewer approvals lose less; where nothing is kept of any, nothing tells them apart
  expect(shares([0.9, 0.8], [-0.1, -0.1])).toEqual([200, 9800]);
  expect(shares([0.9, 0.8], [0, 0])).toEqual([5000, 5000]);
});

test('payments whose fees are not known go by approval, and the others do not wait for them', () => {
  const cells = new Map([
    [CELL, [seen(5000, 0.85), seen(5000, 0.85)]],
    ['USD visa payer', [seen(5000, 0.86), seen(5000, 0.84)]],
    ['GBP visa payer', [seen(9, 1), seen(9, 0)]],
  ]);
  const worths = new Map([
    [
      CELL,
      [
        { kept: 0.95, attempt: 0 },
        { kept: 0.99, attempt: 0 },
      ],
    ],
  ]);
  const learnt = learnShares(cells, { arms: 2, floor: 200, worths });
  const approved = learnShares(cells, { arms: 2, floor: 200 });
  expect(learnt.cells[CELL]).toEqual([200, 9800]);
  expect(learnt.cells['USD visa payer']).toEqual(approved.cells['USD visa payer']);
  expect(learnt.cells['GBP visa payer']).toEqual(approved.shares);
  expect(learnt.shares[1]).toBeGreaterThan(approved.shares[1] ?? 0);
});

const BY_VALUE: BestOf = { best_of: ['a', 'b'], by: 'value', floor: 200, control: 1000 };
const count = (more: Partial<Count>): Count => ({
  hour: 1,
  rule: 'best',
  since: 1,
  cell: CELL,
  contract_id: 'a',
  controlled: false,
  tried: 1000,
  approved: 800,
  amount_minor: 1000 * 2000,
  ...more,
});
const stated = (contract_id: string, fees: readonly FeeRow[]) => ({
  contract_id,
  version: 1,
  valid_from: '2026-01-01',
  acquirer_country: null,
  fees,
});

test('the worth of payments is worked out from the mean amount of their cell, and from the margin', () => {
  expect(
    worthOf(
      { currency: 'EUR', percent: '1.4', fixed: '0.25', attempt: '0.02' },
      { currency: 'EUR', amount_minor: 2000, margin: 1 },
    ),
  ).toEqual({
    kept: 1 - 0.014 - 0.0125,
    attempt: 0.001,
  });
  const fees = [stated('a', [{ currency: 'EUR', percent: '1', fixed: '0.20' }]), stated('b', [{ percent: '2' }])];
  const counts = [count({}), count({ contract_id: 'b', amount_minor: 1000 * 6000 }), count({ cell: 'USD visa payer' })];
  const worths = worthsOf({ then: { ...BY_VALUE, margin: 3000 }, arms: ['a', 'b'], counts, fees });
  const [a, b] = worths?.get(CELL) ?? [];
  expect([a?.kept, b?.kept]).toEqual([expect.closeTo(0.3 - 0.01 - 20 / 4000, 12), expect.closeTo(0.3 - 0.02, 12)]);
  // of a there is nothing for USD
  expect(worths?.get('USD visa payer')).toBe(undefined);
  expect(worthsOf({ then: { ...BY_VALUE, by: 'approval' }, arms: ['a', 'b'], counts, fees })).toBe(undefined);
});

test('if fees depend on cards, a cell is worth what its own cards cost, whichever contract they went to', () => {
  const part = (card_country: string | null, tried: number, amount_minor: number) =>
    ({ card_country, funding: 'credit', tried, amount_minor }) as const;
  const table = { ...stated('a', read(REGIONAL).rows), acquirer_country: 'FR' };
  const fees = [table, stated('b', [{ currency: 'EUR', percent: '1', fixed: '0.20' }])];
  const of = (counts: readonly Count[]) => worthsOf({ then: BY_VALUE, arms: ['a', 'b'], counts, fees })?.get(CELL);
  const [a, b] =
    of([
      count({ mix: [part('FR', 3, 6000), part('US', 1, 2000)] }),
      count({ contract_id: 'b', mix: [part('FR', 1, 2000)] }),
      // counted before fees asked for cards
      count({}),
    ]) ?? [];
  expect([a?.kept, b?.kept]).toEqual([
    expect.closeTo(1 - (0.8 * 0.009 + 0.2 * 0.029), 12),
    expect.closeTo(1 - 0.01 - 0.01, 12),
  ]);
  // a few cards that no table knows are left out, and with many nothing is compared
  expect(of([count({ mix: [part('FR', 96, 9600), part(null, 4, 400)] })])?.[0]?.kept).toBeCloseTo(0.991, 12);
  expect(of([count({ mix: [part('FR', 94, 9400), part(null, 6, 600)] })])).toBe(undefined);
  expect(of([count({})])).toBe(undefined);
});

test('the guard of a rule by value compares what is left: fewer approvals that cost less stop nothing, and dear ones do', () => {
  const groups = (approved: number) => [
    count({ controlled: true, tried: 4000, approved: 3600 }),
    count({ contract_id: 'b', tried: 4000, approved }),
  ];
  const fees = (a: string, b: string) => [stated('a', [{ percent: a }]), stated('b', [{ percent: b }])];
  const guard = (counts: readonly Count[], of: ReturnType<typeof fees>, then = BY_VALUE) => {
    const worths = worthsOf({ then, arms: ['a', 'b'], counts, fees: of });
    const sides = sidesOf(valued(counts, { arms: ['a', 'b'], worths }));
    return guardOf(sides, sides, { by: 'value' });
  };
  // 90 % approved at 5 % beside 86 % at none: 0.855 and 0.86
  expect(guard(groups(3440), fees('5', '0'))).toBe(undefined);
  expect(guardOf(sidesOf(groups(3440)), sidesOf(groups(3440)))).toMatch(/fewer approved/);
  expect(guard(groups(3600), fees('0', '10'))).toBe(
    '9 points less left after fees than in the control group since it began',
  );
  // the smaller the margin the more fees weigh: 0.3 and 0.28 of each approved payment
  const narrow = { ...BY_VALUE, margin: 3000 };
  expect(guard(groups(3600), fees('0', '2'))).toBe(undefined);
  expect(guard(groups(3600), fees('0', '2'), narrow)).toMatch(/^6 points less left/);
});

test('the mean part that is left counts only payments whose fees are known', () => {
  const counts = [
    count({ approved: 900 }),
    count({ contract_id: 'b', approved: 500 }),
    count({ cell: 'USD visa payer' }),
  ];
  const worths = new Map([
    [
      CELL,
      [
        { kept: 0.98, attempt: 0.01 },
        { kept: 0.5, attempt: 0 },
      ],
    ],
  ]);
  expect(meanLeft(counts, { arms: ['a', 'b'], worths })).toBeCloseTo((0.9 * 0.98 - 0.01 + 0.25) / 2, 12);
  expect(meanLeft([], { arms: ['a', 'b'], worths })).toBe(null);
});

test('the part of payments that is left is never below none and never above all of them, whatever the fees', () => {
  const random = seeded(9);
  for (let i = 0; i < 1000; i++) {
    const worth = [0, 1].map(() => ({ kept: 1 - 1.5 * random(), attempt: random() / 2 }));
    const tried = 1 + Math.floor(random() * 50);
    const counts = [count({ tried, approved: Math.floor(random() * (tried + 1)) })];
    const [one] = valued(counts, { arms: ['a', 'b'], worths: new Map([[CELL, worth]]) });
    expect(one?.approved).toBeGreaterThanOrEqual(-1e-9);
    expect(one?.approved).toBeLessThanOrEqual(tried + 1e-9);
  }
});
