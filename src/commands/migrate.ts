// florin migrate [payment|vault]: brings both databases, or one of them, to the schema of this version, and ends.
import { readConfig } from '../settings/config.ts';
import { openDatabases, openPaymentDatabase, openVaultDatabase } from '../hosts/databases.ts';
import { openLog } from '../kit/log.ts';
import { StartError, helpIfWanted } from '../kit/start-error.ts';

const USAGE = 'Usage: florin migrate [payment|vault]';

export async function migrateCommand(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const [zone, ...more] = args;
  if ((zone !== undefined && zone !== 'payment' && zone !== 'vault') || more.length > 0) throw new StartError(USAGE);
  const config = readConfig(undefined, zone === undefined ? 'tool' : `${zone} database`);
  const say = (line: string) => console.log(line);
  const failed = (error: Error) => console.error(error.message);
  const options = { config, log: openLog(config.log_level), say, failed, migrating: true } as const;
  const open = { payment: openPaymentDatabase, vault: openVaultDatabase };
  const databases = await (zone === undefined ? openDatabases(options) : open[zone](options));
  await databases.close();
  say(
    zone === undefined
      ? 'the databases are at the schema of this version'
      : `the database of ${zone} is at the schema of this version`,
  );
}
