// A draft on the orders of the last month, part by part: how far it is is shown, and it can be stopped. Nothing is written.
import { Button, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import type { RoutingDocument, RoutingTest } from '../../../../src/backoffice/wire/routing.ts';
import { LEAST_EFFECTIVE, TRIED_SHARE, type SnipsSums, judge } from '../../../../src/core/routing/learn/snips.ts';
import { api } from '../../base/api.ts';
import { countText, percentText, shortId } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { useAct } from '../../parts/act.tsx';
import { Notice } from '../../parts/page.tsx';
import { type Sum, added } from './trial-sum.ts';

export function Trial({ document }: { readonly document: RoutingDocument }) {
  const [sum, setSum] = useState<Sum>();
  const stopped = useRef(false);
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
      {busy ? <Progress value={(sum?.done ?? 0) * 100} aria-label="Orders played" /> : null}
      {sum ? <Tried sum={sum} whole={sum.next === null} /> : null}
      <div className="row">
        <Button variant="default" disabled={busy} onClick={() => test.mutate()}>
          {"Test on last month's orders"}
        </Button>
        {busy ? (
          <Button variant="subtle" color="gray" onClick={() => (stopped.current = true)}>
            Stop
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const nameOf = (contract: string | null) => contract ?? 'refused';

function Tried({ sum, whole }: { readonly sum: Sum; readonly whole: boolean }) {
  const { attempts, moved, refused, refused_then, moves, examples, warnings, defects } = sum;
  return (
    <Notice
      tone={refused > refused_then || warnings.length > 0 || defects > 0 ? 'warn' : 'info'}
      title={`Of ${countText(attempts)} payments, ${countText(moved)} would have gone elsewhere`}
    >
      <p>
        {`${countText(refused)} would have been refused; ${countText(refused_then)} were.${whole ? '' : ' The newest orders are not included.'}`}
        {defects === 0 ? '' : ` ${countText(defects)} choices of then do not come out again: please report it.`}
      </p>
      <p>{outcomeText(sum.outcome)}</p>
      <ul className="lines">
        {warnings.map(({ rule, says }) => (
          <li key={`${rule} ${says}`}>
            <span className="strong">{rule ?? 'All rules'}</span> {says}
          </li>
        ))}
        {moves.slice(0, 12).map((move) => (
          <li key={`${move.from} ${move.to} ${move.scheme} ${move.currency}`}>
            <span className="strong">{`${nameOf(move.from)} → ${nameOf(move.to)}`}</span>{' '}
            {`${move.scheme} ${move.currency}: ${countText(move.attempts)}, of which ${countText(move.approved)} were approved`}
          </li>
        ))}
        {examples.slice(0, 5).map(({ order_id, from, to }) => (
          <li key={order_id}>
            <Link to={`/orders/${order_id}`} className="example">
              {`order ${shortId(order_id)}`}
            </Link>{' '}
            <span className="muted">{`${nameOf(from)} → ${nameOf(to)}`}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What would have been approved, with its interval; or why no number is shown. */
function outcomeText(outcome: SnipsSums): string {
  const judged = judge(outcome);
  if ('rate' in judged)
    return `About ${percentText(judged.rate)} of first attempts would have been approved, in 95 of 100 cases between ${percentText(judged.from)} and ${percentText(judged.to)}; ${percentText(judged.then)} were.`;
  if (judged.why === 'none') return 'No payment of these days says anything of what would have been approved.';
  const why =
    judged.why === 'unseen'
      ? `${percentText(judged.unseen)} of the payments would go where none of theirs was sent.`
      : `The payments that went this way are worth ${countText(Math.round(judged.effective))}, and ${LEAST_EFFECTIVE} are needed.`;
  return `What would have been approved cannot be told. ${why} A rule that sends ${percentText(TRIED_SHARE)} there takes about ${countText(judged.needed)} payments until it can be told.`;
}
