// Forms for a contract with a provider.
import { Modal, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contract, ContractForm, NewContractForm, ProviderInfo } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';

type Props = { readonly contract: Contract; readonly close: () => void };

const LISTS = [
  ['methods', t('Methods'), t('such as visa, mastercard')],
  ['currencies', t('Currencies'), t('such as EUR')],
  ['channels', t('Channels'), t('such as e-commerce, moto')],
  ['countries', t('Countries of the card'), t('such as FR')],
] as const;

export function ContractDialog({ contract, close }: Props) {
  const [form, setForm] = useState({
    priority: String(contract.priority),
    reason: '',
    methods: [...contract.methods],
    currencies: [...contract.currencies],
    channels: [...contract.channels],
    countries: [...contract.countries],
  });
  const act = useAct({
    run: () =>
      api('PUT /providers/:id', {
        params: { id: contract.id },
        body: { ...form, priority: Number(form.priority) } satisfies ContractForm,
      }),
    said: t('Contract saved'),
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['priority', 'reason', ...LISTS.map(([name]) => name)]);
  return (
    <Modal opened onClose={close} title={contract.name}>
      <Form submit={t('Save')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Priority')}
          description={t('The lowest number is tried first.')}
          inputMode="numeric"
          value={form.priority}
          onChange={(event) => setForm({ ...form, priority: event.currentTarget.value })}
          error={at['priority']}
        />
        {LISTS.map(([name, label, example]) => (
          <TagsInput
            key={name}
            label={label}
            description={t('Empty: any')}
            placeholder={example}
            value={form[name]}
            onChange={(values) => setForm({ ...form, [name]: values })}
            error={at[name]}
          />
        ))}
        <TextInput
          label={t('Reason')}
          value={form.reason}
          onChange={(event) => setForm({ ...form, reason: event.currentTarget.value })}
          error={at['reason']}
        />
      </Form>
    </Modal>
  );
}

type NewProps = { readonly providers: readonly ProviderInfo[]; readonly close: () => void };

export function NewContract({ providers, close }: NewProps) {
  const [form, setForm] = useState({ name: '', provider: providers[0]?.name ?? '', reason: '' });
  const act = useAct({
    run: () => api('POST /providers', { body: form satisfies NewContractForm }),
    said: t('Contract added'),
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['name', 'provider', 'reason']);
  return (
    <Modal opened onClose={close} title={t('Add a contract')}>
      <Form submit={t('Add')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <Select
          label={t('Provider')}
          data={providers.map(({ name, display_name }) => ({ value: name, label: display_name }))}
          value={form.provider}
          onChange={(provider) => setForm({ ...form, provider: provider ?? '' })}
          error={at['provider']}
        />
        <TextInput
          label={t('Name')}
          description={t('Orders may name it as merchant_contract.')}
          data-autofocus
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
          error={at['name']}
        />
        <TextInput
          label={t('Reason')}
          value={form.reason}
          onChange={(event) => setForm({ ...form, reason: event.currentTarget.value })}
          error={at['reason']}
        />
      </Form>
    </Modal>
  );
}
