// What best_of rules have learnt: the shares with the counts behind them, the control group, what is missing, and rules
// that were stopped.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ArmLearnt, RuleLearnt } from '../../../../src/core/routing/learn/shown.ts';
import type { Seen } from '../../../../src/core/routing/learn/weights.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, sentence, smallPercentText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { said, t } from '../../base/texts.ts';
import { Asked, Notice, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag } from '../../parts/show.tsx';

/** Shows nothing if no rule learns. */
export function LearntShares() {
  const asked = useAsk('routing-learnt', 'GET /routing/learnt');
  return (
    <Asked asked={asked}>
      {({ rules }) => (rules.length === 0 ? null : rules.map((rule) => <Learnt key={rule.rule} rule={rule} />))}
    </Asked>
  );
}

function Learnt({ rule: of }: { readonly rule: RuleLearnt }) {
  const { may } = useSession();
  const [going, setGoing] = useState(false);
  const { rule, by, stopped, missing, needed, control, others, left, without_fees, arms, cells } = of;
  return (
    <Panel
      title={t('Best of: {rule}', { rule })}
      lead={
        by === 'value'
          ? t(
              'Shares by what is left after fees, worked out once a minute. The control group keeps the order of the rule.',
            )
          : t('Shares by success, worked out once a minute. The control group keeps the order of the rule.')
      }
      actions={
        stopped !== null && may('risk') ? (
          <Button size="xs" variant="default" onClick={() => setGoing(true)}>
            {t('Learn again')}
          </Button>
        ) : undefined
      }
    >
      <div className="stack padded">
        {stopped === null ? null : (
          <Notice tone="warn" title={t('Stopped by itself')}>
            <p>{`${sentence(said(stopped))}. ${t('Payments go in the order of the rule.')}`}</p>
          </Notice>
        )}
        {missing === null || stopped !== null ? null : (
          <Notice tone="info" title={t('Not enough is known yet')}>
            <p>
              {t(
                'The contract with the fewest outcomes has {missing} of the {needed} that are needed. Until then the order of the rule holds.',
                { missing: countText(missing), needed: countText(needed) },
              )}
            </p>
          </Notice>
        )}
        <p>
          {t('Control group: {control}. All others: {others}.', {
            control: rateText(control),
            others: rateText(others),
          })}
        </p>
        {left === null ? null : (
          <p>
            {t('Left of a payment after fees: {control} in the control group, {others} in all others.', {
              control: smallPercentText(left.control),
              others: smallPercentText(left.others),
            })}
          </p>
        )}
        {without_fees.length === 0 ? null : (
          <Notice tone="info" title={t('By success all the same')}>
            <p>{t('Fees of a contract are not stated for {payments}.', { payments: without_fees.join(', ') })}</p>
          </Notice>
        )}
      </div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={t('Best of: {rule}', { rule })}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Payments')}</th>
              {arms.map(({ contract }) => (
                <th key={contract} scope="col">
                  {contract}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((one) => (
              <Row key={one.cell} title={one.cell} arms={one.arms} />
            ))}
            <Row title={cells.length === 0 ? t('All payments') : t('All others')} arms={arms} />
          </tbody>
        </table>
      </div>
      {going ? (
        <AskReason
          title={t('Let {rule} learn again', { rule })}
          yes={t('Learn again')}
          run={(reason) => api('POST /routing/go-on', { body: { rule, reason } })}
          said={t('{rule} learns again', { rule })}
          stale={['routing-learnt']}
          close={() => setGoing(false)}
        >
          <p>{t('Its control group is compared anew from the next hour on.')}</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

function Row({ title, arms }: { readonly title: string; readonly arms: readonly ArmLearnt[] }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {arms.map(({ contract, points, seen, kept }, i) => (
        <td key={contract}>
          <span className="strong">{percentText(points / 10_000)}</span>{' '}
          {i === 0 ? <Tag>{t('First by the rule')}</Tag> : null}{' '}
          <span className="muted">
            {rateText(seen)}
            {kept === null ? '' : `, ${t('{part} left after fees', { part: smallPercentText(kept) })}`}
          </span>
        </td>
      ))}
    </tr>
  );
}

function rateText({ approved, tried }: Seen): string {
  return tried === 0
    ? t('nothing seen yet')
    : t('{rate} of {tried} approved', { rate: percentText(approved / tried), tried: countText(tried) });
}
