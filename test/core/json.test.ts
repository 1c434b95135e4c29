import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTRACT_LIMITS, JsonNumber, JsonProblem, type JsonValue, parseJson, plainJson } from '../../src/core/json.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"m${i}":0`).join()}}`;
const list = (count: number) => `[${Array.from({ length: count }, () => '0').join()}]`;

function get(value: JsonValue, name: string): JsonValue | undefined {
  return value instanceof Map ? value.get(name) : undefined;
}

test('a JSON text within the limits is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (text, indent) => {
      const value: unknown = JSON.parse(text);
      const spaced = JSON.stringify(value, null, indent);
      // a double written by JSON.stringify keeps its value, -0 becomes 0
      expect(plainJson(parseJson(spaced))).toEqual(JSON.parse(spaced));
    }),
    { numRuns: 2000 },
  );
});

test('a spoilt JSON text is refused where JSON.parse refuses it, and taken where that takes it', () => {
  const spoilt = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[]",:\\0e.-+tfn \u0000\u001f\ufeff'), fc.boolean())
    .map(([text, at, char, insert]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + char + text.slice(insert ? cut : cut + 1);
    });
  const said = (parse: (text: string) => unknown, text: string) => {
    try {
      parse(text);
      return 'taken';
    } catch (error) {
      return error instanceof JsonProblem && error.message.includes('twice') ? 'a name twice' : 'refused';
    }
  };
  fc.assert(
    fc.property(spoilt, (text) => {
      const ours = said(parseJson, text);
      // a name that stands twice ends our reading; what JSON.parse says of the rest of the text is not comparable
      if (ours !== 'a name twice') expect(ours).toBe(said(JSON.parse, text));
    }),
    { numRuns: 5000 },
  );
});

test.each(['11.30', '1e400', '-0', '0.1000000000000000055', '12345678901234567890', '1E-7'])(
  'the number %s keeps the text it was written in',
  (text) => {
    const value = get(parseJson(`{"a": ${text} }`), 'a');
    expect(value).toBeInstanceOf(JsonNumber);
    expect(value).toMatchObject({ text });
  },
);

test.each([
  ['nothing', ''],
  ['only space', ' \n\t'],
  ['garbage behind', '{} x'],
  ['a second value behind', '{}{}'],
  ['a comma at the end of an object', '{"a":1,}'],
  ['a comma at the end of a list', '[1,]'],
  ['a member without a value', '{"a"}'],
  ['a name without quotes', '{a:1}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{} // hi'],
  ['a byte order mark', '\ufeff{}'],
  ['a number with a plus', '{"a":+1}'],
  ['a number with a leading zero', '{"a":01}'],
  ['a number that begins with a point', '{"a":.5}'],
  ['a number that ends with a point', '{"a":5.}'],
  ['a hexadecimal number', '{"a":0x1}'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":Infinity}'],
  ['undefined', '{"a":undefined}'],
  ['a word in capitals', '{"a":TRUE}'],
  ['a text with a line end', '{"a":"x\ny"}'],
  ['a text with U+0000', '{"a":"x\u0000y"}'],
  ['a text that is not closed', '{"a":"x'],
  ['an unknown escape', '{"a":"\\x41"}'],
  ['half an escape', '{"a":"\\u00g0"}'],
  ['an object that is not closed', '{"a":1'],
  ['a list that is not closed', '[1'],
  ['a form feed as space', '\f{}'],
  ['a no-break space', '\u00a0{}'],
])('%s is refused, without a word of what was sent', (_, text) => {
  expect(() => parseJson(text)).toThrow(JsonProblem);
  expect(() => parseJson(text)).toThrow(/^the body (?:is not valid JSON|[a-z ]+) \(near character \d+\)$/);
});

test('a byte order mark, which nobody sees, is named', () => {
  for (const text of ['\ufeff{}', '\ufeff', '\ufeff []'])
    expect(() => parseJson(text)).toThrow('the body begins with a byte order mark that must not be there');
  // elsewhere it is a character as any other
  expect(plainJson(parseJson('{"a":"\ufeff"}'))).toEqual({ a: '\ufeff' });
  expect(() => parseJson(' \ufeff{}')).toThrow('is not valid JSON');
});

test.each([
  ['at the top', '{"a":1,"a":1}'],
  ['with an escape', '{"a":1,"\\u0061":2}'],
  ['deep inside', '{"x":[{"y":{"b":1,"c":2,"b":3}}]}'],
  ['the empty name', '{"":1,"":2}'],
  ['__proto__', '{"__proto__":1,"__proto__":2}'],
])('a member name twice is refused: %s', (_, text) => {
  expect(() => parseJson(text)).toThrow('has a member name twice');
});

test('the same name in different objects is no repetition', () => {
  expect(plainJson(parseJson('{"a":{"a":[{"a":1},{"a":2}]}}'))).toEqual({ a: { a: [{ a: 1 }, { a: 2 }] } });
});

test.each([
  ['lists of depth 8', nested(8), nested(9)],
  ['objects of depth 8', objects(8), objects(9)],
  ['2,000 members', members(2000), members(2001)],
  ['2,000 members in two objects', `[${members(1999)},{"a":0}]`, `[${members(2000)},{"a":0}]`],
  ['a list of 200', list(200), list(201)],
])('%s are taken, one more is refused', (_, most, more) => {
  expect(() => parseJson(most)).not.toThrow();
  expect(() => parseJson(more)).toThrow(/(?:deeper than 8|more than 2000 members|more than 200 items)/);
});

test('the limits are those of the contract', () => {
  expect(CONTRACT_LIMITS).toEqual({ depth: 8, members: 2000, list: 200 });
});

test('a hundred thousand brackets are refused at once', () => {
  expect(() => parseJson(nested(100_000))).toThrow('deeper than 8');
  expect(() => parseJson(nested(100_000, '{"a":', '}'))).toThrow('deeper than 8');
});

test('names that objects have by birth are names like any other', () => {
  const text =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":2}';
  const value = parseJson(text);
  expect(get(value, 'toString')).toBeInstanceOf(JsonNumber);
  const plain = plainJson(value);
  expect(Object.keys(plain as object)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});

test('texts keep every character: escapes, pairs, and halves of pairs', () => {
  expect(plainJson(parseJson('["\\"\\\\\\/\\b\\f\\n\\r\\t","\\ud83d\\ude00","\\ud83d","Zoë 漢字 😀"]'))).toEqual([
    '"\\/\b\f\n\r\t',
    '😀',
    '\ud83d',
    'Zoë 漢字 😀',
  ]);
});
