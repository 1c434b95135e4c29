// Signing in: e-mail and password, then the second factor if there is one. The address does not change, so the person
// then sees the page they wanted.
import { Button, PinInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LoginAnswer, Login as Login_, SessionState, TotpLogin } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { passkeysHere, signWithPasskey } from '../../base/passkey.ts';
import { useEnter } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';
import { Door, useSending } from './door.tsx';
import { ToSignOn, useSignOn } from './sign-on.tsx';
import { PasswordField } from '../../parts/password.tsx';

type LoginProps = {
  readonly state: SessionState;
  /** Their session ended while they were at work. */
  readonly was_lost: boolean;
};

export function Login({ state, was_lost }: LoginProps) {
  const [second, setSecond] = useState<Second>();
  const enter = useEnter();
  const answered = (answer: LoginAnswer) => {
    if (answer.next === 'done') enter(answer.state);
    else setSecond(answer);
  };
  return second === undefined ? (
    <Password state={state} was_lost={was_lost} answered={answered} />
  ) : (
    <SecondStep second={second} state={state} answered={answered} back={() => setSecond(undefined)} />
  );
}

type Second = Extract<LoginAnswer, { readonly next: 'totp' }>;

type StepProps = { readonly answered: (answer: LoginAnswer) => void };

function Password({ answered, state, was_lost }: StepProps & LoginProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { host, look } = useSignOn();
  const run = () => api('POST /session', { body: { email, password } satisfies Login_ });
  const { busy, error, send } = useSending(run, answered);
  return (
    <Door title={t('Sign in')}>
      <form className="stack" onSubmit={send}>
        {was_lost ? (
          <Notice tone="info">
            {t('Your session has ended. What you typed is there again once you have signed in.')}
          </Notice>
        ) : null}
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
          onBlur={() => look(email)}
        />
        <PasswordField
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} fullWidth variant={host === undefined ? 'filled' : 'default'}>
          {t('Sign in')}
        </Button>
        {host === undefined ? null : <ToSignOn email={email} host={host} />}
        {passkeysHere(state) ? <ByPasskey answered={answered} /> : null}
        {state.environment === 'sandbox' ? (
          <p className="muted small">{t('Sandbox: no real money moves here')}</p>
        ) : null}
      </form>
    </Door>
  );
}

type ByPasskeyProps = StepProps & { readonly ticket?: string };

/** Signs in with a passkey alone, or with a ticket as the second step. An error is shown above the button. */
function ByPasskey({ answered, ticket }: ByPasskeyProps) {
  const of = ticket === undefined ? {} : { ticket };
  const run = async () => {
    const response = await signWithPasskey(await api('POST /session/passkey/options', { body: of }));
    return api('POST /session/passkey', { body: { response, ...of } });
  };
  const { busy, error, send } = useSending(run, answered);
  return (
    <div className="stack tight">
      {error === undefined ? null : <Notice tone="bad">{refusal(error)}</Notice>}
      <Button variant="default" fullWidth loading={busy} onClick={() => send()}>
        {ticket === undefined ? t('Sign in with a passkey') : t('Use a passkey instead')}
      </Button>
    </div>
  );
}

function refusal(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type SecondProps = StepProps & {
  readonly second: Second;
  readonly state: SessionState;
  readonly back: () => void;
};

function SecondStep({ second: { ticket, passkeys }, state, answered, back }: SecondProps) {
  const [recovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const run = () => api('POST /session/totp', { body: { ticket, code: code.trim() } satisfies TotpLogin });
  const { busy, error, send } = useSending(run, answered);
  const change = () => {
    // digits are no beginning of a recovery code, nor its letters one of six digits
    setCode('');
    setRecovery(!recovery);
  };
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
        {passkeys && passkeysHere(state) ? <ByPasskey ticket={ticket} answered={answered} /> : null}
        <div className="row apart">
          <Button variant="subtle" size="xs" onClick={back}>
            {t('Back')}
          </Button>
          <Button variant="subtle" size="xs" onClick={change}>
            {recovery ? t('Use the authenticator app instead') : t('Use a recovery code instead')}
          </Button>
        </div>
      </form>
    </Door>
  );
}

const DIGITS = 6;

type CodeProps = { readonly value: string; readonly change: (value: string) => void; readonly lead: string };

export function CodeField({ value, change, lead }: CodeProps) {
  return (
    <div className="stack tight" role="group" aria-label={lead}>
      <p className="muted">{lead}</p>
      <PinInput
        length={DIGITS}
        type="number"
        oneTimeCode
        autoFocus
        value={value}
        onChange={change}
        aria-label={t('Code')}
        getInputProps={(index) => ({
          'aria-label': t('Digit {place} of {count}', { place: index + 1, count: DIGITS }),
        })}
      />
    </div>
  );
}
