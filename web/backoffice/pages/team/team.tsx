// People of this account: roles, invitations, sessions.
import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InvitationForm, Member, NewInvitation, Team, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { roleText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { initials } from '../../menus.tsx';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { Secret, Tag, When } from '../../parts/show.tsx';
import { MemberMenu } from './member-menu.tsx';
import { choicesOf } from './role-words.ts';
import { RolesPanel } from './roles.tsx';

export function TeamPage() {
  const asked = useAsk('team', 'GET /team');
  const { may } = useSession();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHead
        title={t('Team')}
        lead={t(
          'Everything a person does here is recorded in the audit log. Florin sends no mail, so no address is verified.',
        )}
        actions={
          may('team') ? (
            <>
              <Button variant="default" component={Link} to="/team/sign-on">
                {t('Single sign-on')}
              </Button>
              <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
                {t('Invite')}
              </Button>
            </>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {(team) => (
          <div className="stack">
            <Locked members={team.members} />
            <Members team={team} />
            <Invitations team={team} />
            <RolesPanel roles={team.roles} />
          </div>
        )}
      </Asked>
      {inviting ? <Invite roles={asked.data?.roles ?? []} close={() => setInviting(false)} /> : null}
    </>
  );
}

/** Wrong passwords lock a person where they come from; from an address they signed in from before they still can. */
function Locked({ members }: { readonly members: readonly Member[] }) {
  const locked = members.filter(({ locked_until }) => locked_until !== null);
  if (locked.length === 0) return null;
  return (
    <Notice tone="warn" title={t('Somebody tries passwords')}>
      {locked.map(({ id, name, locked_until }) => (
        <p key={id}>
          {rich('{name} is locked until {at}, except at other addresses they have signed in from before.', {
            name,
            at: <When at={locked_until} />,
          })}
        </p>
      ))}
    </Notice>
  );
}

function Members({ team: { members, roles } }: { readonly team: Team }) {
  const { may, session } = useSession();
  return (
    <Panel title={t('People')}>
      <div className="table-wrap">
        <table className="table cards">
          <thead>
            <tr>
              <th>{t('Name')}</th>
              <th>{t('Role')}</th>
              <th>{t('Two-factor')}</th>
              <th>{t('Last sign-in')}</th>
              <th>
                <span className="unseen">{t('Actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  <span className="row nowrap">
                    <span className="avatar" aria-hidden="true">
                      {initials(member.name)}
                    </span>
                    <span>
                      <span className="strong">{member.name}</span>
                      <br />
                      <span className="muted small">{member.email}</span>
                      {member.invited_by === null ? null : (
                        <>
                          <br />
                          <span className="muted small">
                            {t('Invited by {invited_by}', { invited_by: member.invited_by })}
                          </span>
                        </>
                      )}
                    </span>
                  </span>
                </td>
                <td>
                  {roleText(member)} {member.locked_until === null ? null : <Tag tone="warn">{t('Locked')}</Tag>}
                </td>
                <td>{member.totp ? <Tag tone="good">{t('On [second factor]')}</Tag> : <Tag>{t('Off')}</Tag>}</td>
                <td>
                  {member.last_login_at === null ? (
                    <span className="muted">{t('Never')}</span>
                  ) : (
                    <When at={member.last_login_at} ago="people" />
                  )}
                </td>
                <td className="right">
                  {may('team') && member.id !== session.person.id ? <MemberMenu member={member} roles={roles} /> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

type InviteProps = { readonly roles: readonly TeamRole[]; readonly close: () => void };

function Invite({ roles, close }: InviteProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('reader');
  const [link, setLink] = useState<string>();
  const act = useAct({
    run: () => api('POST /team/invitations', { body: { email, role } satisfies InvitationForm }),
    quiet: true,
    stale: ['team'],
    done: (made: NewInvitation) => setLink(made.link),
  });
  const { at, other } = errorsOf(act.error, ['email', 'role']);
  if (link !== undefined)
    return (
      <Modal opened onClose={close} title={t('The invitation is ready')} closeOnClickOutside={false}>
        <div className="stack">
          <p>
            {t('Florin sends no mail. Hand this link to {email}; it works once and is not shown again.', { email })}
          </p>
          <Secret text={link} label={t('the link')} />
          <div className="row end">
            <Button onClick={close}>{t('I have copied it')}</Button>
          </div>
        </div>
      </Modal>
    );
  return (
    <Modal opened onClose={close} title={t('Invite a person')}>
      <Form submit={t('Create link')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
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
      </Form>
    </Modal>
  );
}

function Invitations({ team }: { readonly team: Team }) {
  const { may } = useSession();
  const take = useAct<string>({
    run: (id) => api('DELETE /team/invitations/:id', { params: { id } }),
    said: t('Invitation revoked'),
    stale: ['team'],
  });
  if (team.invitations.length === 0)
    return <Notice>{t('No invitation is open. Who is invited gets a link that works once.')}</Notice>;
  return (
    <Panel title={t('Open invitations')}>
      <table className="table cards">
        <tbody>
          {team.invitations.map((one) => (
            <tr key={one.id}>
              <td className="strong">{one.email}</td>
              <td>{roleText(one)}</td>
              <td className="muted">
                {rich('by {who}, ends {ago}', { who: one.invited_by, ago: <When at={one.expires_at} ago="people" /> })}
              </td>
              <td className="right">
                {may('team') ? (
                  <Button size="xs" variant="default" onClick={() => take.mutate(one.id)}>
                    {t('Revoke')}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
