// A backlog of notifications after an outage, in full size (targets N3): npm run drain
import { defineConfig } from 'vitest/config';
import one from './vitest.config.ts';

export default defineConfig({
  test: { ...one.test, include: ['test/notifications/{drain,kill}.ts'], testTimeout: 600_000 },
});
