// For how long what is replaced is good beside what replaces it: an old key, an old secret of an endpoint.
import { Select } from '@mantine/core';
import { MOST_OVERLAP_H } from '../../../src/core/keys/limits.ts';
import { plural, t } from '../base/texts.ts';

/** The overlap that is offered first, in hours. */
export const USUAL_OVERLAP = '24';

type Props = {
  readonly label: string;
  /** What it means that there is none. */
  readonly none: string;
  readonly value: string;
  readonly change: (hours: string) => void;
  readonly error: string | undefined;
};

export function Overlap({ label, none, value, change, error }: Props) {
  return (
    <Select
      label={label}
      data={[
        { value: '0', label: none },
        { value: '1', label: t('1 hour') },
        { value: USUAL_OVERLAP, label: t('1 day') },
        { value: '72', label: t('3 days') },
        { value: String(MOST_OVERLAP_H), label: plural(MOST_OVERLAP_H / 24, '{count} day', '{count} days') },
      ]}
      value={value}
      onChange={(hours) => change(hours ?? USUAL_OVERLAP)}
      error={error}
    />
  );
}
