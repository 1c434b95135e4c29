// Single sign-on of the account: the identity provider, the addresses for which it is asked, and the other ways to sign
// in.
import { Button, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SESSION } from '../../../../src/core/people/limits.ts';
import type { ReasonForm } from '../../../../src/backoffice/wire/session.ts';
import type { SignOn, SignOnForm, SignOnRole, SignOnSettings } from '../../../../src/backoffice/wire/sign-on.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { roleText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { Secret, Tag } from '../../parts/show.tsx';
import { PasswordField } from '../../parts/password.tsx';

export function SignOnPage() {
  const asked = useAsk('sign-on', 'GET /sign-on');
  return (
    <>
      <PageHead
        title={t('Single sign-on')}
        lead={t('People sign in at your company’s provider of identities (OpenID Connect).')}
      />
      <Asked asked={asked}>{(sign_on) => <Content sign_on={sign_on} />}</Asked>
    </>
  );
}

function Content({ sign_on }: { readonly sign_on: SignOn }) {
  const { session } = useSession();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const owner = session.account.role === 'owner';
  const { settings } = sign_on;
  return (
    <div className="stack">
      <Notice title={t('Owners always have a way in')}>
        {t(
          'Owners can always sign in with their password and second factor, also when the provider is away or passwords are off for everyone else. Keep at least two owners, and their recovery codes where you find them.',
        )}
      </Notice>
      <Panel
        title={t('Identity provider')}
        lead={settings?.issuer ?? t('None is set up: people sign in with passwords and passkeys.')}
        actions={settings ? <Tag tone="good">{t('On [sign on]')}</Tag> : <Tag>{t('Off [sign on]')}</Tag>}
        padded
      >
        <div className="stack">
          {settings ? <Facts settings={settings} /> : null}
          {owner ? (
            <div className="row">
              <Button onClick={() => setOpen('change')}>{settings ? t('Change') : t('Set up single sign-on')}</Button>
              {settings ? (
                <Button variant="default" onClick={() => setOpen('remove')}>
                  {t('Remove')}
                </Button>
              ) : null}
            </div>
          ) : (
            <p className="muted">{t('Only an owner can change it: the provider decides who everyone is.')}</p>
          )}
        </div>
      </Panel>
      <Panel title={t('What the provider needs to know')} padded>
        <div className="stack">
          <p className="muted">
            {t(
              'Register Florin there as a confidential web client for the authorization code with PKCE, scopes openid, email and profile.',
            )}
          </p>
          <p className="strong">{t('Redirect address')}</p>
          <Secret text={sign_on.redirect_uri} label={t('the redirect address')} />
          <p className="strong">{t('Address after signing out')}</p>
          <Secret text={sign_on.sign_out_uri} label={t('the address after signing out')} />
          <p className="muted">
            {t(
              'A session ends after {idle_minutes} minutes without use, and after {longest_hours} hours at the latest. Until then a person who was removed at the provider may stay signed in. Remove them from the team, or end their sessions there, to sign them out at once.',
              SESSION,
            )}
          </p>
        </div>
      </Panel>
      {open === 'change' ? <Change settings={settings} close={() => setOpen(undefined)} /> : null}
      {open === 'remove' ? <Removal close={() => setOpen(undefined)} /> : null}
    </div>
  );
}

