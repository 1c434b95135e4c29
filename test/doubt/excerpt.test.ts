// What is kept of a provider's answer: text that can be shown, no number that could be a card's, and an end that is
// marked.
import { expect, test } from 'vitest';
import { excerptOf } from '../../src/payment/order/facts/excerpt.ts';

const ID = '6b1234567890123456789abc';
const kept = (text: string) => excerptOf({ status: 502, body: Buffer.from(text) }, [ID]).text;
const hashes = (count: number) => '#'.repeat(count);
const CARD = '4242424242424242';
const escaped = (sign: (digit: string) => string) => [...CARD].map(sign).join('');

test('an excerpt of an answer keeps its status and its text, and that of an empty answer is an empty text', () => {
  expect(excerptOf({ status: 200, body: Buffer.from('{"state":"approved"}') }, [])).toEqual({
    status: 200,
    text: '{"state":"approved"}',
  });
  expect(excerptOf({ status: 204, body: Buffer.alloc(0) }, [])).toEqual({ status: 204, text: '' });
});

test('runs of 12 and more digits are masked, plain, spaced or dashed; ids and amounts are not', () => {
  expect(kept(`<h1>502</h1> try ${CARD} or 4242 4242 4242 4242 or 4242-4242-4242-4242`)).toBe(
    `<h1>502</h1> try ${hashes(16)} or ${hashes(19)} or ${hashes(19)}`,
  );
  expect(kept('order 66bf18a35d1c9a0e47b2f302, amount 4250, 12345678901')).toBe(
    'order 66bf18a35d1c9a0e47b2f302, amount 4250, 12345678901',
  );
  expect(kept('{"amount":4250,"at":1753700000000}')).toBe(`{"amount":4250,"at":${hashes(13)}}`);
});

test('digits within an id of ours stay, and nothing else does that stands beside one', () => {
  expect(kept(`{"id":"pay_${ID}","reference":"${ID}"}`)).toBe(`{"id":"pay_${ID}","reference":"${ID}"}`);
  expect(kept('7b1234567890123456789abc')).toBe(`7b${hashes(19)}abc`);
  expect(kept(`${CARD} ${ID} ${CARD}`)).toBe(`${hashes(18)}b1234567890123456789abc ${hashes(16)}`);
  expect(kept(`${ID}${CARD}`)).toBe(`${ID}${hashes(16)}`);
  const ends_with_digits = '6babcdefabcd123456789012';
  const text = excerptOf({ status: 200, body: Buffer.from(`${ends_with_digits} ${CARD}`) }, [ends_with_digits]).text;
  expect(text).toBe(`6babcdefabcd${hashes(29)}`);
});

test.each([
  ['two spaces between', '4242  4242  4242  4242'],
  ['a line end between', '4242\n4242\r\n4242\n4242'],
  ['spaces that do not break', '4242\u00a04242\u00a04242\u00a04242'],
  ['long dashes', '4242\u20134242\u20134242\u20134242'],
  ['signs without width', '4242\u200b4242\u200d4242\u00ad4242'],
  ['control characters', '4242\u00004242\u001b4242\u007f4242'],
  ['unicode escapes', escaped((digit) => String.raw`\u003${digit}`)],
  ['unicode escapes in JSON in JSON', escaped((digit) => String.raw`\\u003${digit}`)],
  ['escaped spaces', String.raw`4242\u00204242\u00204242\u00a04242`],
  ['signs of an address', escaped((digit) => `%3${digit}`)],
  ['spaces of an address', '4242%204242%204242%204242'],
  ['entities of HTML', escaped((digit) => `&#5${digit === '4' ? '2' : '0'};`)],
  ['digits of full width', escaped((digit) => String.fromCodePoint(0xff10 + Number(digit)))],
  ['a dash with spaces between', '4242 - 4242 - 4242 - 4242'],
  ['dots between its groups', '4242.4242.4242.4242'],
  ['slashes', '4242/4242/4242/4242'],
  ['low lines', '4242_4242_4242_4242'],
  ['middle dots', '4242·4242·4242·4242'],
  ['spaces as a form writes them', '4242+4242+4242+4242'],
  ['dots of an address', '4242%2E4242%2e4242%2F4242'],
  ['groups of an American Express card', '3782.822463.10005'],
  ['some of all', `42${String.raw`\u00342`} 4242-%34242&nbsp;4242`],
])('a number with %s is masked', (_, number) => {
  const text = kept(`before ${number} behind`);
  expect(text).toMatch(/^before #{16,26} behind$/);
});

test.each(['10.20.30.40', '2026/11/30', '1.4.2', '4242.42.42.4242.4242', 'a/4242/b/4242/c/4242', 'f_4242_c'])(
  'numbers that stand apart as no card has them are kept: %s',
  (text) => {
    expect(kept(text)).toBe(text);
  },
);

test('an excerpt leaves out what cannot be shown', () => {
  expect(kept('a\u0000b\u001b[31mc\u202ed\ne')).toBe('ab[31mcd\ne');
  expect(kept('\ud83d\ude00 caf\u00e9')).toBe('\ud83d\ude00 caf\u00e9');
  expect(excerptOf({ status: 200, body: Buffer.from([0x61, 0xff, 0x62]) }, []).text).toBe('a\ufffdb');
});

test('an excerpt is cut at 2,000 characters and says so, with the size of the whole', () => {
  expect(kept('x'.repeat(2000))).toBe('x'.repeat(2000));
  expect(kept('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}\n[cut here: the first 2,000 characters of 5000 bytes]`);
  // a sign of four bytes is one character, and is not cut in two
  expect(kept('\ud83d\ude00'.repeat(2001))).toBe(
    `${'\ud83d\ude00'.repeat(2000)}\n[cut here: the first 2,000 characters of 8004 bytes]`,
  );
  // most of it was left out: the end that was never looked at is said too
  expect(kept(`${'\u0000'.repeat(16_000)}end`)).toBe('\n[cut here: the first 2,000 characters of 16003 bytes]');
});

test.each(Array.from({ length: 20 }, (_, i) => i))(
  'a number that begins %i characters before the cut leaves no digit there',
  (before) => {
    for (const number of [CARD, '4242 4242 4242 4242', escaped((digit) => String.raw`\u003${digit}`)]) {
      const [text = ''] = kept(`${'x'.repeat(2000 - before)}${number} and more`).split('\n');
      expect(text).toMatch(/^x+#* ?[a-z]*$/);
      expect(text).toHaveLength(2000);
    }
  },
);
