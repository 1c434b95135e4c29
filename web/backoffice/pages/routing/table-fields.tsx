// Settings of the whole table of rules: what happens to a payment that no rule decides, and how many providers may
// follow the first.
import { NumberInput, Select } from '@mantine/core';
import type { RoutingDocument } from '../../../../src/backoffice/wire/rules/routing.ts';
import { t } from '../../base/texts.ts';
import { CASCADE, NO_RULE } from './rule-words.ts';

type Props = {
  readonly document: RoutingDocument;
  /** Undefined if the person may only read. */
  readonly set: ((document: RoutingDocument) => void) | undefined;
};

export function TableFields({ document, set }: Props) {
  const { else: otherwise, ...rest } = document;
  return (
    <div className="pair padded">
      <Select
        label={NO_RULE}
        data={[
          { value: 'priority', label: t('Contracts by their priority') },
          { value: 'refuse', label: t('Refuse') },
        ]}
        allowDeselect={false}
        disabled={!set}
        value={otherwise ?? 'priority'}
        onChange={(value) => set?.(value === 'refuse' ? { ...rest, else: 'refuse' } : rest)}
      />
      <NumberInput
        label={CASCADE}
        min={0}
        max={3}
        clampBehavior="strict"
        allowDecimal={false}
        disabled={!set}
        value={document.cascade ?? 1}
        onChange={(value) => (value === '' ? undefined : set?.({ ...document, cascade: Number(value) }))}
      />
    </div>
  );
}
