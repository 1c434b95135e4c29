// The fields of a rule that learns which of its contracts does best: the contracts, the smallest share of each, and the
// share of orders that it leaves out.
import { MultiSelect, SegmentedControl } from '@mantine/core';
import { plainText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { PercentInput } from '../../parts/percent.tsx';
import type { TargetProps } from './rule-form.tsx';

const FLOOR = 200;
const CONTROL = 1000;
const MARGIN = 10_000;

const LEAST: Readonly<Record<string, number>> = { floor: 0.5, margin: 0.01 };

type Percent = { readonly name: string; readonly usual: number; readonly most: number };

export function BestFields({ draft, contracts, set }: TargetProps) {
  const { then } = draft;
  const named: readonly unknown[] = Array.isArray(then['best_of']) ? then['best_of'] : [];
  const byValue = then['by'] === 'value';
  const put = (changes: Readonly<Record<string, unknown>>) => set({ ...draft, then: { ...then, ...changes } });
  const percent = (label: string, description: string, { name, usual, most }: Percent) => (
    <PercentInput
      label={label}
      description={description}
      min={LEAST[name] ?? 0}
      max={most}
      value={Number(then[name] ?? usual)}
      change={(value) => put({ [name]: value })}
    />
  );
  return (
    <>
      <MultiSelect
        label={t('Contracts, in the order that holds until enough is known')}
        data={[...contracts]}
        value={named.map(plainText)}
        onChange={(best_of) => put({ best_of })}
      />
      <SegmentedControl
        aria-label={t('Best by')}
        data={[
          { value: 'approval', label: t('Payments approved') },
          { value: 'value', label: t('What is left after fees') },
        ]}
        value={byValue ? 'value' : 'approval'}
        onChange={(by) => {
          const { margin: _, ...rest } = then;
          set({ ...draft, then: { ...rest, by } });
        }}
      />
      {byValue
        ? percent(t('Your margin'), t('What an approved payment is worth to you, of its amount, before fees'), {
            name: 'margin',
            usual: MARGIN,
            most: 100,
          })
        : null}
      <div className="pair">
        {percent(t('Each gets at least'), t('Else nothing is learnt of it'), { name: 'floor', usual: FLOOR, most: 10 })}
        {percent(t('Control group'), t('Keeps the order above, to compare with'), {
          name: 'control',
          usual: CONTROL,
          most: 50,
        })}
      </div>
    </>
  );
}
