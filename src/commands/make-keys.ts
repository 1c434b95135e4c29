// florin make-keys [vault|payment]: makes the key files of a zone that has none. A sandbox makes them by itself; in
// production a person has to run this command.
import { readConfig } from '../settings/config.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { StartError, helpIfWanted } from '../kit/start-error.ts';
import { makeFirstKey } from '../payment/secret-key.ts';
import { makeFirstPair } from '../vault/keys/file-provider.ts';
import { keyFolder } from './key-provider.ts';

const USAGE = 'Usage: florin make-keys [vault|payment]';

export async function makeKeys(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const [zone = 'vault', ...more] = args;
  if ((zone !== 'vault' && zone !== 'payment') || more.length > 0) throw new StartError(USAGE);
  const config = readConfig(undefined, 'keys');
  const chance = systemChance(systemClock());
  if (zone === 'payment') {
    console.log(`The ${config.environment} payment key, one for all payment and worker hosts:

  ${makeFirstKey(config, chance)}

Copy it to the same place of each of them, and back it up.`);
    return;
  }
  const { environment } = config;
  const paths = makeFirstPair({ folder: keyFolder(config), environment, chance });
  console.log(`The ${environment} vault's key is the two of these together; one alone says nothing:

${paths.map((path) => `  ${path}`).join('\n')}

Back each up to another place, in the care of another person. Without both no stored card can be read.`);
}
