// Every test file is run by `npm test` or by what CI runs after it (`npm run test:rest`): a file that is taken out of
// the one and not into the other would be run by nobody.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runsIn } from './tiers.ts';

/** Longer than CI takes: a release runs them (`npm run test:providers`, `npm run failover`, `npm run rolling`). */
const OF_A_RELEASE = [
  'test/conformance/again.test.ts',
  'test/conformance/declines.test.ts',
  'test/conformance/later.test.ts',
  'test/conformance/messages.test.ts',
  'test/conformance/payment.test.ts',
  'test/failover/failover.test.ts',
  'test/failover/mutants.test.ts',
  'test/failover/rolling.test.ts',
];

test('no test file falls out of both', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
  expect(files.length).toBeGreaterThan(300);
  const [usual, rest] = [runsIn('test'), runsIn('rest')];
  expect(files.filter((file) => !usual(file) && !rest(file)).toSorted()).toEqual(OF_A_RELEASE);
  // and both leave something to the other
  expect([files.some((file) => !usual(file)), files.some((file) => !rest(file))]).toEqual([true, true]);
});
