// A merchant account as every request sees it: settings, contracts, and the key that called.
import { FreshCache } from '../../kit/cache.ts';
import type { Caller } from '../../kit/http/route.ts';
import type { Tools } from '../tools.ts';
import { type AccountSettings, DEFAULT_SETTINGS } from './settings.ts';
import { type ContractRow, findKeyOwner, findSettings, listContracts, touchKey } from './store.ts';

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
  const note = useNotes(tools);
  const cache = new FreshCache<Account>({ clock: tools.clock, fresh_ms: FRESH_MS, max: 10_000 });
  return (digest) =>
    cache.get(digest, async () => {
      const row = await findKeyOwner(tools.db, digest);
      if (!row || row.environment !== tools.environment) return undefined;
      note(row.merchant_account_id, digest);
      return {
        merchant_account_id: row.merchant_account_id,
        kind: row.kind,
        name: row.name,
        settings: { ...DEFAULT_SETTINGS, ...row.settings },
        contracts: row.contracts,
      };
    });
}

const NOTED_EVERY_MS = 60_000;
const MOST_NOTED = 10_000;

/** Notes now and then that a key is in use: beside the request, which neither waits for it nor fails with it. */
function useNotes({ db, clock }: Pick<Tools, 'db' | 'clock'>): (merchant_account_id: string, digest: string) => void {
  const noted = new Map<string, number>();
  return (merchant_account_id, digest) => {
    const now = clock.ticks();
    if ((noted.get(digest) ?? -NOTED_EVERY_MS) + NOTED_EVERY_MS > now) return;
    if (noted.size >= MOST_NOTED) noted.clear();
    noted.set(digest, now);
    touchKey(db.tenant(merchant_account_id), digest).catch(() => noted.delete(digest));
  };
}

/** An account as a request of its own private key would see it; undefined: there is none. */
export async function findAccount(
  { db }: Pick<Tools, 'db'>,
  merchant_account_id: string,
): Promise<Account | undefined> {
  const runner = db.tenant(merchant_account_id);
  const [row, contracts] = await Promise.all([findSettings(runner), listContracts(runner)]);
  if (!row) return undefined;
  const settings = { ...DEFAULT_SETTINGS, ...row.settings };
  const enabled = contracts.filter((contract) => contract.enabled);
  return { merchant_account_id, kind: 'private', name: row.name, settings, contracts: enabled };
}
