// A keyed hash by two plain ones: it must be the HMAC that everything else computes.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacOften } from '../../src/kit/crypto.ts';
import { seeded } from '../seeded.ts';

test('the result is the HMAC of each text, short or long, with any characters, or empty', () => {
  const random = seeded(2104);
  const key = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)));
  const often = hmacOften(key);
  const characters = ['a', '\0', 'é', '漢', '😀'];
  for (let length = 0; length < 700; length++) {
    const text = Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
    expect(often(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
  }
});
