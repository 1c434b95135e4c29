// Invites a person: by mail if the deployment sends mails, else by a link to hand over.
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InvitationForm, NewInvitation, Team } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { choicesOf } from './role-words.ts';

type Props = { readonly team: Team; readonly close: () => void };

export function Invite({ team: { roles, mails }, close }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('reader');
  const [by, setBy] = useState<'mail' | 'link'>(mails === 'sent' ? 'mail' : 'link');
  const [link, setLink] = useState<string>();
  const act = useAct({
    // a sandbox that keeps mails keeps this one too
    run: () =>
      api('POST /team/invitations', {
        body: { email, role, ...(mails === 'sent' && { by }) } satisfies InvitationForm,
      }),
    quiet: true,
    stale: ['team'],
    said: ({ link: made }) =>
      made === null ? t('The invitation is on its way to {email}', { email }) : t('The link is ready'),
    done: (made: NewInvitation) => (made.link === null ? close() : setLink(made.link)),
  });
  const { at, other } = errorsOf(act.error, ['email', 'role']);
  if (link !== undefined)
    return (
      <ShownOnce title={t('The invitation is ready')} text={link} label={t('the link')} close={close}>
        {mails === 'kept' ? <p>{t('A mail with it is on the page Sandbox.')}</p> : null}
        <p>{t('Hand this link to {email}; it works once and is not shown again.', { email })}</p>
      </ShownOnce>
    );
  return (
    <Dialog close={close} title={t('Invite a person')}>
      <Form
        submit={by === 'mail' ? t('Send invitation') : t('Create link')}
        busy={act.isPending}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        <TextInput
          label={t('E-mail')}
          type="email"
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={at['email']}
        />
        <Select
          label={t('Role')}
          data={choicesOf(roles)}
          value={role}
          onChange={(value) => setRole(value ?? 'reader')}
          error={at['role']}
        />
        {mails === 'sent' ? (
          <SegmentedControl
            aria-label={t('How the invitation gets there')}
            fullWidth
            data={[
              { value: 'mail', label: t('Send a mail') },
              { value: 'link', label: t('Show me a link') },
            ]}
            value={by}
            onChange={(value) => setBy(value === 'link' ? 'link' : 'mail')}
          />
        ) : null}
      </Form>
    </Dialog>
  );
}
