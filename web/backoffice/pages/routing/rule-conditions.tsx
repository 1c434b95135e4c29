// The conditions of a rule: fields for the most used ones, and any other that a person adds.
import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { plainText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { HourFields, TOLD_HOURS, ToldFields } from './condition-groups.tsx';
import { CAN_BE_MISSING, FLAGS, GROUPS, WORDS, textsOf } from './rule-words.ts';

type Props = {
  readonly when: Readonly<Record<string, unknown>>;
  readonly contracts: readonly string[];
  /** An empty member is left out of the rule. */
  readonly set: (changes: Readonly<Record<string, unknown>>) => void;
};

const TURNED: readonly string[] = [...WORDS, ...GROUPS];
const ADDED: readonly string[] = [...TURNED, 'healthy', 'missing'];
const factOf = (name: string) => name.replace(/^not_/, '');

export function Conditions({ when, contracts, set }: Props) {
  const [more, setMore] = useState<readonly string[]>(['currency', 'scheme']);
  const shown = [...new Set([...more, ...Object.keys(when)])].filter((name) => ADDED.includes(factOf(name)));
  const rest = ADDED.flatMap((name) => (TURNED.includes(name) ? [name, `not_${name}`] : [name])).filter(
    (name) => !shown.includes(name),
  );
  const add = (name: string) => {
    setMore([...more, name]);
    if (factOf(name) === 'hour') set({ [name]: TOLD_HOURS });
  };
  const remove = (name: string) => {
    setMore(more.filter((one) => one !== name));
    set({ [name]: undefined });
  };
  return (
    <>
      <div className="pair">
        {shown
          .filter((name) => WORDS.includes(factOf(name)))
          .map((name) => (
            <TagsInput
              key={name}
              label={
                name.startsWith('not_')
                  ? t('{name} is none of', { name: sentence(factOf(name)) })
                  : t('{name} is one of', { name: sentence(name) })
              }
              value={textsOf(when[name])}
              onChange={(values) =>
                set({ [name]: factOf(name) === 'currency' ? values.map((one) => one.toUpperCase()) : values })
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
      {shown.map((name) => {
        const group = { name, value: when[name], set: (value: unknown) => set({ [name]: value }) };
        const gone = () => remove(name);
        if (factOf(name) === 'hour') return <HourFields key={name} {...group} remove={gone} />;
        if (factOf(name) === 'merchant_data') return <ToldFields key={name} {...group} remove={gone} />;
        return null;
      })}
      {shown.includes('healthy') ? (
        <MultiSelect
          label={t('Contracts that must be ready')}
          description={t('On, able to take the payment, and their providers well')}
          searchable
          data={contracts}
          value={textsOf(when['healthy'])}
          onChange={(healthy) => set({ healthy })}
        />
      ) : null}
      {shown.includes('missing') ? (
        <MultiSelect
          label={t('Must not be known of the payment')}
          searchable
          data={CAN_BE_MISSING.map((name) => ({ value: name, label: sentence(name) }))}
          value={textsOf(when['missing'])}
          onChange={(missing) => set({ missing })}
        />
      ) : null}
      <Select
        label={t('Add a condition')}
        searchable
        data={rest.map((name) => ({ value: name, label: labelOf(name) }))}
        value={null}
        onChange={(name) => (name === null ? undefined : add(name))}
      />
    </>
  );
}

function labelOf(name: string): string {
  if (name === 'healthy') return t('Contracts that must be ready');
  if (name === 'missing') return t('Must not be known of the payment');
  return name.startsWith('not_') ? t('{name} is not', { name: sentence(factOf(name)) }) : sentence(name);
}
