// The tools of a command on the vault's own host: the settings, the vault's database and its keys. It is not a service:
// no host listens.
import { constants, setPriority, userInfo } from 'node:os';
import { type Config, readConfig } from '../settings/config.ts';
import { openVaultBeside } from '../hosts/databases.ts';
import { type Chance, type Clock, systemChance, systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/database.ts';
import { openEgress } from '../kit/egress.ts';
import { type Log, openLog } from '../kit/log.ts';
import { type Progress, openProgress } from '../kit/terminal/progress.ts';
import { StartError } from '../kit/start-error.ts';
import type { Auditor } from '../vault/audit/audit.ts';
import { DataKeys } from '../vault/keys/keys.ts';
import type { KeyProvider } from '../vault/keys/provider.ts';
import { auditorOf, openKeyProvider } from './key-provider.ts';

export type VaultSession = AsyncDisposable & {
  readonly config: Config;
  readonly db: Database;
  readonly keys: DataKeys;
  readonly provider: KeyProvider;
  readonly audit: Auditor;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly environment: 'sandbox' | 'production';
  readonly actor: string;
  readonly bar: Progress;
};

/** Opens the vault for a command. `actor` is the name in the audit; by default the user of this machine. */
export async function openVault(actor = userInfo().username): Promise<VaultSession> {
  const config = readConfig(undefined, 'vault command');
  // the running service has the higher priority
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const clock = systemClock();
  const chance = systemChance(clock);
  const log = openLog(config.log_level);
  const egress = openEgress();
  const closers: (() => Promise<void>)[] = [() => egress.close()];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const provider = await openKeyProvider({ config, chance, egress });
    const { db, close: closeDatabase } = await openVaultBeside(config, log);
    closers.push(closeDatabase);
    const { environment } = config;
    const audit = auditorOf(actor, log);
    const tools = { db, provider, audit, clock, chance, log, environment };
    const keys = new DataKeys(tools);
    closers.push(async () => keys.close());
    await keys.open();
    if ((await keys.status()) === 'sealed')
      throw new StartError('The vault is sealed: its key provider cannot be reached. Bring it back, then try again.');
    const bar = openProgress(process.stderr, clock);
    return { ...tools, config, keys, actor, bar, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
