// Rotation of the data keys: a new version for every merchant at once, then what the old ones sealed is sealed again,
// in batches, until nothing is left; then the old ones are destroyed.
import { cardPlace } from '../card/sealed-card.ts';
import {
  type Place,
  RecordUnreadable,
  answerPlace,
  contractPlace,
  keyIdOf,
  openRecord,
  sealRecord,
  tokenPlace,
} from '../keys/record.ts';
import { type RotationTools, beginRotation, breathe, destroyOld, endRotation, makeDataKey } from './job.ts';
import {
  type SealedCardRow,
  countCardsOfKeys,
  findAnswersOfKeys,
  findCardsOfKeys,
  findCredentialsOfKeys,
  findTokensOfKeys,
  findWindowEnd,
  resealAnswers,
  resealCards,
  resealCredentials,
  resealTokens,
} from './sealed/store.ts';
import { bumpEpoch, findOldKeys, moveKey } from './store.ts';

export type DataRotation = { readonly resealed: number; readonly destroyed: number; readonly unreadable: number };

/**
 * `unreadable`: records that do not open, because they were changed; their key is kept, closed, until they are removed.
 */
export async function rotateData(tools: RotationTools): Promise<DataRotation> {
  const rotation = await beginRotation(tools, 'data');
  await makeVersions(tools, rotation.from_id);
  const work: Work = { tools, from_id: rotation.from_id, bad: new Set(), resealed: 0 };
  const total = await countCardsOfKeys(tools.db, rotation.from_id);
  await resealAll(work, total);
  const destroyed = await destroyOld(tools, rotation, { purpose: 'card', last: () => resealAll(work, total) });
  await endRotation(tools, rotation);
  return { resealed: work.resealed, destroyed, unreadable: work.bad.size };
}

async function makeVersions(tools: RotationTools, from_id: bigint): Promise<void> {
  const { db, keys } = tools;
  for (;;) {
    const rows = await findOldKeys(db, { purpose: 'card', state: 'active', from_id, after: 0n });
    if (rows.length === 0) break;
    await db.begin(undefined, async (tx) => {
      for (const { id, merchant_account_id, version } of rows) {
        await moveKey(tx, { id, from: 'active', to: 'retired' });
        const next = { purpose: 'card', merchant_account_id, version: version + 1, state: 'active' } as const;
        if (!(await makeDataKey(tools, next, tx)))
          throw new Error('the key-encryption key was changed meanwhile: run the rotation again');
      }
      await bumpEpoch(tx);
    });
  }
  keys.refresh();
}

type Work = {
  readonly tools: RotationTools;
  readonly from_id: bigint;
  /** Records that do not open: left alone. */
  readonly bad: Set<string>;
  resealed: number;
};

async function resealAll(work: Work, total: number): Promise<void> {
  if (work.resealed < total) report(work, total);
  // a card that came under an old key behind the walk is found by the next one
  while ((await walkCards(work, total)) > 0);
  while ((await resealSomeAnswers(work)) > 0) await breathe(work.tools, work.tools.clock.ticks());
  while ((await resealSomeTokens(work)) > 0) await breathe(work.tools, work.tools.clock.ticks());
  while ((await resealSomeCredentials(work)) > 0) await breathe(work.tools, work.tools.clock.ticks());
}

function report({ tools, resealed: done }: Work, total: number): void {
  tools.progress({ step: 'sealing cards again', done, total: Math.max(total, done) });
}

const BATCH = 50;

/** Goes over all cards once; gives how many had an old key. */
async function walkCards(work: Work, total: number): Promise<number> {
  const { db, clock } = work.tools;
  let found = 0;
  let after = '';
  for (;;) {
    const last = await findWindowEnd(db, after);
    if (last === undefined) return found;
    const rows = await findCardsOfKeys(db, { from_id: work.from_id, after, last });
    const readable = rows.filter(({ token_hash }) => !work.bad.has(token_hash));
    for (let at = 0; at < readable.length; at += BATCH) {
      const began = clock.ticks();
      const count = await resealCardRows(work, readable.slice(at, at + BATCH));
      work.resealed += count;
      report(work, total);
      await breathe(work.tools, began);
    }
    found += readable.length;
    after = last;
  }
}

