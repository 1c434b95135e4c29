// Every page of the back office's web app in every look and for every role, in a real browser: npm run test:backoffice
import { defineConfig } from 'vitest/config';
import one from './vitest.config.ts';

export default defineConfig({
  test: { ...one.test, include: ['test/backoffice-app/matrix.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
});
