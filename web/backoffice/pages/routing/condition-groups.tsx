// Conditions with several parts: a time of day in a zone, and data that the merchant's own code sent with the order.
import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { plainText, sentence, zoneName } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { membersOf, textsOf } from './rule-words.ts';

type Props = {
  /** The name of the condition, with `not_` in front if it is negated. */
  readonly name: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  readonly remove: () => void;
};

/** The first values of a new time of day. */
export const TOLD_HOURS = { from: '08:00', to: '18:00', zone: zoneName() } as const;
const ZONES = Intl.supportedValuesOf('timeZone');

export function HourFields({ name, value, set, remove }: Props) {
  const hours = membersOf(value);
  const put = (changes: Readonly<Record<string, unknown>>) => set({ ...hours, ...changes });
  const zone = plainText(hours['zone']);
  return (
    <Group name={name} remove={remove}>
      <TextInput
        type="time"
        label={t('From [hour]')}
        value={plainText(hours['from'])}
        onChange={(event) => put({ from: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        label={t('To [hour]')}
        value={plainText(hours['to'])}
        onChange={(event) => put({ to: event.currentTarget.value })}
      />
      <Select
        label={t('Time zone')}
        searchable
        allowDeselect={false}
        limit={50}
        data={[...new Set([zone, 'UTC', ...ZONES])]}
        value={zone}
        onChange={(chosen) => put({ zone: chosen ?? zone })}
      />
    </Group>
  );
}

export function ToldFields({ name, value, set, remove }: Props) {
  const told = membersOf(value);
  const put = (changes: Readonly<Record<string, unknown>>) => set({ key: '', values: [], ...told, ...changes });
  return (
    <Group name={name} remove={remove}>
      <TextInput
        label={t('Key of merchant_data')}
        maxLength={50}
        value={plainText(told['key'])}
        onChange={(event) => put({ key: event.currentTarget.value })}
      />
      <TagsInput label={t('Values')} value={textsOf(told['values'])} onChange={(values) => put({ values })} />
    </Group>
  );
}

type GroupProps = { readonly name: string; readonly remove: () => void; readonly children: ReactNode };

function Group({ name, remove, children }: GroupProps) {
  const turned = name.startsWith('not_');
  const title = sentence(turned ? name.slice(4) : name);
  return (
    <fieldset className="condition">
      <legend>{turned ? t('{name} is not', { name: title }) : title}</legend>
      <div className="pair">{children}</div>
      <div className="row end">
        <Button size="xs" variant="subtle" color="gray" onClick={remove}>
          {t('Remove {name}', { name: title })}
        </Button>
      </div>
    </fieldset>
  );
}
