// The common part of all rotations. They begin once, go on where they stopped when they are run again, and end when no
// trace of the old key is left. They hold up no request: old and new keys are both readable while they run.
import type { Runner } from '../../kit/database.ts';
import type { DataKeys } from '../keys/keys.ts';
import { type KeyTools, wrapAad } from '../keys/opening.ts';
import { type Purpose, getKeyEpoch, insertDataKey } from '../keys/store.ts';
import {
  type RotationKind,
  type RotationRow,
  bumpEpoch,
  closeKeys,
  destroyKeys,
  findRotation,
  finishRotation,
  insertRotation,
} from './store.ts';

export type Step = { readonly step: string; readonly done: number; readonly total: number };

export type RotationTools = KeyTools & {
  readonly keys: DataKeys;
  readonly actor: string;
  progress(step: Step): void;
};

/** Every process knows of a change of keys after a second (keys.ts). */
export const NOTICED_MS = 2000;
/** A statement ends after 5 seconds (kit/database.ts): after this none is left that saw the key open. */
export const SETTLED_MS = 6000;

/** The rotation that is under way, or a new one. */
export async function beginRotation(tools: RotationTools, kind: RotationKind): Promise<RotationRow> {
  const { db, audit, actor } = tools;
  await db.begin(undefined, async (tx) => {
    if (await insertRotation(tx, kind, actor)) await audit.write(tx, { action: 'rotation started', object: kind });
  });
  const rotation = await findRotation(db, kind);
  if (!rotation) throw new Error('a rotation that was begun is there');
  return rotation;
}

/** `last`: what is done with the end of it, or not at all. */
export async function endRotation(
  tools: RotationTools,
  { id, kind }: RotationRow,
  last: (tx: Runner) => Promise<void> = async () => undefined,
): Promise<void> {
  await tools.db.begin(undefined, async (tx) => {
    await last(tx);
    await finishRotation(tx, id);
    await tools.audit.write(tx, { action: 'rotation finished', object: kind });
  });
}

type NewKey = { readonly purpose: Purpose; readonly merchant_account_id: string | null; readonly version: number };

/** Creates a data key under the current key-encryption key. False: that key has changed, or the data key exists. */
export async function makeDataKey(
  tools: RotationTools,
  key: NewKey & { state: 'announced' | 'active' },
  tx: Runner,
): Promise<boolean> {
  const { provider, chance, environment, audit } = tools;
  const { kek_ref } = await getKeyEpoch(tx);
  if (kek_ref === null) return false;
  const plain = chance.bytes(32);
  const wrapped = await provider.wrap(plain, wrapAad(environment, key), kek_ref);
  plain.fill(0);
  const made = await insertDataKey(tx, { ...key, kek_ref, wrapped });
  if (made) {
    const object = `${key.purpose} ${key.merchant_account_id ?? 'root'}`;
    await audit.write(tx, { action: 'key created', object, detail: { version: key.version } });
  }
  return made;
}

/** Closes the old keys, waits until no process writes with one any more, lets `last` look again, and destroys them. */
export async function destroyOld(
  tools: RotationTools,
  { from_id }: RotationRow,
  { purpose, last }: { readonly purpose: Purpose; readonly last: () => Promise<void> },
): Promise<number> {
  const { db, audit, clock, keys } = tools;
  await db.begin(undefined, async (tx) => {
    await closeKeys(tx, purpose, from_id);
    await bumpEpoch(tx);
  });
  keys.refresh();
  await clock.sleep(SETTLED_MS);
  await last();
  return db.begin(undefined, async (tx) => {
    const destroyed = await destroyKeys(tx, purpose, from_id);
    for (const { id, merchant_account_id, version } of destroyed)
      await audit.write(tx, {
        action: 'key destroyed',
        object: `${purpose} ${merchant_account_id ?? 'root'}`,
        detail: { version, id: String(id) },
      });
    await bumpEpoch(tx);
    return destroyed.length;
  });
}

/** Rests so many times as long as it worked: what is left to the requests. */
const REST = 4;

/** Requests meet short work and long rests, so that few of them feel that keys are changed. */
export async function breathe(tools: RotationTools, began: number): Promise<void> {
  await tools.clock.sleep(Math.max(2, REST * (tools.clock.ticks() - began)));
}
