// florin verify-audit: checks the chain of the vault's audit; with --money those of the money zone, the deployment's
// own and one for each account. Keep the number and head that it prints on another host: given back to it, they show
// whether records were cut off the end, or all of them chained anew.
import { DEPLOYMENT, type Verdict, verifyChain } from '../backoffice/audit/audit.ts';
import type { Link } from '../kit/audit/chain.ts';
import { StartError } from '../kit/start-error.ts';
import { everyAccount } from '../payment/ledger/verify/store.ts';
import { verifyAudit } from '../vault/audit/audit.ts';
import { type Words, readWords } from './arguments.ts';
import { openMoney } from './ledger/session.ts';
import { openVault } from './vault-session.ts';

const USAGE = 'florin verify-audit [--money] [--records NUMBER --head HASH]';

export async function verifyAuditCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['records', 'head'], flags: ['money'] });
  if (words.rest.length > 0) throw new StartError(`Usage: ${USAGE}`);
  const kept = keptHead(words);
  console.log(await (words.flag('money') ? verifyMoney(kept) : verifyVault(kept)));
}

/** The number and the head that this command printed at another time. */
function keptHead(words: Words): Link | undefined {
  const [records, head] = [words.text('records'), words.text('head')];
  if (records === undefined && head === undefined) return undefined;
  if (!/^[1-9]\d{0,17}$/.test(records ?? '') || !/^[0-9a-f]{64}$/.test(head ?? ''))
    throw new StartError('--records and --head must be a number and the 64 hex digits beside it, as printed before.');
  return { number: BigInt(words.needed('records')), hash: words.needed('head') };
}

async function verifyVault(kept: Link | undefined): Promise<string> {
  await using vault = await openVault();
  return told('The audit', await verifyAudit(vault.db, kept));
}

async function verifyMoney(kept: Link | undefined): Promise<string> {
  await using money = await openMoney();
  const { db } = money.tools;
  const said = told('The audit of the deployment', await verifyChain(db, DEPLOYMENT, kept));
  let accounts = 0;
  for await (const { merchant_account_id: id } of everyAccount(db)) {
    told(`The audit of the merchant account ${id}`, await verifyChain(db, id));
    accounts++;
  }
  return `The deployment: ${said}\nThe audits of ${accounts} merchant accounts are whole, too.`;
}

function told(what: string, verdict: Verdict): string {
  if (!verdict.whole) throw new StartError(`${what} is broken at record ${verdict.at}: ${verdict.why}.`);
  return `${verdict.records} records, none changed, missing or moved. Head ${verdict.head}`;
}
