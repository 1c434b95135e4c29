// A host remembers by which names it is known, and never a name that it is not known by.
import { expect, test } from 'vitest';
import { knownNames } from '../../src/kit/http/callers/names.ts';

const NAMES = { loopback: true, allowed: new Set(['pay.example']) };
const at = (host: string, local_address = '10.0.0.1') => ({ host, local_address });

test('a name is ours the second time as the first, and a stranger is one each time', () => {
  const isKnown = knownNames(NAMES, () => []);
  for (let n = 0; n < 2; n++) {
    expect(isKnown(at('pay.example'))).toBe(true);
    expect(isKnown(at('10.0.0.1'))).toBe(true);
    expect(isKnown(at('evil.example'))).toBe(false);
  }
});

test('an address is ours on the connections that came to it, and on no others', () => {
  const isKnown = knownNames(NAMES, () => []);
  expect(isKnown(at('10.0.0.1', '10.0.0.1'))).toBe(true);
  expect(isKnown(at('10.0.0.1', '10.0.0.2'))).toBe(false);
});

test('a name that callers are told later is ours from then on', () => {
  const urls: string[] = [];
  const isKnown = knownNames(NAMES, () => urls);
  expect(isKnown(at('later.example'))).toBe(false);
  urls.push('https://later.example:8443');
  expect(isKnown(at('later.example'))).toBe(true);
});

test('a caller who asks by a thousand of our names makes the list forget, and nothing else', () => {
  const isKnown = knownNames(NAMES, () => []);
  for (let n = 0; n < 1000; n++) expect(isKnown(at(`n${n}.localhost`))).toBe(true);
  expect(isKnown(at('pay.example'))).toBe(true);
  expect(isKnown(at('evil.example'))).toBe(false);
});
