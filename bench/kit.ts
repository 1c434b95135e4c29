// What a test of another project waits for florin/test: the first start on a machine, later ones, joining one that
// runs. Prints, and asserts nothing. npm run bench:kit
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Kit from '../test-kit/florin.d.cts';

const TIMES = 5;

const { startFlorin }: typeof Kit = await import(fileURLToPath(new URL('../test-kit/florin.mjs', import.meta.url)));
const cache = mkdtempSync(join(tmpdir(), 'florin-bench-kit-'));
process.env['XDG_CACHE_HOME'] = cache;

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const made = await work();
  console.log(`${what.padEnd(34)}${Math.round(performance.now() - began)} ms`);
  return made;
}

const first = await timed('first start on this machine', () => startFlorin({ own_clock: true }));
await timed('its end', () => first.close());
for (let i = 0; i < TIMES; i++) {
  const alone = await timed('start', () => startFlorin({ own_clock: true }));
  await alone.close();
}
const shared = await startFlorin();
for (let i = 0; i < TIMES; i++) {
  const joined = await timed('joining one that runs', () => startFlorin());
  await timed('a payment', () => joined.pay());
  await joined.close();
}
await shared.close();
// its sandbox ends by itself, and keeps what is in the folder open until then
await new Promise((resolve) => setTimeout(resolve, 5000));
rmSync(cache, { recursive: true, force: true });
