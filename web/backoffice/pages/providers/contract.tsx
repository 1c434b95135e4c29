// Forms for a contract with a provider.
import { Select, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contract, ContractForm, NewContractForm, ProviderInfo } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';

type Props = { readonly contract: Contract; readonly close: () => void };

const LISTS = [
  ['methods', t('Methods'), t('such as visa, mastercard')],
  ['currencies', t('Currencies'), t('such as EUR')],
  ['channels', t('Channels'), t('such as e-commerce, moto')],
  ['countries', t('Countries of the card'), t('such as FR')],
] as const;

const formOf = ({ priority, methods, currencies, channels, countries }: Contract) => ({
  priority: String(priority),
  methods: [...methods],
  currencies: [...currencies],
  channels: [...channels],
  countries: [...countries],
});

type Fields = ReturnType<typeof formOf>;

export function ContractDialog({ contract, close }: Props) {
  // somebody may change the contract while this is open
  const [seen] = useState(() => formOf(contract));
  const [form, setForm] = useState({ ...seen, reason: '' });
  const client = useQueryClient();
  const act = useAct({
    run: () => {
      const body = { ...changed(form, seen), was: changed(seen, form), reason: form.reason };
      return api('PUT /providers/:id', { params: { id: contract.id }, body }).catch(async (error: unknown) => {
        // somebody may have changed it since the page was loaded
        await client.invalidateQueries({ queryKey: ['providers'] });
        throw error;
      });
    },
    said: t('Contract saved'),
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['priority', 'reason', ...LISTS.map(([name]) => name)]);
  return (
    <Dialog close={close} title={contract.name}>
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
    </Dialog>
  );
}

/** Of one of the two what is not the same in both: everything else stays as others may have left it meanwhile. */
function changed(one: Fields, other: Fields): Omit<ContractForm, 'reason'> {
  const lists = LISTS.map(([name]) => name).filter((name) => one[name].join() !== other[name].join());
  return {
    ...(one.priority !== other.priority && { priority: Number(one.priority) }),
    ...Object.fromEntries(lists.map((name) => [name, one[name]])),
  };
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
    <Dialog close={close} title={t('Add a contract')}>
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
    </Dialog>
  );
}
