import { NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import { useId } from 'react';
import { Notice } from '../../parts/page.tsx';
import type { Editing } from './integration.tsx';
import type { Row } from './settings-text.ts';

/** A setting with its words and its control. */
export function SettingRow({ row, editing }: { readonly row: Row; readonly editing: Editing }) {
  const id = useId();
  const on = row.as === 'switch' && editing.draft[row.name] === true;
  return (
    <div className="setting">
      <div className="stack tight">
        <h3 id={id}>{row.title}</h3>
        <p>{row.text}</p>
        {on && row.warning !== undefined ? (
          <Notice tone="warn" title="This widens your PCI DSS scope">
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

const INDICATORS = [
  { value: 'no_3ds', label: 'None (no_3ds)' },
  { value: 'ask_3ds', label: 'Ask (ask_3ds)' },
  { value: 'force_3ds', label: 'Always (force_3ds)' },
];

type ControlProps = { readonly row: Row; readonly editing: Editing; readonly labelled: string };

function Control({ row: { name, as }, editing: { draft, set, errors, may }, labelled }: ControlProps) {
  const value = draft[name];
  const change = (given: unknown) => set({ [name]: given });
  const shared = { 'aria-labelledby': labelled, disabled: !may, error: errors[name] };
  if (as === 'switch')
    return <Switch {...shared} checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />;
  if (as === 'indicator')
    return (
      <Select {...shared} data={INDICATORS} value={String(value)} onChange={(given) => change(given ?? 'no_3ds')} />
    );
  return (
    <NumberInput
      {...shared}
      min={as === 'minutes' ? 2 : 0}
      max={as === 'minutes' ? 30 : 25}
      suffix={as === 'minutes' ? ' min' : ' s'}
      value={typeof value === 'number' ? value : ''}
      onChange={(given) => change(Number(given))}
    />
  );
}

/** Who may frame the hosted fields. */
export function Origins({ editing: { draft, set, errors, may } }: { readonly editing: Editing }) {
  return (
    <div className="setting">
      <div className="stack tight">
        <h3>Allowed origins</h3>
        <p>
          Pages that may show the card fields, each as https://shop.example without a path. Empty: any https page, which
          is fine while you build and not in production.
        </p>
      </div>
      <div className="control">
        <TagsInput
          aria-label="Allowed origins"
          placeholder="https://shop.example"
          disabled={!may}
          value={[...draft.registered_origins]}
          onChange={(registered_origins) => set({ registered_origins })}
          error={errors['registered_origins']}
        />
      </div>
    </div>
  );
}
