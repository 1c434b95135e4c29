// The result of a trial of routing rules, for a terminal.
import { LEAST_EFFECTIVE, TRIED_SHARE, type Unjudged, judge } from '../../core/routing/learn/snips.ts';
import { judgeCost } from '../../core/routing/learn/trial-cost.ts';
import type { TrialCost } from '../../core/routing/learn/trial-cost.ts';
import type { RouteTrial } from '../../payment/routing/try.ts';
import { grouped, moneyText, tableOf } from '../ledger/table.ts';
import { rateText } from '../rate-text.ts';

const MOST_MOVES = 40;

export function trialText(trial: RouteTrial): string {
  const { attempts, moved, refused, refused_then, moves, rules, examples } = trial;
  const name = (contract: string | null) => contract ?? 'refused';
  const rest = trial.complete
    ? ''
    : ` ${trial.stopped ? 'It was stopped: the' : 'The'} newest orders were not reached.`;
  return [
    `Of ${grouped(attempts)} attempts ${grouped(moved)} would have gone elsewhere; ${grouped(refused)} would have been refused, ${grouped(refused_then)} were.${rest}`,
    outcomeText(trial),
    trial.costs.map(costText).join('\n'),
    rules.length === 0
      ? ''
      : tableOf(
          [{ title: 'rule' }, { title: 'attempts', right: true }, { title: 'elsewhere', right: true }],
          rules.map((one) => [one.rule ?? 'by priority', grouped(one.attempts), grouped(one.moved)]),
        ),
    moves.length === 0
      ? ''
      : tableOf(
          [
            { title: 'from' },
            { title: 'to' },
            { title: 'scheme' },
            { title: 'currency' },
            { title: 'attempts', right: true },
            { title: 'approved then', right: true },
          ],
          moves
            .slice(0, MOST_MOVES)
            .map((move) => [
              name(move.from),
              name(move.to),
              move.scheme,
              move.currency,
              grouped(move.attempts),
              grouped(move.approved),
            ]),
        ),
    examples.length === 0
      ? ''
      : [
          'For example:',
          ...examples.map(
            ({ order_id, from, to, rule }) =>
              `  ${order_id}  ${name(from)} → ${name(to)}${rule === null ? '' : `  (${rule})`}`,
          ),
        ].join('\n'),
    trial.tried_again > 0
      ? `${grouped(trial.tried_again)} attempts of orders that were tried again with other fields could not be compared with their own choice.`
      : '',
    trial.defects > 0
      ? `${grouped(trial.defects)} choices of then do not come out again. That is a defect of Florin: please report it.`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The estimated approval rate with its interval, or the reason why no number is shown. */
function outcomeText({ outcome }: Pick<RouteTrial, 'outcome'>): string {
  const judged = judge(outcome);
  if ('rate' in judged)
    return `About ${rateText(judged.rate)} of first attempts would have been approved (in 95 of 100 cases between ${rateText(judged.from)} and ${rateText(judged.to)}); ${rateText(judged.then)} were. The ${grouped(outcome.orders)} orders are worth ${grouped(Math.round(judged.effective))} that all went this way.`;
  return `It is not known what would have been approved: ${whyNot(judged)}`;
}

/** What the payments of one currency cost and would have cost: exactly, as an estimate, or why it is not known. */
function costText(cost: TrialCost): string {
  const { currency, known, known_minor, same, same_minor, unknown } = cost;
  const money = (sum: number) => moneyText(BigInt(Math.round(sum)), currency);
  const then = `Fees as stated: ${grouped(known)} attempts cost ${money(known_minor)}.`;
  const judged = judgeCost(cost);
  if (judged === 'exact') return `${then} They would have cost the same.`;
  const stays = `${then} ${grouped(same)} of them go where they went, at ${money(same_minor)} as before.`;
  if (judged === 'fees')
    return `${stays} For ${grouped(unknown)} more no fee is stated: it is not known what all would have cost.`;
  if ('why' in judged) return `${stays} It is not known what the others would have cost: ${whyNot(judged)}`;
  return `${stays} ${grouped(judged.orders)} first attempts would have cost about ${money(judged.now)} (in 95 of 100 cases between ${money(judged.from)} and ${money(judged.to)}); they cost ${money(judged.then)}.`;
}

function whyNot(judged: Unjudged): string {
  const how = `A split or best_of that sends ${TRIED_SHARE * 100} % there takes about ${grouped(judged.needed)} orders until it is known.`;
  if (judged.why === 'none') return `no first attempt of these days has an outcome that says anything of it.`;
  if (judged.why === 'unseen')
    return `${rateText(judged.unseen)} of the orders would go to contracts that took no such orders. ${how}`;
  return `the orders that went this way are worth ${grouped(Math.round(judged.effective))}, and ${LEAST_EFFECTIVE} are needed. ${how}`;
}
