// A new key: made here, or imported from an existing integration. A key that was made here is shown once.
import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { KEY_LENGTH } from '../../../../src/core/keys/limits.ts';
import type { KeyForm, Keys, NewKey } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { OnlyTime, ShownOnce } from '../../parts/shown-once.tsx';
import { type Chosen, ScopeChoice, firstChoice } from './scopes.tsx';

export type Making = { readonly made: (key: NewKey) => void; readonly close: () => void };

export function MakeKey({ made, close, scopes }: Making & Pick<Keys, 'scopes'>) {
  const [kind, setKind] = useState<KeyForm['kind']>('private');
  const [label, setLabel] = useState('');
  const [text, setText] = useState('');
  const [chosen, choose] = useState<Chosen>(firstChoice(scopes));
  const form: KeyForm = {
    kind,
    label,
    ...(kind === 'private' && chosen !== null && { scopes: chosen }),
    ...(text !== '' && { text }),
  };
  const act = useAct({
    run: () => api('POST /keys', { body: form }),
    said: (key: NewKey) => (key.text === null ? t('Key imported') : t('Key created')),
    quiet: true,
    stale: ['keys'],
    done: (key: NewKey) => {
      close();
      made(key);
    },
  });
  const { at, other } = errorsOf(act.error, ['label', 'kind', 'text', 'scopes']);
  return (
    <Dialog close={close} title={t('New key')}>
      <Form
        submit={text === '' ? t('Create key') : t('Import key')}
        busy={act.isPending}
        send={() => act.mutate()}
        cancel={close}
        error={at['kind'] ?? other}
      >
        <SegmentedControl
          aria-label={t('Kind')}
          data={[
            { value: 'private', label: t('Private, for servers') },
            { value: 'public', label: t('Public, for pages') },
          ]}
          value={kind}
          onChange={(value) => setKind(value === 'public' ? 'public' : 'private')}
        />
        <TextInput
          label={t('Name')}
          description={t('Where it is used, so that you know later what stops when you revoke it.')}
          data-autofocus
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={at['label']}
        />
        {kind === 'private' ? (
          <ScopeChoice scopes={scopes} chosen={chosen} choose={choose} error={at['scopes']} />
        ) : null}
        <Brought value={text} change={setText} error={at['text']} />
      </Form>
    </Dialog>
  );
}

type BroughtProps = {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | undefined;
};

function Brought({ value, change, error }: BroughtProps) {
  return (
    <TextInput
      label={t('Existing key to import (optional)')}
      description={t(
        '{least} to {most} letters, digits, _ or -. Leave it empty and we make one. We keep its hash alone and never show it.',
        KEY_LENGTH,
      )}
      autoComplete="off"
      spellCheck={false}
      maxLength={KEY_LENGTH.most}
      value={value}
      onChange={(event) => change(event.currentTarget.value.trim())}
      error={error}
    />
  );
}

/** An imported key is not shown: the person who brought it knows it. */
export function ShowKey({ made, close }: { readonly made: NewKey; readonly close: () => void }) {
  if (made.text === null) return null;
  const label = made.keys.find(({ id }) => id === made.id)?.label;
  return (
    <ShownOnce
      title={label ? t('The key {label}', { label }) : t('The new key')}
      text={made.text}
      label={t('the key')}
      close={close}
    >
      <OnlyTime>{t('We keep nothing but its hash. Copy it to where your other secrets are.')}</OnlyTime>
    </ShownOnce>
  );
}
