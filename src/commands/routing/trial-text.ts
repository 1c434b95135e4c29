// What a trial of routing rules found, for a terminal.
import { LEAST_EFFECTIVE, TRIED_SHARE, judge } from '../../core/routing/learn/snips.ts';
import type { RouteTrial } from '../../payment/routing/try.ts';
import { grouped, tableOf } from '../ledger/table.ts';
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

/** What would have been approved, with its interval; or why no number is shown. */
function outcomeText({ outcome }: Pick<RouteTrial, 'outcome'>): string {
  const judged = judge(outcome);
  if ('rate' in judged)
    return `About ${rateText(judged.rate)} of first attempts would have been approved (in 95 of 100 cases between ${rateText(judged.from)} and ${rateText(judged.to)}); ${rateText(judged.then)} were. The ${grouped(outcome.orders)} orders are worth ${grouped(Math.round(judged.effective))} that all went this way.`;
  const refused = 'It is not known what would have been approved:';
  const how = `A split or best_of that sends ${TRIED_SHARE * 100} % there takes about ${grouped(judged.needed)} orders until it is known.`;
  if (judged.why === 'none')
    return `${refused} no first attempt of these days has an outcome that says anything of it.`;
  if (judged.why === 'unseen')
    return `${refused} ${rateText(judged.unseen)} of the orders would go to contracts that took no such orders. ${how}`;
  return `${refused} the orders that went this way are worth ${grouped(Math.round(judged.effective))}, and ${LEAST_EFFECTIVE} are needed. ${how}`;
}
