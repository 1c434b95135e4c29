// Passwords and one-time codes against the vectors of their standards.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fewAtOnce, networkOf } from '../../src/kit/person/few-at-once.ts';
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
  const kept = await hashPassword('Ångström and Ferrule', Buffer.alloc(16, 7), '::1');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$BwcHBwcHBwcHBwcHBwcHBw\$[A-Za-z0-9+/]{43}$/);
  expect(await isPassword('A\u030angstro\u0308m and Ferrule', kept, '::1')).toBe(true);
  expect(await isPassword('Ångström and ferrule', kept, '::1')).toBe(false);
  expect(await isPassword('', undefined, '::1')).toBe(false);
  // of an independent implementation (the argon2 program): password "password", salt "somesalt"
  const other = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await isPassword('password', other, '::1')).toBe(true);
  expect(await isPassword('passwore', other, '::1')).toBe(false);
});

test('a process with the small secure heap of the service hashes and knows passwords too', async () => {
  const program = `import { hashPassword, isPassword } from './src/kit/person/password.ts';
    const kept = await hashPassword('correct horse', Buffer.alloc(16, 1), '::1');
    console.log(kept, await isPassword('correct horse', kept, '::1'), await isPassword('wrong horse', kept, '::1'));`;
  const flags = ['--secure-heap=32768', '--input-type=module', '--eval', program];
  const said = execFileSync(process.execPath, flags, { encoding: 'utf8', cwd: new URL('../..', import.meta.url) });
  expect(said.trim()).toBe(`${await hashPassword('correct horse', Buffer.alloc(16, 1), '::1')} true false`);
});

test('however many try a password, few are looked at at once, the networks in turn, and who comes behind very many is refused', async () => {
  const inTurn = fewAtOnce({ most: 1, share: 3, waiting: 4, busy: 'too many passwords at once' });
  const begun: string[] = [];
  const first = Promise.withResolvers<string>();
  const look = (from: string, name: string, until: Promise<string> = Promise.resolve(name)) =>
    inTurn(from, () => {
      begun.push(name);
      return until;
    });
  const running = look('10.0.0.1', 'a0', first.promise);
  const crowd = [look('10.0.0.1', 'a1'), look('10.0.0.1', 'a2'), look('10.0.0.1', 'a3')];
  await expect(look('10.0.0.1', 'a4')).rejects.toMatchObject({ refusal: 'unavailable' });
  // one IPv6 network, whatever the address in it
  const single = look('2001:db8:1:2::7', 'b1');
  const refused = crowd[2]?.catch((error: unknown) => error);
  const late = look('192.0.2.9', 'c1');
  expect(await refused).toMatchObject({ refusal: 'unavailable' });
  expect(begun).toEqual(['a0']);
  first.reject(new Error('failed'));
  await expect(running).rejects.toThrow('failed');
  expect(await Promise.all([crowd[0], single, late, crowd[1]])).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'a2']);
  expect(await look('10.0.0.1', 'a5')).toBe('a5');
});

test('an IPv6 address is counted as its /64, however it is written', () => {
  const same = ['2001:db8:1:2::7', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:DB8:1:2:0:0:0:1'];
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:1:2::/64']));
  expect(['::1', '192.0.2.9', '::ffff:192.0.2.9', 'fe80::1%eth0'].map(networkOf)).toEqual([
    '0:0:0:0::/64',
    '192.0.2.9',
    '192.0.2.9',
    'fe80:0:0:0::/64',
  ]);
});
