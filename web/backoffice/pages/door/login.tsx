// Signing in: e-mail and password, then the second factor where there is one. The address stays what it was, so that after it
// one is where one wanted to be.
import { Button, PasswordInput, PinInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { LoginAnswer, Login as Login_, SessionState, TotpLogin } from '../../../../src/backoffice/wire/session.ts';
import { ApiError, api } from '../../base/api.ts';
import { useEnter } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { LanguageChoice } from '../../parts/language.tsx';
import { Coin } from '../../parts/icons.tsx';
import { Notice } from '../../parts/page.tsx';

export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="door">
      <title>{`${title} · Florin`}</title>
      <main id="main">
        <div className="brand">
          <Coin size={30} />
          Florin
        </div>
        <div className="panel">
          <div className="stack">
            <h1>{title}</h1>
            {children}
          </div>
        </div>
        <LanguageChoice />
      </main>
    </div>
  );
}

/** What is refused here is said above the fields; nothing says which of them was wrong. */
export function useSending<T>(run: () => Promise<T>, done: (answer: T) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    setBusy(true);
    setError(undefined);
    void sendNow();
  };
  const sendNow = async () => {
    try {
      done(await run());
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return { busy, error, send };
}

export function Login({ state }: { readonly state: SessionState }) {
  const [ticket, setTicket] = useState<string>();
  const enter = useEnter();
  const answered = (answer: LoginAnswer) => {
    if (answer.next === 'done') enter(answer.state);
    else setTicket(answer.ticket);
  };
  return ticket === undefined ? (
    <Password state={state} answered={answered} />
  ) : (
    <SecondStep ticket={ticket} answered={answered} back={() => setTicket(undefined)} />
  );
}

type StepProps = { readonly answered: (answer: LoginAnswer) => void };

function Password({ answered, state }: StepProps & { readonly state: SessionState }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const run = () => api('POST /session', { body: { email, password } satisfies Login_ });
  const { busy, error, send } = useSending(run, answered);
  return (
    <Door title={t('Sign in')}>
      <form className="stack" onSubmit={send}>
        {error === undefined ? null : <Notice tone="bad">{refusal(error)}</Notice>}
        <TextInput
          label={t('E-mail')}
          type="email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} fullWidth>
          {t('Sign in')}
        </Button>
        {state.environment === 'sandbox' ? (
          <p className="muted small">{t('Sandbox: no real money moves here')}</p>
        ) : null}
      </form>
    </Door>
  );
}

function refusal(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return String(error);
}

type SecondProps = StepProps & { readonly ticket: string; readonly back: () => void };

function SecondStep({ ticket, answered, back }: SecondProps) {
  const [recovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const run = () => api('POST /session/totp', { body: { ticket, code: code.trim() } satisfies TotpLogin });
  const { busy, error, send } = useSending(run, answered);
  return (
    <Door title={t('Two-factor authentication')}>
      <form className="stack" onSubmit={send}>
        {error === undefined ? null : <Notice tone="bad">{refusal(error)}</Notice>}
        {recovery ? (
          <TextInput
            label={t('Recovery code')}
            autoFocus
            autoComplete="off"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        ) : (
          <CodeField value={code} change={setCode} lead={t('Enter the six-digit code from your authenticator app.')} />
        )}
        <Button type="submit" loading={busy} fullWidth>
          {t('Verify')}
        </Button>
        <div className="row apart">
          <Button variant="subtle" size="xs" onClick={back}>
            {t('Back')}
          </Button>
          <Button variant="subtle" size="xs" onClick={() => setRecovery(!recovery)}>
            {recovery ? t('Use the authenticator app instead') : t('Use a recovery code instead')}
          </Button>
        </div>
      </form>
    </Door>
  );
}

type CodeProps = { readonly value: string; readonly change: (value: string) => void; readonly lead: string };

export function CodeField({ value, change, lead }: CodeProps) {
  return (
    <div className="stack tight" role="group" aria-label={lead}>
      <p className="muted">{lead}</p>
      <PinInput length={6} type="number" oneTimeCode autoFocus value={value} onChange={change} aria-label={t('Code')} />
    </div>
  );
}
