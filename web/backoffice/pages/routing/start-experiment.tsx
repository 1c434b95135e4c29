// The form that starts an experiment: the version to compare with the one in force, the share of orders, and the way to
// decide.
import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ExperimentForm, Experiments } from '../../../../src/backoffice/wire/rules/experiments.ts';
import { api } from '../../base/api.ts';
import { plural, t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PercentInput } from '../../parts/percent.tsx';

type Props = Pick<Experiments, 'in_force' | 'versions'> & { readonly close: () => void };

const FIELDS = ['version', 'share', 'days', 'metric', 'reason'] as const;

export function StartExperiment({ in_force, versions, close }: Props) {
  const [form, setForm] = useState<ExperimentForm>({
    ...({ share: 5000, subject: 'order', method: 'sequential', days: 28, reason: '' } as const),
    version: versions[0]?.version ?? 0,
    base_version: in_force,
  });
  const put = (changes: Partial<ExperimentForm>) => setForm((now) => ({ ...now, ...changes }));
  const act = useAct({
    run: () => api('POST /experiments', { body: form }),
    quiet: true,
    said: t('Experiment begun'),
    stale: ['experiments'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, FIELDS);
  return (
    <Dialog
      close={close}
      title={t('Compare with version {version}, which is in force', { version: form.base_version })}
    >
      <Form submit={t('Begin')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <Select
          label={t('Other version')}
          data={versions.map(({ version, rules, note }) => ({
            value: String(version),
            label: `${t('Version {version}', { version })}, ${plural(rules, '{count} rule', '{count} rules')}${note === null ? '' : `: ${note}`}`,
          }))}
          value={String(form.version)}
          error={at.version}
          onChange={(version) => put({ version: Number(version) })}
        />
        <div className="pair">
          <PercentInput
            label={t('Orders that go by it')}
            min={0.01}
            max={99.99}
            value={form.share}
            error={at.share}
            change={(share) => put({ share })}
          />
          <NumberInput
            label={t('Days at most')}
            min={1}
            max={90}
            value={form.days}
            error={at.days}
            onChange={(value) => put({ days: Number(value) })}
          />
        </div>
        <Select
          label={t('Stays in one group')}
          data={[
            { value: 'order', label: t('An order') },
            { value: 'customer', label: t('A customer') },
            { value: 'card', label: t('A card') },
          ]}
          allowDeselect={false}
          value={form.subject}
          onChange={(subject) => put({ subject: subject === 'customer' || subject === 'card' ? subject : 'order' })}
        />
        <Select
          label={t('Compared by')}
          data={[
            { value: 'approval', label: t('Payments approved') },
            { value: 'value', label: t('What is left after fees') },
          ]}
          allowDeselect={false}
          value={form.metric ?? 'approval'}
          error={at.metric}
          onChange={(metric) => put({ metric: metric === 'value' ? metric : 'approval' })}
        />
        <SegmentedControl
          fullWidth
          aria-label={t('When it is decided')}
          data={[
            { value: 'sequential', label: t('As soon as it is clear') },
            { value: 'fixed', label: t('Once, at its end') },
          ]}
          value={form.method}
          onChange={(method) => put({ method: method === 'fixed' ? 'fixed' : 'sequential' })}
        />
        <TextInput
          label={t('Reason')}
          description={t('Kept with the experiment and in the audit log.')}
          maxLength={240}
          value={form.reason}
          error={at.reason}
          onChange={(event) => put({ reason: event.currentTarget.value })}
        />
      </Form>
    </Dialog>
  );
}
