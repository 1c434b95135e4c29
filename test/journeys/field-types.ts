// The field types of contract 2.2, each with values that are taken (and how they are answered) and values that are
// refused.

/** JSON as it stands: what JSON.stringify would not write. */
export class Raw {
  readonly text: string;
  constructor(json: string) {
    this.text = json;
  }
}

export type FieldType = {
  readonly taken: readonly (readonly [sent: unknown, answered: unknown])[];
  readonly refused: readonly unknown[];
};

const same = (...values: readonly unknown[]) => values.map((value) => [value, value] as const);
const NO_TEXT = [true, false, {}, [], ['a'], { a: 1 }];

export function text(max: number, lines: 'one line' | 'lines' = 'one line'): FieldType {
  const breaks = ['tab\there', 'two\nlines'];
  return {
    taken: [
      ...same('a', '0', ' a ', '<b>&amp;</b>"\'\\', 'Zoë', 'x'.repeat(max), '😀'.repeat(max), 'null', '__proto__'),
      [0, '0'] as const,
      [5512, '5512'] as const,
      [-7, '-7'] as const,
      [9_007_199_254_740_991, '9007199254740991'] as const,
      ...(lines === 'lines' ? same(...breaks) : []),
    ],
    refused: [
      ...NO_TEXT,
      'x'.repeat(max + 1),
      '😀'.repeat(max + 1),
      'a\u0000',
      'a\u0007b',
      'a\u007f',
      'a\u0085b',
      'a\rb',
      1.5,
      new Raw('9007199254740992'),
      new Raw('-9007199254740993'),
      new Raw('1e400'),
      new Raw('"a\\ud800"'),
      ...(lines === 'lines' ? [] : breaks),
    ],
  };
}

export function int(from: number, to: number, answered: (value: number) => unknown = (value) => value): FieldType {
  const middle = Math.min(to, from + 7);
  return {
    taken: [from, to, middle].flatMap((value) => [
      [value, answered(value)] as const,
      [String(value), answered(value)] as const,
    ]),
    refused: [
      to + 1,
      from - 1,
      String(to + 1),
      -5,
      '-5',
      1.5,
      '1.5',
      'many',
      '1e1',
      ' 1',
      '1 ',
      '+1',
      '1,000',
      '１',
      '0x1',
      true,
      {},
      [],
      [1],
      new Raw('1e400'),
      new Raw('99999999999999999999'),
      '99999999999999999999',
    ],
  };
}
export const intText = (from: number, to: number) => int(from, to, String);

export const bool: FieldType = {
  taken: [...same(true, false), ['true', true], ['false', false]],
  refused: ['TRUE', 'yes', 'no', '1', '0', 1, 0, ' true', [], {}, [true], 'null'],
};

export const money0: FieldType = {
  taken: [
    ...same(0, 11.3, 10, 0.01, 10_000_000_000),
    ['0', 0],
    ['0.00', 0],
    ['11.30', 11.3],
    [new Raw('11.30'), 11.3],
    [new Raw('20.00'), 20],
    ['10000000000.00', 10_000_000_000],
  ],
  refused: [
    -1,
    '-1',
    '-0',
    new Raw('-0'),
    new Raw('1e2'),
    '1e2',
    new Raw('1E+2'),
    new Raw('1e400'),
    'NaN',
    'Infinity',
    '+1',
    '01',
    '.5',
    '5.',
    '1,5',
    ' 1',
    '1 ',
    '11.301',
    11.301,
    'free',
    '10000000000.01',
    new Raw('10000000000.01'),
    new Raw('0.1000000000000000055'),
    '0.1000000000000000055',
    new Raw('9'.repeat(50)),
    true,
    {},
    [],
    [1],
  ],
};

export const choice = (...values: readonly string[]): FieldType => ({
  taken: same(...values),
  refused: [
    ...values.map((value) => value.toUpperCase()),
    ...values.map((value) => ` ${value}`),
    'none',
    '__proto__',
    'toString',
    'constructor',
    0,
    1,
    true,
    [],
    {},
    [values[0]],
  ],
});

export const url: FieldType = {
  taken: same(
    ...['https://shop.example/back?status=accept&n=1881', 'http://localhost:3000/', 'https://shop.example'],
    ...['HTTPS://SHOP.example/A%C3%A9?x=[]&y={}#f', 'https://[::1]:8443/x', 'https://shop.example/a@b?c=d@e'],
    `https://shop.example/${'x'.repeat(2048 - 21)}`,
  ),
  refused: [
    'ftp://shop.example/',
    '//shop.example/',
    'shop.example',
    '/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@shop.example/',
    'https://u:p@shop.example/',
    'https://@shop.example/',
    'https://',
    'https://shop.example/é',
    'https://shop.example/a b',
    'https://shop.example/a\tb',
    'https://shop.example/\n',
    ' https://shop.example/',
    'https:shop.example',
    'https:/shop.example',
    'https://shop.example:99999/',
    `https://shop.example/${'x'.repeat(2048 - 20)}`,
    5,
    true,
    {},
    [],
    ['https://shop.example'],
  ],
};

