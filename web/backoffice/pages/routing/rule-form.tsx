// The form for one rule: conditions that must all be true, and where the payment then goes.
import { Button, MultiSelect, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RoutingRule } from '../../../../src/backoffice/wire/rules/routing.ts';
import { plainText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PercentInput } from '../../parts/percent.tsx';
import { BestFields } from './best-fields.tsx';
import { Conditions } from './rule-conditions.tsx';
import { textsOf, thenText, whenText } from './rule-words.ts';

type Props = {
  readonly rule: RoutingRule | undefined;
  readonly contracts: readonly string[];
  readonly keep: (rule: RoutingRule) => void;
  readonly close: () => void;
};

const REFUSALS = [
  { value: 'no_route_payment_method', label: t('No route for this payment method') },
  { value: 'no_route_currency', label: t('No route for this currency') },
  { value: 'no_route_channel', label: t('No route for this channel') },
  { value: 'no_route_partner', label: t('No route for this partner') },
];

export function RuleDialog({ rule, contracts, keep, close }: Props) {
  const [draft, setDraft] = useState<RoutingRule>(
    rule ?? { name: '', when: {}, then: { order: contracts.slice(0, 1) } },
  );
  const { name, when = {} } = draft;
  const setWhen = (changes: Readonly<Record<string, unknown>>) =>
    setDraft({
      ...draft,
      when: Object.fromEntries(Object.entries({ ...when, ...changes }).filter(([, value]) => isGiven(value))),
    });
  return (
    <Dialog close={close} title={rule ? t('Rule {name}', { name }) : t('New rule')} size="lg">
      <Form submit={t('Save draft')} busy={false} disabled={name.trim() === ''} cancel={close} send={() => keep(draft)}>
        <TextInput
          label={t('Name')}
          description={t('Shown in the explanation of each order that it decides.')}
          maxLength={64}
          data-autofocus
          value={name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <Conditions when={when} contracts={contracts} set={setWhen} />
        <TargetFields draft={draft} contracts={contracts} set={setDraft} />
        <p className="muted">{`${whenText(draft)}: ${thenText(draft)}`}</p>
      </Form>
    </Dialog>
  );
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

export type TargetProps = {
  readonly draft: RoutingRule;
  readonly contracts: readonly string[];
  readonly set: (rule: RoutingRule) => void;
};

function TargetFields({ draft, contracts, set }: TargetProps) {
  const { then } = draft;
  const { also } = then;
  const kind = ['refuse', 'split', 'best_of'].find((name) => then[name] !== undefined) ?? 'order';
  const [first = ''] = contracts;
  const begin: Readonly<Record<string, RoutingRule['then']>> = {
    order: { order: contracts.slice(0, 1) },
    split: { split: contracts.slice(0, 2).map((name, _, all) => [name, 10_000 / all.length]), by: 'order' },
    best_of: { best_of: contracts.slice(0, 2), by: 'approval', floor: 200, control: 1000 },
    refuse: { refuse: 'no_route_payment_method' },
  };
  return (
    <>
      <SegmentedControl
        aria-label={t('Then')}
        data={[
          { value: 'order', label: t('In this order') },
          { value: 'split', label: t('Split') },
          { value: 'best_of', label: t('Best of') },
          { value: 'refuse', label: t('Refuse') },
        ]}
        value={kind}
        onChange={(value) => {
          const target = begin[value] ?? { order: [first] };
          set({ ...draft, then: also === undefined || value === 'refuse' ? target : { ...target, also } });
        }}
      />
      {kind === 'order' ? (
        <MultiSelect
          label={t('Contracts, the first is tried first')}
          data={contracts}
          value={textsOf(then['order'])}
          onChange={(order) => set({ ...draft, then: { ...then, order } })}
        />
      ) : null}
      {kind === 'split' ? <Shares draft={draft} contracts={contracts} set={set} /> : null}
      {kind === 'best_of' ? <BestFields draft={draft} contracts={contracts} set={set} /> : null}
      {kind === 'refuse' ? null : (
        <Switch
          label={t('Then every other contract that fits')}
          description={t('Else only those above are tried')}
          checked={also === true}
          onChange={(event) => {
            const { also: _, ...rest } = then;
            set({ ...draft, then: event.currentTarget.checked ? { ...rest, also: true } : rest });
          }}
        />
      )}
      {kind === 'refuse' ? (
        <Select
          label={t('Answered with')}
          data={REFUSALS}
          value={plainText(then['refuse'])}
          onChange={(refuse) => set({ ...draft, then: { refuse: refuse ?? 'no_route_payment_method' } })}
        />
      ) : null}
    </>
  );
}

/** Shares are shown in percent and kept in basis points. */
function Shares({ draft, contracts, set }: TargetProps) {
  const { then } = draft;
  const split: readonly unknown[] = Array.isArray(then['split']) ? then['split'] : [];
  const shares = split.map((share) => {
    const [name, points] = Array.isArray(share) ? share.map((one: unknown) => one) : [];
    return [plainText(name), Number(points)] as const;
  });
  const put = (next: readonly (readonly [string, number])[]) => set({ ...draft, then: { ...then, split: next } });
  const free = contracts.filter((name) => !shares.some(([taken]) => taken === name));
  return (
    <>
      <div className="pair">
        {shares.map(([name, points], i) => (
          <PercentInput
            key={name}
            label={name}
            min={0.01}
            max={100}
            value={points}
            change={(share) => put(shares.with(i, [name, share]))}
          />
        ))}
        <Select
          label={t('The same for all payments of')}
          data={[
            { value: 'order', label: t('No one: drawn for each order') },
            { value: 'customer', label: t('A customer') },
            { value: 'card', label: t('A card') },
          ]}
          value={plainText(then['by']) || 'order'}
          onChange={(by) => set({ ...draft, then: { ...then, by: by ?? 'order' } })}
        />
      </div>
      <div className="row">
        {free.map((name) => (
          <Button key={name} size="xs" variant="default" onClick={() => put([...shares, [name, 1000]])}>
            {t('Add {name}', { name })}
          </Button>
        ))}
        {shares.length > 1 ? (
          <Button size="xs" variant="subtle" color="gray" onClick={() => put(shares.slice(0, -1))}>
            {t('Remove the last')}
          </Button>
        ) : null}
      </div>
    </>
  );
}
