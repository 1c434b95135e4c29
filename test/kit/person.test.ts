// Passwords and one-time codes against the vectors of their standards.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fewAtOnce } from '../../src/kit/person/few-at-once.ts';
import { hashPassword, isPassword } from '../../src/kit/person/password.ts';
import { base32, findTotpStep, totpCode, totpStep } from '../../src/kit/person/totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, and of RFC 4226, appendix D', () => {
  const at = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
  expect(at.map((seconds) => totpCode(SECRET, totpStep(seconds), 8))).toEqual([
    '94287082',
    '07081804',
    '14050471',
    '89005924',
    '69279037',
    '65353130',
  ]);
  expect(Array.from({ length: 10 }, (_, step) => totpCode(SECRET, step))).toEqual([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ]);
});

test('base32 is that of RFC 4648, section 10, without padding', () => {
  const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  expect(words.map((word) => base32(Buffer.from(word)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
});

test('a code is taken one step early or late, never twice, and nothing else is', () => {
  const at_s = 59 + 30 * 10;
  const now = totpStep(at_s);
  for (const step of [now - 1, now, now + 1])
    expect(findTotpStep(SECRET, totpCode(SECRET, step), { at_s, used: 0 })).toBe(step);
  for (const step of [now - 2, now + 2])
    expect(findTotpStep(SECRET, totpCode(SECRET, step), { at_s, used: 0 })).toBeUndefined();
  expect(findTotpStep(SECRET, totpCode(SECRET, now), { at_s, used: now })).toBeUndefined();
  expect(findTotpStep(SECRET, totpCode(SECRET, now - 1), { at_s, used: now })).toBeUndefined();
  for (const code of ['', '12345', `${totpCode(SECRET, now)}0`, 'abcdef', `${totpCode(SECRET, now).slice(0, 5)} `])
    expect([code, findTotpStep(SECRET, code, { at_s, used: 0 })]).toEqual([code, undefined]);
});

test('a password is known by its argon2id text alone, in whichever form it is typed, and nobody has none', async () => {
  const kept = await hashPassword('Ångström and Ferrule', Buffer.alloc(16, 7));
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$BwcHBwcHBwcHBwcHBwcHBw\$[A-Za-z0-9+/]{43}$/);
  expect(await isPassword('A\u030angstro\u0308m and Ferrule', kept)).toBe(true);
  expect(await isPassword('Ångström and ferrule', kept)).toBe(false);
  expect(await isPassword('', undefined)).toBe(false);
  // of an independent implementation (the argon2 program): password "password", salt "somesalt"
  const other = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await isPassword('password', other)).toBe(true);
  expect(await isPassword('passwore', other)).toBe(false);
});

test('a process with the small secure heap of the service hashes and knows passwords too', async () => {
  const program = `import { hashPassword, isPassword } from './src/kit/person/password.ts';
    const kept = await hashPassword('correct horse', Buffer.alloc(16, 1));
    console.log(kept, await isPassword('correct horse', kept), await isPassword('wrong horse', kept));`;
  const flags = ['--secure-heap=32768', '--input-type=module', '--eval', program];
  const said = execFileSync(process.execPath, flags, { encoding: 'utf8', cwd: new URL('../..', import.meta.url) });
  expect(said.trim()).toBe(`${await hashPassword('correct horse', Buffer.alloc(16, 1))} true false`);
});

test('however many try a password, few are looked at at once, in turn, and who comes behind very many is refused', async () => {
  const inTurn = fewAtOnce(2, 3);
  const begun: number[] = [];
  const ends = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
  const look = (n: number) =>
    inTurn(() => {
      begun.push(n);
      return ends[n]?.promise ?? Promise.resolve(n);
    });
  const tries = [look(0), look(1), look(2), look(3), look(4)];
  await expect(look(5)).rejects.toMatchObject({ refusal: 'unavailable' });
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('failed'));
  await expect(tries[1]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  for (const n of [0, 2, 3, 4]) ends[n]?.resolve(n);
  expect(await Promise.all([tries[0], tries[2], tries[3], tries[4]])).toEqual([0, 2, 3, 4]);
  ends[5]?.resolve(5);
  expect(await look(5)).toBe(5);
});