export const date: FieldType = {
  taken: [
    ...same('1990-05-01', '2000-02-29', '1899-12-31'),
    ['1990-05-01T23:30:00Z', '1990-05-01'],
    ['1990-05-01T00:30:00.000+09:00', '1990-05-01'],
  ],
  refused: [
    '1990-02-30',
    '1990-13-01',
    '1990-5-1',
    '01.05.1990',
    '05/01/1990',
    '1990',
    'May',
    19_900_501,
    true,
    {},
    [],
  ],
};

const LONG = 'Fri Aug 16 2024 09:30:15 GMT';
export const datetime: FieldType = {
  taken: [
    ['2024-08-16T09:30:15Z', '2024-08-16T09:30:15.000Z'],
    ['2024-08-16T09:30:15.118Z', '2024-08-16T09:30:15.118Z'],
    ['2024-08-16T09:30:15', '2024-08-16T09:30:15.000Z'],
    ['2024-08-16T11:30:15+02:00', '2024-08-16T09:30:15.000Z'],
    [`${LONG}+0000 (Coordinated Universal Time)`, '2024-08-16T09:30:15.000Z'],
    [`${LONG}-0530 (Somewhere)`, '2024-08-16T15:00:15.000Z'],
    [`${LONG}+0200`, '2024-08-16T07:30:15.000Z'],
  ],
  refused: ['2024-02-30T00:00:00Z', '16.08.2024 09:30', 'tomorrow', LONG, '1723800615', 1_723_800_615, true, {}, []],
};

export const country: FieldType = {
  taken: [...same('FR', 'US'), ['fr', 'FR'], ['Fr', 'FR']],
  refused: ['FRA', 'F', 'F1', 'France', 'é!', ' FR', 33, true, {}, []],
};

export const email: FieldType = {
  taken: same('a@b', 'Ada.Martin+1@shop.example', 'zoë@exämple.example', `${'a'.repeat(240)}@shop.example0`),
  refused: ['a', '@b', 'a@', '@', 'a@b@c', `${'a'.repeat(243)}@shop.example`, 'a@b\n', 'a@\u0000b', 5, true, {}, []],
};

export const ip: FieldType = {
  taken: [
    ...same('203.0.113.7', '0.0.0.0', '255.255.255.255', '::1', '2001:db8::1'),
    ['2001:DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['2001:DB8::1,203.0.113.7', '2001:db8::1'],
    [' 203.0.113.7 , 10.0.0.1, x', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:0.0.0.1', '0.0.0.1'],
    ['::1:cb00:7107', '::1:cb00:7107'],
  ],
  refused: [
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4:80',
    '[::1]',
    '::g',
    ':::',
    '1',
    '0x7f.0.0.1',
    'shop.example',
    '1.2.3.',
    'fe80::1%eth0',
    ', 1.2.3.4',
    '1.2.3.4/24',
    '１.2.3.4',
    16_909_060,
    true,
    {},
    [],
  ],
};

export const locale: FieldType = {
  taken: [...same('fr', 'fr_FR', 'en_EN', 'sv_SV', 'zz_ZZ'), ['fr-FR', 'fr_FR']],
  refused: ['french', 'f', 'fra', 'fr_', 'fr_FRA', 'fr FR', 'fr__FR', 'fr_F1', 'é_FR', ' fr', 5, true, {}, []],
};

export const timeZone: FieldType = {
  taken: same('Europe/Paris', 'America/Argentina/Buenos_Aires', 'UTC', '+02:00', '-05:30', 'Etc/GMT+5'),
  refused: ['x'.repeat(65), 'Europe Paris', 'a\u0000', 'Europe/Paris\n', true, {}, []],
};

export const id24: FieldType = {
  taken: same('0123456789abcdef01234567'),
  refused: ['0123456789abcdef0123456', '0123456789abcdef012345678', 'g'.repeat(24), 'A'.repeat(24), 5, true, {}, []],
};

/** The JSON text of an object in which Raw values stand as they are. */
export function jsonOf(object: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${valueJson(value)}`).join()}}`;
}

function valueJson(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(valueJson).join()}]`;
  if (typeof value === 'object' && value !== null) return jsonOf({ ...value });
  return JSON.stringify(value);
}

/** How a value is shown in a test's words. */
export function shown(value: unknown): string {
  const json = valueJson(value);
  return json.length > 60 ? `${json.slice(0, 40)}… (${json.length} characters)` : json;
}
