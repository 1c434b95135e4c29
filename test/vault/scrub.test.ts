// What is taken out of an answer: the request's own number however it stands, every other number that passes Luhn, the
// cvc; and what is left: JSON that parses, and everything that is no card.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STEPS } from '../../src/provider/three-ds/steps.ts';
import { luhn } from '../../src/core/card.ts';
import { hideCryptogram } from '../../src/vault/forward/scrub/cryptogram.ts';
import { scrub } from '../../src/vault/forward/scrub/scrub.ts';

const OWN = '4242424242424242';
const OTHER = '5555555555554444';

function scrubbed(text: string, references: readonly string[] = []): { text: string; others: number } {
  const bytes = Buffer.from(text);
  const others = scrub(bytes, { number: Buffer.from(OWN), references, cvc_names: ['kryptic'] });
  return { text: bytes.toString(), others };
}

const spread = (number: string, sign: string) => number.replace(/(\d{4})(?=\d)/g, `$1${sign}`);
const escaped = (number: string) => [...number].map((digit) => `\\u003${digit}`).join('');
const percent = (number: string) => [...number].map((digit) => `%3${digit}`).join('');

test.each(['a', '1', 'ok', 'tok_9'])(
  "a partner's token as short as %s ends the search and spoils no answer",
  (token) => {
    const answer = Buffer.from('{"result":"Yes, ok","id":"11111111111111","token":"a"}');
    const before = answer.toString();
    expect(scrub(answer, { number: Buffer.from(token), references: ['id'], cvc_names: [] })).toBe(0);
    expect(answer.toString()).toBe(before);
  },
);

