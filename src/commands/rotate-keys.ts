// florin rotate-keys [kek] [data] [fingerprint]: replaces keys with new ones while the service runs. After a stop or a
// kill the next run goes on where this one stopped. A key-encryption key in files is used only once it is backed up
// (docs/decisions/0171).
import { StartError } from '../kit/start-error.ts';
import { rotateData } from '../vault/rotation/data.ts';
import { rotateFingerprints } from '../vault/rotation/fingerprint.ts';
import type { RotationTools } from '../vault/rotation/job.ts';
import { hasNextKek, isKekSwitched, nextKek, rotateKek } from '../vault/rotation/kek.ts';
import { componentsOf } from '../vault/keys/file-provider.ts';
import { readWords } from './arguments.ts';
import { keyFolder } from './key-provider.ts';
import { openVault } from './vault-session.ts';

const KINDS: Readonly<Record<string, (tools: RotationTools) => Promise<string>>> = {
  data: async (tools) => {
    const { resealed, destroyed, unreadable } = await rotateData(tools);
    const rest =
      unreadable > 0
        ? `; ${unreadable} records do not open and were left alone: their keys are kept. See the audit`
        : '';
    return `data keys: ${resealed} cards sealed again, ${destroyed} old keys destroyed${rest}`;
  },
  fingerprint: async (tools) =>
    `fingerprint key: ${await rotateFingerprints(tools)} cards fingerprinted again, the old key destroyed.
A number that is stored no more, as that of a one-shot token, gets another card_unique_id when it comes again: entries of risk lists that name the one before match it no more.`,
  kek: async (tools) => {
    if (tools.provider.name === 'file') await requireNext(tools);
    return `key-encryption key: now ${await rotateKek(tools)}, the old one destroyed`;
  },
};

/** What was not made by an earlier run is backed up nowhere. */
async function requireNext(tools: RotationTools): Promise<void> {
  if (!(await isKekSwitched(tools)) && !(await hasNextKek(tools)))
    throw new StartError('There is no next key yet that could be backed up. Make it first: florin rotate-keys kek');
}

const USAGE = `florin rotate-keys [data] [fingerprint] [kek] [--backed-up]   without a word all three

A vault's key in files is changed in two runs: the first makes its two parts, the second, with --backed-up, takes them
into use and destroys the ones before.`;

export async function rotateKeys(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: [], flags: ['backed-up'] });
  const unknown = words.rest.filter((word) => !Object.hasOwn(KINDS, word));
  if (unknown.length > 0) throw new StartError(`There are no keys ${unknown.join(', ')}. Usage: ${USAGE}`);
  await using vault = await openVault();
  const tools = {
    ...vault,
    progress: ({ step, done, total }: { step: string; done: number; total: number }) =>
      vault.bar.report(step, done, total),
  };
  for (const [kind, rotate] of Object.entries(KINDS)) {
    if (words.rest.length > 0 && !words.rest.includes(kind)) continue;
    const waits = kind === 'kek' && !words.flag('backed-up') && vault.provider.name === 'file';
    // one that was begun goes on: its parts are in use
    const said = waits && !(await isKekSwitched(tools)) ? custodyOf(vault, await nextKek(tools)) : await rotate(tools);
    vault.bar.end();
    console.log(said);
  }
}

/** The people who keep the parts of the key in use have nothing of the new one yet. */
function custodyOf({ config }: Awaited<ReturnType<typeof openVault>>, ref: string): string {
  return `The vault's next key is made, and not yet in use. It is the two of these together:

${componentsOf(keyFolder(config), ref)
  .map((path) => `  ${path}`)
  .join('\n')}

Back each up, in the care of the person who has the part in use, and copy both to every other vault: without both no
stored card can be read. Then take it into use with

  florin rotate-keys kek --backed-up

which destroys the parts in use now; copies of them open backups of the database from before, and nothing else.`;
}
