import { NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import { useId } from 'react';
import { CHALLENGE_MINUTES, RISK_SCORE, WAIT_S } from '../../../../src/core/account-limits.ts';
import { t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';
import type { Editing } from './integration.tsx';
import type { ListOf, Row } from './settings-text.ts';

/** A setting with its texts and its control. */
export function SettingRow({ row, editing }: { readonly row: Row; readonly editing: Editing }) {
  const id = useId();
  const on = row.as === 'switch' && editing.draft[row.name] === true;
  return (
    <div className="setting">
      <div className="stack tight">
        <h3 id={id}>{row.title}</h3>
        <p>{row.text}</p>
        {on && row.warning !== undefined ? (
          <Notice tone="warn" title={t('This widens your PCI DSS scope')}>
            {row.warning}
          </Notice>
        ) : null}
      </div>
      <div className="control">
        <Control row={row} editing={editing} labelled={id} />
      </div>
    </div>
  );
}

type ControlProps = { readonly row: Row; readonly editing: Editing; readonly labelled: string };

function Control({ row: { name, as }, editing: { draft, set, errors, may }, labelled }: ControlProps) {
  const value = draft[name];
  const change = (given: unknown) => set({ [name]: given });
  const shared = { 'aria-labelledby': labelled, disabled: !may, error: errors[name] };
  if (as === 'switch')
    return <Switch {...shared} checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />;
  if (typeof as === 'object')
    return <Select {...shared} data={as} allowDeselect={false} value={String(value)} onChange={change} />;
  const { least, most, suffix } = NUMBERS[as];
  return (
    <NumberInput
      {...shared}
      min={least}
      max={most}
      suffix={suffix}
      value={typeof value === 'number' ? value : ''}
      onChange={(given) => change(Number(given))}
    />
  );
}

const NUMBERS = {
  seconds: { ...WAIT_S, suffix: ' s' },
  minutes: { ...CHALLENGE_MINUTES, suffix: ' min' },
  score: { ...RISK_SCORE, suffix: '' },
};

/** A list that a person types, with its texts. */
export function ListRow({ row, editing }: { readonly row: ListOf; readonly editing: Editing }) {
  const { name, title, text, example } = row;
  const { draft, set, errors, may } = editing;
  return (
    <div className="setting">
      <div className="stack tight">
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <div className="control">
        <TagsInput
          aria-label={title}
          placeholder={example}
          disabled={!may}
          value={[...draft[name]]}
          onChange={(values) => set({ [name]: values })}
          error={errors[name]}
        />
      </div>
    </div>
  );
}
