// florin accept-timeline payment|vault [MARK]: a failover lost acknowledged commits, a person has checked what is
// missing, and the service may go on with the database as it is now.
import { connectTo } from '../hosts/connect.ts';
import { placeOfZone } from '../hosts/databases.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { acceptLoss } from '../kit/database/epochs.ts';
import { StartError, helpIfWanted } from '../kit/start-error.ts';
import { readConfig } from '../settings/config.ts';

const USAGE = 'Usage: florin accept-timeline payment|vault [MARK]   MARK: as the log of the service names it';

export async function acceptTimelineCommand(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const [zone, lost, ...more] = args;
  const is_mark = lost === undefined || /^[0-9a-f]{24}$/.test(lost);
  if ((zone !== 'payment' && zone !== 'vault') || !is_mark || more.length > 0) throw new StartError(USAGE);
  const setting = zone === 'payment' ? 'FLORIN_DATABASE_URL' : 'FLORIN_VAULT_DATABASE_URL';
  // as the other commands of that zone: its hosts know no database of the other
  const client = await connectTo(placeOfZone(readConfig(undefined, `${zone} command`), zone), setting);
  try {
    await acceptLoss(client, zone, { lost, mark: systemChance(systemClock()).bytes(12).toString('hex') });
  } finally {
    await client.end();
  }
  console.log(`the database of ${zone} is accepted as it is; what runs goes on by itself, what stopped can be started`);
}
