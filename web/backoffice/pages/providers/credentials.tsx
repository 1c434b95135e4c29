// Credentials of a contract: they are written and removed, never read back. A credential that proves messages may have
// two values while the new one replaces the older one at the provider.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contract, CredentialsForm } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { dayText, sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PasswordField } from '../../parts/password.tsx';

type Credential = Contract['credentials'][number];

/** When the credential was set, if it was. */
export function setText({ set_at, older_set_at }: Credential): string {
  if (set_at === null) return t('Not set');
  const set = t('Set on {set_at}', { set_at: dayText(set_at) });
  return older_set_at === null
    ? set
    : t('{set}; the value of {older_set_at} is valid, too', { set, older_set_at: dayText(older_set_at) });
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
    said: t('Credentials saved'),
    quiet: true,
    stale: ['providers'],
    done: close,
  });
  const names = contract.credentials.map(({ name }) => `values.${name}`);
  const { at, other } = errorsOf(act.error, [...names, 'reason']);
  return (
    <Dialog close={close} title={t('Credentials of {name}', { name: contract.name })}>
      <Form submit={t('Save')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p className="muted">{t('They are encrypted and never shown again. Fields left empty stay unchanged.')}</p>
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
          label={t('Reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
      </Form>
    </Dialog>
  );
}

type OneProps = {
  readonly one: Credential;
  /** Null removes the credential. */
  readonly value: string | null;
  readonly change: (value: string | null) => void;
  readonly error: string | undefined;
};

function OneCredential({ one, value, change, error }: OneProps) {
  const older = one.older_set_at !== null;
  return (
    <div className="stack tight">
      <PasswordField
        label={sentence(one.name)}
        description={`${one.help} ${setText(one)}.`}
        autoComplete="off"
        disabled={value === null}
        placeholder={value !== null ? '' : older ? t('Saving removes the older value') : t('Saving removes it')}
        value={value ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
        error={error}
      />
      {one.set_at === null ? null : (
        <div>
          <Button size="xs" variant="default" onClick={() => change(value === null ? '' : null)}>
            {value === null ? t('Keep') : older ? t('Remove the older value') : t('Remove')}
          </Button>
        </div>
      )}
    </div>
  );
}
