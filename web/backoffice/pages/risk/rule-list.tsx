// The rules of a draft in their order, moved by dragging or with buttons; the first rule that refuses decides.
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import type { RiskRule } from '../../../../src/backoffice/wire/risk.ts';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Tag } from '../../parts/show.tsx';
import { ruleText } from './rule-words.ts';

type Props = {
  readonly rules: readonly RiskRule[];
  /** Undefined if the person may only read the rules. */
  readonly change: ((rules: readonly RiskRule[]) => void) | undefined;
  readonly edit: (index: number) => void;
};

function moved(rules: readonly RiskRule[], from: number, to: number): readonly RiskRule[] {
  const rule = rules[from];
  if (!rule || to < 0 || to >= rules.length) return rules;
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule);
}

export function RuleList({ rules, change, edit }: Props) {
  const [dragged, drag] = useState<number>();
  const [over, setOver] = useState<number>();
  const drop = () => {
    if (dragged !== undefined && over !== undefined) change?.(moved(rules, dragged, over));
    drag(undefined);
    setOver(undefined);
  };
  return (
    <ol className="rules">
      {rules.map((rule, i) => (
        <li
          key={String(rule['name'])}
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
            <div className="strong">{String(rule['name'])}</div>
            <div className="muted">{ruleText(rule)}</div>
          </div>
          <Tag tone={rule['then'] === 'mark' ? 'warn' : 'bad'}>
            {rule['then'] === 'mark' ? t('Flag') : t('Decline')}
          </Tag>
          {change ? <Buttons rules={rules} change={change} edit={edit} i={i} /> : null}
        </li>
      ))}
    </ol>
  );
}

type ButtonsProps = Pick<Props, 'rules' | 'edit'> & {
  readonly change: (rules: readonly RiskRule[]) => void;
  readonly i: number;
};

function Buttons({ rules, change, edit, i }: ButtonsProps) {
  const name = String(rules[i]?.['name']);
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
