// florin routing learnt and go-on: show what best_of rules have learnt, and restart a rule that was stopped.
import type { RuleLearnt } from '../../core/routing/learn/shown.ts';
import { letGoOn, readLearnt } from '../../payment/routing/learn/learnt.ts';
import { type Column, grouped, tableOf } from '../ledger/table.ts';
import { rateText } from '../rate-text.ts';
import { record } from '../published.ts';
import type { Doing } from './routing.ts';

export async function learnt({ tools, account, words }: Doing): Promise<string> {
  const found = await readLearnt(tools, account);
  if (words.flag('json')) return JSON.stringify(found, undefined, 2);
  if (found.rules.length === 0) return 'No rule with best_of is in force.';
  return found.rules.map(ruleText).join('\n\n');
}

const LEFT: Column = { title: 'left after fees', right: true };
const COLUMNS: readonly Column[] = [
  { title: 'payments' },
  { title: 'contract' },
  { title: 'share', right: true },
  { title: 'approved', right: true },
  { title: 'of', right: true },
];

function ruleText(learnt_of: RuleLearnt): string {
  const { rule, by, stopped, missing, needed, control, others, arms, cells } = learnt_of;
  const rows = [{ cell: 'all others', arms }, ...cells].flatMap((one) =>
    one.arms.map(({ contract, points, seen, kept }) => [
      one.cell,
      contract,
      `${points / 100} %`,
      grouped(seen.approved),
      grouped(seen.tried),
      ...(by === 'value' ? [kept === null ? '' : rateText(kept)] : []),
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
    ...valueLines(learnt_of),
    tableOf(by === 'value' ? [...COLUMNS, LEFT] : COLUMNS, rows),
  ].join('\n');
}

function valueLines({ by, left, without_fees }: RuleLearnt): readonly string[] {
  if (by === 'approval') return [];
  return [
    left === null
      ? 'By value: nothing is to be compared yet.'
      : `By value, after fees: ${rateText(left.control)} left of a payment in the control group, ${rateText(left.others)} in the others.`,
    ...(without_fees.length === 0
      ? []
      : [`By approval all the same, for fees are not known there: ${without_fees.join(', ')}.`]),
  ];
}

export async function goOn({ tools, account, words }: Doing, [rule = '']: readonly string[]): Promise<string> {
  const note = words.needed('note');
  await letGoOn(tools, account, {
    rule,
    also: (tx) => record(words, tx, { action: 'best_of rule let go on', object: rule, reason: note }),
  });
  return `${rule} learns again. Its control group is compared from the next hour on.`;
}
