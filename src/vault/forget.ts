// A saved card is removed: its token is good for no new order at once, its cvc is overwritten, and its record is
// deleted as soon as no order under way needs it. With the last token of a card goes the fingerprint of its number.
import { hmac } from '../kit/crypto.ts';
import { openCard } from './card/sealed-card.ts';
import { RecordUnreadable, keyIdOf } from './keys/record.ts';
import { type KeptCard, deleteCard, endCard, findEndedCards } from './saved/store.ts';
import { deleteOld } from './store.ts';
import type { VaultTools } from './tools.ts';

type Tools = Pick<VaultTools, 'db' | 'cvcs' | 'keys' | 'environment' | 'log'>;

type Removal = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  /** An order under way still needs the card: it is kept for that order alone. */
  readonly still_needed: boolean;
};

/** Repeatable. True when nothing of the card is left. */
export async function removeCard(tools: Tools, removal: Removal): Promise<boolean> {
  const { token_hash, merchant_account_id, still_needed } = removal;
  const kept = await endCard(tools.db, removal);
  if (!kept) return true;
  if (still_needed) return false;
  await tools.cvcs.forget(token_hash);
  await deleteCard(tools.db, {
    token_hash,
    merchant_account_id,
    fingerprints: await fingerprintsOf(tools, removal, kept),
  });
  return true;
}

const ENDED_AT_ONCE = 50;

/** Deletes what is past its time: of all kinds, and cards that were ended a month ago and that nobody deleted since. */
export async function deletePast(tools: Tools): Promise<void> {
  await deleteOld(tools.db);
  for (const ended of await findEndedCards(tools.db, ENDED_AT_ONCE))
    await removeCard(tools, { ...ended, still_needed: false });
}

/** The fingerprints of a card. None: the record does not open, so it was changed; it is deleted nevertheless. */
async function fingerprintsOf(tools: Tools, removal: Removal, kept: KeptCard) {
  const { token_hash, merchant_account_id } = removal;
  try {
    const record = Buffer.from(kept.sealed, 'hex');
    const card_key = await tools.keys.cardById(keyIdOf(record), merchant_account_id);
    const { active, other } = await tools.keys.fingerprints(merchant_account_id);
    const binding = { ...kept, token_hash, merchant_account_id, environment: tools.environment };
    const { number, holder } = openCard(record, binding, card_key);
    const keys = other ? [active, other] : [active];
    const fingerprints = keys.map(({ id, key }) => ({ key_id: id, mac: hmac(key, number) }));
    number.fill(0);
    holder.fill(0);
    return fingerprints;
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    tools.log.error({ error: String(error) }, 'a removed card did not open: it was changed');
    return [];
  }
}
