// florin export-cards request|approve|run: sends saved cards to another processor, sealed to its key, if two people
// agree.
import { isId } from '../core/ids.ts';
import { StartError } from '../kit/start-error.ts';
import { approveExportRequest, requestExport, runExport } from '../vault/export/export.ts';
import type { Claim } from '../vault/operators/operators.ts';
import { type Words, readText, readWords } from './arguments.ts';
import { openVault } from './vault-session.ts';

const USAGE = `florin export-cards request --merchant ID --receiver PUBLIC_KEY.pem --by NAME --secret-file FILE
       florin export-cards approve EXPORT_ID --fingerprint HEX --by NAME --secret-file FILE
       florin export-cards run EXPORT_ID --out FILE`;

export async function exportCards(args: readonly string[]): Promise<void> {
  const texts = ['merchant', 'receiver', 'by', 'secret-file', 'fingerprint', 'out'];
  const words = readWords(args, { usage: USAGE, texts });
  const [verb = '', ...rest] = words.rest;
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!run) throw new StartError(`Usage: ${USAGE}`);
  await run(words, rest);
}

const VERBS: Readonly<Record<string, (words: Words, rest: readonly string[]) => Promise<void>>> = {
  request: async (words) => {
    const merchant_account_id = words.needed('merchant');
    if (!isId(merchant_account_id)) throw new StartError('--merchant must be the 24 hex digits of a merchant account.');
    const pem = readText(words.needed('receiver'));
    const by = claimOf(words);
    await using vault = await openVault(by.name);
    const { id, expected, fingerprint } = await requestExport(withProgress(vault), { merchant_account_id, pem, by });
    console.log(`Export ${id}: ${expected} saved cards, for the key with the fingerprint

  ${fingerprint}

Within a day another operator approves it, with the fingerprint as the receiver says it:

  florin export-cards approve ${id} --fingerprint HEX --by NAME --secret-file FILE`);
  },
  approve: async (words, rest) => {
    const id = idOf(rest);
    const by = claimOf(words);
    const fingerprint = words.needed('fingerprint');
    await using vault = await openVault(by.name);
    const { requested_by, expected } = await approveExportRequest(withProgress(vault), { id, by, fingerprint });
    console.log(`Approved: ${expected} cards, asked for by ${requested_by}, approved by ${by.name}. Within a day:

  florin export-cards run ${id} --out FILE`);
  },
  run: async (words, rest) => {
    const id = idOf(rest);
    const out = words.needed('out');
    await using vault = await openVault(words.text('by'));
    const { cards, hash } = await runExport(withProgress(vault), id, out).finally(() => vault.bar.end());
    console.log(`${cards} cards are in ${out}, sealed to the receiver. SHA-256 of the file: ${hash}`);
  },
};

function withProgress<T extends { readonly bar: { report(step: string, done: number, total: number): void } }>(
  vault: T,
) {
  return { ...vault, progress: (cards: number, total: number) => vault.bar.report('exporting cards', cards, total) };
}

function idOf([id, ...more]: readonly string[]): string {
  if (id === undefined || more.length > 0) throw new StartError(`Name one export.\n\nUsage: ${USAGE}`);
  return id;
}

/** The secret comes in a file, because every user of the machine could see it on the command line. */
export function claimOf(words: Words): Claim {
  return { name: words.needed('by'), secret: readText(words.needed('secret-file')).trim() };
}
