// What the doctor needs to look at wallets of accounts on the vault's host: the vault's database and keys for a moment,
// and what the host's own addresses answer.
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

/** More accounts than a person reads of are not looked at. */
const MOST_ACCOUNTS = 100;

/** Looks at the accounts that have set something for this wallet; nothing where there is none. */
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
    // what is wrong with the database, the keys or the destinations stands with them
    if (error instanceof StartError) return [];
    throw error;
  }
}

type WalletLookTools = Parameters<typeof findCredentialsOf>[0] & {
  readonly clock: Clock;
};

/** What a public address of this host answers to a GET; undefined: nothing. */
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
