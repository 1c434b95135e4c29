// florin check: comments on an account's last requests in a sandbox, as an experienced integrator would.
import { outsideTo } from '../../hosts/outside.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { takersOfForged } from '../../payment/integration/forge.ts';
import { type Finding, findingsOf } from '../../payment/integration/rules.ts';
import { seenOf } from '../../payment/integration/seen.ts';
import { readWords } from '../arguments.ts';
import { accountOf } from '../ledger/ledger.ts';
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
  const db = tools.db.tenant(account);
  const looked = await seenOf(db, tools.outside.clock.now());
  const seen = words.flag('forge') ? { ...looked, took_forged: await forgedAt(money, db) } : looked;
  const findings = findingsOf(seen);
  const looked_at = seen.requests.length + seen.notifications.length;
  const base_url = config.base_url || `http://${config.host}:${config.api_port}`;
  console.log(
    words.flag('json')
      ? JSON.stringify({ looked_at, findings }, undefined, 2)
      : textOf({ looked_at, findings, base_url }),
  );
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

async function forgedAt({ tools, config }: MoneySession, db: TenantRunner): Promise<readonly string[]> {
  const outside = outsideTo(config);
  try {
    return await takersOfForged({ ...tools, outside }, db);
  } finally {
    await outside.destroy();
  }
}

type Said = { readonly looked_at: number; readonly findings: readonly Finding[]; readonly base_url: string };

export function textOf({ looked_at, findings, base_url }: Said): string {
  if (looked_at === 0) return 'There are no requests to look at yet.';
  const head = `Looked at ${looked_at} requests and notifications.`;
  if (findings.length === 0) return `${head} Nothing to say.`;
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
