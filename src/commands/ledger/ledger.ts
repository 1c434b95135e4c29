// florin ledger verify: checks that counters, operations and ledger of every order agree. It exits with 1 if any do
// not.
import { isId } from '../../core/ids.ts';
import { LEDGER_ACCOUNTS } from '../../core/ledger-accounts.ts';
import { StartError } from '../../kit/start-error.ts';
import { everyAccount } from '../../payment/ledger/verify/store.ts';
import { type Verdict, verifyLedger } from '../../payment/ledger/verify/verify.ts';
import type { Tools } from '../../payment/tools.ts';
import { readWords } from '../arguments.ts';
import { openMoney } from './session.ts';
import { amountText, grouped, tableOf } from './table.ts';

const USAGE = 'florin ledger verify [--account ID]';

export async function ledgerCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['account'] });
  if (words.rest.length !== 1 || words.rest[0] !== 'verify') throw new StartError(`Usage: ${USAGE}`);
  const account = accountOf(words.text('account'));
  await using money = await openMoney();
  const { bar, tools } = money;
  await refuseUnknown(tools, account);
  const verdict = await verifyLedger({ db: tools.db, account, progress: bar.report });
  bar.end();
  console.log(verdictText(verdict));
  if (verdict.first) process.exitCode = 1;
}

export function accountOf(text: string | undefined): string | undefined {
  if (text !== undefined && !isId(text))
    throw new StartError('--account must be the 24 hex digits of a merchant account.');
  return text;
}

/** Of an account that is not here nothing is found, which reads like an account in which all is well. */
export async function refuseUnknown({ db }: Pick<Tools, 'db'>, account: string | undefined): Promise<void> {
  if (account === undefined) return;
  for await (const { merchant_account_id } of everyAccount(db)) if (merchant_account_id === account) return;
  throw new StartError(`There is no account ${account}.`);
}

/** Says what was checked, the balance of each ledger account, and the first disagreement. */
export function verdictText({ accounts, orders, operations, transfers, first, counts, balances }: Verdict): string {
  const looked = `${grouped(accounts)} merchant accounts, ${grouped(orders)} orders, ${grouped(operations)} operations, ${grouped(transfers)} transfers`;
  const used = LEDGER_ACCOUNTS.filter((name) => [...balances.values()].some((own) => own.get(name) !== 0n));
  const rows = [...balances].map(([currency, own]) => {
    const sum = [...own.values()].reduce((total, value) => total + value, 0n);
    return [currency, ...used.map((name) => amountText(own.get(name) ?? 0n, currency)), amountText(sum, currency)];
  });
  const columns = ['currency', ...used, 'sum'].map((title, i) =>
    i === 0 ? { title } : { title, right: true as const },
  );
  const parts = [looked];
  if (rows.length > 0) parts.push(tableOf(columns, rows));
  if (!first) return [...parts, 'The ledger agrees with every order.'].join('\n\n');
  const found = [...counts].map(([kind, count]) => [kind, grouped(count)]);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    `First: ${first.kind}`,
    `  merchant account  ${first.merchant_account_id}`,
    `  order             ${first.order_id ?? 'none'}`,
    ...(first.source_id === undefined ? [] : [`  posting           ${first.source_id} ${first.posting}`]),
    `  expected          ${first.expected}`,
    `  stands            ${first.stands}`,
  ];
  return [
    ...parts,
    tableOf([{ title: 'does not agree' }, { title: 'count', right: true }], found),
    lines.join('\n'),
    `The ledger does not agree: ${grouped(total)} ${total === 1 ? 'finding' : 'findings'}.`,
  ].join('\n\n');
}
