// A person's second factor: it is set up with a picture to scan, proved by a code, and has recovery codes that are
// shown once.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TotpOffer } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog, useShownOnce } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/page.tsx';
import { CopyButton, Secret } from '../../parts/show.tsx';
import { CodeField } from '../door/login.tsx';
import { Qr } from '../../parts/qr.tsx';
import { PasswordField } from '../../parts/password.tsx';

type Done = { readonly done: () => void };

type Setup = Done & {
  /**
   * True: there is a second factor already. The person proves it first, and it stays in force until the new one is
   * proved.
   */
  readonly again?: boolean;
};

/** The steps: password, then picture and code, then the recovery codes. */
export function TotpSetup({ again = false, done }: Setup) {
  const [offer, setOffer] = useState<TotpOffer>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <Recovery codes={codes} done={done} />;
  if (offer) return <Prove offer={offer} proved={setCodes} />;
  return <AskPassword replaces={again} offered={setOffer} />;
}

type AskProps = { readonly replaces: boolean; readonly offered: (offer: TotpOffer) => void };

function AskPassword({ replaces, offered }: AskProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const act = useAct({
    run: () => api('POST /me/totp', { body: replaces ? { password, code } : { password } }),
    quiet: true,
    done: offered,
  });
  const { at, other } = errorsOf(act.error, ['password', 'code']);
  return (
    <Form submit={t('Continue')} busy={act.isPending} send={() => act.mutate()} error={other}>
      {replaces ? <p>{t('Your authenticator of today stays in force until you have proved the new one.')}</p> : null}
      <PasswordField
        label={t('Your password')}
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={at['password']}
      />
      {replaces ? (
        <TextInput
          label={t('Code, or a recovery code')}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={at['code']}
        />
      ) : null}
    </Form>
  );
}

type ProveProps = { readonly offer: TotpOffer; readonly proved: (codes: readonly string[]) => void };

function Prove({ offer, proved }: ProveProps) {
  const [code, setCode] = useState('');
  const act = useAct({
    run: () => api('POST /me/totp/confirm', { body: { code } }),
    quiet: true,
    done: ({ codes }) => proved(codes),
  });
  const { at, other } = errorsOf(act.error, ['code']);
  return (
    <Form submit={t('Turn on')} busy={act.isPending} send={() => act.mutate()} error={at['code'] ?? other}>
      <p>{t('Scan this with an authenticator app, such as the one in your password manager.')}</p>
      <Qr text={offer.uri} label={t('QR code of the secret; the secret stands below in text')} />
      <div>
        <p className="muted small">{t('Or type this secret:')}</p>
        <Secret text={offer.secret} label={t('secret')} />
      </div>
      <CodeField value={code} change={setCode} lead={t('Then enter the six digits it shows.')} />
    </Form>
  );
}

function Recovery({ codes, done }: Done & { readonly codes: readonly string[] }) {
  useShownOnce(t('They are not shown again. Save them, or close once more without them.'));
  return (
    <div className="stack">
      <Notice tone="good" title={t('Two-factor authentication is on')}>
        {t('Keep these codes where you keep other secrets. Each works once when your authenticator is not at hand.')}
      </Notice>
      <div className="secret">
        <code className="codes">{codes.join('\n')}</code>
        <CopyButton text={codes.join('\n')} label={t('Copy all recovery codes')} />
      </div>
      <div className="row end">
        <Button onClick={done}>{t('I have saved them')}</Button>
      </div>
    </div>
  );
}

type OffProps = { readonly close: () => void };

export function TotpOff({ close }: OffProps) {
  const [form, setForm] = useState({ password: '', code: '' });
  const act = useAct({
    run: () => api('DELETE /me/totp', { body: form }),
    said: t('Two-factor authentication is off'),
    quiet: true,
    stale: ['me'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['password', 'code']);
  return (
    <Dialog close={close} title={t('Turn off two-factor authentication')}>
      <Form submit={t('Turn off')} danger busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <PasswordField
          label={t('Your password')}
          autoComplete="current-password"
          value={form.password}
          onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
          error={at['password']}
        />
        <TextInput
          label={t('Code, or a recovery code')}
          autoComplete="one-time-code"
          value={form.code}
          onChange={(event) => setForm({ ...form, code: event.currentTarget.value })}
          error={at['code']}
        />
      </Form>
    </Dialog>
  );
}
