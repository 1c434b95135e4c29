// Routing rules: a draft beside the rules in force. It can be ordered, tried on last month's orders, published and
// rolled back. The page also shows where payments went.
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { RoutingRule, RoutingRules } from '../../../../src/backoffice/wire/rules/routing.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { useDraft } from '../../parts/draft.ts';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { RuleList } from '../../parts/rule-list.tsx';
import { DraftPanel, PublishPanel, Versions } from '../../parts/versions.tsx';
import { LearntShares } from './learnt.tsx';
import { Matrix } from './matrix.tsx';
import { RouteOrder } from './route-order.tsx';
import { RuleDialog } from './rule-form.tsx';
import { changesOf, thenText, whenText } from './rule-words.ts';
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
        <Tabs.Panel value="rules" keepMounted>
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
          <PastRules />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Rules() {
  const asked = useAsk('routing', 'GET /routing');
  return <Asked asked={asked}>{(now) => <Draft now={now} />}</Asked>;
}

function Draft({ now }: { readonly now: RoutingRules }) {
  const { may } = useSession();
  const drafted = useDraft({ what: 'routing-rules', now }, (version) => version.document, changesOf);
  const { base, draft: document, set: setDocument, changes } = drafted;
  const { rules } = document;
  const setRules = (next: readonly RoutingRule[]) => setDocument({ ...document, rules: next });
  const [editing, setEditing] = useState<number | 'new'>();
  const keep = (rule: RoutingRule) => {
    setRules(editing === 'new' ? [...rules, rule] : rules.toSpliced(Number(editing), 1, rule));
    setEditing(undefined);
  };
  return (
    <div className="stack">
      <DraftPanel now={now} add={() => setEditing('new')}>
        {rules.length === 0 ? (
          <Empty icon="route" title={t('No rules')} text={t('A payment goes to the first contract that takes it.')} />
        ) : (
          <RuleList rules={rules} change={may('risk') ? setRules : undefined} edit={setEditing} show={ruleShown} />
        )}
        <TableFields document={document} set={may('risk') ? setDocument : undefined} />
      </DraftPanel>
      {changes.length === 0 ? null : (
        <PublishPanel
          now={base}
          newer={drafted.newer}
          changes={changes}
          discard={drafted.discard}
          publish={(reason) =>
            api('POST /routing/publish', { body: { document, base_version: base.version, reason } }).then(drafted.goOn)
          }
          stale={['routing', 'routing-versions']}
        >
          <Trial key={JSON.stringify(document)} document={document} />
        </PublishPanel>
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

const ruleShown = (rule: RoutingRule) => ({
  name: rule.name,
  asks: whenText(rule),
  does: <div className="strong">{thenText(rule)}</div>,
});

function PastRules() {
  const asked = useAsk('routing-versions', 'GET /routing/versions');
  return (
    <Panel>
      <Asked asked={asked}>
        {({ versions }) => (
          <Versions
            versions={versions.map((version) => ({ ...version, rules: version.document.rules.length }))}
            rollBack={(body) => api('POST /routing/roll-back', { body })}
            stale={['routing', 'routing-versions']}
          />
        )}
      </Asked>
    </Panel>
  );
}
