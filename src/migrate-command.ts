// florin migrate: brings both databases to the schema of this version and ends.
import { readConfig } from './config.ts';
import { openDatabases } from './databases.ts';
import { openLog } from './kit/log.ts';

export async function migrateCommand(): Promise<void> {
  const config = readConfig();
  const say = (line: string) => console.log(line);
  const failed = (error: Error) => console.error(error.message);
  const databases = await openDatabases({ config, log: openLog(config.log_level), say, failed, migrating: true });
  await databases.close();
  say('the databases are at the schema of this version');
}
