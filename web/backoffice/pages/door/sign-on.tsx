// Single sign-on before the sign-in: the way to the identity provider of the address's company, and the way back.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api } from '../../base/api.ts';
import { go } from '../../base/router.tsx';
import { useEnter } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Notice, Waiting } from '../../parts/page.tsx';
import { Door, useSending } from './door.tsx';

/**
 * The host that asks for the password of this address; undefined: we do. It is looked up when the address field is
 * left.
 */
export function useSignOn(): { readonly host: string | undefined; readonly look: (email: string) => void } {
  const [host, setHost] = useState<string>();
  const look = (email: string) => {
    if (!email.includes('@')) return setHost(undefined);
    // without an answer we ask for the password
    api('POST /session/sign-on/find', { body: { email } }).then(
      (found) => setHost(found.host ?? undefined),
      () => setHost(undefined),
    );
  };
  return { host, look };
}

export function ToSignOn({ email, host }: { readonly email: string; readonly host: string }) {
  const run = () => api('POST /session/sign-on', { body: { email } });
  const { busy, error, send } = useSending(run, ({ url }) => window.location.assign(url));
  return (
    <div className="stack tight">
      {error instanceof Error ? <Notice tone="bad">{error.message}</Notice> : null}
      <Button fullWidth loading={busy} onClick={() => send()}>
        {t('Continue at {host}', { host })}
      </Button>
    </div>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

type Params = { readonly params: Readonly<Record<string, string>> };

/** The address holds the identity provider's answer. It is sent on once, and removed from the address. */
export function SignedOnPage({ params }: Params) {
  const account_id = params['account_id'] ?? '';
  const [query] = useState(() => window.location.search.slice(1));
  const enter = useEnter();
  const run = () => api('POST /session/sign-on/finish', { body: { account_id, query } });
  const { error, send } = useSending(run, (answer) => {
    if (answer.next === 'done') enter(answer.state);
    go('/', 'replace');
  });
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
    send();
  }, []);
  if (error === undefined)
    return (
      <Door title={t('Single sign-on')}>
        <Waiting rows={3} />
      </Door>
    );
  return (
    <Door title={t('You are not signed in')}>
      <Notice tone="bad">{messageOf(error)}</Notice>
      <Button onClick={() => go('/', 'replace')}>{t('Go to sign-in')}</Button>
    </Door>
  );
}
