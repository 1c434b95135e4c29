// Messages that are signed with a shared secret: published vectors, forms of secrets and signatures, two keys at once,
// and time.
import { describe, expect, test } from 'vitest';
import { isOfNow, isSignedWith, keyOf } from '../../src/kit/proof/hmac.ts';

const text = (value: string) => Buffer.from(value);
const key = (secret: string, form: 'text' | 'hex' = 'text') => keyOf(secret, form) ?? Buffer.alloc(0);

/** RFC 4231, test case 2. */
const RFC = {
  key: text('Jefe'),
  over: text('what do ya want for nothing?'),
  hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
};

test('the vector of RFC 4231 holds in hex, in capitals and in base64, and no neighbour of it does', () => {
  const signed = (given: readonly string[], given_form: 'hex' | 'base64' = 'hex', over = RFC.over) =>
    isSignedWith([RFC.key], { over, given, given_form });
  expect(signed([RFC.hex])).toBe(true);
  expect(signed([RFC.hex.toUpperCase()])).toBe(true);
  expect(signed([Buffer.from(RFC.hex, 'hex').toString('base64')], 'base64')).toBe(true);
  for (const other of ['', RFC.hex.slice(2), `${RFC.hex}00`, RFC.hex.replace(/^5/, '6'), ` ${RFC.hex}`, `${RFC.hex}0`])
    expect(signed([other])).toBe(false);
  expect(signed([RFC.hex], 'base64')).toBe(false);
  expect(signed([RFC.hex], 'hex', text('what do ya want for nothing!'))).toBe(false);
});

test('the vector that Adyen publishes holds: a key in hex, a signature in base64', () => {
  const over = text('7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true');
  const secret = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
  const signed = { over, given: ['coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0='], given_form: 'base64' } as const;
  expect(isSignedWith([key(secret, 'hex')], signed)).toBe(true);
  expect(isSignedWith([key(secret)], signed)).toBe(false);
});

describe('while one key replaces the other', () => {
  const signed = { over: RFC.over, given_form: 'hex' } as const;
  test('either of ours is enough, and either of theirs', () => {
    expect(isSignedWith([key('new'), RFC.key], { ...signed, given: [RFC.hex] })).toBe(true);
    expect(isSignedWith([RFC.key, key('new')], { ...signed, given: ['00', RFC.hex] })).toBe(true);
    expect(isSignedWith([key('new')], { ...signed, given: ['00', RFC.hex] })).toBe(false);
  });
  test('without a key nothing holds, and an empty one is none', () => {
    const empty = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad';
    expect(isSignedWith([], { over: text(''), given: [empty], given_form: 'hex' })).toBe(false);
    expect(isSignedWith([key('')], { over: text(''), given: [empty], given_form: 'hex' })).toBe(false);
  });
  test('of very many signatures only the first are looked at', () => {
    const given = [...Array.from({ length: 10 }, () => '00'), RFC.hex];
    expect(isSignedWith([RFC.key], { ...signed, given })).toBe(false);
  });
});

test('a secret that is not in its form is no key', () => {
  expect(keyOf('4478', 'hex')).toEqual(Buffer.from([0x44, 0x78]));
  for (const wrong of ['', '447', 'xx', ' 44']) expect(keyOf(wrong, 'hex')).toBeUndefined();
});

test('a moment is of now within its tolerance to either side, of any of the clocks', () => {
  const now = 1_763_712_000_000;
  for (const [at, is] of [
    [now - 300_000, true],
    [now + 300_000, true],
    [now - 300_001, false],
    [now + 300_001, false],
    [Number.NaN, false],
  ] as const)
    expect([at, isOfNow(at, 300, [now])]).toEqual([at, is]);
  expect(isOfNow(now, 300, [now + 86_400_000, now])).toBe(true);
});
