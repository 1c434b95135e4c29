// florin routing import-declines: imports the declines of a merchant's cards that card schemes have counted at another
// payment company.
import { basename } from 'node:path';
import { StartError } from '../../kit/start-error.ts';
import { WrongLines, importDeclines } from '../../payment/declines/import/import.ts';
import { grouped } from '../ledger/table.ts';
import { record } from '../published.ts';
import type { Doing } from './routing.ts';

export async function importPast({ tools, account, words }: Doing, [path = '']: readonly string[]): Promise<string> {
  words.needed('by');
  try {
    const { lines, counted, known, approved, unseen, old } = await importDeclines(tools, account, {
      path,
      also: (tx, found) => record(words, tx, { action: 'declines imported', object: basename(path), detail: found }),
    });
    const others = [
      [known, 'were here already'],
      [approved, 'approvals, which end what was stopped before'],
      [unseen, 'that no scheme saw declined'],
      [old, 'from before the last 31 days, which no limit counts'],
    ] as const;
    return [
      `${grouped(lines)} lines: ${grouped(counted)} declines count from now on.`,
      ...others.flatMap(([count, what]) => (count > 0 ? [`  ${grouped(count)} ${what}`] : [])),
    ].join('\n');
  } catch (error) {
    if (error instanceof WrongLines) throw new StartError(`Nothing was imported from ${path}:\n${error.message}`);
    throw error;
  }
}
