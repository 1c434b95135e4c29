// Statements of the hosted page.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { ContractRow } from '../merchant/store.ts';
import type { AccountSettings } from '../merchant/settings.ts';

export type PageOwner = {
  readonly merchant_account_id: string;
  readonly checkout_id: string;
  readonly name: string;
  readonly settings: Partial<AccountSettings>;
  readonly contracts: readonly ContractRow[];
};

/** The account of this page. Undefined: there is no such page. */
export async function findPageOwner(db: Runner, handle: string): Promise<PageOwner | undefined> {
  const rows = await db.run<PageOwner>(
    'find_page_owner',
    `-- any account: the handle says which one it is
     SELECT merchant_account_id, checkout_id, name, settings, contracts
     FROM payment.account_of_page(:handle)`,
    { handle: bytes(handle) },
  );
  return rows[0];
}

/**
 * The payer leaves. Holds only while nothing has happened since the payer's page was made: an order that is being accepted
 * counts its attempt in the same row, and wins.
 */
export async function cancelCheckout(db: TenantRunner, { id, attempts }: { id: string; attempts: number }) {
  await db.run(
    'cancel_checkout',
    `UPDATE payment.checkouts c
     SET status = 'cancelled'
     WHERE c.id = :id
       AND c.merchant_account_id = :merchant_account_id
       AND c.status = 'created'
       AND c.attempts = :attempts
       AND NOT EXISTS (
         SELECT 1
         FROM payment.orders o
         WHERE o.checkout_id = c.id
           AND o.merchant_account_id = :merchant_account_id
           AND o.live
       )`,
    { id: bytes(id), attempts, merchant_account_id: bytes(db.merchant_account_id) },
  );
}
