// Risk rules: a draft beside the rules in force. It can be ordered, tried on last week's orders, compared, published
// and rolled back.
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import type {
  PublishForm,
  RiskDraft,
  RiskRule,
  RiskRules,
  RiskTest,
  RollBackForm,
} from '../../../../src/backoffice/wire/risk.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, shortId } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Lists } from './lists.tsx';
import { RuleDialog } from './rule-form.tsx';
import { RuleList } from './rule-list.tsx';
import { changesOf } from './rule-words.ts';

export function Risk() {
  return (
    <>
      <PageHead
        title={t('Risk')}
        lead={t(
          'Rules are checked from the top before a payment is sent to a provider; the first one that declines decides. Lists apply immediately.',
        )}
      />
      <Tabs defaultValue="rules" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="rules">{t('Risk rules')}</Tabs.Tab>
          <Tabs.Tab value="lists">{t('Block and allow lists')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('Versions')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <Rules />
        </Tabs.Panel>
        <Tabs.Panel value="lists">
          <Lists />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Rules() {
  const asked = useAsk('risk', 'GET /risk');
  return <Asked asked={asked}>{(now) => <Draft key={now.version} now={now} />}</Asked>;
}

function Draft({ now }: { readonly now: RiskRules }) {
  const { may } = useSession();
  const [rules, setRules] = useState<readonly RiskRule[]>(now.rules);
  const [editing, setEditing] = useState<number | 'new'>();
  const changes = changesOf(now.rules, rules);
  const keep = (rule: RiskRule) => {
    setRules(editing === 'new' ? [...rules, rule] : rules.toSpliced(Number(editing), 1, rule));
    setEditing(undefined);
  };
  return (
    <div className="stack">
      <Panel
        title={
          now.version === 0 ? t('No rules published yet') : t('Version {version} is active', { version: now.version })
        }
        lead={now.published_at === null ? undefined : <PublishedBy now={now} />}
        actions={
          may('risk') ? (
            <Button size="xs" leftSection={<Icon name="plus" size={15} />} onClick={() => setEditing('new')}>
              {t('Add a rule')}
            </Button>
          ) : undefined
        }
      >
        {rules.length === 0 ? (
          <Empty
            icon="rules"
            title={t('No rules')}
            text={t('Every payment goes to a provider, but for what the block lists hold.')}
          />
        ) : (
          <RuleList rules={rules} change={may('risk') ? setRules : undefined} edit={setEditing} />
        )}
      </Panel>
      {changes.length === 0 ? null : (
        <Publish now={now} rules={rules} changes={changes} discard={() => setRules(now.rules)} />
      )}
      {editing === undefined ? null : (
        <RuleDialog
          rule={editing === 'new' ? undefined : rules[editing]}
          keep={keep}
          close={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

function PublishedBy({ now }: { readonly now: RiskRules }) {
  return (
    <>
      {rich('Published {at} by {who}', {
        at: <When at={now.published_at} />,
        who: now.published_by ?? t('unknown'),
      })}
    </>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'warn', moved: 'info' } as const;
const WORDS = { added: t('Added'), removed: t('Removed'), changed: t('Changed'), moved: t('Moved') } as const;

type PublishProps = {
  readonly now: RiskRules;
  readonly rules: readonly RiskRule[];
  readonly changes: ReturnType<typeof changesOf>;
  readonly discard: () => void;
};

function Publish({ now, rules, changes, discard }: PublishProps) {
  const [asking, setAsking] = useState(false);
  const test = useAct({
    run: () => api('POST /risk/test', { body: { rules } satisfies RiskDraft }),
  });
  return (
    <Panel title={t('What publishing would change')} padded>
      <div className="stack">
        <ul className="lines">
          {changes.map(({ what, name, text }) => (
            <li key={`${what} ${name}`}>
              <Tag tone={TONES[what]}>{WORDS[what]}</Tag> <span className="strong">{name}</span>{' '}
              <span className="muted">{text}</span>
            </li>
          ))}
        </ul>
        {test.data ? <Tried test={test.data} /> : null}
        <div className="row end">
          <Button variant="subtle" color="gray" onClick={discard}>
            {t('Discard draft')}
          </Button>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t("Test on last week's orders")}
          </Button>
          <Button onClick={() => setAsking(true)}>{t('Publish')}</Button>
        </div>
      </div>
      {asking ? (
        <AskReason
          title={t('Publish version {version}', { version: now.version + 1 })}
          yes={t('Publish')}
          run={(reason) =>
            api('POST /risk/publish', { body: { rules, base_version: now.version, reason } satisfies PublishForm })
          }
          said={t('Rules published')}
          stale={['risk', 'versions']}
          close={() => setAsking(false)}
        >
          <p>{t('They apply to every payment within a second. You can roll back.')}</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

function Tried({ test }: { readonly test: RiskTest }) {
  const share = test.attempts === 0 ? 0 : test.refused / test.attempts;
  return (
    <Notice
      tone={share > 0.1 ? 'warn' : 'info'}
      title={t('Of {attempts} payments last week, it would have declined {refused} ({share})', {
        attempts: countText(test.attempts),
        refused: countText(test.refused),
        share: percentText(share),
      })}
    >
      <p>
        {t('The rules at that time declined {refused_then}.', { refused_then: countText(test.refused_then) })}
        {test.complete ? null : ` ${t('The newest orders are not included: there were too many.')}`}
      </p>
      <ul className="lines">
        {test.rules.map(({ rule, code, hits, paid, order_ids }) => (
          <li key={rule}>
            <span className="strong">{rule}</span> <code>{code}</code>
            {t(': {hits}, of which {paid} were paid.', { hits: countText(hits), paid: countText(paid) })}{' '}
            {order_ids.length === 0 ? null : (
              <span className="muted">{hits > order_ids.length ? t('Such as') : t('Orders')} </span>
            )}
            {order_ids.map((id) => (
              <Link key={id} to={`/orders/${id}`} className="example">
                {t('order {id}', { id: shortId(id) })}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Versions() {
  const asked = useAsk('versions', 'GET /risk/versions');
  const { may } = useSession();
  const [back, setBack] = useState<number>();
  return (
    <Panel>
      <Asked asked={asked}>
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty icon="clock" title={t('Nothing published yet')} />
          ) : (
            <table className="table cards">
              <tbody>
                {versions.map((version, i) => (
                  <tr key={version.version}>
                    <td className="strong">{t('Version {version}', { version: version.version })}</td>
                    <td>{i === 0 ? <Tag tone="good">{t('Active')}</Tag> : null}</td>
                    <td className="muted">
                      {plural(version.rules.length, '{count} rule, by {who}', '{count} rules, by {who}', {
                        who: version.published_by ?? '–',
                      })}
                    </td>
                    <td>
                      <When at={version.published_at} />
                    </td>
                    <td className="right">
                      {i > 0 && may('risk') ? (
                        <Button size="xs" variant="default" onClick={() => setBack(version.version)}>
                          {t('Roll back')}
                        </Button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Asked>
      {back === undefined ? null : (
        <AskReason
          title={t('Roll back to version {back}', { back })}
          yes={t('Roll back')}
          run={(reason) => api('POST /risk/roll-back', { body: { version: back, reason } satisfies RollBackForm })}
          said={t('The rules of version {back} are active again', { back })}
          stale={['risk', 'versions']}
          close={() => setBack(undefined)}
        >
          <p>{t('Its rules are published as a new version; the history is kept.')}</p>
        </AskReason>
      )}
    </Panel>
  );
}
