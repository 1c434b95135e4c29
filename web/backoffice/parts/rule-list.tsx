// The rules of a draft in their order, moved by dragging or with buttons.
import { ActionIcon } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../base/texts.ts';
import { Icon } from './icons.tsx';

type Props<R> = {
  readonly rules: readonly R[];
  /** Undefined if the person may only read the rules. */
  readonly change: ((rules: readonly R[]) => void) | undefined;
  readonly edit: (index: number) => void;
  /** What is shown of a rule: what it asks, and what it does. */
  readonly show: (rule: R) => { readonly name: string; readonly asks: string; readonly does: ReactNode };
};

function moved<R>(rules: readonly R[], from: number, to: number): readonly R[] {
  const rule = rules[from];
  if (!rule || to < 0 || to >= rules.length) return rules;
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule);
}

export function RuleList<R>({ rules, change, edit, show }: Props<R>) {
  const [dragged, drag] = useState<number>();
  const [over, setOver] = useState<number>();
  const drop = () => {
    if (dragged !== undefined && over !== undefined) change?.(moved(rules, dragged, over));
    drag(undefined);
    setOver(undefined);
  };
  return (
    <ol className="rules">
      {rules.map(show).map(({ name, asks, does }, i) => (
        <li
          key={name}
          className={i === over && dragged !== undefined ? 'over' : undefined}
          draggable={change !== undefined}
          onDragStart={() => drag(i)}
          onDragEnter={() => setOver(i)}
          onDragOver={(event) => event.preventDefault()}
          onDragEnd={drop}
        >
          {change ? (
            <span className="grip">
              <Icon name="grip" size={16} />
            </span>
          ) : null}
          <span className="num muted">{i + 1}</span>
          <div className="grow">
            <div className="strong">{name}</div>
            <div className="muted">{asks}</div>
          </div>
          {does}
          {change ? <Buttons rules={rules} change={change} edit={edit} name={name} i={i} /> : null}
        </li>
      ))}
    </ol>
  );
}

type ButtonsProps<R> = Pick<Props<R>, 'rules' | 'edit'> & {
  readonly change: (rules: readonly R[]) => void;
  readonly name: string;
  readonly i: number;
};

function Buttons<R>({ rules, change, edit, name, i }: ButtonsProps<R>) {
  const rows = [
    ['up', t('Move {name} up', { name }), () => change(moved(rules, i, i - 1)), i === 0],
    ['down', t('Move {name} down', { name }), () => change(moved(rules, i, i + 1)), i === rules.length - 1],
    ['edit', t('Edit {name}', { name }), () => edit(i), false],
    ['trash', t('Remove {name}', { name }), () => change(rules.toSpliced(i, 1)), false],
  ] as const;
  return (
    <span className="row nowrap tools">
      {rows.map(([icon, label, run, disabled]) => (
        <ActionIcon key={icon} variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={run}>
          <Icon name={icon} size={16} />
        </ActionIcon>
      ))}
    </span>
  );
}
