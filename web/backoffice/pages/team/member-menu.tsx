// Actions on one member: change the role, end their sessions, unlock, remove.
import { ActionIcon, Menu, Select } from '@mantine/core';
import { useState } from 'react';
import type { Member, ReasonForm, RoleForm, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { choicesOf } from './role-words.ts';

type Props = { readonly member: Member; readonly roles: readonly TeamRole[] };

export function MemberMenu({ member, roles }: Props) {
  const [open, setOpen] = useState<'role' | 'remove'>();
  const close = () => setOpen(undefined);
  const end = useAct({
    run: () => api('DELETE /team/:id/sessions', { params: { id: member.id } }),
    said: t('{name} is signed out of this account', { name: member.name }),
    stale: ['team'],
  });
  const unlock = useAct({
    run: () => api('POST /team/:id/unlock', { params: { id: member.id } }),
    said: t('{name} can sign in again', { name: member.name }),
    stale: ['team'],
  });
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name: member.name })}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('role')}>
            {t('Change role')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="leave" size={16} />}
            disabled={member.sessions === 0}
            onClick={() => end.mutate()}
          >
            {plural(member.sessions, 'End {count} session', 'End {count} sessions')}
          </Menu.Item>
          {member.locked_until === null ? null : (
            <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => unlock.mutate()}>
              {t('Unlock')}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Icon name="trash" size={16} />} onClick={() => setOpen('remove')}>
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'role' ? <ChangeRole member={member} roles={roles} close={close} /> : null}
      {open === 'remove' ? <Removal member={member} close={close} /> : null}
    </>
  );
}

function Removal({ member, close }: { readonly member: Member; readonly close: () => void }) {
  return (
    <AskReason
      title={t('Remove {name}', { name: member.name })}
      yes={t('Remove')}
      danger
      run={(reason) =>
        api('POST /team/:id/remove', { params: { id: member.id }, body: { reason } satisfies ReasonForm })
      }
      said={t('{name} was removed', { name: member.name })}
      stale={['team']}
      close={close}
    >
      <p>
        {t(
          'They are signed out at once and see nothing of this account any more. What they did stays in the audit log.',
        )}
      </p>
    </AskReason>
  );
}

function ChangeRole({ member, roles, close }: Props & { readonly close: () => void }) {
  const [role, setRole] = useState(member.role);
  return (
    <AskReason
      title={t('Role of {name}', { name: member.name })}
      yes={t('Change role')}
      run={(reason) => api('PUT /team/:id', { params: { id: member.id }, body: { role, reason } satisfies RoleForm })}
      said={t('The role was changed')}
      stale={['team']}
      close={close}
    >
      <Select
        label={t('Role')}
        data={choicesOf(roles)}
        value={role}
        onChange={(value) => setRole(value ?? member.role)}
      />
    </AskReason>
  );
}