type Sealed = {
  readonly id: string;
  readonly sealed: string;
  readonly merchant_account_id: string;
  readonly place: Place;
};
type Again = { readonly id: string; readonly before: string; readonly after: string; readonly key_id: bigint };

/** Opens and seals one record; undefined: it does not open. */
async function resealed({ tools, bad }: Work, one: Sealed): Promise<Again | undefined> {
  const { keys, chance, audit, db } = tools;
  const { id, sealed, merchant_account_id, place } = one;
  const record = Buffer.from(sealed, 'hex');
  try {
    const key = await keys.card(merchant_account_id);
    const old = await keys.cardById(keyIdOf(record), merchant_account_id);
    const plain = openRecord(record, { key: old, place });
    const after = sealRecord(plain, chance.bytes(12), { key, place }).toString('hex');
    plain.fill(0);
    return { id, before: sealed, after, key_id: key.id };
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    bad.add(id);
    await audit.note(db, {
      action: 'record failed to open',
      object: `${place[0]} ${id}`,
      result: 'failed',
      detail: { merchant_account_id, during: 'rotation', error: String(error) },
    });
    return undefined;
  }
}

async function resealedOf(work: Work, rows: readonly Sealed[]): Promise<readonly Again[]> {
  const again: Again[] = [];
  for (const row of rows) {
    const one = await resealed(work, row);
    if (one) again.push(one);
  }
  return again;
}

const columns = (again: readonly Again[]) => ({
  ids: again.map(({ id }) => id),
  before: again.map(({ before }) => before),
  after: again.map(({ after }) => after),
});

async function resealCardRows(work: Work, rows: readonly SealedCardRow[]): Promise<number> {
  const again = await resealedOf(
    work,
    rows.map((row) => ({ ...row, id: row.token_hash, place: cardPlace(row) })),
  );
  const key_ids = again.map(({ key_id }) => key_id);
  if (again.length > 0) await resealCards(work.tools.db, columns(again), key_ids);
  return again.length;
}

async function resealSomeAnswers(work: Work): Promise<number> {
  const { db } = work.tools;
  const rows = await findAnswersOfKeys(db, { from_id: work.from_id, skip: [...work.bad] });
  const again = await resealedOf(
    work,
    rows.map(({ operation_id: id, merchant_account_id, answer_sealed: sealed }) => ({
      id,
      sealed,
      merchant_account_id,
      place: answerPlace(id, merchant_account_id),
    })),
  );
  if (again.length > 0) await resealAnswers(db, columns(again));
  return rows.length;
}

async function resealSomeCredentials(work: Work): Promise<number> {
  const { db } = work.tools;
  const rows = await findCredentialsOfKeys(db, { from_id: work.from_id, skip: [...work.bad] });
  const again = await resealedOf(
    work,
    rows.map(({ contract_id: id, merchant_account_id, destination, credentials_sealed: sealed }) => ({
      id,
      sealed,
      merchant_account_id,
      place: contractPlace({ contract_id: id, merchant_account_id, destination }),
    })),
  );
  if (again.length > 0) await resealCredentials(db, columns(again));
  return rows.length;
}

async function resealSomeTokens(work: Work): Promise<number> {
  const { db } = work.tools;
  const rows = await findTokensOfKeys(db, { from_id: work.from_id, skip: [...work.bad] });
  const again = await resealedOf(
    work,
    rows.map(({ key, token_hash: id, merchant_account_id, token_sealed: sealed }) => ({
      id,
      sealed,
      merchant_account_id,
      place: tokenPlace(merchant_account_id, key),
    })),
  );
  const keyed = again.flatMap((one) => {
    const row = rows.find(({ token_hash }) => token_hash === one.id);
    return row ? { ...one, ...row } : [];
  });
  if (keyed.length > 0)
    await resealTokens(db, {
      ...columns(keyed),
      merchants: keyed.map(({ merchant_account_id }) => merchant_account_id),
      keys: keyed.map(({ key }) => key),
    });
  return rows.length;
}
