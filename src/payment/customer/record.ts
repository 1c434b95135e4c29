// A customer as every caller sees it: looked up, with the orders counted that have succeeded since. What an order
// changes in its customer is derived from the order itself, so no crash between the two can lose it
// (docs/decisions/0023).
import { open, seal } from '../../kit/crypto.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import type { CustomerMethods, SavedCard } from '../checkout/methods.ts';
import type { Account } from '../merchant/account.ts';
import { savedCardSealing } from '../sealings.ts';
import type { Tools } from '../tools.ts';
import {
  type CustomerRow,
  type SavedRow,
  type Seen,
  countOrders,
  findCustomer,
  lockCustomer,
  touchCustomer,
} from './store.ts';

/** The record as it stands now. Undefined: this account has no such customer. */
export async function lookUp(tools: Tools, merchant_account_id: string, customer_id: string) {
  const db = tools.db.tenant(merchant_account_id);
  const row = await findCustomer(db, customer_id);
  if (!row?.uncounted) return row;
  await locked(tools, db, { customer_id, work: (tx) => countOrders(tx, customer_id) });
  return findCustomer(db, customer_id);
}

/** Runs in one transaction that holds the customer. Undefined: there is no such customer. */
export async function locked<T>(
  tools: Tools,
  { merchant_account_id }: TenantRunner,
  { customer_id, work }: { readonly customer_id: string; work(tx: TenantRunner): Promise<T> },
): Promise<T | undefined> {
  return withTransaction(tools.db, merchant_account_id, async (tx) =>
    (await lockCustomer(tx, customer_id)) ? work(tx) : undefined,
  );
}

/** Saved cards and methods used, for a checkout; makes or brings up to date the record of the customer it names. */
export function customerMethods(tools: Tools): CustomerMethods {
  return async (account, body, purpose) => {
    const { customer_id } = body;
    if (typeof customer_id !== 'string') return { saved: [], used: [] };
    const { merchant_account_id } = account;
    let row = await lookUp(tools, merchant_account_id, customer_id);
    const seen = seenOf(tools, customer_id, body);
    if (purpose === 'new' && (!row || saysMore(row, seen))) {
      await touchCustomer(tools.db.tenant(merchant_account_id), seen);
      row ??= await lookUp(tools, merchant_account_id, customer_id);
    }
    return {
      saved: (row?.saved ?? []).map((card) => savedCard(tools, account, { customer_id, card })),
      used: row?.used ?? [],
    };
  };
}

const BROWSER = /^customer_(browser_info_[a-z_]+)$/;

/** The customer's browser and address, as the request says. */
export function seenOf(tools: Tools, customer_id: string, body: Readonly<Record<string, unknown>>): Seen {
  const browser = Object.entries(body).flatMap(([name, value]) => {
    const member = BROWSER.exec(name)?.[1];
    return member === undefined ? [] : [[member, value] as const];
  });
  const ip = body['customer_ip'];
  return {
    id: tools.chance.id(),
    customer_id,
    browser: Object.fromEntries(browser),
    ip: typeof ip === 'string' ? ip : null,
  };
}

function saysMore(row: CustomerRow, { browser, ip }: Seen): boolean {
  return (
    (ip !== null && ip !== row.ip) || Object.entries(browser).some(([member, value]) => row.browser[member] !== value)
  );
}

export function savedCard(
  tools: Tools,
  { merchant_account_id }: Pick<Account, 'merchant_account_id'>,
  { customer_id, card }: { readonly customer_id: string; readonly card: SavedRow },
): SavedCard {
  const sealing = savedCardSealing(tools.secret_key, merchant_account_id, customer_id);
  return { ...card, token: open(Buffer.from(card.token_sealed, 'hex'), sealing).toString('hex') };
}

/** A token as it is kept to be listed: sealed, and bound to its customer. */
export function sealToken(
  tools: Tools,
  { merchant_account_id, customer_id, token }: { merchant_account_id: string; customer_id: string; token: string },
): Buffer {
  const sealing = savedCardSealing(tools.secret_key, merchant_account_id, customer_id);
  return seal(Buffer.from(token, 'hex'), tools.chance.bytes(12), sealing);
}
