// florin archive: writes old months of observations to files and removes them from the database; restore puts a month
// back. Like florin migrate it logs in as the owner of the database, who may detach parts of a table.
import { connectTo } from '../../hosts/connect.ts';
import { placeOfZone } from '../../hosts/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { isConnectionLost, withoutEffect } from '../../kit/database/errors.ts';
import { inspectLogin } from '../../kit/login.ts';
import { requireOwnSchema } from '../../kit/migrate.ts';
import { StartError, fileProblem } from '../../kit/start-error.ts';
import { openProgress } from '../../kit/terminal/progress.ts';
import { type Archiving, archiveMonths, restoreMonth } from './months.ts';
import { PAYMENT_ZONE } from '../../payment/zone.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import { readWords } from '../arguments.ts';

const USAGE = `florin archive                 writes months older than FLORIN_ARCHIVE_AFTER_MONTHS to files
       florin archive restore FILE    puts the rows of a file back`;

export async function archiveCommand(args: readonly string[]): Promise<void> {
  const [verb, path, ...more] = readWords(args, { usage: USAGE, texts: [] }).rest;
  if ((verb !== undefined && verb !== 'restore') || (verb === 'restore') !== ((path ?? '') !== '') || more.length > 0)
    throw new StartError(`Usage: ${USAGE}`);
  const config = readConfig(undefined, 'payment command');
  await (path === undefined ? archive(config) : asOwner(config, (archiving) => restore(archiving, path)));
}

async function archive(config: Config): Promise<void> {
  const { archive_after_months: months, archive_dir: folder } = config;
  const written = await asOwner(config, (archiving) => archiveMonths(archiving, { folder, months }));
  for (const { file, row_count, sha256 } of written) console.log(`${file}  ${row_count} rows  SHA-256 ${sha256}`);
  if (written.length > 0) console.log(`\nWritten to ${folder}, compared with the database, and dropped there.`);
  else if (months === undefined) console.log('FLORIN_ARCHIVE_AFTER_MONTHS is not set: nothing is archived.');
  else console.log(`No month is older than ${months} ${months === 1 ? 'month' : 'months'}.`);
}

async function restore(archiving: Archiving, path: string): Promise<void> {
  const rows = await restoreMonth(archiving, path);
  archiving.progress.end();
  console.log(`${rows} rows are back. They stay for 30 days, then florin archive takes them again.`);
}

async function asOwner<T>(config: Config, work: (archiving: Archiving) => Promise<T>): Promise<T> {
  const setting = 'FLORIN_DATABASE_URL';
  const client = await connectTo(placeOfZone(config, 'payment'), setting);
  const progress = openProgress(process.stderr, systemClock());
  try {
    const login = await inspectLogin(client);
    if (login?.owner !== true)
      throw new StartError(
        `The login ${login?.name ?? ''} of ${setting} may take no month off a table. Use the owner's login that florin migrate works with.`,
      );
    await requireOwnSchema(client, PAYMENT_ZONE);
    return await work({ client, progress });
  } catch (error) {
    // what a file lacks is said as it is
    if (!(error instanceof Error) || error instanceof StartError || fileProblem(error) !== undefined) throw error;
    if (!isConnectionLost(error) && withoutEffect(error) === error) throw error;
    progress.end();
    throw new StartError(
      `The database of ${setting} did not go on: ${error.message}. No row is lost: run the command again when the database is well, and it goes on from what is there.`,
      { cause: error },
    );
  } finally {
    progress.end();
    await client.end();
  }
}
