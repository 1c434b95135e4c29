// How the order page lays out what a provider answered: whole, masked or cut, nothing of it is changed but the space
// around signs.
import { expect, test } from 'vitest';
import { laidOut } from '../../web/backoffice/base/json-text.ts';

test('JSON is laid out like JSON, empty members and signs within texts included', () => {
  const value = { a: 'x, y: {z} "q" \\', b: {}, c: [1, { d: null }, []], e: true };
  expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(laidOut(JSON.stringify(value, null, 4))).toBe(JSON.stringify(value, null, 2));
});

test('a number stays as it was written, and one that was masked is no obstacle', () => {
  expect(laidOut('{"price":25.00,"pan":################}')).toBe('{\n  "price": 25.00,\n  "pan": ################\n}');
  expect(laidOut(String.raw`{"name":"caf\u00e9"}`)).toBe(String.raw`{
  "name": "caf\u00e9"
}`);
});

test('a JSON text that was cut is laid out as far as it goes, and the note about the cut stays a line of its own', () => {
  const note = '[cut here: the first 2,000 characters of 5000 bytes]';
  for (const end of ['"cut in', '"a text that ends with \\', '[1,2', 'tru'])
    expect(laidOut(`{"a":1,"b":${end}\n${note}`)).toMatch(/^\{\n {2}"a": 1,\n {2}"b": [^]+\n\[cut here: [^\n]+\]$/);
});

test.each(['', 'Bad Gateway', '<h1>a  b</h1>', '[error] no  route, sorry', 'a=1&b={}'])(
  'a text that is no JSON stays as it is: %j',
  (text) => {
    expect(laidOut(text)).toBe(text);
  },
);
