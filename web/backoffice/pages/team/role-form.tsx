// A role of the account's own: its name and its rights; rights that this person may not give are greyed out.
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OwnRoleForm, Right, RoleChangeForm, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { roleText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { GROUPS } from './role-words.ts';

type Props = {
  /** The role whose values the form shows at first. */
  readonly from: TeamRole | undefined;
  /** True: that role is changed; else a new one is made. */
  readonly change: boolean;
  readonly close: () => void;
};

export function RoleForm({ from, change, close }: Props) {
  const [name, setName] = useState(change && from ? roleText(from) : '');
  const [rights, setRights] = useState<readonly Right[]>(from?.rights ?? ['read']);
  // the list behind may get newer while the form is open
  const [was] = useState(from?.rights);
  const send = (reason: string) => {
    const body: OwnRoleForm = { name: name.trim(), rights, reason };
    if (change && from)
      return api('PUT /team/roles/:id', {
        params: { id: from.role },
        body: { ...body, ...(was && { was }) } satisfies RoleChangeForm,
      });
    return api('POST /team/roles', { body });
  };
  const title = change
    ? t('Change {name}', { name })
    : from
      ? t('Copy of {from}', { from: roleText(from) })
      : t('New role');
  return (
    <AskReason
      title={title}
      yes={change ? t('Change role') : t('Make role')}
      run={send}
      fields={['name', 'rights']}
      said={change ? t('The role was changed') : t('The role was made')}
      stale={['team']}
      close={close}
      wide
    >
      {(at) => (
        <>
          {change && from && from.members > 0 ? (
            <p>
              {plural(
                from.members,
                'It holds at once for the person who has it.',
                'It holds at once for the {count} people who have it.',
              )}
            </p>
          ) : null}
          <TextInput
            label={t('Name')}
            maxLength={40}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={at['name']}
          />
          <Rights rights={rights} choose={setRights} />
          {at['rights'] === undefined ? null : <Notice tone="bad">{at['rights']}</Notice>}
        </>
      )}
    </AskReason>
  );
}

type RightsProps = { readonly rights: readonly Right[]; readonly choose: (rights: readonly Right[]) => void };

function Rights({ rights, choose }: RightsProps) {
  const { session, state } = useSession();
  const set = (right: Right, on: boolean) => choose(on ? [...rights, right] : rights.filter((one) => one !== right));
  const shown = (right: Right) => right !== 'sandbox' || state.environment === 'sandbox' || rights.includes(right);
  return (
    <div className="rights">
      {GROUPS.map((group) => (
        <fieldset key={group.title}>
          <legend>{group.title}</legend>
          {group.rights
            .filter(([right]) => shown(right))
            .map(([right, label, description]) => (
              <Checkbox
                key={right}
                size="sm"
                label={label}
                description={
                  session.rights.includes(right) ? description : `${description} ${t('You do not have it.')}`
                }
                disabled={right === 'read' || !session.rights.includes(right)}
                checked={rights.includes(right)}
                onChange={(event) => set(right, event.currentTarget.checked)}
              />
            ))}
        </fieldset>
      ))}
    </div>
  );
}
