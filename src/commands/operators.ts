// florin add-operator NAME: adds a person who may request or approve an export of cards.
import { StartError } from '../kit/start-error.ts';
import { addOperator } from '../vault/operators/operators.ts';
import { readWords } from './arguments.ts';
import { claimOf } from './export-cards.ts';
import { openVault } from './vault-session.ts';

const USAGE = 'florin add-operator NAME [--by OPERATOR --secret-file FILE]';

export async function addOperatorCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['by', 'secret-file'] });
  const [name, ...more] = words.rest;
  if (name === undefined || more.length > 0) throw new StartError(`Name one operator.\n\nUsage: ${USAGE}`);
  const by = words.text('by') === undefined ? undefined : claimOf(words);
  await using vault = await openVault(by?.name);
  const show = (secret: string) =>
    console.log(`The secret of ${name}; it is shown this once and kept nowhere:\n\n  ${secret}\n`);
  await addOperator(vault, { name, by, show });
  console.log(`${name} is an operator.`);
}
