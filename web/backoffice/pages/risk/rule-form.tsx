// The form for one rule: the kind of rule decides its fields.
import { NumberInput, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RiskRule } from '../../../../src/backoffice/wire/rules/risk.ts';
import { plainText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type RuleForm, KINDS, ruleText } from './rule-words.ts';

type Props = {
  readonly rule: RiskRule | undefined;
  readonly keep: (rule: RiskRule) => void;
  readonly close: () => void;
};

const FIRST: RiskRule = { kind: 'velocity', subject: 'card', measure: 'attempts', limit: 5, window_s: 3600 };

/** The same rule as another kind: it keeps its name and its action. */
function asKind(rule: RiskRule, kind: string): RiskRule {
  const kept = Object.entries(rule).filter(([member]) => member === 'name' || member === 'then');
  return { ...Object.fromEntries(kept), kind };
}

export function RuleDialog({ rule, keep, close }: Props) {
  const [draft, setDraft] = useState<RiskRule>(rule ?? FIRST);
  const kind = String(draft['kind']);
  const fields = (KINDS[kind]?.fields ?? []).filter(({ when }) => !when || when[1].includes(String(draft[when[0]])));
  const set = (name: string) => (value: unknown) => setDraft({ ...draft, [name]: value });
  const name = plainText(draft['name']);
  const given = Object.fromEntries(
    ['name', 'kind', 'then', ...fields.map((field) => field.name)]
      .map((member) => [member, draft[member]] as const)
      .filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)),
  );
  return (
    <Dialog close={close} title={rule ? t('Rule {name}', { name }) : t('New rule')}>
      <Form submit={t('Save draft')} busy={false} disabled={name.trim() === ''} cancel={close} send={() => keep(given)}>
        <TextInput
          label={t('Name')}
          description={t('Shown in the explanation of each order that it declines.')}
          maxLength={64}
          data-autofocus
          value={name}
          onChange={(event) => set('name')(event.currentTarget.value)}
        />
        <Select
          label={t('When')}
          data={Object.entries(KINDS).map(([value, { title }]) => ({ value, label: title }))}
          value={kind}
          onChange={(value) => setDraft(asKind(draft, value ?? 'velocity'))}
        />
        <div className="pair">
          {fields.map((field) => (
            <Field key={field.name} field={field} value={draft[field.name]} change={set(field.name)} />
          ))}
        </div>
        <SegmentedControl
          aria-label={t('Then')}
          data={[
            { value: 'refuse', label: t('Decline the payment') },
            { value: 'mark', label: t('Flag for review') },
          ]}
          value={draft['then'] === 'mark' ? 'mark' : 'refuse'}
          onChange={set('then')}
        />
        <p className="muted">{ruleText(given)}</p>
      </Form>
    </Dialog>
  );
}

type FieldProps = { readonly field: RuleForm; readonly value: unknown; readonly change: (value: unknown) => void };

function Field({ field: { label, as, choices = [], hint }, value, change }: FieldProps) {
  if (as === 'choice')
    return (
      <Select
        label={label}
        searchable={choices.length > 8}
        data={choices.map((one) => ({ value: one, label: sentence(one) }))}
        value={typeof value === 'string' ? value : null}
        onChange={change}
      />
    );
  if (as === 'number')
    return (
      <NumberInput
        label={label}
        description={hint}
        min={1}
        value={typeof value === 'number' ? value : ''}
        onChange={(given) => change(given === '' ? undefined : Number(given))}
      />
    );
  if (as === 'tags')
    return (
      <TagsInput
        label={label}
        description={hint}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={change}
      />
    );
  return (
    <TextInput
      label={label}
      description={hint}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
