// A person's own page: password, second factor, sessions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { LEAST_PASSWORD, SESSION } from '../../../../src/core/people/limits.ts';
import type { Me, OwnSession, PasswordChange } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { browserText } from '../../base/browser-text.ts';
import { countryText } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { LanguageChoice } from '../../parts/language.tsx';
import { Asked, PageHead, Panel } from '../../parts/page.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table, unseen } from '../../parts/table.tsx';
import { AlarmsPanel } from './alarms.tsx';
import { CommandSecretPanel } from './command-secret.tsx';
import { PasskeysPanel } from './passkeys.tsx';
import { TotpOff, TotpSetup } from './totp.tsx';
import { PasswordField } from '../../parts/password.tsx';

export function MePage() {
  const asked = useAsk('me', 'GET /me');
  return (
    <>
      <PageHead title={t('Password and security')} lead={t('Yours alone, whatever account you work in.')} />
      <Asked asked={asked}>
        {(me) => (
          <div className="stack">
            <div className="grid-2">
              <PasswordPanel me={me} />
              <TotpPanel me={me} again={() => void asked.refetch()} />
            </div>
            <PasskeysPanel me={me} />
            <AlarmsPanel alarms={me.alarms} />
            <Sessions sessions={me.sessions} />
            <CommandSecretPanel />
            <Panel title={t('Language')} lead={t('Of the back office, in this browser.')} padded>
              <LanguageChoice />
            </Panel>
          </div>
        )}
      </Asked>
    </>
  );
}

function PasswordPanel({ me }: { readonly me: Me }) {
  const [form, setForm] = useState({ password: '', new_password: '' });
  const act = useAct({
    run: () => api('POST /me/password', { body: form satisfies PasswordChange }),
    said: t('Your password was changed; other sessions ended'),
    quiet: true,
    stale: ['me'],
    done: () => setForm({ password: '', new_password: '' }),
  });
  const { at, other } = errorsOf(act.error, ['password', 'new_password']);
  return (
    <Panel title={t('Password')} lead={me.person.email} padded>
      <Form submit={t('Change password')} busy={act.isPending} send={() => act.mutate()} error={other}>
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          value={form.password}
          onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
          error={at['password']}
        />
        <PasswordField
          label={t('New password')}
          description={t('At least {least} characters, and not a common password. Your other sessions will end.', {
            least: LEAST_PASSWORD,
          })}
          autoComplete="new-password"
          value={form.new_password}
          onChange={(event) => setForm({ ...form, new_password: event.currentTarget.value })}
          error={at['new_password']}
        />
      </Form>
    </Panel>
  );
}

function TotpPanel({ me, again }: { readonly me: Me; readonly again: () => void }) {
  const [open, setOpen] = useState<'on' | 'off'>();
  const close = () => {
    setOpen(undefined);
    again();
  };
  return (
    <Panel
      title={t('Two-factor authentication')}
      lead={t('A code from your phone in addition to the password.')}
      actions={
        me.totp ? <Tag tone="good">{t('On [second factor]')}</Tag> : <Tag tone="warn">{t('Off [second factor]')}</Tag>
      }
      padded
    >
      <div className="stack">
        <p className="muted">
          {me.totp
            ? plural(
                me.recovery_codes_left,
                '{count} recovery code is left. Set it up again to get new ones.',
                '{count} recovery codes are left. Set it up again to get new ones.',
              )
            : t('A stolen password is then not enough to sign in. Owners and administrators need it in production.')}
        </p>
        <div className="row">
          <Button variant={me.totp ? 'default' : 'filled'} onClick={() => setOpen('on')}>
            {me.totp ? t('Set up again') : t('Turn on')}
          </Button>
          {me.totp ? (
            <Button variant="default" onClick={() => setOpen('off')}>
              {t('Turn off')}
            </Button>
          ) : null}
        </div>
      </div>
      {open === 'on' ? (
        <Dialog close={close} title={t('Two-factor authentication')}>
          <TotpSetup again={me.totp} done={close} />
        </Dialog>
      ) : null}
      {open === 'off' ? <TotpOff close={close} /> : null}
    </Panel>
  );
}

function Sessions({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  const end = useAct<string>({
    run: (id) => api('DELETE /me/sessions/:id', { params: { id } }),
    said: t('The session ended'),
    stale: ['me'],
  });
  return (
    <Panel
      title={t('Active sessions')}
      lead={t(
        'A session ends after {idle_minutes} minutes without use, and after {longest_hours} hours in any case.',
        SESSION,
      )}
    >
      <Table columns={[t('Browser'), t('From'), t('Signed in'), t('Last seen'), unseen(t('Actions'))]}>
        {sessions.map((one) => (
          <tr key={one.id}>
            <td>
              <span title={one.browser}>{browserText(one.browser) ?? t('Unknown browser')}</span>{' '}
              {one.current ? <Tag tone="accent">{t('This session')}</Tag> : null}
            </td>
            <td>
              {one.country === null ? null : <div>{countryText(one.country)}</div>}
              <span className={one.country === null ? 'mono' : 'mono muted small'}>{one.from}</span>
            </td>
            <td>
              <When at={one.created_at} />
            </td>
            <td>
              <When at={one.seen_at} ago="people" />
            </td>
            <td className="right">
              {one.current ? null : (
                <Button variant="default" size="xs" onClick={() => end.mutate(one.id)}>
                  {t('End [session]')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
