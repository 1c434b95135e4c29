// The choice of days, of the days to compare with, and of the currency. The address holds it, so that a copied address
// shows the same.
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { OverviewFilters } from '../../../../src/backoffice/wire/overview.ts';
import { nowBy } from '../../base/clock.ts';
import { dayBefore } from '../../base/days.ts';
import { t } from '../../base/texts.ts';

type Compare = NonNullable<OverviewFilters['compare']>;

const RANGES = [
  ['1', t('Today')],
  ['7', t('7 days')],
  ['30', t('30 days')],
  ['90', t('90 days')],
  ['own', t('Custom')],
] as const;

const COMPARES: readonly (readonly [Compare, string])[] = [
  ['before', t('Days before')],
  ['week', t('A week before')],
  ['year', t('A year before')],
  ['none', t('Nothing')],
];

export type Choice = {
  readonly range: (typeof RANGES)[number][0];
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly compare: Compare;
};

/** Reads the choice from the address. A missing or wrong value becomes the usual one. */
export function choiceOf(query: URLSearchParams): Choice {
  const day = (name: 'from' | 'to', usual: number) => {
    const given = query.get(name) ?? '';
    return /^\d{4}-\d\d-\d\d$/.test(given) ? given : dayBefore(nowBy('payments'), usual);
  };
  const currency = query.get('currency') ?? '';
  return {
    range: RANGES.find(([name]) => name === query.get('range'))?.[0] ?? '7',
    from: day('from', 13),
    to: day('to', 0),
    currency: /^[A-Z]{3}$/.test(currency) ? currency : '',
    compare: COMPARES.find(([name]) => name === query.get('compare'))?.[0] ?? 'before',
  };
}

type Props = {
  readonly choice: Choice;
  readonly change: (changes: Readonly<Record<string, string | undefined>>) => void;
  /** The most used ones come first. */
  readonly currencies: readonly string[];
};

export function Tools({ choice, change, currencies }: Props) {
  const { range, from, to, currency, compare } = choice;
  const offered = currency === '' || currencies.includes(currency) ? currencies : [...currencies, currency];
  return (
    <div className="overview-tools" role="group" aria-label={t('What is shown')}>
      <SegmentedControl
        aria-label={t('Days')}
        className="ranges"
        data={RANGES.map(([value, label]) => ({ value, label }))}
        value={range}
        onChange={(value) => change(value === 'own' ? { range: value, from, to } : { range: value, from: '', to: '' })}
      />
      {range === 'own' ? (
        <>
          <Day label={t('From [day]')} value={from} most={to} change={(day) => change({ from: day })} />
          <Day label={t('To [day]')} value={to} least={from} change={(day) => change({ to: day })} />
        </>
      ) : null}
      <Select
        label={t('Compare with')}
        w={160}
        data={COMPARES.map(([value, label]) => ({ value, label }))}
        value={compare}
        allowDeselect={false}
        onChange={(value) => change({ compare: value ?? '' })}
      />
      <Select
        label={t('Currency')}
        w={130}
        data={[{ value: '', label: t('All [currencies]') }, ...offered.map((value) => ({ value, label: value }))]}
        value={currency}
        allowDeselect={false}
        onChange={(value) => change({ currency: value ?? '' })}
      />
    </div>
  );
}

type DayProps = {
  readonly label: string;
  readonly value: string;
  readonly least?: string;
  readonly most?: string;
  readonly change: (day: string) => void;
};

function Day({ label, value, least, most, change }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      min={least}
      max={most}
      required
      // an empty field does not change the choice
      onChange={(event) => (event.currentTarget.value === '' ? undefined : change(event.currentTarget.value))}
    />
  );
}
