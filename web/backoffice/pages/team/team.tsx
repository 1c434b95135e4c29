// People of this account: roles, invitations, sessions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Invitation, Member, Team } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { roleText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { initials } from '../../menus.tsx';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Heard, Table, unseen } from '../../parts/table.tsx';
import { Invite } from './invite.tsx';
import { MemberMenu } from './member-menu.tsx';
import { RolesPanel } from './roles.tsx';

export function TeamPage() {
  const asked = useAsk('team', 'GET /team');
  const { may } = useSession();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHead
        title={t('Team')}
        lead={leadOf(asked.data?.mails)}
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
      {inviting && asked.data ? <Invite team={asked.data} close={() => setInviting(false)} /> : null}
    </>
  );
}

/**
 * Wrong passwords lock a person at the address from which they came; from an address they used before they can still
 * sign in.
 */
function Locked({ members }: { readonly members: readonly Member[] }) {
  const locked = members.filter(({ locked_until }) => locked_until !== null);
  if (locked.length === 0) return null;
  return (
    <Notice tone="warn" title={t('Someone is trying passwords')}>
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

function leadOf(mails: Team['mails'] | undefined): string {
  const audited = t('Everything a person does here is recorded in the audit log.');
  if (mails === undefined) return audited;
  const about =
    mails === 'sent'
      ? t('Accepting an invitation sent by mail verifies the address.')
      : t('No mail is sent, so no address is verified.');
  return `${audited} ${about}`;
}

function Members({ team: { members, roles, mails } }: { readonly team: Team }) {
  const { may, session } = useSession();
  return (
    <Panel title={t('People')}>
      <Table columns={[t('Name'), t('Role'), t('Two-factor'), t('Last sign-in'), unseen(t('Actions'))]}>
        {members.map((member) => (
          <tr key={member.id}>
            <td>
              <span className="row nowrap">
                <span className="avatar" aria-hidden="true">
                  {initials(member.name)}
                </span>
                <span className="break">
                  <span className="strong">{member.name}</span>
                  <br />
                  <span className="muted small">{member.email}</span>{' '}
                  {mails === 'sent' && member.address_proved ? <Tag tone="good">{t('Verified')}</Tag> : null}
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
      </Table>
    </Panel>
  );
}

/** The state of the invitation's mail; an invitation by link needs no text. */
function MailOf({ invitation: { mail } }: { readonly invitation: Invitation }) {
  if (mail === undefined || mail.state === 'kept') return null;
  const words = {
    waiting: t('Mail waits'),
    sent: t('Mail sent'),
    refused: t('Mail refused'),
    given_up: t('Mail not sent'),
  };
  return (
    <>
      <br />
      <Tag tone={mail.state === 'sent' ? 'good' : mail.state === 'waiting' ? 'info' : 'bad'}>
        {words[mail.state]}
      </Tag>{' '}
      {mail.note === '' ? null : <span className="small">{mail.note}</span>}
    </>
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
        <Heard columns={[t('E-mail'), t('Role'), t('Until'), t('Actions')]} />
        <tbody>
          {team.invitations.map((one) => (
            <tr key={one.id}>
              <td className="strong">{one.email}</td>
              <td>{roleText(one)}</td>
              <td className="muted">
                {rich('by {who}, ends {ago}', { who: one.invited_by, ago: <When at={one.expires_at} ago="people" /> })}
                <MailOf invitation={one} />
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
