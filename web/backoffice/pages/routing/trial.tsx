// Tries a draft on the orders of the last month, part by part. The page shows the progress, and a person can stop the
// trial. It writes nothing.
import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RoutingDocument, RoutingTest } from '../../../../src/backoffice/wire/rules/routing.ts';
import {
  LEAST_EFFECTIVE,
  TRIED_SHARE,
  type SnipsSums,
  type Unjudged,
  judge,
} from '../../../../src/core/routing/learn/snips.ts';
import { type TrialCost, judgeCost } from '../../../../src/core/routing/learn/trial-cost.ts';
import { api } from '../../base/api.ts';
import { countText, moneyText, percentText, shortId } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Notice } from '../../parts/page.tsx';
import { type Sum, added } from './trial-sum.ts';

/** Of one draft: another one is another trial. */
export function Trial({ document }: { readonly document: RoutingDocument }) {
  const [sum, setSum] = useState<Sum>();
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const test = useAct({
    run: async () => {
      stopped.current = false;
      let after: string | null = '';
      let total: Sum | undefined;
      while (after !== null && !stopped.current) {
        const part: RoutingTest = await api('POST /routing/test', {
          body: { document, ...(after !== '' && { after }) },
        });
        total = added(total, part);
        setSum(total);
        after = part.next;
      }
    },
  });
  const busy = test.isPending;
  return (
    <div className="stack">
      {busy ? <Progress value={(sum?.done ?? 0) * 100} aria-label={t('Orders played')} /> : null}
      {sum ? <Tried sum={sum} whole={sum.next === null} /> : null}
      <div className="row">
        <Button variant="default" disabled={busy} onClick={() => test.mutate()}>
          {t("Test on last month's orders")}
        </Button>
        {busy ? (
          <Button variant="subtle" color="gray" onClick={() => (stopped.current = true)}>
            {t('Stop')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const nameOf = (contract: string | null) => contract ?? t('refused [route]');

type Way = { readonly from: string | null; readonly to: string | null };

const wayText = ({ from, to }: Way) => t('From {from} to {to} [route]', { from: nameOf(from), to: nameOf(to) });

function Tried({ sum, whole }: { readonly sum: Sum; readonly whole: boolean }) {
  const { attempts, moved, refused, refused_then, moves, examples, warnings, defects } = sum;
  return (
    <Notice
      tone={refused > refused_then || warnings.length > 0 || defects > 0 ? 'warn' : 'info'}
      title={t('Of {attempts} payments, {moved} would have gone elsewhere', {
        attempts: countText(attempts),
        moved: countText(moved),
      })}
    >
      <p>
        {t('{refused} would have been refused; {refused_then} were.', {
          refused: countText(refused),
          refused_then: countText(refused_then),
        })}
        {whole ? '' : ` ${t('The newest orders are not included.')}`}
        {defects === 0
          ? ''
          : ` ${plural(
              defects,
              '{count} choice of then does not come out again: please report it.',
              '{count} choices of then do not come out again: please report it.',
            )}`}
      </p>
      <p>{outcomeText(sum.outcome)}</p>
      {sum.costs.map((cost) => (
        <p key={cost.currency}>{costText(cost)}</p>
      ))}
      <ul className="lines">
        {warnings.map(({ rule, says }) => (
          <li key={`${rule} ${says}`}>
            <span className="strong">{rule ?? t('All rules')}</span> {says}
          </li>
        ))}
        {moves.slice(0, 12).map((move) => (
          <li key={`${move.from} ${move.to} ${move.scheme} ${move.currency}`}>
            <span className="strong">{wayText(move)}</span>{' '}
            {t('{scheme} {currency}: {attempts}, of which {approved} were approved', {
              scheme: move.scheme,
              currency: move.currency,
              attempts: countText(move.attempts),
              approved: countText(move.approved),
            })}
          </li>
        ))}
        {examples.slice(0, 5).map(({ order_id, from, to }) => (
          <li key={order_id}>
            <Link to={`/orders/${order_id}`} className="example">
              {t('order {id}', { id: shortId(order_id) })}
            </Link>{' '}
            <span className="muted">{wayText({ from, to })}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The estimated approval rate with its interval, or the reason why no number is shown. */
function outcomeText(outcome: SnipsSums): string {
  const judged = judge(outcome);
  if ('rate' in judged)
    return t(
      'About {rate} of first attempts would have been approved, in 95 of 100 cases between {from} and {to}; {then} were.',
      {
        rate: percentText(judged.rate),
        from: percentText(judged.from),
        to: percentText(judged.to),
        then: percentText(judged.then),
      },
    );
  if (judged.why === 'none') return t('No payment of these days says anything of what would have been approved.');
  return [t('It is not known what would have been approved.'), ...whyNot(judged, rateUnseen)].join(' ');
}

/** What the payments of one currency cost and would have cost: exactly, as an estimate, or why it is not known. */
function costText(cost: TrialCost): string {
  const { currency, known, known_minor, same, same_minor, unknown } = cost;
  const money = (sum: number) => moneyText(Math.round(sum), currency);
  const then = t('By the fees that you stated, {attempts} payments cost {cost}.', {
    attempts: countText(known),
    cost: money(known_minor),
  });
  const judged = judgeCost(cost);
  if (judged === 'exact') return `${then} ${t('They would have cost the same.')}`;
  const stays = t('{same} of them go where they went, at {cost} as before.', {
    same: countText(same),
    cost: money(same_minor),
  });
  return [then, stays, ...restText(judged, { unknown, money })].join(' ');
}

type Rest = { readonly unknown: number; readonly money: (sum: number) => string };

function restText(judged: Exclude<ReturnType<typeof judgeCost>, 'exact'>, { unknown, money }: Rest): string[] {
  if (judged === 'fees')
    return [
      t('For {unknown} more no fee is stated: it is not known what all would have cost.', {
        unknown: countText(unknown),
      }),
    ];
  if ('why' in judged) return [t('It is not known what the others would have cost.'), ...whyNot(judged, costUnseen)];
  return [
    t(
      '{orders} first payments would have cost about {now}, in 95 of 100 cases between {from} and {to}; they cost {then}.',
      {
        orders: countText(judged.orders),
        now: money(judged.now),
        from: money(judged.from),
        to: money(judged.to),
        then: money(judged.then),
      },
    ),
  ];
}

const rateUnseen = (share: string) =>
  t('{share} of the payments would go to contracts that took no such payments.', { share });
const costUnseen = (share: string) =>
  t('{share} of the payments would go to contracts that took no such payments, or go on elsewhere after a decline.', {
    share,
  });

function whyNot(judged: Unjudged, unseen: (share: string) => string): string[] {
  if (judged.why === 'none') return [];
  const why =
    judged.why === 'unseen'
      ? unseen(percentText(judged.unseen))
      : t('The payments that went this way are worth {effective}, and {needed} are needed.', {
          effective: countText(Math.round(judged.effective)),
          needed: LEAST_EFFECTIVE,
        });
  return [
    why,
    t('A rule that sends {share} there takes about {needed} payments until it is known.', {
      share: percentText(TRIED_SHARE),
      needed: countText(judged.needed),
    }),
  ];
}
