// The form for a new report: its content, its format, and its days.
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReportForm } from '../../../../src/backoffice/wire/reports.ts';
import { api } from '../../base/api.ts';
import { nowBy } from '../../base/clock.ts';
import { zoneName } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';

const KINDS = [
  { value: 'orders', label: t('Orders') },
  { value: 'captures', label: t('Captures') },
  { value: 'refunds', label: t('Refunds') },
  { value: 'disputes', label: t('Disputes') },
  { value: 'bookings', label: t('Bookings') },
];
const FORMATS = [
  { value: 'xlsx', label: t('Excel (XLSX)') },
  { value: 'csv', label: t('CSV for spreadsheets') },
  { value: 'jsonl', label: t('JSON lines for programs') },
];
const EVERY = [
  { value: 'once', label: t('Once') },
  { value: 'daily', label: t('Every day') },
  { value: 'weekly', label: t('Every week, from Monday') },
  { value: 'monthly', label: t('Every month') },
];

/** The last full month. */
function lastMonth(): Pick<ReportForm, 'from' | 'to'> {
  const now = new Date(nowBy('payments'));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: day(new Date(Date.UTC(year, month - 1, 1))), to: day(new Date(Date.UTC(year, month, 0))) };
}

export function NewReport({ close }: { readonly close: () => void }) {
  const [form, set] = useState<ReportForm>({
    name: '',
    kind: 'orders',
    format: 'xlsx',
    every: 'once',
    zone: zoneName(),
    ...lastMonth(),
  });
  const change = (part: Readonly<Record<string, string>>) => set({ ...form, ...part });
  const { from, to, ...plain } = form;
  const act = useAct({
    run: () => api('POST /reports', { body: form.every === 'once' ? form : plain }),
    said: form.every === 'once' ? t('The report is being made') : t('The report is scheduled'),
    quiet: true,
    stale: ['reports'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['name', 'zone', 'from', 'to']);
  return (
    <Dialog close={close} title={t('New report')}>
      <Form submit={t('Make report')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Name')}
          data-autofocus
          maxLength={60}
          value={form.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={at['name']}
        />
        <NativeSelect
          label={t('Of what')}
          data={KINDS}
          value={form.kind}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('Form')}
          data={FORMATS}
          value={form.format}
          onChange={(event) => change({ format: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('How often')}
          data={EVERY}
          value={form.every}
          onChange={(event) => change({ every: event.currentTarget.value })}
        />
        {form.every === 'once' ? (
          <div className="grid-2">
            <TextInput
              type="date"
              label={t('First day')}
              value={from ?? ''}
              onChange={(event) => change({ from: event.currentTarget.value })}
              error={at['from']}
            />
            <TextInput
              type="date"
              label={t('Last day')}
              value={to ?? ''}
              onChange={(event) => change({ to: event.currentTarget.value })}
              error={at['to']}
            />
          </div>
        ) : null}
        <TextInput
          label={t('Time zone')}
          description={t('Its days are counted, and its times stand in the file.')}
          value={form.zone}
          onChange={(event) => change({ zone: event.currentTarget.value })}
          error={at['zone']}
        />
      </Form>
    </Dialog>
  );
}
