// npm run golden: plays the transcript and compares it with what is kept. `-- --record`: keeps it as it is now; names
// of areas play those alone.
import { startVitest } from 'vitest/node';

const words = process.argv.slice(2);
const record = words.includes('--record');
const areas = words.filter((word) => !word.startsWith('--'));

const vitest = await startVitest('test', [], {
  config: false,
  watch: false,
  update: record ? 'all' : false,
  include: ['test/golden/golden.ts'],
  globalSetup: ['./test/global-setup.ts'],
  pool: 'forks',
  maxConcurrency: 3,
  testTimeout: 300_000,
  hookTimeout: 60_000,
  reporters: ['verbose'],
  ...(areas.length > 0 && { testNamePattern: new RegExp(`^(?:${areas.join('|')}) is`) }),
});
await vitest.close();
