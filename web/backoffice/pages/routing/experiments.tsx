// Versions of routing rules compared on live orders: the one that runs with its groups, what is missing until a verdict, and those before.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Experiment, ExperimentGroup } from '../../../../src/backoffice/wire/experiments.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, smallPercentText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
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
        title="Experiments"
        lead="Two published versions of the routing rules, on live orders. Some go by the other version, the rest by the one in force; the difference is told from chance."
        actions={
          may('risk') && !running && others.length > 0 ? (
            <Button leftSection={<Icon name="plus" size={15} />} onClick={() => setStarting(true)}>
              Compare versions
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
                title="Nothing compared yet"
                text="Publish the rules you want to try, roll back to the present ones, and compare both versions here."
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
  a: { tone: 'warn', text: 'The rules in force are better' },
  b: { tone: 'good', text: 'The other version is better' },
  none: { tone: 'info', text: 'No difference was found' },
} as const;
const SUBJECTS = { order: 'each order', customer: 'each customer', card: 'each card' } as const;
const METHODS = { fixed: 'decided once, at its end', sequential: 'may be decided any day' } as const;

function One({ experiment: one }: { readonly experiment: Experiment }) {
  const { may } = useSession();
  const [ending, setEnding] = useState(false);
  const { number, groups, difference, missing, verdict, ended_at, end_reason } = one;
  return (
    <Panel
      title={`Experiment ${number}`}
      lead={
        <>
          Begun <When at={one.started_at} /> by {one.started_by}: {one.reason}
        </>
      }
      actions={
        ended_at === null && may('risk') ? (
          <Button size="xs" variant="default" onClick={() => setEnding(true)}>
            {`Stop experiment ${number}`}
          </Button>
        ) : undefined
      }
    >
      <div className="stack padded">
        <div className="row">
          {ended_at === null ? <Tag tone="good">Running</Tag> : <Tag>Ended</Tag>}
          {verdict === null ? null : <Tag tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].text}</Tag>}
          <span className="muted">{`${SUBJECTS[one.subject]} stays in its group; ${METHODS[one.method]}`}</span>
        </div>
        {ended_at === null ? (
          <p className="muted">
            Until <When at={one.ends_at} />
          </p>
        ) : (
          <p className="muted">
            Ended <When at={ended_at} /> by {one.ended_by ?? '–'}: {end_reason}
          </p>
        )}
        {missing === '' ? null : (
          <Notice tone="info" title="What is missing until a verdict">
            <p>{missing}</p>
          </Notice>
        )}
      </div>
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Group</th>
            <th scope="col">Share</th>
            <th scope="col">Decided orders</th>
            <th scope="col">Approved</th>
            <th scope="col">In 95 of 100 cases</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Group key={group.group} group={group} />
          ))}
        </tbody>
      </table>
      {difference === null ? null : (
        <p className="padded">
          {`The other version less the one in force: ${pointsText(difference.from)} to ${pointsText(difference.to)} points.`}
        </p>
      )}
      {ending ? (
        <AskReason
          title={`Stop experiment ${number}`}
          yes="Stop"
          run={(reason) =>
            api('POST /experiments/:number/end', { params: { number: String(number) }, body: { reason } })
          }
          said={`Experiment ${number} has ended`}
          stale={['experiments']}
          close={() => setEnding(false)}
        >
          <p>Every order goes by the rules in force from now on. It cannot be continued.</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

function Group({ group: { group, version, share, decided, approved, interval } }: { readonly group: ExperimentGroup }) {
  return (
    <tr>
      <th scope="row">{group === 'a' ? `In force (version ${version})` : `Other (version ${version})`}</th>
      <td>{percentText(share / 10_000)}</td>
      <td>{countText(decided)}</td>
      <td>{decided === 0 ? '–' : smallPercentText(approved / decided)}</td>
      <td>{interval === null ? '–' : `${smallPercentText(interval.from)} to ${smallPercentText(interval.to)}`}</td>
    </tr>
  );
}

const pointsText = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`;
