// Passwords that are refused because they are guessed first, and those that are not.
import { readFileSync } from 'node:fs';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { weaknessOf } from '../../src/kit/person/weak-password.ts';

const OWN = ['Ada Lovelace', 'ada.lovelace@analytical-engines.example', 'florin'];

/**
 * What can come to 12 characters: the long entries, and the words of the 10,000 most used ones that digits are put
 * behind.
 */
function derived(): string {
  const all = dictionary['passwords-common'].map((entry) => entry.toLowerCase());
  const words = all.slice(0, 10_000).map((entry) => entry.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, ''));
  const kept = [...all.filter((entry) => entry.length >= 12), ...words.filter((word) => /^[a-z]{4,}$/.test(word))];
  return `${[...new Set(kept)].toSorted().join('\n')}\n`;
}

test('the list is what the published one holds', () => {
  const kept = readFileSync(new URL('../../src/kit/person/common-passwords.txt', import.meta.url), 'utf8');
  expect(kept).toBe(derived());
  expect(kept.split('\n').length).toBeGreaterThan(5000);
});

test.each([
  'password1234',
  'Password1234!',
  'p@ssw0rd2026',
  '1234password',
  '123456qwerty',
  'leavemealone',
  'dragon!!2025!!',
  'passwordpassword',
  'abcdabcdabcd',
  '123456789012',
  'abcdefghijkl',
  'qwertyuiop12',
  'poiuytrewqasd',
  'ada.lovelace@analytical-engines.example',
  'AdaLovelace2026',
  'florin-lovelace-1',
  'Ｐａｓｓｗｏｒｄ1234',
])('%s is refused', (password) => {
  expect(weaknessOf(password, OWN)).toMatch(/^is /);
});

test.each([
  'correct horse battery staple',
  'another long password',
  'Jx7-qpm2-Lk9v',
  'the ada lovelace of our town',
  'Ångström and Ferrule',
  'сегодня хорошая погода',
])('%s is taken', (password) => {
  expect(weaknessOf(password, OWN)).toBeUndefined();
});
