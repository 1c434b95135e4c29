// Rotation of the key-encryption key: every data key is unwrapped and wrapped again, no card is touched, and the old
// key is destroyed when it wraps nothing any more.
import { cvcKeyAad } from '../cvc/sealed-cvcs.ts';
import { rewrapCvcKey } from '../cvc/store.ts';
import { wrapAad } from '../keys/opening.ts';
import { type DataKeyRow, getKeyEpoch } from '../keys/store.ts';
import { type RotationTools, beginRotation, endRotation } from './job.ts';
import {
  type RotationRow,
  bumpEpoch,
  countKeysOfKek,
  findCvcKeysOfKek,
  findKeysOfKek,
  findRotation,
  rewrapKeys,
  switchKek,
} from './store.ts';

/** How many wraps are asked for at once: a provider may be a call to another host. */
const AT_ONCE = 16;

/** Gives the reference of the new key. */
export async function rotateKek(tools: RotationTools): Promise<string> {
  const rotation = await beginRotation(tools, 'kek');
  const { db, provider, audit, keys, clock } = tools;
  const to_ref = await switched(tools, rotation);
  const total = await countKeysOfKek(db, rotation.from_ref);
  let done = 0;
  const step = 'wrapping data keys again';
  tools.progress({ step, done, total });
  for (;;) {
    const rows = await findKeysOfKek(db, rotation.from_ref);
    if (rows.length === 0) break;
    await rewrap(tools, { rows, from_ref: rotation.from_ref, to_ref });
    done += rows.length;
    tools.progress({ step, done, total: Math.max(done, total) });
    await clock.sleep(2);
  }
  await rewrapCvcKeys(tools, rotation.from_ref, to_ref);
  await provider.destroy(rotation.from_ref);
  await endRotation(tools, rotation, async (tx) => {
    await bumpEpoch(tx);
    await audit.write(tx, { action: 'key destroyed', object: rotation.from_ref, detail: { provider: provider.name } });
  });
  keys.refresh();
  return to_ref;
}

/** A rotation is under way, and the new key wraps already. */
export async function isKekSwitched({ db }: RotationTools): Promise<boolean> {
  const rotation = await findRotation(db, 'kek');
  return rotation !== undefined && (await getKeyEpoch(db)).kek_ref !== rotation.from_ref;
}

/** There is a newer key than the one in use. */
export async function hasNextKek({ db, provider }: RotationTools): Promise<boolean> {
  return provider.newest() !== (await getKeyEpoch(db)).kek_ref;
}

/** The key that a rotation would take: a newer one that is there, or else one that is made now. */
export async function nextKek(tools: RotationTools): Promise<string> {
  return (await hasNextKek(tools)) ? tools.provider.newest() : tools.provider.make();
}

/** A newer key that is there already, laid down by its custodians or by a run that was killed, is taken. */
async function switched(tools: RotationTools, { from_ref }: RotationRow): Promise<string> {
  const { db, provider, audit, keys } = tools;
  const { kek_ref } = await getKeyEpoch(db);
  if (kek_ref !== null && kek_ref !== from_ref) return kek_ref;
  await provider.knows(from_ref);
  const there = provider.newest();
  const to_ref = there === from_ref ? await provider.make() : there;
  const used = await db.begin(undefined, async (tx) => {
    // another run was quicker, with a key of its own: what is wrapped under two keys would lose one with the next
    if (!(await switchKek(tx, from_ref, to_ref))) return (await getKeyEpoch(tx)).kek_ref;
    await audit.write(tx, { action: 'key created', object: to_ref, detail: { provider: provider.name } });
    return to_ref;
  });
  keys.refresh();
  return used ?? to_ref;
}

type Batch = { readonly rows: readonly DataKeyRow[]; readonly from_ref: string; readonly to_ref: string };

async function rewrap({ db, provider, environment }: RotationTools, { rows, from_ref, to_ref }: Batch): Promise<void> {
  const again: { id: bigint; wrapped: string }[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE).map(async (row) => {
      const aad = wrapAad(environment, row);
      const plain = await provider.unwrap(Buffer.from(row.wrapped ?? '', 'hex'), aad, from_ref);
      const wrapped = await provider.wrap(plain, aad, to_ref).finally(() => plain.fill(0));
      return { id: row.id, wrapped: wrapped.toString('hex') };
    });
    again.push(...(await Promise.all(some)));
  }
  const ids = again.map(({ id }) => id);
  await rewrapKeys(db, { from_ref, to_ref, ids, wrapped: again.map(({ wrapped }) => wrapped) });
}

async function rewrapCvcKeys({ db, provider, environment }: RotationTools, from_ref: string, to_ref: string) {
  for (const row of await findCvcKeysOfKek(db, from_ref)) {
    const aad = cvcKeyAad(environment, row.generation);
    const plain = await provider.unwrap(Buffer.from(row.wrapped, 'hex'), aad, from_ref);
    const again = await provider.wrap(plain, aad, to_ref).finally(() => plain.fill(0));
    await rewrapCvcKey(db, { ...row, new_ref: to_ref, again });
  }
}
