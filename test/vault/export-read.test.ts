// The file of an export is read when it is done, for its hash. One of gigabytes takes longer than a transaction may
// stand still: read inside of one, it was never finished, however often it was run again.
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readReceiver } from '../../src/vault/export/jwe.ts';
import { runExport } from '../../src/vault/export/export.ts';
import { newFolder } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { chance, insideOf } from './inside.ts';

/** Transactions that are open, and how many were while a file was read. */
const seen = vi.hoisted((): { open: number; readonly while_read: [path: string, open: number][] } => ({
  open: 0,
  while_read: [],
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const createReadStream = (path: string) => {
    seen.while_read.push([path, seen.open]);
    return fs.createReadStream(path);
  };
  return { ...fs, createReadStream };
});

let w: World;
const folder = newFolder('florin-read-');
beforeAll(async () => {
  w = await world();
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The id of an export of the world's account that one person asked for and another one approved. */
async function approved(): Promise<string> {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await w.sql(
    `INSERT INTO vault.operators (name, secret_hash, added_by) SELECT name, sha256(name::bytea), 'test' FROM unnest(ARRAY['anna', 'ben']) name`,
  );
  const id = chance.id();
  await w.sql(
    `INSERT INTO vault.exports (id, merchant_account_id, receiver_key, receiver_fingerprint, requested_by, expected, approved_by, approved_at)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), $3, $4, 'anna', 1, 'ben', vault.now())`,
    [id, w.account, pem, readReceiver(pem).fingerprint],
  );
  return id;
}

test('the file of an export is read while no transaction is open', async () => {
  await w.shop.token({ token_type: 'recurring' });
  const id = await approved();
  await using inside = insideOf(w);
  const begin: typeof inside.db.begin = (tenant, work) => {
    seen.open++;
    return inside.db.begin(tenant, work).finally(() => seen.open--);
  };
  const path = join(folder.path, 'cards.jwe');
  const { cards } = await runExport({ ...inside, db: { ...inside.db, begin }, progress: () => undefined }, id, path);
  expect(cards).toBe(1);
  expect(seen.while_read.filter(([read]) => read === path)).toEqual([[path, 0]]);
});
