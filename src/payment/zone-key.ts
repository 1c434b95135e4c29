// Opens the money zone's own key, and puts under it what is older: rows of version 0.1 hold the card_unique_id of the
// vault. The first start of this one puts the zone's own digest in its place, before the zone's hosts open
// (docs/decisions/0052).
import type { KeyObject } from 'node:crypto';
import { seal } from '../kit/crypto.ts';
import { cardDigest } from './card-digest.ts';
import { entrySealing } from './sealings.ts';
import { openSecretKey } from './secret-key.ts';
import { findOldCardIds, findOpenEntries, putCardDigests, sealEntries } from './store.ts';
import type { Tools } from './tools.ts';

/** Cards in one commit: each may stand in many rows. */
const ROOM = 1000;

/** The zone's own key (secret-key.ts), once no row is left that is not under it. */
export async function openZoneKey(
  tools: Pick<Tools, 'db' | 'log' | 'chance'>,
  place: Parameters<typeof openSecretKey>[1],
): Promise<KeyObject> {
  const secret_key = await openSecretKey(tools, place);
  await replaceOldCardIds({ ...tools, secret_key });
  return secret_key;
}

/** Replaces what is left of them, in small commits; with none left it asks two questions of empty indexes. */
async function replaceOldCardIds({
  db,
  secret_key,
  chance,
  log,
}: Pick<Tools, 'db' | 'secret_key' | 'chance' | 'log'>): Promise<void> {
  let cards = 0;
  for (;;) {
    const found = await findOldCardIds(db, ROOM);
    if (found.length === 0) break;
    const digest = (of: (typeof found)[number]) => cardDigest(secret_key, of.merchant_account_id, of.card_unique_id);
    await putCardDigests(
      db,
      found.map((one) => ({ ...one, digest: digest(one) })),
    );
    cards += found.length;
    log.info({ cards }, 'ids of cards in older rows are replaced by digests');
  }
  for (;;) {
    const found = await findOpenEntries(db, ROOM);
    if (found.length === 0) break;
    const sealed = (of: (typeof found)[number]) =>
      seal(Buffer.from(of.shown), chance.bytes(12), entrySealing(secret_key, of.merchant_account_id));
    await sealEntries(
      db,
      found.map((one) => ({ ...one, sealed: sealed(one) })),
    );
  }
}
