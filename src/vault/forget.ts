// A saved card is removed (vault.md 9): its token is good for no new order at once, its cvc is overwritten, and its record is
// deleted as soon as no order under way needs it. With the last token of a card goes the fingerprint of its number.
import { hmac } from '../kit/crypto.ts';
import { openCard } from './card/sealed-card.ts';
import { type KeptCard, deleteCard, endCard } from './store.ts';
import type { VaultTools } from './tools.ts';

type Removal = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  /** An order under way still needs the card: it is kept for that order alone. */
  readonly still_needed: boolean;
};

/** Repeatable. True when nothing of the card is left. */
export async function removeCard(tools: VaultTools, removal: Removal): Promise<boolean> {
  const { token_hash, merchant_account_id, still_needed } = removal;
  const kept = await endCard(tools.db, removal);
  if (!kept) return true;
  if (still_needed) return false;
  tools.cvcs.destroy(token_hash);
  const { id: key_id } = await tools.keys.fingerprint(merchant_account_id);
  await deleteCard(tools.db, {
    token_hash,
    merchant_account_id,
    key_id,
    mac: await fingerprintOf(tools, removal, kept),
  });
  return true;
}

/** Null: the record does not open, so it was changed; it is deleted all the same. */
async function fingerprintOf(tools: VaultTools, removal: Removal, kept: KeptCard): Promise<Buffer | null> {
  const { token_hash, merchant_account_id } = removal;
  const [card_key, { key }] = await Promise.all([
    tools.keys.card(merchant_account_id),
    tools.keys.fingerprint(merchant_account_id),
  ]);
  try {
    const binding = { ...kept, token_hash, merchant_account_id, environment: tools.environment };
    const { number, holder } = openCard(Buffer.from(kept.sealed, 'hex'), binding, card_key);
    const mac = hmac(key, number);
    number.fill(0);
    holder.fill(0);
    return mac;
  } catch (error) {
    tools.log.error({ error: String(error) }, 'a removed card did not open: it was changed');
    return null;
  }
}
