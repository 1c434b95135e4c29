// What answers tell of other accounts by the time they take (targets T1): npm run timing:tenants
import { defineConfig } from 'vitest/config';
import one from './vitest.config.ts';

export default defineConfig({
  test: { ...one.test, include: ['test/backoffice/tenants-timing.ts'], testTimeout: 3_600_000 },
});
