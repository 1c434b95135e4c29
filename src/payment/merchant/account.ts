// A merchant account as every request sees it: settings, contracts, and the key that called.
import { FreshCache } from '../../kit/cache.ts';
import type { Caller } from '../../kit/http/route.ts';
import type { Tools } from '../tools.ts';
import { type AccountSettings, DEFAULT_SETTINGS } from './settings.ts';
import { type ContractRow, findKeyOwner } from './store.ts';

export type Contract = ContractRow;

export type Account = Caller & {
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
  const cache = new FreshCache<Account>({ clock: tools.clock, fresh_ms: FRESH_MS, max: 10_000 });
  return (digest) =>
    cache.get(digest, async () => {
      const row = await findKeyOwner(tools.db, digest);
      if (!row || row.environment !== tools.environment) return undefined;
      return {
        merchant_account_id: row.merchant_account_id,
        kind: row.kind,
        name: row.name,
        settings: { ...DEFAULT_SETTINGS, ...row.settings },
        contracts: row.contracts,
      };
    });
}
