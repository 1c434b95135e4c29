// Risk rules: a draft beside the rules in force. It can be ordered, tried on last week's orders, compared, published
// and rolled back.
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import type {
  RiskPublishForm,
  RiskDraft,
  RiskRule,
  RiskRules,
  RiskTest,
} from '../../../../src/backoffice/wire/rules/risk.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, shortId } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { RuleList } from '../../parts/rule-list.tsx';
import { Tag } from '../../parts/show.tsx';
import { useDraft } from '../../parts/draft.ts';
import { DraftPanel, PublishPanel, Versions } from '../../parts/versions.tsx';
import { Lists } from './lists.tsx';
import { RuleDialog } from './rule-form.tsx';
import { changesOf, ruleText } from './rule-words.ts';

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
        <Tabs.Panel value="rules" keepMounted>
          <Rules />
        </Tabs.Panel>
        <Tabs.Panel value="lists">
          <Lists />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <PastRules />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Rules() {
  const asked = useAsk('risk', 'GET /risk');
  return <Asked asked={asked}>{(now) => <Draft now={now} />}</Asked>;
}

function Draft({ now }: { readonly now: RiskRules }) {
  const { may } = useSession();
  const {
    base,
    draft: rules,
    set: setRules,
    ...drafted
  } = useDraft({ what: 'risk-rules', now }, (version) => version.rules, changesOf);
  const [editing, setEditing] = useState<number | 'new'>();
  const keep = (rule: RiskRule) => {
    setRules(editing === 'new' ? [...rules, rule] : rules.toSpliced(Number(editing), 1, rule));
    setEditing(undefined);
  };
  return (
    <div className="stack">
      <DraftPanel now={now} add={() => setEditing('new')}>
        {rules.length === 0 ? (
          <Empty
            icon="rules"
            title={t('No rules')}
            text={t('Every payment goes to a provider, but for what the block lists hold.')}
          />
        ) : (
          <RuleList rules={rules} change={may('risk') ? setRules : undefined} edit={setEditing} show={ruleShown} />
        )}
      </DraftPanel>
      {/* what a try of one draft tells is not shown beside another */}
      {drafted.changes.length === 0 ? null : (
        <Publish key={JSON.stringify(rules)} {...drafted} now={base} rules={rules} />
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

const ruleShown = (rule: RiskRule) => ({
  name: String(rule['name']),
  asks: ruleText(rule),
  does: rule['then'] === 'mark' ? <Tag tone="warn">{t('Flag')}</Tag> : <Tag tone="bad">{t('Decline')}</Tag>,
});

type PublishProps = {
  readonly now: RiskRules;
  readonly newer: RiskRules | undefined;
  readonly rules: readonly RiskRule[];
  readonly changes: ReturnType<typeof changesOf>;
  readonly discard: () => void;
  readonly goOn: (from: RiskRules) => void;
};

function Publish({ now, newer, rules, changes, discard, goOn }: PublishProps) {
  const test = useAct({
    run: () => api('POST /risk/test', { body: { rules } satisfies RiskDraft }),
  });
  return (
    <PublishPanel
      now={now}
      newer={newer}
      changes={changes}
      discard={discard}
      publish={(reason) =>
        api('POST /risk/publish', {
          body: { rules, base_version: now.version, reason } satisfies RiskPublishForm,
        }).then(goOn)
      }
      stale={['risk', 'versions']}
      test={
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t("Test on last week's orders")}
        </Button>
      }
    >
      {test.data ? <Tried test={test.data} /> : null}
    </PublishPanel>
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

function PastRules() {
  const asked = useAsk('versions', 'GET /risk/versions');
  return (
    <Panel>
      <Asked asked={asked}>
        {({ versions }) => (
          <Versions
            versions={versions.map((version) => ({ ...version, rules: version.rules.length }))}
            rollBack={(body) => api('POST /risk/roll-back', { body })}
            stale={['risk', 'versions']}
          />
        )}
      </Asked>
    </Panel>
  );
}
