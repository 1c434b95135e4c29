import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  LOGO_FIELDS,
  SCHEMES,
  SCHEME_NAMES,
  type Scheme,
  holdsCardNumber,
  withCardNumbersMasked,
  logoFiles,
  luhn,
  schemesOf,
} from '../../src/core/card.ts';

const bytes = (digits: string) => Buffer.from(digits, 'latin1');

/** Contract 15.2: approved numbers, by scheme. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  visa: '4242424242424242 4111111111111111 4000056655665556 4543474002249996 4658584090000001 4917610000000000',
  mastercard:
    '5555555555554444 5454545454545454 2223003122003222 2223000010479399 5200828282828210 5105105105105100 5436031030606378 5199992312641465',
  amex: '378282246310005 371449635398431 345678901234564',
  diners: '30123456789019 30569309025904 36227206271667 3056930009020004',
  discover: '6011111111111117 6011000990139424',
  jcb: '3530111333300000 3566002020360505',
  unionpay: '6200000000000005 6205500000000000004',
  maestro: '6759649826438453',
  bancontact: '6703444444444449',
};
const CO_BADGED: readonly (readonly [string, Scheme, Scheme])[] = [
  ['4000002500001001', 'visa', 'cb'],
  ['4035501000000008', 'visa', 'cb'],
  ['5555552500001001', 'mastercard', 'cb'],
];
/** The other numbers of contract 15.2 and 15.3: each passes Luhn and is what its first digits say. */
const OUTCOMES = [
  '4000000000000002 4000000000000341 4000000000009995 4000000000006975 4000000000009987',
  '4000000000009979 4000000000000069 4000000000000127 4000000000000119 4100000000000019',
  '4000000000004954 4000000000009235 4000002760003184 4000000000003220 4000002500003155',
  '4000000000003055 4000008260003178 4000008400001629 4000008400001280 5300000000000006',
  '4000000000000259 4000000000007726 4000000000005126 4000009901000011 4000009906000024',
].flatMap((line) => line.split(' '));

describe('the well-known numbers', () => {
  test.each(Object.entries(WELL_KNOWN))('of %s pass Luhn and carry that brand first', (scheme, numbers) => {
    for (const number of numbers.split(' '))
      expect([number, luhn(bytes(number)), schemesOf(bytes(number))[0]]).toEqual([number, true, scheme]);
  });

  test.each(CO_BADGED)('%s is %s and %s', (number, first, second) => {
    expect(luhn(bytes(number))).toBe(true);
    expect(schemesOf(bytes(number))).toEqual([first, second]);
  });

  test.each(OUTCOMES)('%s passes Luhn and is what its first digit says', (number) => {
    expect(luhn(bytes(number))).toBe(true);
    expect(schemesOf(bytes(number))[0]).toBe(number.startsWith('5') ? 'mastercard' : 'visa');
  });

  test('4242424242424241 fails Luhn', () => {
    expect(luhn(bytes('4242424242424241'))).toBe(false);
  });
});

describe('Luhn', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 13, maxLength: 18 });

  test('exactly one check digit fits a number', () => {
    fc.assert(
      fc.property(digits, (body) => {
        const fitting = [...'0123456789'].filter((digit) => luhn(bytes(body + digit)));
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  test('one digit mistyped is always found', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, by) => {
        const check = [...'0123456789'].find((digit) => luhn(bytes(body + digit))) ?? '';
        const number = body + check;
        const at = place % number.length;
        const wrong = number.slice(0, at) + ((Number(number[at]) + by) % 10) + number.slice(at + 1);
        expect(luhn(bytes(wrong))).toBe(false);
      }),
    );
  });

  test('nothing is no number', () => {
    expect(luhn(bytes(''))).toBe(false);
  });
});

