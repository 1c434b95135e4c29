// Rotation of the root of the fingerprints: the new one is announced first, so that every process looks a card up under
// both; then it is written with; then every card that is kept gets its new fingerprint, and those that were stored
// behind the walk under the old root get it once nothing is written with that any more; then the old ones are dropped.
import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '../../core/durations.ts';
import { hmac } from '../../kit/crypto.ts';
import { openCard } from '../card/sealed-card.ts';
import { RecordUnreadable } from '../keys/record.ts';
import { type RotationTools, NOTICED_MS, beginRotation, breathe, destroyOld, endRotation, makeDataKey } from './job.ts';
import {
  type SealedCardRow,
  countCardsAfter,
  findCardsAfter,
  findCardsSince,
  findWindowEnd,
  insertFingerprints,
} from './sealed/store.ts';
import { type RotationRow, bumpEpoch, deleteFingerprints, findOldKeys, moveCursor, moveKey } from './store.ts';
import { findDataKeys } from '../keys/store.ts';

/** Gives the number of cards that got a new fingerprint in this run. */
export async function rotateFingerprints(tools: RotationTools): Promise<number> {
  const rotation = await beginRotation(tools, 'fingerprint');
  await activate(tools, rotation);
  const count = await walk(tools, rotation);
  const last = async () => {
    await walkLate(tools, rotation);
    await dropOld(tools, rotation);
  };
  await destroyOld(tools, rotation, { purpose: 'fingerprint', last });
  await endRotation(tools, rotation);
  return count;
}

async function activate(tools: RotationTools, { from_id }: RotationRow): Promise<void> {
  const { db, clock, keys } = tools;
  const roots = await findDataKeys(db, 'fingerprint', null);
  const old = roots.find((root) => root.state === 'active' && root.id <= from_id);
  if (!old) return;
  if (!roots.some((root) => root.state === 'announced'))
    await db.begin(undefined, async (tx) => {
      const next = {
        purpose: 'fingerprint',
        merchant_account_id: null,
        version: old.version + 1,
        state: 'announced',
      } as const;
      if (!(await makeDataKey(tools, next, tx)))
        throw new Error('the key-encryption key was changed meanwhile: run the rotation again');
      await bumpEpoch(tx);
    });
  await clock.sleep(NOTICED_MS);
  const announced = (await findDataKeys(db, 'fingerprint', null)).find((root) => root.state === 'announced');
  await db.begin(undefined, async (tx) => {
    await moveKey(tx, { id: old.id, from: 'active', to: 'retired' });
    if (announced) await moveKey(tx, { id: announced.id, from: 'announced', to: 'active' });
    await bumpEpoch(tx);
  });
  keys.refresh();
  await clock.sleep(NOTICED_MS);
}

async function walk(tools: RotationTools, { id, cursor }: RotationRow): Promise<number> {
  const { db } = tools;
  const step = 'new fingerprints of cards';
  const total = await countCardsAfter(db, cursor);
  let done = 0;
  let after = cursor;
  tools.progress({ step, done, total });
  for (;;) {
    const began = tools.clock.ticks();
    const rows = await findCardsAfter(db, after);
    const last = rows.at(-1);
    if (!last) return done;
    await fingerprint(tools, rows);
    after = last.token_hash;
    await moveCursor(db, id, after);
    done += rows.length;
    tools.progress({ step, done, total: Math.max(done, total) });
    await breathe(tools, began);
  }
}

/** A card is stored seconds after it came; a day costs little, and no clock is as wrong. */
const LATE_MS = DAY_MS;
const BATCH = 50;

/**
 * Cards whose statement ended under the old root behind the walk: it waited for a lock or for a standby, or its process
 * was stopped for a while.
 */
async function walkLate(tools: RotationTools, { started_at }: RotationRow): Promise<void> {
  const { db, clock } = tools;
  const since = new Date(started_at.getTime() - LATE_MS);
  let after = '';
  for (;;) {
    const last = await findWindowEnd(db, after);
    if (last === undefined) return;
    const rows = await findCardsSince(db, { since, after, last });
    for (let at = 0; at < rows.length; at += BATCH) {
      const began = clock.ticks();
      await fingerprint(tools, rows.slice(at, at + BATCH));
      await breathe(tools, began);
    }
    after = last;
  }
}

async function fingerprint(tools: RotationTools, rows: readonly SealedCardRow[]): Promise<void> {
  const { db, keys } = tools;
  const found = {
    merchants: [] as string[],
    token_hashes: [] as string[],
    macs: [] as string[],
    unique_ids: [] as string[],
  };
  let key_id: bigint | undefined;
  for (const row of rows) {
    const { merchant_account_id, card_unique_id } = row;
    if (card_unique_id === null) continue;
    const active = await keys.fingerprint(merchant_account_id);
    key_id = active.id;
    const mac = await macOf(tools, row, active.key);
    if (!mac) continue;
    found.merchants.push(merchant_account_id);
    found.token_hashes.push(row.token_hash);
    found.macs.push(mac);
    found.unique_ids.push(card_unique_id);
  }
  if (key_id !== undefined && found.macs.length > 0) await insertFingerprints(db, { key_id, ...found });
}

/** Undefined: the card does not open; its fingerprint goes with the old key. */
async function macOf(tools: RotationTools, row: SealedCardRow, key: KeyObject): Promise<string | undefined> {
  const { keys, audit, db } = tools;
  const { merchant_account_id, token_hash } = row;
  try {
    const data_key = await keys.cardById(row.data_key_id, merchant_account_id);
    const { number, holder } = openCard(Buffer.from(row.sealed, 'hex'), row, data_key);
    const mac = hmac(key, number).toString('hex');
    number.fill(0);
    holder.fill(0);
    return mac;
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    await audit.note(db, {
      action: 'record failed to open',
      object: `vault.cards.sealed ${token_hash}`,
      result: 'failed',
      detail: { merchant_account_id, during: 'rotation', error: String(error) },
    });
    return undefined;
  }
}

async function dropOld(tools: RotationTools, { from_id }: RotationRow): Promise<void> {
  const { db } = tools;
  const old = await findOldKeys(db, { purpose: 'fingerprint', state: 'closed', from_id, after: 0n });
  for (const merchant of await merchantsOf(tools))
    for (const { id } of old) while ((await deleteFingerprints(db, merchant, id)) > 0) await tools.clock.sleep(2);
}

/** Every merchant that has fingerprints has a card key. */
async function merchantsOf({ db }: RotationTools): Promise<ReadonlySet<string>> {
  const merchants = new Set<string>();
  let after = 0n;
  for (;;) {
    const rows = await findOldKeys(db, { purpose: 'card', state: 'active', from_id: 2n ** 62n, after });
    for (const { merchant_account_id } of rows) if (merchant_account_id !== null) merchants.add(merchant_account_id);
    const last = rows.at(-1);
    if (!last) return merchants;
    after = last.id;
  }
}
