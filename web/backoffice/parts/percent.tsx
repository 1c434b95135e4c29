// A share that a person types in percent, with two decimals; it is stored as a whole number of hundredths.
import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { POINT } from '../base/format.ts';

type Props = Pick<NumberInputProps, 'label' | 'description' | 'error'> & {
  /** In percent. */
  readonly min: number;
  readonly max: number;
  /** In hundredths of a percent. */
  readonly value: number;
  readonly change: (value: number) => void;
};

const hundredths = (typed: string | number) => Math.round(Number(typed) * 100);

export function PercentInput({ value, change, ...rest }: Props) {
  // "12." and an empty field are no numbers yet: the field keeps what was typed, else it loses the point on the way
  const [typed, type] = useState<string | number>(value / 100);
  return (
    <NumberInput
      {...rest}
      decimalScale={2}
      decimalSeparator={POINT}
      suffix=" %"
      value={hundredths(typed) === value ? typed : value / 100}
      onChange={(next) => {
        type(next);
        change(hundredths(next));
      }}
    />
  );
}
