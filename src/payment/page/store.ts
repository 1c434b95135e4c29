// Statements of the hosted page.
import { type Runner, bytes } from '../../kit/database.ts';
import type { ContractRow } from '../merchant/contract-store.ts';
import type { Settings } from '../merchant/settings.ts';
import { PUBLISHED } from '../versions-store.ts';

export type PageOwner = {
  readonly merchant_account_id: string;
  readonly checkout_id: string;
  readonly name: string;
  /** Without the rules in force: a page is shown, and asked for its state, far more often than it pays. */
  readonly settings: Partial<Settings>;
  readonly contracts: readonly ContractRow[];
};

/** The account of this page. Undefined: there is no such page. */
export async function findPageOwner(db: Runner, handle: string): Promise<PageOwner | undefined> {
  const rows = await db.run<PageOwner>(
    'find_page_owner',
    `-- any account: the handle says which one it is
     SELECT
       merchant_account_id, checkout_id, name, settings - ${PUBLISHED} AS settings, contracts
     FROM payment.account_of_page(:handle)`,
    { handle: bytes(handle) },
  );
  return rows[0];
}

export type LinkOwner = Pick<PageOwner, 'merchant_account_id' | 'name' | 'settings'> & { readonly link_id: string };

/** The account of this payment link. Undefined: there is no such link. */
export async function findLinkOwner(db: Runner, handle: string): Promise<LinkOwner | undefined> {
  const rows = await db.run<LinkOwner>(
    'find_link_owner',
    `-- any account: the handle says which one it is
     SELECT merchant_account_id, link_id, name, settings - ${PUBLISHED} AS settings
     FROM payment.account_of_link(:handle)`,
    { handle: bytes(handle) },
  );
  return rows[0];
}
