// A merchant account as every request sees it: settings, contracts, and the key that called.
import { FreshCache, seldom } from '../../kit/cache.ts';
import type { Caller } from '../../kit/http/route.ts';
import type { Tools } from '../tools.ts';
import { type AccountSettings, DEFAULT_SETTINGS } from './settings.ts';
import { type ContractRow, listContracts } from './contract-store.ts';
import { findAccountRow, findKeyOwner, touchKey } from './store.ts';

export type Contract = ContractRow;

export type Account = Caller & {
  /** The id of the key that called; null: none did (back office, hosted page). */
  readonly key_id: string | null;
  readonly name: string;
  readonly settings: AccountSettings;
  /** Enabled contracts, in the order in which they are tried. */
  readonly contracts: readonly Contract[];
};

/** A revoked key, or a changed setting, must be seen within a second (contract 2.6). */
const FRESH_MS = 700;

/** Answers who a key belongs to. Keys of the other environment are unknown here. */
export function accountOfKey(
  tools: Pick<Tools, 'db' | 'clock' | 'environment'>,
): (digest: string) => Promise<Account | undefined> {
  const note = keyNotes(tools, { in_page: false });
  const cache = new FreshCache<Account>({ clock: tools.clock, fresh_ms: FRESH_MS, max: 10_000 });
  return (digest) =>
    cache.get(digest, async () => {
      const row = await findKeyOwner(tools.db, digest);
      if (!row || row.environment !== tools.environment) return undefined;
      note(digest, row.merchant_account_id);
      return {
        key_id: row.key_id,
        merchant_account_id: row.merchant_account_id,
        kind: row.kind,
        scopes: row.scopes,
        name: row.name,
        settings: { ...DEFAULT_SETTINGS, ...row.settings },
        contracts: row.contracts,
      };
    });
}

/** How often a key in use is written down. */
const NOTED = { every_ms: 60_000, max: 10_000 };

/**
 * Notes now and then that a key is in use, or was brought by a browser: beside the request, which does not fail with
 * it.
 */
export function keyNotes(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { in_page }: { readonly in_page: boolean },
): (digest: string, merchant_account_id: string) => void {
  return seldom({ ...NOTED, clock }, (digest, merchant_account_id: string) =>
    touchKey(db.tenant(merchant_account_id), digest, in_page),
  );
}

/** An account as a request of its own private key would see it; undefined: there is none. */
export async function findAccount(
  { db }: Pick<Tools, 'db'>,
  merchant_account_id: string,
): Promise<Account | undefined> {
  const runner = db.tenant(merchant_account_id);
  // a payment that a person makes is held to the rules as any other
  const [row, contracts] = await Promise.all([findAccountRow(runner), listContracts(runner)]);
  if (!row) return undefined;
  const enabled = contracts.filter((contract) => contract.enabled);
  return {
    merchant_account_id,
    key_id: null,
    kind: 'private',
    scopes: null,
    name: row.name,
    settings: { ...DEFAULT_SETTINGS, ...row.settings },
    contracts: enabled,
  };
}
