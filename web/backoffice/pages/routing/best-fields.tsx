// A rule that learns which of its contracts does best: which, by what, how little each gets at least, and who is left out of it.
import { MultiSelect, NumberInput, Select } from '@mantine/core';
import { plainText } from '../../base/format.ts';
import type { TargetProps } from './rule-form.tsx';

const FLOOR = 200;
const CONTROL = 1000;
const MARGIN = 2000;

export function BestFields({ draft, contracts, set }: TargetProps) {
  const { then } = draft;
  const named: readonly unknown[] = Array.isArray(then['best_of']) ? then['best_of'] : [];
  const put = (changes: Readonly<Record<string, unknown>>) => set({ ...draft, then: { ...then, ...changes } });
  const percent = (label: string, description: string, [name, usual]: readonly [string, number], most: number) => (
    <NumberInput
      label={label}
      description={description}
      min={name === 'floor' ? 0.5 : 0}
      max={most}
      decimalScale={2}
      suffix=" %"
      value={Number(then[name] ?? usual) / 100}
      onChange={(value) => put({ [name]: Math.round(Number(value) * 100) })}
    />
  );
  return (
    <>
      <MultiSelect
        label="Contracts, in the order that holds until enough is known"
        data={[...contracts]}
        value={named.map(plainText)}
        onChange={(best_of) => put({ best_of })}
      />
      <div className="pair">
        <Select
          label="Better means"
          data={[
            { value: 'approval', label: 'More payments approved' },
            { value: 'value', label: 'More money left after fees' },
          ]}
          value={then['by'] === 'value' ? 'value' : 'approval'}
          onChange={(by) =>
            put(by === 'value' ? { by, margin: then['margin'] ?? MARGIN } : { by: 'approval', margin: undefined })
          }
        />
        {percent('Each gets at least', 'Else nothing is learnt of it', ['floor', FLOOR], 10)}
        {percent('Control group', 'Keeps the order above, to compare with', ['control', CONTROL], 50)}
        {then['by'] === 'value'
          ? percent('Margin', 'What an amount leaves you, before fees', ['margin', MARGIN], 100)
          : null}
      </div>
    </>
  );
}
