// florin listen [--to URL]: shows the notifications of the demo account as they come, and forwards them to a program
// under development. It runs beside `florin start` and knows only what a merchant knows: the address and a key.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { readConfig } from '../../settings/config.ts';
import { demoAccount } from '../../hosts/demo-account.ts';
import { hostUrl } from '../../hosts/ports.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { openEgress } from '../../kit/egress.ts';
import { StartError, notInDataFolder } from '../../kit/start-error.ts';
import { readWords } from '../arguments.ts';
import { startListening } from './listener.ts';

const USAGE = 'florin listen [--to http://127.0.0.1:3000/florin]';

export async function listen(args: readonly string[]): Promise<void> {
  const to = readWords(args, { usage: USAGE, texts: ['to'] }).text('to');
  if (to !== undefined && !/^https?:$/.test(URL.parse(to)?.protocol ?? ''))
    throw new StartError(`--to must be an http or https address.\n\nUsage: ${USAGE}`);
  const config = readConfig();
  if (config.environment !== 'sandbox' || !existsSync(join(config.data_dir, 'demo-account.json')))
    throw notInDataFolder(config.data_dir, 'There is no demo account');
  const clock = systemClock();
  const listening = await startListening({
    api_url: hostUrl(config, 'api'),
    private_key: demoAccount(config, systemChance(clock)).private_key,
    brand: config.brand,
    to,
    clock,
    egress: openEgress(),
    say: (line) => console.log(line),
  });
  console.log(`Listening for the notifications of the demo account${to === undefined ? '' : `, handed on to ${to}`}.`);
  console.log(`The secret they are signed with: ${listening.secret}\nCtrl-C ends it.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await listening.close();
}
