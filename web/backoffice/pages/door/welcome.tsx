// Opens a link that was handed over: for the first owner of a new deployment, or for an invited person.
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { LEAST_PASSWORD } from '../../../../src/core/people/limits.ts';
import type { Welcome } from '../../../../src/backoffice/wire/session.ts';
import { useAsk } from '../../base/ask.ts';
import { ApiError, api } from '../../base/api.ts';
import { roleText } from '../../base/format.ts';
import { go } from '../../base/router.tsx';
import { useEnter } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { type Errors, errorsOf } from '../../parts/act.tsx';
import { Notice, Waiting } from '../../parts/page.tsx';
import { Door, useSending } from './door.tsx';
import { PasswordField } from '../../parts/password.tsx';

type Params = { readonly params: Readonly<Record<string, string>> };

export function WelcomePage({ params }: Params) {
  const token = params['token'] ?? '';
  const { data, error } = useAsk('welcome', 'GET /welcome/:token', { params: { token } });
  if (data) return <Accept welcome={data} token={token} />;
  if (!error) return <Door title={t('Welcome')}>{<Waiting rows={3} />}</Door>;
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <Door title={t('This link does not work')}>
      <p className="muted">
        {gone
          ? t(
              'It was used already, it has expired, or it is not complete. Ask the person who gave it to you for a new one.',
            )
          : error.message}
      </p>
      <Button variant="default" onClick={() => go('/')}>
        {t('Go to sign-in')}
      </Button>
    </Door>
  );
}

const FIELDS = ['name', 'email', 'password'];

function Accept({ welcome: offered, token }: { readonly welcome: Welcome; readonly token: string }) {
  // true: another person has the login with this address, so this one makes a new login
  const [anew, setAnew] = useState(false);
  const welcome = anew ? { ...offered, known: false } : offered;
  const [form, setForm] = useState({ name: '', email: '', password: '', again: '' });
  const [missed, setMissed] = useState<Errors>();
  const enter = useEnter();
  const run = () =>
    api('POST /welcome/:token', { params: { token }, body: { ...bodyOf(welcome, form), ...(anew && { anew }) } });
  const { busy, error, send } = useSending(run, (answer) => {
    // a person who already has a second factor signs in with it
    if (answer.next === 'done') enter(answer.state);
    go('/', 'replace');
  });
  const { at, other } = errorsOf(error, FIELDS);
  const shown = useRef<HTMLFormElement>(null);
  useEffect(() => shown.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [missed, error]);
  const set = (name: keyof typeof form) => (event: FormEvent<HTMLInputElement>) =>
    setForm({ ...form, [name]: event.currentTarget.value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const differ = !welcome.known && form.password !== form.again;
    setMissed(differ ? { ...missingIn(welcome, form), again: t('The passwords do not match') } : undefined);
    if (!differ) send();
  };
  const title =
    welcome.kind === 'first' ? t('Set up your back office') : t('Join {name}', { name: welcome.account.name });
  return (
    <Door title={title}>
      <p className="muted break">{leadOf(welcome)}</p>
      {anew ? (
        <p className="muted">
          {t('Somebody gave this address here and never proved it. Your new login takes it from theirs.')}
        </p>
      ) : null}
      <form className="stack" onSubmit={submit} noValidate ref={shown}>
        {other === undefined ? null : <Notice tone="bad">{other}</Notice>}
        <Fields welcome={welcome} form={form} set={set} at={missed ?? at} />
        <Button type="submit" loading={busy} fullWidth>
          {welcome.known ? t('Join') : t('Create account')}
        </Button>
        {offered.anew && !anew ? (
          <Button variant="subtle" fullWidth onClick={() => setAnew(true)}>
            {t('I have no password here')}
          </Button>
        ) : null}
      </form>
    </Door>
  );
}

type FieldsProps = {
  readonly welcome: Welcome;
  readonly form: Typed & { readonly again: string };
  readonly set: (name: 'name' | 'email' | 'password' | 'again') => (event: FormEvent<HTMLInputElement>) => void;
  readonly at: Errors;
};

function Fields({ welcome, form, set, at }: FieldsProps) {
  return (
    <>
      {welcome.known ? null : (
        <TextInput
          label={t('Your name')}
          autoComplete="name"
          autoFocus
          value={form.name}
          onChange={set('name')}
          error={at['name']}
        />
      )}
      {welcome.email === null ? (
        <TextInput
          label={t('E-mail')}
          type="email"
          autoComplete="username"
          value={form.email}
          onChange={set('email')}
          error={at['email']}
        />
      ) : null}
      <PasswordField
        label={t('Password')}
        description={
          welcome.known
            ? undefined
            : t('At least {least} characters; a few words are better than signs.', { least: LEAST_PASSWORD })
        }
        autoComplete={welcome.known ? 'current-password' : 'new-password'}
        value={form.password}
        onChange={set('password')}
        error={at['password']}
      />
      {welcome.known ? null : (
        <PasswordField
          label={t('Confirm password')}
          autoComplete="new-password"
          value={form.again}
          onChange={set('again')}
          error={at['again']}
        />
      )}
    </>
  );
}

type Typed = { readonly name: string; readonly email: string; readonly password: string };

/** What the server would miss, too: passwords that differ are not sent. */
function missingIn({ email }: Welcome, form: Typed): Errors {
  const wanted = email === null ? (['name', 'email'] as const) : (['name'] as const);
  return Object.fromEntries(wanted.filter((name) => form[name].trim() === '').map((name) => [name, t('Is required')]));
}

function bodyOf(welcome: Welcome, { name, email, password }: Typed) {
  return { password, ...(welcome.known ? {} : { name }), ...(welcome.email === null ? { email } : {}) };
}

function leadOf({ kind, account, email, known, ...held }: Welcome): string {
  if (kind === 'first') return t('You will be the owner of {name}. This link works once.', { name: account.name });
  const role = roleText(held);
  const who = email === null ? t('Role: {role}.', { role }) : t('Role: {role} as {email}.', { role, email });
  return `${who} ${known ? t('Enter the password you have already.') : t('This link works once.')}`;
}
