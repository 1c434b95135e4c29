// The roles of the account: the built-in ones, and its own.
import { ActionIcon, Button, Menu, Select } from '@mantine/core';
import { useState } from 'react';
import type { RoleRemovalForm, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { roleText } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag } from '../../parts/show.tsx';
import { Table, unseen } from '../../parts/table.tsx';
import { RoleForm } from './role-form.tsx';
import { choicesOf, roleLine } from './role-words.ts';

type Roles = { readonly roles: readonly TeamRole[] };

export function RolesPanel({ roles }: Roles) {
  const [making, setMaking] = useState(false);
  return (
    <Panel
      title={t('Roles')}
      lead={t('What people may do. Where none fits, copy one and change it.')}
      actions={
        <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
          {t('New role')}
        </Button>
      }
    >
      <Table columns={[t('Role'), t('People'), unseen(t('Actions'))]}>
        {roles.map((one) => (
          <tr key={one.role}>
            <td>
              <span className="strong">{roleText(one)}</span> {one.yours ? <Tag>{t('Yours')}</Tag> : null}
              <br />
              <span className="muted small">{roleLine(one)}</span>
            </td>
            <td className="nowrap">{peopleOf(one)}</td>
            <td className="right">
              <RoleMenu role={one} roles={roles} />
            </td>
          </tr>
        ))}
      </Table>
      {making ? <RoleForm from={undefined} change={false} close={() => setMaking(false)} /> : null}
    </Panel>
  );
}

function peopleOf({ members, invitations }: TeamRole): string {
  const held = members === 0 ? t('No one') : plural(members, '{count} person', '{count} people');
  return invitations === 0 ? held : t('{held}, {invitations} invited', { held, invitations });
}

function RoleMenu({ role, roles }: Roles & { readonly role: TeamRole }) {
  const [open, setOpen] = useState<'copy' | 'change' | 'remove'>();
  const close = () => setOpen(undefined);
  const own = role.role_name !== undefined;
  const fixed = !role.may_give || role.yours;
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Actions for the role {role}', { role: roleText(role) })}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="copy" size={16} />} onClick={() => setOpen('copy')}>
            {t('Copy')}
          </Menu.Item>
          {own ? (
            <>
              <Menu.Item
                leftSection={<Icon name="edit" size={16} />}
                disabled={fixed}
                onClick={() => setOpen('change')}
              >
                {t('Change')}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" size={16} />}
                disabled={fixed}
                onClick={() => setOpen('remove')}
              >
                {t('Remove')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {open === 'copy' || open === 'change' ? <RoleForm from={role} change={open === 'change'} close={close} /> : null}
      {open === 'remove' ? <Removal role={role} roles={roles} close={close} /> : null}
    </>
  );
}

function Removal({ role, roles, close }: Roles & { readonly role: TeamRole; readonly close: () => void }) {
  const [becomes, setBecomes] = useState<string | null>(null);
  const send = (reason: string) => {
    const body: RoleRemovalForm = { reason, ...(becomes !== null && { becomes }) };
    return api('POST /team/roles/:id/remove', { params: { id: role.role }, body });
  };
  return (
    <AskReason
      title={t('Remove {role}', { role: roleText(role) })}
      yes={t('Remove')}
      danger
      run={send}
      fields={['becomes']}
      said={t('The role was removed')}
      stale={['team']}
      close={close}
    >
      {(at) => (
        <>
          {role.invitations > 0 ? <p>{t('Open invitations to this role are revoked.')}</p> : null}
          {role.members > 0 ? (
            <Select
              label={plural(role.members, 'One person has it, and becomes', '{count} people have it, and become')}
              data={choicesOf(roles.filter((one) => one.role !== role.role))}
              value={becomes}
              onChange={setBecomes}
              error={at['becomes']}
            />
          ) : null}
        </>
      )}
    </AskReason>
  );
}
