// florin rotate-keys [kek] [data] [fingerprint]: replaces keys with new ones while the service runs. After a stop or a
// kill the next run goes on where this one stopped.
import { StartError, helpIfWanted } from '../kit/start-error.ts';
import { rotateData } from '../vault/rotation/data.ts';
import { rotateFingerprints } from '../vault/rotation/fingerprint.ts';
import type { RotationTools } from '../vault/rotation/job.ts';
import { rotateKek } from '../vault/rotation/kek.ts';
import { componentsOf } from '../vault/keys/file-provider.ts';
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
  kek: async (tools) => `key-encryption key: now ${await rotateKek(tools)}, the old one destroyed`,
};

const USAGE = 'Usage: florin rotate-keys [data] [fingerprint] [kek]; without a word all three.';

export async function rotateKeys(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const unknown = args.filter((arg) => !Object.hasOwn(KINDS, arg));
  if (unknown.length > 0) throw new StartError(`There are no keys ${unknown.join(', ')}. ${USAGE}`);
  await using vault = await openVault();
  const tools = {
    ...vault,
    progress: ({ step, done, total }: { step: string; done: number; total: number }) =>
      vault.bar.report(step, done, total),
  };
  for (const [kind, rotate] of Object.entries(KINDS)) {
    if (args.length > 0 && !args.includes(kind)) continue;
    const said = await rotate(tools);
    vault.bar.end();
    console.log(said);
    if (kind === 'kek' && vault.provider.name === 'file') console.log(custodyOf(vault));
  }
}

/** The people who keep the parts of the old key have nothing of the new one yet. */
function custodyOf({ config, provider }: Awaited<ReturnType<typeof openVault>>): string {
  const paths = componentsOf(keyFolder(config), provider.newest());
  return `
The vault's key is the two of these together now:

${paths.map((path) => `  ${path}`).join('\n')}

Back each up in the place of the part before it, in the care of the same person, and copy both to every other vault: without
both no stored card can be read. Parts of the old key open backups of the database from before, and nothing else.`;
}
