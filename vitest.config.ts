import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/global-setup.ts'],
    reporters: ['default', './test/plain-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // much of it waits: for deadlines, for processes that start, for browsers
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
  },
});