describe("the request's own number", () => {
  test.each([
    ['track 1', JSON.stringify({ a: `%B${OWN}^DOE/J^3412` })],
    ['track 2', JSON.stringify({ a: `;${OWN}=3412101?` })],
    ['track 1 in a form', `a=%B${OWN}^DOE/J^3412&b=1`],
    ['two fields', JSON.stringify({ first: OWN.slice(0, 8), rest: OWN.slice(8) })],
    ['two fields whose names have digits', JSON.stringify({ part1: OWN.slice(0, 9), part2: OWN.slice(9) })],
    ['two numbers', `{"a":${OWN.slice(0, 8)},"b":${OWN.slice(8)}}`],
    ['a list of digits', JSON.stringify([...OWN].map(Number))],
    ['a list of texts', JSON.stringify({ a: OWN.match(/.{4}/g) })],
    [
      'full width',
      JSON.stringify({ a: OWN.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))) }),
    ],
    ['elements of XML', `<c>${[...OWN].map((digit, at) => `<d${at}>${digit}</d${at}>`).join('')}</c>`],
    ['entities of XML', `<c>${[...OWN].map((digit) => `&#x3${digit};`).join('')}</c>`],
    ['a text', JSON.stringify({ a: OWN })],
    ['a number', `{"a":${OWN}}`],
    ['a number with a fraction', `{"a":${OWN}.00}`],
    ['a number with an exponent', '{"a":4.242424242424242e15}'],
    ['the name of a member', JSON.stringify({ [OWN]: 1 })],
    ['the middle of a word', JSON.stringify({ a: `card_${OWN}x` })],
    ['the middle of more digits', JSON.stringify({ a: `000${OWN}1111` })],
    ['a reference', JSON.stringify({ reference: OWN })],
    ['JSON within JSON', JSON.stringify({ a: JSON.stringify({ b: OWN }) })],
    ['escapes', `{"a":"${escaped(OWN)}"}`],
    ['a text that never ends', `{"a":"${OWN}`],
    ['HTML', `<html><p>Card ${OWN}</p>`],
    ['plain text', `no card ${OWN}`],
    ['a form', `a=b&number=${OWN}&c=d`],
    ['a form with escapes', `number=${percent(OWN)}`],
    ...[
      ',',
      '|',
      ':',
      '   ',
      ' | ',
      ', ',
      '\n',
      ' ',
      '-',
      '.',
      '/',
      '_',
      '  ',
      '\u00a0',
      '\u2009',
      '\u2013',
      ' - '.slice(0, 2),
    ].map((sign) => [`groups with ${JSON.stringify(sign)}`, JSON.stringify({ a: spread(OWN, sign) })] as const),
    ['single digits', JSON.stringify({ a: [...OWN].join(' ') })],
    ['a form with blanks', `number=${spread(OWN, '+')}&number2=${spread(OWN, '%20')}`],
    ['hex', JSON.stringify({ a: Buffer.from(OWN).toString('hex') })],
    ['two bytes a character', Buffer.from(OWN, 'utf16le').toString('latin1')],
    ...['', 'x', 'xy', 'xyz'].map(
      (before) =>
        [
          `base64 after ${before.length}`,
          JSON.stringify({ a: Buffer.from(`${before}${OWN}y`).toString('base64') }),
        ] as const,
    ),
  ] as const)('as %s is gone', (_, answer) => {
    const { text, others } = scrubbed(answer);
    const plain = unescaped(text).replace(/[^0-9]/g, '');
    expect(plain).not.toContain(OWN);
    expect(text).not.toContain(Buffer.from(OWN).toString('hex'));
    for (const before of ['', 'x', 'xy'])
      expect(Buffer.from(text.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64').toString('latin1')).not.toContain(
        before + OWN,
      );
    expect(text).not.toBe(answer);
    expect(others).toBe(0);
    expect(isJson(text)).toBe(isJson(answer));
  });

  test.each(['', 'x', 'xy', 'xyz'])('as base64 of base64, %j before it, is gone', (before) => {
    const once = Buffer.from(`${before}${OWN}y`).toString('base64');
    for (const outer of ['', 'a', 'ab']) {
      const { text } = scrubbed(JSON.stringify({ a: Buffer.from(`${outer}${once}`).toString('base64url') }));
      const inner = Buffer.from(String(JSON.parse(text).a).replaceAll('#', 'A'), 'base64url').toString('latin1');
      expect(Buffer.from(inner.slice(outer.length), 'base64').toString('latin1')).not.toContain(OWN);
    }
  });

  test('however it is written, is gone, and JSON stays JSON', () => {
    fc.assert(
      fc.property(
        NUMBERS,
        fc.constantFrom(...WRITTEN),
        fc.constantFrom(...CARRIERS),
        (number, [, write, read], carry) => {
          const answer = Buffer.from(carry(write(number)));
          scrub(answer, { number: Buffer.from(number), references: ['a'], cvc_names: [] });
          const text = answer.toString();
          expect(read(text)).not.toContain(number);
          expect(isJson(text)).toBe(isJson(carry(write(number))));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('is gone from any JSON that holds it anywhere', () => {
    const carrier = fc
      .jsonValue({ maxDepth: 4 })
      .map((value) => ({ value, card: [OWN, { deep: `x ${spread(OWN, '-')}` }] }));
    fc.assert(
      fc.property(carrier, (value) => {
        const { text } = scrubbed(JSON.stringify(value));
        expect(text.replace(/[^0-9]/g, ' ')).not.toMatch(/4242 ?4242 ?4242 ?4242/);
        expect(isJson(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

/** Luhn-valid, of 14 to 19 digits. */
const NUMBERS = fc
  .tuple(fc.integer({ min: 13, max: 18 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 }))
  .map(([length, all]) => {
    const start = `4${all.slice(1, length).join('')}`;
    return Array.from({ length: 10 }, (_, last) => `${start}${last}`).find((one) => luhn(Buffer.from(one))) ?? '';
  });

type Way = (text: string) => string;
const digitsOnly: Way = (text) => text.replaceAll(/[^0-9]/g, '');
const between = (sign: string, size: number): readonly [string, Way, Way] => [
  `${size} digits and ${JSON.stringify(sign)}`,
  (number) => (number.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(sign),
  digitsOnly,
];
const eachDigit = (name: string, write: Way, read: Way): readonly [string, Way, Way] => [
  name,
  (number) => [...number].map(write).join(''),
  read,
];

/** How a number is written, and how somebody who looks for it would read it. */
const WRITTEN: readonly (readonly [string, Way, Way])[] = [
  ...['', ' ', '   ', '-', ',', ', ', '|', ':', ' / ', '.', '_', '\t', '*', ' - - '].flatMap((sign) =>
    [1, 3, 4, 6].map((size) => between(sign, size)),
  ),
  ['track 1', (number) => `%B${number}^A/B^3412`, digitsOnly],
  ['track 2', (number) => `;${number}=3412?`, digitsOnly],
  eachDigit(
    'full width',
    (digit) => String.fromCharCode(0xff10 + Number(digit)),
    (text) => text.replaceAll(/[\uff10-\uff19]/g, (one) => String(one.charCodeAt(0) - 0xff10)),
  ),
  eachDigit(
    'entities',
    (digit) => `&#${48 + Number(digit)};`,
    (text) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  ),
  eachDigit(
    'escapes',
    (digit) => `\\u003${digit}`,
    (text) => text.replaceAll('\\u003', ''),
  ),
  ['hex', (number) => Buffer.from(number).toString('hex'), (text) => text.replaceAll(/3(\d)/g, '$1')],
];

const CARRIERS: readonly Way[] = [
  (text) => `{"a":"${text}","b":1}`,
  (text) => `[1,{"x":{"a":"see ${text} there"}}]`,
  (text) => `<answer a="1"><card>${text}</card></answer>`,
  (text) => `ok ${text}`,
];

function unescaped(text: string): string {
  return text
    .replace(/\\u00([0-9a-f]{2})|%([0-9a-f]{2})/gi, (_, a: string, b: string) =>
      String.fromCharCode(parseInt(a ?? b, 16)),
    )
    .replaceAll('\0', '');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('another number that passes Luhn', () => {
  test.each([
    ['a text', `{"a":"${OTHER}"}`, `{"a":"${'#'.repeat(16)}"}`],
    ['a number, which stays one', `{"a":${OTHER}}`, `{"a":1${'0'.repeat(15)}}`],
    ['groups', `{"a":"${spread(OTHER, ' ')}"}`, '{"a":"#### #### #### ####"}'],
    ['groups and a date', `{"a":"${spread(OTHER, '-')} 12/34"}`, '{"a":"####-####-####-#### 12/34"}'],
    ['a line of its own', `{"a":"x\\n${OTHER}"}`, `{"a":"x\\n${'#'.repeat(16)}"}`],
    ['a form', `a=${OTHER}&b=1`, `a=${'#'.repeat(16)}&b=1`],
    ['14 digits', '{"a":"30569309025904"}', `{"a":"${'#'.repeat(14)}"}`],
    ['19 digits', '{"a":"6799990100000000019"}', `{"a":"${'#'.repeat(19)}"}`],
  ])('as %s is gone, and told', (_, answer, left) => {
    expect(scrubbed(answer)).toEqual({ text: left, others: 1 });
  });

  test.each([
    ['one that does not pass', '{"a":"5555555555554445"}'],
    ['13 digits', '{"a":1767225600006}'],
    ['20 digits', '{"a":"00005555555555554444"}'],
    ['an id of ours', '{"id":"6b0152245555555555554444"}'],
    ['a word', '{"a":"pay_5555555555554444"}'.replace('_', 'x')],
    ['a date and a time', '{"at":"2026-11-21T07:37:30.123Z"}'],
    ['a list of numbers', '{"a":[5555,5555,5555,4444]}'],
    ['texts beside each other', '{"a":"55555555","b":"55554444"}'],
  ])('%s stays', (_, answer) => {
    expect(scrubbed(answer)).toEqual({ text: answer, others: 0 });
  });

  test("stays where the operator says that it is the provider's reference, and only there", () => {
    const answer = `{"reference":"${OTHER}","a":"${OTHER}"}`;
    expect(scrubbed(answer, ['reference'])).toEqual({
      text: `{"reference":"${OTHER}","a":"${'#'.repeat(16)}"}`,
      others: 1,
    });
    expect(scrubbed(`{"reference":${OTHER}}`, ['reference']).others).toBe(0);
    expect(scrubbed(`{"x":"reference","a":"${OTHER}"}`, ['reference']).others).toBe(1);
  });

  test('any of 1,000 is gone, whatever it is made of', () => {
    const digits = fc.tuple(
      fc.integer({ min: 13, max: 18 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 }),
    );
    fc.assert(
      fc.property(digits, fc.constantFrom('', ' ', '-', '.'), ([length, all], sign) => {
        const start = all.slice(0, length).join('');
        const number =
          Array.from({ length: 10 }, (_, last) => `${start}${last}`).find((one) => luhn(Buffer.from(one))) ?? '';
        const { text } = scrubbed(JSON.stringify({ a: sign === '' ? number : spread(number, sign) }));
        expect(text.replace(/[^0-9]/g, '')).toBe('');
      }),
      { numRuns: 1000 },
    );
  });
});

test('a cvc is gone from the fields that providers keep it in, and from the one it was sent in', () => {
  const answer =
    '{"cvc":"123","card":{"cvv2":123,"securityCode":"1234","kryptic":"999"},"amount":"123","code":"944444"}';
  expect(JSON.parse(scrubbed(answer).text)).toEqual({
    cvc: '###',
    card: { cvv2: 100, securityCode: '####', kryptic: '###' },
    amount: '123',
    code: '944444',
  });
  expect(scrubbed('a=1&cvc=123&amount=123').text).toBe('a=1&cvc=###&amount=123');
});

test.each([
  ['{"CVV2":"123"}', '{"CVV2":"###"}'],
  ['{"CVV":"1234"}', '{"CVV":"####"}'],
  ['{"card_cvv":123}', '{"card_cvv":100}'],
  ['{"cvn":"123"}', '{"cvn":"###"}'],
  ['{"Card-CVC":"1 2 3"}', '{"Card-CVC":"# # #"}'],
  ['{"card_security_code":"123"}', '{"card_security_code":"###"}'],
  ['{"cvc":"\\u0031\\u0032\\u0033"}', `{"cvc":"${'#'.repeat(18)}"}`],
  ['{"a":"{\\"cvv\\":\\"123\\"}"}', '{"a":"{\\"cvv\\":\\"###\\"}"}'],
  ['{"name":"cvv","value":"123"}', '{"name":"cvv","value":"###"}'],
  ['<Card><CVV2>123</CVV2></Card>', '<Card><CVV2>###</CVV2></Card>'],
  ['<s:cvc xsi:type="string">123</s:cvc>', '<s:cvc xsi:type="string">###</s:cvc>'],
  ['<cvn><![CDATA[123]]></cvn>', '<cvn><![CDATA[###]]></cvn>'],
  ['<card number="1" Cvv="123"/>', '<card number="1" Cvv="###"/>'],
  ['<param name="CVV2" value="123"/>', '<param name="CVV2" value="###"/>'],
  ['<field name="cvv2">123</field>', '<field name="cvv2">###</field>'],
  ['a=1&CARD_CVV=123', 'a=1&CARD_CVV=###'],
  ['declined, CVV: 123', 'declined, CVV: ###'],
])('a cvc in %s is gone', (answer, left) => {
  expect(scrubbed(answer).text).toBe(left);
});

test.each([
  '{"cvv_result":"M","cvv_check":100,"amount":"123"}',
  '{"acid":"123","cvvResponseCode":"200"}',
  '{"cvc":"","code":"944444"}',
  '{"cvc":null,"status":200}',
  '<cvvResult>100</cvvResult><amount>123</amount>',
])('what is no cvc stays: %s', (answer) => {
  expect(scrubbed(answer).text).toBe(answer);
});

test('whatever the bytes are, it comes to an end and keeps their number', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('', '{', '[', '<', '{"a":"\\', '"'),
      (bytes, before) => {
        const answer = Buffer.concat([Buffer.from(before), bytes]);
        const length = answer.length;
        scrub(answer, { number: Buffer.from(OWN), references: [], cvc_names: [] });
        expect(answer).toHaveLength(length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a large answer full of digits is looked through within the time of a test', () => {
  const answer = Buffer.from(`{"a":"${'4 '.repeat(120_000)}${OTHER}"}`);
  scrub(answer, { number: Buffer.from(OWN), references: [], cvc_names: [] });
  expect(answer.includes(OTHER)).toBe(false);
});

test.each(['<', '"', '&', '&#', '%', '\\', `{"a":${OWN}},`, 'cvc '])(
  'a large answer of nothing but %s is looked through within the time of a test',
  (part) => {
    const answer = Buffer.from(part.repeat(Math.floor(256_000 / part.length)));
    scrub(answer, { number: Buffer.from(OWN), references: [], cvc_names: [] });
    expect(answer.includes(OWN)).toBe(false);
  },
);

test('an id of an authentication that looks like a number by chance stays as it is, wherever directory and bank answer with one', () => {
  const answer = JSON.stringify({
    threeDSServerTransID: '56646586-8549-4966-abe4-7335a53e515a',
    acsTransID: '56646586-8549-4966-abe4-7335a53e515a',
    dsTransID: '56646586-8549-4966-abe4-7335a53e515a',
  });
  expect(scrubbed(answer).text).toContain('########');
  for (const { references } of [STEPS.preauth, STEPS.authenticate])
    expect(scrubbed(answer, references)).toEqual({ text: answer, others: 0 });
});

test.each<[string, (cryptogram: string) => string]>([
  ['as it was sent', (cryptogram) => `{"cryptogram":"${cryptogram}"}`],
  ['in JSON as PHP writes it', (cryptogram) => `{"cryptogram":"${cryptogram.replaceAll('/', '\\/')}"}`],
  [
    'in JSON as .NET writes it',
    (cryptogram) => `{"cryptogram":"${cryptogram.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')}"}`,
  ],
  ['in a form', (cryptogram) => `ok=1&cryptogram=${encodeURIComponent(cryptogram)}`],
  [
    'in a form without its sign for a blank',
    (cryptogram) => `cryptogram=${encodeURIComponent(cryptogram).replace('%2B', '+')}`,
  ],
  ['in XML', (cryptogram) => `<c>${cryptogram.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')}</c>`],
])('the cryptogram of a network token that an answer repeats is overwritten %s', (_, written) => {
  const cryptogram = 'Ag+A/AAAB/k4+WZ4C28yUQAAAAA=';
  const answer = Buffer.from(written(cryptogram));
  const before = answer.toString();
  hideCryptogram(answer, Buffer.from(cryptogram));
  const [first = '', ...rest] = before.split(/Ag.*?%3D|Ag.*?u003d|Ag.*?=/);
  expect(answer.toString()).toBe(
    first + '#'.repeat(before.length - first.length - rest.join('').length) + rest.join(''),
  );
  const other = Buffer.from(before.replace('WZ4', 'WZ5'));
  hideCryptogram(other, Buffer.from(cryptogram));
  expect(other.toString()).toBe(before.replace('WZ4', 'WZ5'));
});
