// Cards that no customer's record lists: a shop keeps the recurring token itself. The orders paid with it lead to it.
import type { TenantRunner } from '../../kit/database.ts';
import { insertCardRemovals, listRecurringTokens, listSavedTokens, listTokenUses } from './unsaved-cards-store.ts';

/**
 * Has the vault delete the cards of the recurring tokens that these erased orders were paid with; answers how many. A
 * token stays while a record lists it, while an order of somebody who is named was paid with it (another's, or theirs
 * that is erased next), and where payments without the payer were made: a subscription goes on.
 */
export async function removeUnsavedCards(db: TenantRunner, orders: readonly string[]): Promise<number> {
  const tokens = await listRecurringTokens(db, orders);
  if (tokens.length === 0) return 0;
  const stay = new Set(await listSavedTokens(db, tokens));
  for (const { token_hash, payment_channel, names_somebody } of await listTokenUses(db, tokens))
    if (names_somebody || payment_channel === 'recurring') stay.add(token_hash);
  const gone = tokens.filter((token_hash) => !stay.has(token_hash));
  return gone.length === 0 ? 0 : insertCardRemovals(db, gone);
}
