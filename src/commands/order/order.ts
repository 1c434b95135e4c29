// florin order show ID: prints the history of an order in the order of time; with --replay it plays the order once more
// in a fresh sandbox.
import { isId } from '../../core/ids.ts';
import { ENDINGS } from '../../core/retries/policy.ts';
import { sha256 } from '../../kit/crypto.ts';
import { StartError } from '../../kit/start-error.ts';
import { findKeyOwner } from '../../payment/merchant/store.ts';
import { isInDoubt } from '../../payment/order/show/doubt.ts';
import type { OrderFacts } from '../../payment/order/facts/order-facts.ts';
import { type Timeline, meaningOf, timelineOf } from '../../payment/order/timeline/read-timeline.ts';
import { type Why, whyOf } from '../../payment/routing/why.ts';
import { readWords } from '../arguments.ts';
import { accountOf } from '../ledger/ledger.ts';
import { type MoneySession, openMoney } from '../ledger/session.ts';
import { amountText, moneyText, tableOf } from '../ledger/table.ts';
import { keyOf } from '../sandbox/session.ts';
import { replay } from './replay.ts';

const USAGE = `florin order show ID [options]
  --json          as JSON, with every id
  --replay        play the order's calls again in a fresh sandbox of its own, with the same seed and from the same moment, and
                  compare; ends with 1 where anything comes out differently
  --card NUMBER   with --replay: the card, where its first six and last four digits do not tell
  --arm OPERATION:FAULT[,…]   with --replay: scenarios that were armed then; an order does not remember them
  --account ID    whose order; the account of the key unless given
  --key KEY       a private key of a sandbox; the demo account's unless given

  It reads the database beside the running service (FLORIN_DATA_DIR, or FLORIN_DATABASE_URL).`;

export async function orderCommand(args: readonly string[], version: string): Promise<void> {
  const words = readWords(args, {
    usage: USAGE,
    texts: ['account', 'key', 'card', 'arm'],
    flags: ['json', 'replay'],
  });
  const [verb, id, ...more] = words.rest;
  if (verb !== 'show' || id === undefined || more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  if (!isId(id)) throw new StartError('ID must be the 24 hex digits of an order.');
  await using money = await openMoney();
  const account = accountOf(words.text('account')) ?? (await ownerOf(money, words.text('key')));
  const timeline = await timelineOf(money.tools.db.tenant(account), id);
  if (!timeline)
    throw new StartError(`The account ${account} has no order ${id}. Is it another's? --account or --key says whose.`);
  if (!words.flag('replay')) {
    if (words.flag('json')) console.log(jsonText(timeline));
    else console.log([timelineText(timeline), ...whyText(await whyOf(money.tools, timeline.order))].join('\n'));
    return;
  }
  if (money.config.environment === 'production') throw new StartError('An order of production is not played again.');
  const again = await replay(money, timeline, { version, card: words.text('card'), arm: words.text('arm') });
  console.log(words.flag('json') ? JSON.stringify(again, undefined, 2) : again.text);
  if (again.differences > 0) process.exitCode = 1;
}

/** In a sandbox, the account of the private key that is given, or of the demo account's key. */
export async function ownerOf(
  { config, tools }: Pick<MoneySession, 'config' | 'tools'>,
  key: string | undefined,
): Promise<string> {
  if (config.environment === 'production')
    throw new StartError(
      'There is no demo account in production: --account says whose. Every program of a machine can read its command lines, so a private key does not stand there.',
    );
  const owner = await findKeyOwner(tools.db, sha256(keyOf(config, key)));
  if (!owner) throw new StartError('The private key is not known here: give the right one with --key, or --account.');
  return owner.merchant_account_id;
}

/** Why this provider was chosen, as lines after the history; no lines if no rules were in force. */
function whyText(told: readonly Why[]): readonly string[] {
  return told.flatMap(({ lines }) => ['', 'why this provider', ...lines.map((line) => `  ${line}`)]);
}

/** The planned try, or why there will be none. */
function retryText({ state, tries, policy, cause, next_at, until, ending }: NonNullable<OrderFacts['retry']>): string {
  const made = `${tries} later ${tries === 1 ? 'try' : 'tries'} made by policy ${policy}`;
  if (ending !== null) return `ended: ${ENDINGS[ending]}   ${made}`;
  const next = next_at === null ? state : `next ${next_at} (${cause ?? ''})`;
  return `${next}   ${made}, until ${until}`;
}

function jsonText(timeline: Timeline): string {
  return JSON.stringify(timeline, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 2);
}

const COLUMNS = [{ title: 'time' }, { title: 'who' }, { title: 'what' }, { title: 'code' }, { title: '' }];

const archivedText = (file: string) =>
  file === ''
    ? 'calls and answers of this order are being archived'
    : `calls and answers of this order are in ${file}: florin archive restore puts them back`;

/** The order and its state, and then one line for each moment. */
export function timelineText({ order, moments, archives }: Timeline): string {
  const { currency } = order;
  const money = (minor: bigint) => amountText(minor, currency);
  const card = order.transactions.at(-1);
  const rows = moments.map(({ at, who, what, text, code }) => [
    at.replace('T', ' ').replace('Z', ''),
    who,
    what === 'status' ? `→ ${text}` : `  ${text}`,
    code ?? '',
    what === 'status' ? meaningOf(code) : '',
  ]);
  return [
    `order      ${order.id}   ${order.order_merchant_id}`,
    `amount     ${moneyText(order.amount_minor, currency)}   ${card?.payment_method_name ?? ''} ${card?.first6 ?? ''}…${card?.last4 ?? ''}`,
    `status     ${order.status}   version ${order.version}${isInDoubt(order) ? '   IN DOUBT' : ''}`,
    ...order.disputes.map(
      ({ id, state, amount_minor, reason_code, reason }) =>
        `dispute    ${state}   ${moneyText(amount_minor, currency)}   ${reason_code} ${reason}   ${id}`,
    ),
    ...order.contradictions.map(
      ({ operation_id, held, said }) => `in doubt   ${operation_id} is ${held} here, and the provider says ${said}`,
    ),
    ...(order.retry ? [`later      ${retryText(order.retry)}`] : []),
    `authorized ${money(order.authorized_minor)}   captured ${money(order.captured_minor)}   refunded ${money(order.refunded_minor)}   released ${money(order.released_minor)}`,
    ...archives.map((file) => `archived   ${archivedText(file)}`),
    '',
    tableOf(COLUMNS, rows),
  ].join('\n');
}
