// The byte reader of the vault takes and refuses the same language as core/json.ts, with the same words.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonNumber, JsonProblem, type JsonValue, parseJson } from '../../src/core/json.ts';
import { Members, keyedHash } from '../../src/vault/card/byte-fields.ts';
import { type JsonNode, readJsonBytes } from '../../src/vault/card/json-bytes.ts';

/** What core/json.ts would have made of it. */
function valueOf(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'object':
      return new Map(node.members.map(({ name, value }) => [wholeText(name), valueOf(value)]));
    case 'list':
      return node.items.map(valueOf);
    case 'text':
      return wholeText(node.bytes);
    case 'number':
      return new JsonNumber(node.bytes.toString());
    case 'null':
      return null;
    case 'true':
      return true;
    case 'false':
      return false;
  }
}

/** Half a character, which UTF-8 has no bytes for, shows as the replacement character. */
function wholeText(bytes: Buffer): string {
  const halves = /\xed[\xa0-\xbf][\x80-\xbf]/g;
  return Buffer.from(bytes.toString('latin1').replace(halves, '\xef\xbf\xbd'), 'latin1').toString();
}

function whole(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(whole);
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([name, item]) => [name.toWellFormed(), whole(item)]));
}

function attempt(read: () => JsonValue): unknown {
  try {
    const value = read();
    return value instanceof Map ? value : 'the body must be a JSON object';
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

const byBytes = (bytes: Buffer) =>
  attempt(() => valueOf({ kind: 'object', members: readJsonBytes(Buffer.from(bytes)).members }));
const byText = (bytes: Buffer) => attempt(() => whole(parseJson(bytes.toString())));

/** A text in which every character may be written in another way. */
const spelled = fc
  .array(fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.integer({ min: 0, max: 3 })))
  .map((units) =>
    units
      .map(([unit, way]) => {
        const escaped = [...unit.split('')].map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`);
        return way === 0
          ? escaped.join('')
          : way === 1
            ? escaped.join('').toUpperCase().replaceAll('\\U', '\\u')
            : JSON.stringify(unit).slice(1, -1);
      })
      .join(''),
  )
  .map((text) => `"${text}"`);

const { body } = fc.letrec<{ value: string; body: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    spelled,
    fc.constantFrom('0', '-0', '12', '1.50', '-3e5', '1E+9', 'true', 'false', 'null', '""', '9007199254740993'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
    tie('body'),
  ),
  body: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('"a"', '"b"', '"__proto__"', '"\\u0061"'), spelled), tie('value')), {
      maxLength: 5,
    })
    .map((members) => `{${members.map(([name, value]) => ` ${name} :\n${value}`).join(',')}\t}`),
}));

test('takes what the other takes, and reads the same', () => {
  fc.assert(
    fc.property(body, (text) => {
      const bytes = Buffer.from(text);
      expect(byBytes(bytes)).toEqual(byText(bytes));
    }),
    { numRuns: 3000 },
  );
});

test('refuses what the other refuses, at the same place and in the same words', () => {
  const spoilt = fc
    .tuple(body, fc.nat(), fc.constantFrom('', '"', '\\', '{', '}', ',', ':', '\u0000', 'é', '1', '\\u12', '-', 'nul'))
    .map(
      ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at + 1) % (text.length + 1)),
    );
  fc.assert(
    fc.property(spoilt, (text) => {
      const bytes = Buffer.from(text);
      expect(byBytes(bytes)).toEqual(byText(bytes));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ['nine levels', `{"a":${'['.repeat(8)}${']'.repeat(8)}}`],
  ['ten thousand levels', `{"a":${'['.repeat(10_000)}`],
  ['ten thousand objects', '{"a":'.repeat(10_000)],
  ['a list of 201', `{"a":[${Array.from({ length: 201 }, () => 1).join()}]}`],
  ['2,001 members', `{${Array.from({ length: 2001 }, (_, n) => `"n${n}":1`).join()}}`],
  ['a name twice, once in escapes', '{"cvc":1,"\\u0063v\\u0063":2}'],
  ['half a character', '{"a":"\\ud83d"}'],
  ['two halves', '{"a":"\\ud83d\\ude00"}'],
  ['halves the wrong way round', '{"a":"\\ude00\\ud83d"}'],
  ['something behind the end', '{} {}'],
  ['a byte order mark', '\ufeff{}'],
  ['a byte order mark alone', '\ufeff'],
  ['a byte order mark behind a space', ' \ufeff{}'],
])('has the same limits: %s', (_, text) => {
  const bytes = Buffer.from(text);
  const [mine, theirs] = [byBytes(bytes), byText(bytes)];
  expect(mine).toEqual(theirs);
});

test('bytes that are no UTF-8 are refused', () => {
  for (const bytes of [Buffer.from('{"a":"\xff"}', 'latin1'), Buffer.from('{"a":"é"}').subarray(0, 7)])
    expect(() => readJsonBytes(bytes)).toThrow('the body is not UTF-8');
});

test('half a character is marked, and two different ones make two names', () => {
  const { members } = readJsonBytes(Buffer.from('{"\\ud800":1,"\\ud801":"\\ud802"}'));
  expect(members.length).toBe(2);
  expect(members[1]?.value).toMatchObject({ kind: 'text', well_formed: false });
});

test('the copy that undoing escapes made is overwritten on demand, and the body itself is never changed', () => {
  const bytes = Buffer.from('{"number":"\\u0034242","b":"plain"}');
  const before = Buffer.from(bytes);
  const read = readJsonBytes(bytes);
  const number = read.members[0]?.value;
  expect(number?.kind === 'text' && number.bytes.toString()).toBe('4242');
  read.wipe();
  expect(number?.kind === 'text' && number.bytes.equals(Buffer.alloc(4))).toBe(true);
  expect(bytes.equals(before)).toBe(true);
});

test('names that are not known are shown without the digits of a card', () => {
  const names = ['zebra', 'x4242424242424242y', '4242 4242-4242', 'a12345678901', '1 2', ''];
  const { members } = readJsonBytes(Buffer.from(`{${names.map((name) => `"${name}":1`).join()}}`));
  expect(new Members(members).unknown(new Set(['zebra']))).toEqual(['x#y', '#', 'a12345678901', '1 2', '']);
});

test('the keyed hash of a body is that of its content: order and white space do not matter, everything else does', () => {
  const hash = (text: string) => keyedHash(Buffer.alloc(32, 7), readJsonBytes(Buffer.from(text)).members, 'cvc');
  const first = hash('{"a":"x","b":[1,{"c":null,"d":true}],"cvc":"123"}');
  expect(hash('{ "cvc":"999", "b": [1, {"d":true, "c":null}],\n"\\u0061":"\\u0078" }').equals(first)).toBe(true);
  for (const other of [
    '{"a":"x ","b":[1,{"c":null,"d":true}]}',
    '{"a":"x","b":[1.0,{"c":null,"d":true}]}',
    '{"a":"x","b":["1",{"c":null,"d":true}]}',
    '{"a":"x","b":[{"c":null,"d":true},1]}',
    '{"a":"x","b":[1,{"c":"null","d":true}]}',
    '{"a":"x","b":[1,{"c":null,"d":true}],"e":null}',
    '{"ab":"x","":[1,{"c":null,"d":true}]}',
  ])
    expect([other, hash(other).equals(first)]).toEqual([other, false]);
});

test('a thousand names of an attacker cost no more than a thousand others', () => {
  const names = Array.from({ length: 1100 }, (_, n) => `"${n.toString(36)}":1`).join();
  expect(readJsonBytes(Buffer.from(`{${names}}`)).members.length).toBe(1100);
});
