// Routing rules: a draft beside the rules in force. It can be ordered, tried on last month's orders, published and
// rolled back. The page also shows where payments went.
import { ActionIcon, Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { RoutingDocument, RoutingRule, RoutingRules } from '../../../../src/backoffice/wire/routing.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { useSession } from '../../base/session.tsx';
import { rich } from '../../base/rich.ts';
import { plural, t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { LearntShares } from './learnt.tsx';
import { Matrix } from './matrix.tsx';
import { RouteOrder } from './route-order.tsx';
import { RuleDialog } from './rule-form.tsx';
import { type Change, changesOf, thenText, whenText } from './rule-words.ts';
import { TableFields } from './table-fields.tsx';
import { Trial } from './trial.tsx';

export function Routing() {
  return (
    <>
      <PageHead
        title={t('Routing')}
        lead={t(
          'Rules are read from the top; the first one that fits a payment and has a contract left decides. Without a rule, the contracts go by their priority.',
        )}
      />
      <Tabs defaultValue="rules" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="rules">{t('Rules')}</Tabs.Tab>
          <Tabs.Tab value="order">{t('Order of contracts')}</Tabs.Tab>
          <Tabs.Tab value="cells">{t('Where payments went')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('Versions')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <Rules />
        </Tabs.Panel>
        <Tabs.Panel value="order">
          <RouteOrder />
        </Tabs.Panel>
        <Tabs.Panel value="cells">
          <div className="stack">
            <LearntShares />
            <Matrix />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Rules() {
  const asked = useAsk('routing', 'GET /routing');
  return <Asked asked={asked}>{(now) => <Draft key={now.version} now={now} />}</Asked>;
}

function Draft({ now }: { readonly now: RoutingRules }) {
  const { may } = useSession();
  const [document, setDocument] = useState(now.document);
  const { rules } = document;
  const setRules = (next: readonly RoutingRule[]) => setDocument({ ...document, rules: next });
  const [editing, setEditing] = useState<number | 'new'>();
  const changes = changesOf(now.document, document);
  const keep = (rule: RoutingRule) => {
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
          <Empty icon="route" title={t('No rules')} text={t('A payment goes to the first contract that takes it.')} />
        ) : (
          <RuleList rules={rules} change={may('risk') ? setRules : undefined} edit={setEditing} />
        )}
        <TableFields document={document} set={may('risk') ? setDocument : undefined} />
      </Panel>
      {changes.length === 0 ? null : (
        <Publish now={now} document={document} changes={changes} discard={() => setDocument(now.document)} />
      )}
      {editing === undefined ? null : (
        <RuleDialog
          rule={editing === 'new' ? undefined : rules[editing]}
          contracts={now.contracts.map(({ name }) => name)}
          keep={keep}
          close={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

function PublishedBy({ now }: { readonly now: RoutingRules }) {
  return (
    <>
      {rich('Published {at} by {who}', {
        at: <When at={now.published_at} />,
        who: now.published_by ?? t('unknown'),
      })}
    </>
  );
}

type ListProps = {
  readonly rules: readonly RoutingRule[];
  readonly change: ((rules: readonly RoutingRule[]) => void) | undefined;
  readonly edit: (at: number) => void;
};

function RuleList({ rules, change, edit }: ListProps) {
  const moved = (from: number, to: number) => {
    const rule = rules[from];
    return rule ? rules.toSpliced(from, 1).toSpliced(to, 0, rule) : rules;
  };
  const toolsOf = ({ name }: RoutingRule, i: number) =>
    [
      ['up', t('Move {name} up', { name }), () => change?.(moved(i, i - 1)), i === 0],
      ['down', t('Move {name} down', { name }), () => change?.(moved(i, i + 1)), i === rules.length - 1],
      ['edit', t('Edit {name}', { name }), () => edit(i), false],
      ['trash', t('Remove {name}', { name }), () => change?.(rules.toSpliced(i, 1)), false],
    ] as const;
  return (
    <ol className="rules">
      {rules.map((rule, i) => (
        <li key={rule.name}>
          <span className="num muted">{i + 1}</span>
          <div className="grow">
            <div className="strong">{rule.name}</div>
            <div className="muted">{whenText(rule)}</div>
          </div>
          <div className="strong">{thenText(rule)}</div>
          {change ? (
            <span className="row nowrap tools">
              {toolsOf(rule, i).map(([icon, label, run, disabled]) => (
                <ActionIcon
                  key={icon}
                  variant="subtle"
                  color="gray"
                  aria-label={label}
                  disabled={disabled}
                  onClick={run}
                >
                  <Icon name={icon} size={16} />
                </ActionIcon>
              ))}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'warn', moved: 'info' } as const;
const WORDS = { added: t('Added'), removed: t('Removed'), changed: t('Changed'), moved: t('Moved') } as const;

type PublishProps = {
  readonly now: RoutingRules;
  readonly document: RoutingDocument;
  readonly changes: readonly Change[];
  readonly discard: () => void;
};

function Publish({ now, document, changes, discard }: PublishProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Panel title={t('What publishing would change')} padded>
      <div className="stack">
        <ul className="lines">
          {changes.map(({ what, name }) => (
            <li key={`${what} ${name}`}>
              <Tag tone={TONES[what]}>{WORDS[what]}</Tag> <span className="strong">{name}</span>
            </li>
          ))}
        </ul>
        <Trial document={document} />
        <div className="row end">
          <Button variant="subtle" color="gray" onClick={discard}>
            {t('Discard draft')}
          </Button>
          <Button onClick={() => setAsking(true)}>{t('Publish')}</Button>
        </div>
      </div>
      {asking ? (
        <AskReason
          title={t('Publish version {version}', { version: now.version + 1 })}
          yes={t('Publish')}
          run={(reason) => api('POST /routing/publish', { body: { document, base_version: now.version, reason } })}
          said={t('Rules published')}
          stale={['routing', 'routing-versions']}
          close={() => setAsking(false)}
        >
          <p>{t('They apply to every payment within a second. You can roll back.')}</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

function Versions() {
  const asked = useAsk('routing-versions', 'GET /routing/versions');
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
                {versions.map(({ version, document, published_at, published_by, note }, i) => (
                  <tr key={version}>
                    <td className="strong">{t('Version {version}', { version })}</td>
                    <td>{i === 0 ? <Tag tone="good">{t('Active')}</Tag> : null}</td>
                    <td className="muted">
                      {plural(document.rules.length, '{count} rule, by {who}', '{count} rules, by {who}', {
                        who: published_by ?? '–',
                      })}
                    </td>
                    <td className="muted">{note}</td>
                    <td>
                      <When at={published_at} />
                    </td>
                    <td className="right">
                      {i > 0 && may('risk') ? (
                        <Button size="xs" variant="default" onClick={() => setBack(version)}>
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
          run={(reason) => api('POST /routing/roll-back', { body: { version: back, reason } })}
          said={t('The rules of version {back} are active again', { back })}
          stale={['routing', 'routing-versions']}
          close={() => setBack(undefined)}
        />
      )}
    </Panel>
  );
}
