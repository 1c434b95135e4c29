// Saved cards while the fingerprint key rotates: of one that is removed nothing of its number stays, whichever comes
// first; one that is stored late stays known.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import type { Database } from '../../src/kit/database.ts';
import { removeCard } from '../../src/vault/forget.ts';
import { rotateFingerprints } from '../../src/vault/rotation/fingerprint.ts';
import { SETTLED_MS } from '../../src/vault/rotation/job.ts';
import { until } from '../client.ts';
import { connectTo } from '../database/numbered.ts';
import { type World, world } from '../world.ts';
import { type Inside, insideOf, numberOf } from './inside.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** Runs `work` once, around the statement of that name. */
function around(db: Database, name: string, work: (run: () => Promise<unknown>) => Promise<unknown>): Database {
  let is_done = false;
  const run: Database['run'] = async (statement, text, parameters) => {
    const real = () => db.run(statement, text, parameters);
    if (statement !== name || is_done) return real() as never;
    is_done = true;
    return (await work(real)) as never;
  };
  return { ...db, run };
}

/** `slept` is called in the place of each pause, with its length. */
async function rotate(
  inside: Inside,
  db: Database,
  slept: (ms: number) => Promise<void> = async () => undefined,
): Promise<void> {
  // no other process makes tokens here that would have to notice the new key in time
  const clock = { ...inside.clock, sleep: slept };
  await rotateFingerprints({ ...inside, db, clock, actor: 'a test', progress: () => undefined });
}

const save = (at: number) => w.shop.token({ token_type: 'recurring', card_number: numberOf(at) });

async function fingerprintsOf(card_unique_id: string | undefined): Promise<number> {
  const [row] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM vault.fingerprints WHERE card_unique_id = $1`,
    [card_unique_id],
  );
  return row?.n ?? 0;
}

async function uniqueIdOf(token_hash: string): Promise<string | undefined> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT card_unique_id AS id FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
    [token_hash],
  );
  return row?.id;
}

test.each(['before the new fingerprint is written', 'after it was written'] as const)(
  'a card that is removed %s leaves no fingerprint, and another card gets its new one',
  async (when) => {
    const [token, other] = [await save(1), await save(2)];
    const [token_hash, other_hash] = [token, other].map((one) => sha256(Buffer.from(one, 'hex')));
    const [removed, kept] = [await uniqueIdOf(token_hash ?? ''), await uniqueIdOf(other_hash ?? '')];
    await using inside = insideOf(w);
    const { merchant_account_id } = w.service.demo ?? { merchant_account_id: '' };
    const remove = () =>
      removeCard(
        { ...inside, cvcs: { forget: async () => undefined } as never },
        { token_hash: token_hash ?? '', merchant_account_id, still_needed: false },
      );
    const db = around(inside.db, 'insert_fingerprints', async (write) => {
      if (when === 'after it was written') await write();
      expect(await remove()).toBe(true);
      return when === 'after it was written' ? [] : write();
    });
    await rotate(inside, db);
    expect([await fingerprintsOf(removed), await fingerprintsOf(kept)]).toEqual([0, 1]);
  },
);

test('a card whose statement ends behind the walk, under the key before, stays the same card', async () => {
  const first = await save(3);
  const known = await uniqueIdOf(sha256(Buffer.from(first, 'hex')));
  // the walk meets no card of this number
  await w.sql(`DELETE FROM vault.cards WHERE card_unique_id = $1`, [known]);
  const holder = await connectTo(w.database);
  const late = (async () => {
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM vault.fingerprints WHERE card_unique_id = $1 FOR UPDATE`, [known]);
    return save(3);
  })();
  try {
    await until(async () => {
      const waits = await w.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return waits.length > 0 ? true : undefined;
    });
    await using inside = insideOf(w);
    // all cards were gone over, and the key before is closed
    await rotate(inside, inside.db, async (ms) => {
      if (ms < SETTLED_MS) return;
      await holder.query('ROLLBACK');
      await late;
    });
  } finally {
    await holder.end();
  }
  expect(await uniqueIdOf(sha256(Buffer.from(await late, 'hex')))).toBe(known);
  expect(await uniqueIdOf(sha256(Buffer.from(await save(3), 'hex')))).toBe(known);
});