describe('credit-card-type', () => {
  const OUR_NAMES: Readonly<Record<string, string>> = { 'american-express': 'amex', 'diners-club': 'diners' };
  const supported = new Set<string>(SCHEME_NAMES);

  /** The brand it is sure of, under our name; none where it is of a scheme we do not take. */
  function theirs(number: string): string {
    const [type] = creditCardType(number);
    const name = type === undefined ? 'none' : (OUR_NAMES[type.type] ?? type.type);
    return supported.has(name) ? name : 'none';
  }

  /** A number of these first digits, as long as ours may be. */
  const ours = (prefix: string) =>
    [16, 15, 14, 19].map((length) => schemesOf(bytes(prefix.padEnd(length, '0')))[0]).find(Boolean) ?? 'none';

  test('sees the same scheme in every range of four digits, but for what is known', () => {
    const different = new Map<string, string[]>();
    for (let i = 1000; i < 10_000; i++) {
      const pair = [ours(String(i)), theirs(String(i).padEnd(16, '0'))];
      if (pair[0] !== pair[1]) different.set(pair.join(), [...(different.get(pair.join()) ?? []), String(i)]);
    }
    expect(Object.fromEntries([...different].map(([pair, prefixes]) => [pair, rangesOf(prefixes)]))).toEqual({
      // Troy, Elo and Verve, which nobody here can charge, hold parts of these
      'discover,none': '6505 6507 6550',
      'maestro,none': '5061 5067 5079 5090-5099',
      // JCB of 15 digits: no longer issued
      'none,jcb': '1800 2131',
      // whatever begins with 6 and has no other name; those ranges are nobody's
      'none,maestro': '6000-6010 6012-6199 6400-6439 6600-6699 6800-6999',
      // all of 62 is UnionPay by ISO 7812; they list what is issued
      'unionpay,maestro': '6271 6273-6275 6278-6281 6290 6293-6299',
      'unionpay,none': '8172-8179',
    });
  });

  test.each(SCHEME_NAMES.filter((name) => creditCardType.getTypeInfo(name) ?? OUR_NAMES[name]))(
    'agrees on the length of the cvc of %s',
    (name) => {
      expect(SCHEMES[name].cvc).toBe(creditCardType.getTypeInfo(name)?.code.size);
    },
  );

  test('allows the same lengths, but for what is known', () => {
    const first = {
      visa: '4',
      mastercard: '51',
      amex: '34',
      diners: '36',
      discover: '6011',
      jcb: '3528',
      maestro: '67',
    };
    const their_names: Readonly<Record<string, string>> = { amex: 'american-express', diners: 'diners-club' };
    const lengths = [12, 13, 14, 15, 16, 17, 18, 19, 20];
    const different = Object.entries(first).flatMap(([name, prefix]) => {
      const info = creditCardType.getTypeInfo(their_names[name] ?? name);
      const mine = lengths.filter((length) => schemesOf(bytes(prefix.padEnd(length, '0'))).length > 0);
      const more = lengths.filter((length) => mine.includes(length) !== info?.lengths.includes(length));
      return more.length > 0 ? [`${name} ${more.join()}`] : [];
    });
    // the contract takes 14 to 19 digits
    expect(different).toEqual(['maestro 12,13']);
  });
});

/** Numbers in order, as ranges: 1-3 7. */
function rangesOf(numbers: readonly string[]): string {
  const ranges: [string, string][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && Number(number) === Number(last[1]) + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(' ');
}

test('a number of no known range, or too long, has no scheme', () => {
  for (const number of ['', '0'.repeat(16), '9'.repeat(16), '4'.padEnd(20, '0'), '4'.padEnd(15, '0')])
    expect(schemesOf(bytes(number))).toEqual([]);
});

test('a card number is seen in a text, in one piece or in groups, and nothing else is taken for one', () => {
  const cards = ['4242424242424242', 'card 4242 4242 4242 4242!', '2 of 4242-4242-4242-4242 3', '3782 822463 10005'];
  // as pages, letters and phones write it: spaces that do not break, dashes of other lengths, cells of a sheet, two or
  // three signs in a gap
  for (const gap of ['\u00a0', '\u2009', '\u202f', '\u2013', '\u2011', '  ', '\t', ' - ', ' \u2013 '])
    cards.push(['4242', '4242', '4242', '4242'].join(gap));
  // in the digits of other writings, with what is not seen between them, and parted as numbers of telephones are
  const inWriting = (zero: number) =>
    '4242424242424242'.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  for (const zero of [0xff10, 0x660, 0x6f0, 0x966, 0x1d7ce, 0x1d7f6]) cards.push(inWriting(zero));
  for (const gap of ['\u200b', '\u00ad', '\u2060', '.', '/', '_', '·'])
    cards.push(['4242', '4242', '4242', '4242'].join(gap));
  cards.push('4242\u200b4242 4242\u200b4242', '3782.822463.10005');
  const others = [
    '4242424242424241',
    '10.4242.4242.4242.4242',
    '4242.4242.4242.4242.1',
    '4242.42.42.4242.4242',
    '192.168.100.200',
    '4242\n4242\n4242\n4242',
    '1234567890123456',
    '6b0212c72e424242424242424242',
    '42424242424242424242',
    '2026-11-21 21:53',
  ];
  for (const text of cards) expect([text, holdsCardNumber(text)]).toEqual([text, true]);
  for (const text of others) expect([text, holdsCardNumber(text)]).toEqual([text, false]);
  // masked, none of them holds one any more; what holds none stays as it was written
  for (const text of cards) expect([text, holdsCardNumber(withCardNumbersMasked(text))]).toEqual([text, false]);
  for (const text of others) expect(withCardNumbersMasked(text)).toBe(text);
});

test('of a text with a card number its digits alone are masked', () => {
  expect(withCardNumbersMasked('Anna 4242 4242 4242 4242, flat 12')).toBe('Anna #### #### #### ####, flat 12');
  expect(withCardNumbersMasked('2 × 3782.822463.10005 of 2026')).toBe('2 × ####.######.##### of 2026');
  expect(withCardNumbersMasked('٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢ and 4242424242424241')).toBe('################ and 4242424242424241');
});

test('every brand has twelve logo files of its own', () => {
  const files = SCHEME_NAMES.flatMap((name) => LOGO_FIELDS.map((field) => logoFiles(name)[field]));
  expect(new Set(files).size).toBe(12 * SCHEME_NAMES.length);
  for (const file of files) expect(file).toMatch(/^[A-Za-z-]+(?:_[a-z]+)*(?:@2x)?\.(?:svg|png)$/);
});
