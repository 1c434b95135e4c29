// One rule as a form: conditions that must all hold, and where the payment goes then.
import { Button, Modal, MultiSelect, NumberInput, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RoutingRule } from '../../../../src/backoffice/wire/routing.ts';
import { plainText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form } from '../../parts/act.tsx';
import { BestFields } from './best-fields.tsx';
import { FACTS, FLAGS, thenText, whenText } from './rule-words.ts';

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
    <Modal opened onClose={close} title={rule ? t('Rule {name}', { name }) : t('New rule')} size="lg">
      <Form submit={t('Save draft')} busy={false} disabled={name.trim() === ''} cancel={close} send={() => keep(draft)}>
        <TextInput
          label={t('Name')}
          description={t('Shown in the explanation of each order that it decides.')}
          maxLength={64}
          data-autofocus
          value={name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <Conditions when={when} set={setWhen} />
        <TargetFields draft={draft} contracts={contracts} set={setDraft} />
        <p className="muted">{`${whenText(draft)}: ${thenText(draft)}`}</p>
      </Form>
    </Modal>
  );
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

type ConditionsProps = {
  readonly when: Readonly<Record<string, unknown>>;
  readonly set: (changes: Readonly<Record<string, unknown>>) => void;
};

function Conditions({ when, set }: ConditionsProps) {
  const [more, setMore] = useState<readonly string[]>(['currency', 'scheme']);
  const shown = [...new Set([...more, ...Object.keys(when)])].filter((name) =>
    FACTS.includes(name.replace(/^not_/, '')),
  );
  const rest = FACTS.filter((name) => !shown.includes(name));
  return (
    <>
      <div className="pair">
        {shown.map((name) => (
          <TagsInput
            key={name}
            label={
              name.startsWith('not_')
                ? t('{name} is none of', { name: sentence(name.slice(4)) })
                : t('{name} is one of', { name: sentence(name) })
            }
            value={textsOf(when[name])}
            onChange={(values) =>
              set({ [name]: name.endsWith('currency') ? values.map((one) => one.toUpperCase()) : values })
            }
          />
        ))}
        <TextInput
          label={t('Amount from')}
          description={t('With one currency')}
          value={plainText(when['amount_from'])}
          onChange={(event) => set({ amount_from: event.currentTarget.value })}
        />
        <TextInput
          label={t('Amount up to')}
          description={t('With one currency')}
          value={plainText(when['amount_to'])}
          onChange={(event) => set({ amount_to: event.currentTarget.value })}
        />
        {FLAGS.map((name) => (
          <Select
            key={name}
            label={sentence(name)}
            data={[
              { value: '', label: t('Either') },
              { value: 'true', label: t('Yes') },
              { value: 'false', label: t('No') },
            ]}
            value={plainText(when[name])}
            onChange={(value) => set({ [name]: value === 'true' ? true : value === 'false' ? false : undefined })}
          />
        ))}
      </div>
      <Select
        label={t('Add a condition')}
        searchable
        data={rest.flatMap((name) => [
          { value: name, label: sentence(name) },
          { value: `not_${name}`, label: t('{name} is not', { name: sentence(name) }) },
        ])}
        value={null}
        onChange={(name) => (name === null ? undefined : setMore([...more, name]))}
      />
    </>
  );
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(plainText) : []);

export type TargetProps = {
  readonly draft: RoutingRule;
  readonly contracts: readonly string[];
  readonly set: (rule: RoutingRule) => void;
};

function TargetFields({ draft, contracts, set }: TargetProps) {
  const { then } = draft;
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
        onChange={(value) => set({ ...draft, then: begin[value] ?? { order: [first] } })}
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

/** Shares in percent, kept in basis points. */
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
          <NumberInput
            key={name}
            label={name}
            min={0.01}
            max={100}
            decimalScale={2}
            suffix=" %"
            value={points / 100}
            onChange={(value) => put(shares.with(i, [name, Math.round(Number(value) * 100)]))}
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
