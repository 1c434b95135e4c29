// A mail address belongs to the login that gave it first, in any account. Until somebody has proved it, that does not
// show whose it is (decision 161).
import { type Database, withTransaction } from '../../kit/database.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import { findAccounts } from '../session/person-store.ts';
import { freeAddress } from './store.ts';

/**
 * Takes the address from its holder, who stays in their accounts under their id: each of these has it in its audit.
 * False: they are in none, and the address is free without this.
 */
export async function takeAddress(
  db: Database,
  { id, email }: { readonly id: string; readonly email: string },
  by: Actor,
): Promise<boolean> {
  const accounts = await findAccounts(db, id);
  for (const [i, { merchant_account_id }] of accounts.entries())
    await withTransaction(db, merchant_account_id, async (tx) => {
      // last, so that where this ends early, it is done again for all of them
      if (i === accounts.length - 1) await freeAddress(tx, { id, email });
      await writeAudit(tx, by, { action: 'address taken', object: id, detail: { address: email } });
    });
  return accounts.length > 0;
}
