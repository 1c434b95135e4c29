// The same as in memory.test.ts, of a vault that is reached over TLS, and of one that keeps cvcs in the database and
// whose keys are rotated: a thousand requests at each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { rotateData } from '../../src/vault/rotation/data.ts';
import { rotateFingerprints } from '../../src/vault/rotation/fingerprint.ts';
import { selfSigned } from '../self-signed.ts';
import { insideOf } from '../vault/inside.ts';
import { type World, world } from '../world.ts';
import { canary } from './forms.ts';
import { type Sent, card, head as headOf, wanted } from './marked.ts';
import { searchMemory } from './scanner.ts';
import { startVault } from './vault-process.ts';

// a thousand requests one after the other, on a machine with much else to do
vi.setConfig({ testTimeout: 300_000 });

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());
const head = (body: string | Buffer, sent: Partial<Sent> = {}) => headOf(body, { key: w.keys.public_key, ...sent });

const folder = mkdtempSync(join(tmpdir(), 'florin-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const certificate = selfSigned(folder);

test.skipIf(certificate === undefined)(
  'over TLS no more is left (skipped where there is no openssl to make a certificate)',
  async () => {
    await using secure = await startVault(w, { tls: folder });
    const send = (number: string) => secure.ask(head(card(number)) + card(number));
    for (let n = 60; n < 65; n++) {
      expect(await send(canary(n))).toBe(200);
      const { hits } = searchMemory(secure.pid, { ...wanted, numbers: new Set([canary(n)]) });
      expect(hits.filter((hit) => hit.what === 'number').slice(2)).toEqual([]);
    }
    const other = card('4242424242424242', { cvc: '123' });
    for (let n = 0; n < 1000; n++) await secure.ask(head(other) + other);
    expect(searchMemory(secure.pid, wanted).hits).toEqual([]);
  },
);

test('cvcs that wait in the database leave no more in memory, and a rotation of the keys leaves nothing either', async () => {
  await using several = await startVault(w, { cvc_store: 'database' });
  const send = (number: string, sent?: Partial<Sent>) => several.ask(head(card(number), sent) + card(number));
  for (let n = 70; n < 75; n++) {
    expect(await send(canary(n), { headers: `idempotency-key: several-${n}\r\n` })).toBe(200);
    const { hits } = searchMemory(several.pid, { ...wanted, numbers: new Set([canary(n)]) });
    expect(hits.filter((hit) => hit.what === 'number').slice(2)).toEqual([]);
  }
  await using inside = insideOf(w, { clock: { ...systemClock(), sleep: async () => undefined } });
  const rotation = { ...inside, actor: 'test', progress: () => undefined };
  await rotateFingerprints(rotation);
  await rotateData(rotation);
  // sent again: opened under the keys that came after
  for (let n = 70; n < 75; n++)
    expect(await send(canary(n), { headers: `idempotency-key: several-${n}\r\n` })).toBe(200);
  const other = card('4242424242424242', { cvc: '123' });
  for (let n = 0; n < 1000; n++) await several.ask(head(other) + other);
  expect(searchMemory(several.pid, wanted).hits).toEqual([]);
  expect(several.log()).not.toContain('error');
});
