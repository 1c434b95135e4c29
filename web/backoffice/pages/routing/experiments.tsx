// Experiments: versions of routing rules compared on live orders. The page shows the running one with its groups, what
// is missing for a verdict, and the earlier ones.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Experiment } from '../../../../src/backoffice/wire/rules/experiments.ts';
import type { GroupShown } from '../../../../src/core/routing/learn/shown.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, smallPercentText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { rich } from '../../base/rich.ts';
import { said, t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table } from '../../parts/table.tsx';
import { StartExperiment } from './start-experiment.tsx';

export function ExperimentsPage() {
  const asked = useAsk('experiments', 'GET /experiments');
  const { may } = useSession();
  const [starting, setStarting] = useState(false);
  const running = asked.data?.experiments.some(({ ended_at }) => ended_at === null) === true;
  const others = asked.data?.versions.filter(({ version }) => version !== asked.data?.in_force) ?? [];
  return (
    <>
      <PageHead
        title={t('Experiments')}
        lead={t(
          'Two published versions of the routing rules, on live orders. Some go by the other version, the rest by the one in force; the difference is tested against chance.',
        )}
        actions={
          may('risk') && !running && others.length > 0 ? (
            <Button leftSection={<Icon name="plus" size={15} />} onClick={() => setStarting(true)}>
              {t('Compare versions')}
            </Button>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {({ experiments }) =>
          experiments.length === 0 ? (
            <Panel>
              <Empty
                icon="route"
                title={t('Nothing compared yet')}
                text={t(
                  'Publish the rules you want to try, roll back to the present ones, and compare both versions here.',
                )}
              />
            </Panel>
          ) : (
            <div className="stack">
              {experiments.map((one) => (
                <One key={one.number} experiment={one} />
              ))}
            </div>
          )
        }
      </Asked>
      {starting && asked.data ? (
        <StartExperiment in_force={asked.data.in_force} versions={others} close={() => setStarting(false)} />
      ) : null}
    </>
  );
}

const VERDICTS = {
  a: { tone: 'warn', text: t('The rules in force are better') },
  b: { tone: 'good', text: t('The other version is better') },
  none: { tone: 'info', text: t('No difference was found') },
} as const;
const SUBJECTS = {
  order: t('Each order stays in its group'),
  customer: t('Each customer stays in its group'),
  card: t('Each card stays in its group'),
} as const;
const METRICS = { approval: t('by payments approved'), value: t('by what is left after fees') } as const;
const METHODS = { fixed: t('decided once, at its end'), sequential: t('may be decided any day') } as const;

function One({ experiment: one }: { readonly experiment: Experiment }) {
  const { may } = useSession();
  const [ending, setEnding] = useState(false);
  const { number, groups, difference, missing, verdict, ended_at, end_reason } = one;
  return (
    <Panel
      title={t('Experiment {number}', { number })}
      lead={rich('Begun {at} by {who}: {reason}', {
        at: <When at={one.started_at} />,
        who: one.started_by,
        reason: one.reason,
      })}
      actions={
        ended_at === null && may('risk') ? (
          <Button size="xs" variant="default" onClick={() => setEnding(true)}>
            {t('Stop experiment {number}', { number })}
          </Button>
        ) : undefined
      }
    >
      <div className="stack padded">
        <div className="row">
          {ended_at === null ? <Tag tone="good">{t('Running')}</Tag> : <Tag>{t('Ended')}</Tag>}
          {verdict === null ? null : <Tag tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].text}</Tag>}
          <span className="muted">{`${SUBJECTS[one.subject]}; ${METRICS[one.metric]}; ${METHODS[one.method]}`}</span>
        </div>
        {ended_at === null ? (
          <p className="muted">{rich('Until {at}', { at: <When at={one.ends_at} /> })}</p>
        ) : (
          <p className="muted">
            {rich('Ended {at} by {who}: {reason}', {
              at: <When at={ended_at} />,
              who: one.ended_by ?? '–',
              reason: said(end_reason ?? ''),
            })}
          </p>
        )}
        {missing === '' ? null : (
          <Notice tone="info" title={t('What is missing until a verdict')}>
            <p>{said(missing)}</p>
          </Notice>
        )}
      </div>
      <Table columns={[t('Group'), t('Share'), t('Decided orders'), t('Approved'), t('In 95 of 100 cases')]}>
        {groups.map((group) => (
          <Group key={group.group} group={group} />
        ))}
      </Table>
      {difference === null ? null : (
        <p className="padded">
          {t('The other version less the one in force: {from} to {to} points.', {
            from: pointsText(difference.from),
            to: pointsText(difference.to),
          })}
        </p>
      )}
      {ending ? (
        <AskReason
          title={t('Stop experiment {number}', { number })}
          yes={t('Stop')}
          run={(reason) =>
            api('POST /experiments/:number/end', { params: { number: String(number) }, body: { reason } })
          }
          said={t('Experiment {number} has ended', { number })}
          stale={['experiments']}
          close={() => setEnding(false)}
        >
          <p>{t('Every order goes by the rules in force from now on. It cannot be continued.')}</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

function Group({
  group: { group, version, share, decided, approved, left, interval },
}: {
  readonly group: GroupShown;
}) {
  return (
    <tr>
      <th scope="row">
        {group === 'a' ? t('In force (version {version})', { version }) : t('Other (version {version})', { version })}
      </th>
      <td>{percentText(share / 10_000)}</td>
      <td>{countText(decided)}</td>
      <td>
        {decided === 0 ? '–' : smallPercentText(approved / decided)}
        {left === null ? null : (
          <span className="muted"> {t('{part} left after fees', { part: smallPercentText(left) })}</span>
        )}
      </td>
      <td>
        {interval === null
          ? '–'
          : t('{from} to {to}', { from: smallPercentText(interval.from), to: smallPercentText(interval.to) })}
      </td>
    </tr>
  );
}

const pointsText = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`;
