// florin import-cards FILE: turns a file of cards into a file of recurring tokens. After a kill the next run goes on
// where this one stopped.
import { isId } from '../core/ids.ts';
import { StartError } from '../kit/start-error.ts';
import { numbersTaken } from '../vault/card/numbers.ts';
import { importCards } from '../vault/import/import.ts';
import { readWords } from './arguments.ts';
import { openVault } from './vault-session.ts';

const USAGE = 'florin import-cards FILE --merchant ID --out TOKENS_FILE [--by NAME] [--again]';

export async function importCardsCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['merchant', 'out', 'by'], flags: ['again'] });
  const [input, ...more] = words.rest;
  if (input === undefined || more.length > 0) throw new StartError(`Name one file of cards.\n\nUsage: ${USAGE}`);
  const merchant_account_id = words.needed('merchant');
  if (!isId(merchant_account_id)) throw new StartError('--merchant must be the 24 hex digits of a merchant account.');
  const job = { merchant_account_id, input, output: words.needed('out'), again: words.flag('again') };
  await using vault = await openVault(words.text('by'));
  const { bar } = vault;
  const tools = {
    ...vault,
    numbers: numbersTaken(vault.config),
    progress: (bytes: number, total: number) => bar.report('importing cards, bytes of the file', bytes, total),
    refused: (line: number, why: string) => {
      bar.end();
      console.error(`line ${line}: ${why}`);
    },
  };
  const { cards, refused, resumed } = await importCards(tools, job).finally(() => bar.end());
  console.log(
    `${resumed ? 'gone on and done' : 'done'}: ${cards} cards have their tokens in ${job.output}; ${refused} lines refused`,
  );
  if (refused > 0) process.exitCode = 1;
}
