// florin routing learnt and go-on: what best_of rules have learnt, and one that was stopped let go on by a person.
import { type RuleLearnt, letGoOn, readLearnt } from '../../payment/routing/learn/learnt.ts';
import { type Column, grouped, tableOf } from '../ledger/table.ts';
import { record } from '../published.ts';
import type { Doing } from './routing.ts';

export async function learnt({ tools, account, words }: Doing): Promise<string> {
  const found = await readLearnt(tools, account);
  if (words.flag('json')) return JSON.stringify(found, undefined, 2);
  if (found.rules.length === 0) return 'No rule with best_of is in force.';
  return found.rules.map(ruleText).join('\n\n');
}

const COLUMNS: readonly Column[] = [
  { title: 'payments' },
  { title: 'contract' },
  { title: 'share', right: true },
  { title: 'approved', right: true },
  { title: 'of', right: true },
];

function ruleText({ rule, stopped, missing, needed, control, others, arms, cells }: RuleLearnt): string {
  const rows = [{ cell: 'all others', arms }, ...cells].flatMap((one) =>
    one.arms.map(({ contract, points, seen }) => [
      one.cell,
      contract,
      `${points / 100} %`,
      grouped(seen.approved),
      grouped(seen.tried),
    ]),
  );
  const state =
    stopped !== null
      ? `stopped: ${stopped}. It keeps to its own order.`
      : missing === null
        ? 'learns.'
        : `keeps to its own order: the contract with the fewest outcomes has ${missing} of the ${needed} that are needed.`;
  return [
    `${rule} ${state}`,
    `Control group: ${grouped(control.approved)} of ${grouped(control.tried)} approved; the others: ${grouped(others.approved)} of ${grouped(others.tried)}.`,
    tableOf(COLUMNS, rows),
  ].join('\n');
}

export async function goOn({ tools, account, words }: Doing, [rule = '']: readonly string[]): Promise<string> {
  const note = words.needed('note');
  await letGoOn(tools, account, {
    rule,
    also: (tx) => record(words, tx, { action: 'best_of rule let go on', object: rule, reason: note }),
  });
  return `${rule} learns again. Its control group is compared from the next hour on.`;
}
