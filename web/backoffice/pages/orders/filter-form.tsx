// The filters of the list of orders, behind a button. A choice takes effect at once.
import { Button, Checkbox, Popover, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dayBefore, dayStart, localDay } from '../../base/days.ts';
import { SCHEME_OPTIONS } from '../../base/schemes.ts';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { STATUSES, statusText } from '../../parts/show.tsx';
import type { Filters } from './filters.ts';

type Props = {
  readonly filters: Filters;
  readonly change: (changes: Filters) => void;
  readonly providers: readonly string[];
  /** The most used ones come first. */
  readonly currencies: readonly string[];
};

export function FilterButton(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="settings" size={16} />} onClick={() => setOpen(!open)}>
          {t('Filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Filters')}>
        <FilterForm {...props} />
        <div className="row end filter-end">
          <Button size="xs" onClick={() => setOpen(false)}>
            {t('Done')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const ONLY = [
  ['in_doubt', t('Outcome unknown only')],
  ['disputed', t('Disputed only')],
  ['suspicious', t('Suspicious only')],
] as const;

function FilterForm({ filters, change, providers, currencies }: Props) {
  return (
    <div className="stack tight">
      <Select
        label={t('Status')}
        data={STATUSES.map((value) => ({ value, label: statusText(value) }))}
        value={filters.status?.includes(',') ? null : (filters.status ?? null)}
        onChange={(value) => change({ status: value ?? '' })}
        clearable
        searchable
        // the first field gets the focus when the form opens, and its open list would cover the other fields
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
      />
      <div className="pair">
        <Choice
          label={t('Method')}
          data={SCHEME_OPTIONS}
          value={filters.method}
          change={(method) => change({ method })}
        />
        <Choice
          label={t('Provider')}
          data={providers.map((value) => ({ value, label: value }))}
          value={filters.provider}
          change={(provider) => change({ provider })}
        />
      </div>
      <Choice
        label={t('Currency')}
        data={offered(currencies, filters.currency)}
        value={filters.currency}
        change={(currency) => change({ currency })}
      />
      <div className="pair">
        <Amount
          label={t('Amount from')}
          value={filters.amount_from}
          change={(amount_from) => change({ amount_from })}
        />
        <Amount label={t('Amount to')} value={filters.amount_to} change={(amount_to) => change({ amount_to })} />
      </div>
      <div className="pair">
        <Day
          label={t('From [day]')}
          day={filters.created_from === undefined ? '' : localDay(filters.created_from)}
          change={(day) => change({ created_from: dayStart(day) })}
        />
        <Day
          label={t('To (inclusive)')}
          day={filters.created_to === undefined ? '' : dayBefore(Date.parse(filters.created_to), 1)}
          change={(day) => change({ created_to: dayStart(day, 1) })}
        />
      </div>
      {ONLY.map(([name, label]) => (
        <Checkbox
          key={name}
          label={label}
          checked={filters[name] === 'true'}
          onChange={(event) => change({ [name]: event.currentTarget.checked ? 'true' : '' })}
        />
      ))}
    </div>
  );
}

/** Also offers a currency that only a copied address names. */
function offered(currencies: readonly string[], chosen: string | undefined) {
  const all = chosen === undefined ? currencies : [...new Set([...currencies, chosen])];
  return all.map((value) => ({ value, label: value }));
}

type ChoiceProps = {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly change: (value: string) => void;
};

function Choice({ label, data, value, change }: ChoiceProps) {
  return (
    <Select
      label={label}
      data={[...data]}
      value={value ?? null}
      onChange={(chosen) => change(chosen ?? '')}
      clearable
      comboboxProps={{ withinPortal: false }}
    />
  );
}

type DayProps = { readonly label: string; readonly day: string; readonly change: (day: string) => void };

/** Takes effect once its year is written out: typed, 2026 is the years 2, 20 and 202 before. */
function Day({ label, day, change }: DayProps) {
  const [typed, setTyped] = useState<string>();
  const take = (value: string) => {
    const whole = !value.startsWith('0');
    setTyped(whole ? undefined : value);
    if (whole) change(value);
  };
  return (
    <TextInput
      label={label}
      type="date"
      value={typed ?? day}
      onChange={(event) => take(event.currentTarget.value)}
      onBlur={() => setTyped(undefined)}
    />
  );
}

type AmountProps = { readonly label: string; readonly value: string | undefined; readonly change: (v: string) => void };

/** Takes effect when the field is left, if the text is an amount. */
function Amount({ label, value = '', change }: AmountProps) {
  const [text, setText] = useState(value);
  const wrong = text !== '' && !/^\d+(?:\.\d+)?$/.test(text);
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      value={text}
      onChange={(event) => setText(event.currentTarget.value.trim())}
      onBlur={() => (wrong ? undefined : change(text))}
      error={wrong ? t('Example: 12.50') : undefined}
    />
  );
}
