// florin make-keys: the two key files of a vault that has none. A sandbox makes them by itself; production only so, by a person.
import { readConfig } from '../settings/config.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { makeFirstPair } from '../vault/keys/file-provider.ts';
import { keyFolder } from './key-provider.ts';

export async function makeKeys(): Promise<void> {
  const config = readConfig(undefined, 'keys');
  const { environment } = config;
  const paths = makeFirstPair({ folder: keyFolder(config), environment, chance: systemChance(systemClock()) });
  console.log(`The ${environment} vault's key is the two of these together; one alone says nothing:

${paths.map((path) => `  ${path}`).join('\n')}

Back each up to another place, in the care of another person. Without both no stored card can be read.`);
}
