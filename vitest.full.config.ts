// What is drawn at random, in the numbers that a release is measured by (targets.md 3): npm run test:full
import { defineConfig } from 'vitest/config';
import one from './vitest.config.ts';

export default defineConfig({
  test: {
    ...one.test,
    include: [
      ...['test/core/money.test.ts', 'test/core/money-wire.test.ts', 'test/payment/histories.test.ts'],
      ...['test/maintenance/races.test.ts', 'test/sandbox/messages.test.ts'],
    ],
    env: { FLORIN_TEST_FULL: '1' },
  },
});
