// A saved card is removed (vault.md 9): its token is good for no new order at once, its cvc is overwritten, and its record is
// deleted as soon as no order under way needs it. With the last token of a card go the fingerprints of its number.
import { deleteCard, endCard } from './store.ts';
import type { VaultTools } from './tools.ts';

type Removal = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  /** An order under way still needs the card: it is kept for that order alone. */
  readonly still_needed: boolean;
};

/** Repeatable. True when nothing of the card is left. */
export async function removeCard(tools: VaultTools, removal: Removal): Promise<boolean> {
  if (!(await endCard(tools.db, removal))) return true;
  if (removal.still_needed) return false;
  tools.cvcs.destroy(removal.token_hash);
  await deleteCard(tools.db, removal);
  return true;
}