function Facts({ settings }: { readonly settings: SignOnSettings }) {
  const { client_id, domains, passwords, new_role } = settings;
  const rows: readonly (readonly [string, string])[] = [
    [t('Client id'), client_id],
    [t('Domains'), domains.join(', ')],
    [t('Passwords and passkeys'), passwords ? t('Open the account, too') : t('Open it for owners alone')],
    [
      t('People who were not invited'),
      new_role === null ? t('Is refused') : t('Joins as {role}', { role: roleText({ role: new_role }) }),
    ],
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const NOBODY = 'nobody';
const ROLES: readonly SignOnRole[] = ['reader', 'operator', 'developer', 'administrator'];
const FIELDS = [...PROOF_FIELDS, 'issuer', 'client_id', 'client_secret', 'domains', 'passwords', 'reason'] as const;

function Change({ settings, close }: { readonly settings: SignOnSettings | null; readonly close: () => void }) {
  const [form, setForm] = useState({
    issuer: settings?.issuer ?? '',
    client_id: settings?.client_id ?? '',
    client_secret: '',
    domains: settings?.domains ?? [],
    passwords: settings?.passwords ?? true,
    new_role: settings?.new_role ?? null,
    reason: '',
  });
  const proof = useProof();
  const act = useAct({
    run: () => {
      const { new_role, client_secret, ...rest } = form;
      const body: SignOnForm = {
        ...rest,
        ...(client_secret !== '' && { client_secret }),
        ...(new_role !== null && { new_role }),
      };
      return proof.run(() => api('PUT /sign-on', { body }));
    },
    said: t('Single sign-on was changed'),
    quiet: true,
    stale: ['sign-on'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, [...FIELDS, ...form.domains.map((_, i) => `domains[${i}]`)]);
  const of_domains = Object.entries(at).find(([field]) => field.startsWith('domains'))?.[1];
  return (
    <Dialog close={close} title={t('Single sign-on')}>
      <Form submit={t('Save')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Issuer [identity]')}
          description={t('The address under which the provider publishes its configuration.')}
          data-autofocus
          value={form.issuer}
          onChange={(event) => setForm({ ...form, issuer: event.currentTarget.value })}
          error={at['issuer']}
        />
        <TextInput
          label={t('Client id')}
          value={form.client_id}
          onChange={(event) => setForm({ ...form, client_id: event.currentTarget.value })}
          error={at['client_id']}
        />
        <PasswordField
          label={t('Client secret')}
          description={settings ? t('Kept as it is where you leave it empty; it is never shown.') : undefined}
          autoComplete="off"
          value={form.client_secret}
          onChange={(event) => setForm({ ...form, client_secret: event.currentTarget.value })}
          error={at['client_secret']}
        />
        <TagsInput
          label={t('Domains')}
          description={t('Of the e-mail addresses whose people sign in there.')}
          value={[...form.domains]}
          onChange={(domains) => setForm({ ...form, domains })}
          error={of_domains}
        />
        <Select
          label={t('People who were not invited')}
          data={[
            { value: NOBODY, label: t('Is refused') },
            ...ROLES.map((role) => ({
              value: role as string,
              label: t('Joins as {role}', { role: roleText({ role }) }),
            })),
          ]}
          value={form.new_role ?? NOBODY}
          onChange={(value) => setForm({ ...form, new_role: ROLES.find((role) => role === value) ?? null })}
        />
        <Switch
          label={t('Passwords and passkeys open the account, too')}
          description={t('Switched off they open it for owners alone.')}
          checked={form.passwords}
          onChange={(event) => setForm({ ...form, passwords: event.currentTarget.checked })}
          error={at['passwords']}
        />
        <TextInput
          label={t('Reason')}
          value={form.reason}
          onChange={(event) => setForm({ ...form, reason: event.currentTarget.value })}
          error={at['reason']}
        />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}

function Removal({ close }: { readonly close: () => void }) {
  const [reason, setReason] = useState('');
  const proof = useProof();
  const act = useAct({
    run: () => proof.run(() => api('POST /sign-on/remove', { body: { reason } satisfies ReasonForm })),
    said: t('Single sign-on was removed'),
    quiet: true,
    stale: ['sign-on'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, [...PROOF_FIELDS, 'reason']);
  return (
    <Dialog close={close} title={t('Remove single sign-on')}>
      <Form submit={t('Remove')} danger busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>{t('Who came in by it is signed out at once. Passwords open the account again.')}</p>
        <TextInput
          label={t('Reason')}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}
