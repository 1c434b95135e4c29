// For checks of accounts' wallets on the vault's host: opens the vault's database and keys for a moment, and asks the
// host's own addresses.
import { openVaultBeside } from '../../hosts/databases.ts';
import { type Clock, systemChance } from '../../kit/clock.ts';
import { openEgress } from '../../kit/egress.ts';
import { openLog } from '../../kit/log.ts';
import { StartError } from '../../kit/start-error.ts';
import type { Config } from '../../settings/config.ts';
import { contractCache, type findCredentialsOf } from '../../vault/contracts/contracts.ts';
import { findAccountsOf } from '../../vault/contracts/store.ts';
import { DataKeys } from '../../vault/keys/keys.ts';
import { auditorOf, openKeyProvider } from '../key-provider.ts';
import type { Finding } from './finding.ts';

/** A person would not read about more accounts than this, so the rest is not checked. */
const MOST_ACCOUNTS = 100;

/** Checks the accounts that have settings for this wallet; reports nothing if there is none. */
export async function lookAtWalletAccounts(
  { config, clock, destination }: { readonly config: Config; readonly clock: Clock; readonly destination: string },
  look: (tools: WalletLookTools, accounts: readonly string[]) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const log = openLog('silent');
  try {
    const { db, close } = await openVaultBeside(config, log);
    const egress = openEgress();
    try {
      const accounts = await findAccountsOf(db, destination, MOST_ACCOUNTS);
      if (accounts.length === 0) return [];
      const chance = systemChance(clock);
      const provider = await openKeyProvider({ config, chance, egress });
      const { environment } = config;
      const audit = auditorOf('florin doctor', log);
      const keys = new DataKeys({ db, provider, audit, clock, chance, log, environment });
      const found = await look({ db, keys, chance, audit, contracts: contractCache(clock), log, clock }, accounts);
      keys.close();
      return found;
    } finally {
      await egress.destroy();
      await close();
    }
  } catch (error) {
    // the checks of the database, the keys and the destinations report this themselves
    if (error instanceof StartError) return [];
    throw error;
  }
}

type WalletLookTools = Parameters<typeof findCredentialsOf>[0] & {
  readonly clock: Clock;
};

/** The answer of a public address of this host to a GET; undefined if there is none. */
export async function askOwn(url: string, path: string) {
  const egress = openEgress();
  try {
    const said = await egress.exchange({
      method: 'GET',
      origin: new URL(url).origin,
      path,
      headers: {},
      body: null,
      deadline_ms: 5000,
      max_answer_bytes: 100_000,
      with_headers: true,
    });
    return said.kind === 'answered' ? said : undefined;
  } finally {
    await egress.destroy();
  }
}
