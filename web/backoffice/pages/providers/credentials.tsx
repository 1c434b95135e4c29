// Credentials of a contract: written and removed, never read back. One that proves messages may have two values, while the new one
// replaces the older at the provider.
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contract, CredentialsForm } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { dayText, sentence } from '../../base/format.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';

type Credential = Contract['credentials'][number];

/** When it was set, where it was. */
export function setText({ set_at, older_set_at }: Credential): string {
  if (set_at === null) return 'Not set';
  const set = `Set on ${dayText(set_at)}`;
  return older_set_at === null ? set : `${set}; the value of ${dayText(older_set_at)} is valid, too`;
}

type Props = { readonly contract: Contract; readonly close: () => void };

export function CredentialsDialog({ contract, close }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string | null>>>({});
  const [reason, setReason] = useState('');
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
  const names = contract.credentials.map(({ name }) => `values.${name}`);
  const { at, other } = errorsOf(act.error, [...names, 'reason']);
  return (
    <Modal opened onClose={close} title={`Credentials of ${contract.name}`}>
      <Form submit="Save" busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p className="muted">They are encrypted and never shown again. Fields left empty stay unchanged.</p>
        {contract.credentials.map((one) => (
          <OneCredential
            key={one.name}
            one={one}
            value={values[one.name] ?? (values[one.name] === null ? null : '')}
            change={(value) => setValues({ ...values, [one.name]: value })}
            error={at[`values.${one.name}`]}
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

type OneProps = {
  readonly one: Credential;
  /** Null: it is to be removed. */
  readonly value: string | null;
  readonly change: (value: string | null) => void;
  readonly error: string | undefined;
};

function OneCredential({ one, value, change, error }: OneProps) {
  const what = one.older_set_at === null ? '' : ' the older value';
  return (
    <div className="stack tight">
      <PasswordInput
        label={sentence(one.name)}
        description={`${one.help} ${setText(one)}.`}
        autoComplete="off"
        disabled={value === null}
        placeholder={value === null ? `Saving removes${what === '' ? ' it' : what}` : ''}
        value={value ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
        error={error}
      />
      {one.set_at === null ? null : (
        <div>
          <Button size="xs" variant="default" onClick={() => change(value === null ? '' : null)}>
            {value === null ? 'Keep' : `Remove${what}`}
          </Button>
        </div>
      )}
    </div>
  );
}
