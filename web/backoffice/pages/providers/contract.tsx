// Forms of a contract with a provider. Credentials are written, never read back.
import { Modal, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type {
  Contract,
  ContractForm,
  CredentialsForm,
  NewContractForm,
  ProviderInfo,
} from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { dayText, sentence } from '../../base/format.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';

type Props = { readonly contract: Contract; readonly close: () => void };

const LISTS = [
  ['methods', 'Methods', 'such as visa, mastercard'],
  ['currencies', 'Currencies', 'such as EUR'],
  ['channels', 'Channels', 'such as e-commerce, moto'],
  ['countries', 'Countries of the card', 'such as FR'],
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
    said: 'Contract saved',
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['priority', 'reason', ...LISTS.map(([name]) => name)]);
  return (
    <Modal opened onClose={close} title={contract.name}>
      <Form submit="Save" busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label="Priority"
          description="The lowest number is tried first."
          inputMode="numeric"
          value={form.priority}
          onChange={(event) => setForm({ ...form, priority: event.currentTarget.value })}
          error={at['priority']}
        />
        {LISTS.map(([name, label, example]) => (
          <TagsInput
            key={name}
            label={label}
            description="Empty: any"
            placeholder={example}
            value={form[name]}
            onChange={(values) => setForm({ ...form, [name]: values })}
            error={at[name]}
          />
        ))}
        <TextInput
          label="Reason"
          value={form.reason}
          onChange={(event) => setForm({ ...form, reason: event.currentTarget.value })}
          error={at['reason']}
        />
      </Form>
    </Modal>
  );
}

export function CredentialsDialog({ contract, close }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const names = contract.credentials.map(({ name }) => name);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const act = useAct({
    run: () =>
      api('POST /providers/:id/credentials', {
        params: { id: contract.id },
        body: { values: given, reason } satisfies CredentialsForm,
      }),
    said: 'Credentials saved',
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, [...names.map((name) => `values.${name}`), 'reason']);
  return (
    <Modal opened onClose={close} title={`Credentials of ${contract.name}`}>
      <Form submit="Save" busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p className="muted">They are encrypted and never shown again. Fields left empty stay unchanged.</p>
        {contract.credentials.map(({ name, help, set_at }) => (
          <PasswordInput
            key={name}
            label={sentence(name)}
            description={`${help} ${set_at === null ? 'Not set.' : `Set on ${dayText(set_at)}.`}`}
            autoComplete="off"
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            error={at[`values.${name}`]}
          />
        ))}
        <TextInput
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
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
    said: 'Contract added',
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['name', 'provider', 'reason']);
  return (
    <Modal opened onClose={close} title="Add a contract">
      <Form submit="Add" busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <Select
          label="Provider"
          data={providers.map(({ name, display_name }) => ({ value: name, label: display_name }))}
          value={form.provider}
          onChange={(provider) => setForm({ ...form, provider: provider ?? '' })}
          error={at['provider']}
        />
        <TextInput
          label="Name"
          description="Orders may name it as merchant_contract."
          data-autofocus
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
          error={at['name']}
        />
        <TextInput
          label="Reason"
          value={form.reason}
          onChange={(event) => setForm({ ...form, reason: event.currentTarget.value })}
          error={at['reason']}
        />
      </Form>
    </Modal>
  );
}
