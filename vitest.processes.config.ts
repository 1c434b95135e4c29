// The journeys and the vault's tests once more, over the other shape: payment, vault and worker in processes of their own,
// with mutual TLS between them (architecture.md 3). npm run test:processes
import { defineConfig } from 'vitest/config';
import one from './vitest.config.ts';

export default defineConfig({
  test: {
    ...one.test,
    include: [
      ...['test/journeys/**/*.test.ts', 'test/vault/**/*.test.ts'],
      ...['test/hosted-page/**/*.test.ts', 'test/browser/{hosted-page,challenge}.test.ts'],
    ],
    // these open the vault's keys, files or ports from inside its process, which is another one here
    exclude: [
      'test/vault/{ciphertexts,cvc,import-export,keys,repeats,rotation,script-watch}.test.ts',
      'test/journeys/{hard-limits,saved-cards}.test.ts',
    ],
    env: { FLORIN_TEST_SHAPE: 'processes' },
  },
});
