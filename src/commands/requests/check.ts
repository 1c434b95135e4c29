// florin check: comments on an account's last requests in a sandbox, as an experienced integrator would.
import { outsideTo } from '../../hosts/outside.ts';
import { hostUrl } from '../../hosts/ports.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { type Forged, sendForged } from '../../payment/integration/forge.ts';
import { type Finding, findingsOf } from '../../payment/integration/rules.ts';
import { seenOf } from '../../payment/integration/seen.ts';
import { readWords } from '../arguments.ts';
import { accountOf, refuseUnknown } from '../ledger/ledger.ts';
import { type MoneySession, openMoney } from '../ledger/session.ts';
import { ownerOf } from '../order/order.ts';

const USAGE = `florin check [options]
  --forge         sends each of its endpoints one test notification with a broken signature, which must be refused
  --json          as JSON
  --account ID    whose; the account of the key unless given
  --key KEY       a private key; the demo account's unless given

  It looks at the last 1,000 requests and notifications in the log of a sandbox (florin logs), and ends with 1 where it
  finds an error. It sees what was asked, not why: read each example before you believe it.`;

export async function checkCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['account', 'key'], flags: ['json', 'forge'] });
  if (words.rest.length > 0) throw new StartError(`Usage: ${USAGE}`);
  await using money = await openMoney();
  const { tools, config } = money;
  if (config.environment === 'production') throw new StartError('florin check looks at integrations in a sandbox.');
  if (config.request_log_days === 0)
    throw new StartError('No requests are kept: FLORIN_REQUEST_LOG_DAYS is 0 where the service runs.');
  const account = accountOf(words.text('account')) ?? (await ownerOf(money, words.text('key')));
  await refuseUnknown(tools, account);
  const db = tools.db.tenant(account);
  const looked = await seenOf(db, tools.outside.clock.now());
  const forged = words.flag('forge') ? await forgedAt(money, db) : undefined;
  const took_forged = (forged ?? []).filter(({ became }) => became === 'taken').map(({ endpoint_id }) => endpoint_id);
  const findings = findingsOf({ ...looked, took_forged });
  const looked_at = looked.requests.length + looked.notifications.length;
  const base_url = hostUrl(config, 'api');
  console.log(
    words.flag('json')
      ? JSON.stringify({ looked_at, findings, forged }, undefined, 2)
      : textOf({ looked_at, findings, base_url, forged }),
  );
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

async function forgedAt({ tools, config }: MoneySession, db: TenantRunner): Promise<readonly Forged[]> {
  const outside = outsideTo(config);
  try {
    return await sendForged({ ...tools, outside }, db);
  } finally {
    await outside.destroy();
  }
}

type Said = {
  readonly looked_at: number;
  readonly findings: readonly Finding[];
  readonly base_url: string;
  /** Undefined: none was sent. */
  readonly forged?: readonly Forged[] | undefined;
};

export function textOf({ looked_at, findings, base_url, forged }: Said): string {
  const looked =
    looked_at === 0 ? 'There are no requests to look at yet.' : `Looked at ${looked_at} requests and notifications.`;
  const head = [looked, ...(forged ? [forgedText(forged)] : [])].join('\n');
  if (findings.length === 0) return looked_at === 0 ? head : `${head} Nothing to say.`;
  const texts = findings.map(({ severity, name, times, more, says, example, guide }) =>
    [
      `${severity.toUpperCase()}  ${name} (${times}${more === '' ? '' : `: ${more}`})`,
      `  ${says}`,
      ...(example === null ? [] : [`  For example: florin logs --id ${example} --bodies`]),
      `  Guide: ${base_url}${guide}`,
    ].join('\n'),
  );
  return [head, ...texts].join('\n\n');
}

/** Silence is no refusal: a receiver that is not running would look like one that checks signatures. */
function forgedText(forged: readonly Forged[]): string {
  if (forged.length === 0) return 'No forged notification was sent: there is no endpoint.';
  const said = (became: Forged['became']) =>
    forged.filter((one) => one.became === became).map(({ endpoint_id }) => endpoint_id);
  const parts = [
    ['refused by', said('refused')],
    ['TAKEN by', said('taken')],
    ['not answered by (is the receiver running?)', said('no_answer')],
  ] as const;
  const told = parts.filter(([, ids]) => ids.length > 0).map(([words, ids]) => `${words} ${ids.join(', ')}`);
  return `A forged notification was ${told.join('; ')}.`;
}
