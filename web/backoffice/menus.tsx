// The two menus at the side: the choice of the account, and the person's own menu.
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { api } from './base/api.ts';
import { forgetAll } from './base/recent.ts';
import { go } from './base/router.tsx';
import { useEnter, useSession } from './base/session.tsx';
import { t } from './base/texts.ts';
import { roleText } from './base/format.ts';
import { tellError } from './base/toast.tsx';
import { forgetUnsaved } from './base/unsaved.ts';
import { Icon } from './parts/icons.tsx';

export const initials = (name: string) =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => [...word].slice(0, 1).join('').toUpperCase())
    .join('');

export function AccountMenu() {
  const { session } = useSession();
  const enter = useEnter();
  const change = (account_id: string) => {
    api('POST /session/account', { body: { account_id } })
      .then(enter)
      .then(() => go('/'))
      .catch((error: unknown) => tellError(t('The account was not changed'), error));
  };
  const { account, accounts } = session;
  return (
    <Menu width={228} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <span className="avatar" aria-hidden="true">
            {initials(account.name)}
          </span>
          <span>
            <span className="unseen">{t('Account')}: </span>
            <b>{account.name}</b>
            <small>{roleText(account)}</small>
          </span>
          <Icon name="updown" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Merchant accounts')}</Menu.Label>
        {accounts.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() => change(one.id)}
            rightSection={one.id === account.id ? <Icon name="check" size={16} /> : null}
          >
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function PersonMenu() {
  const { session, state } = useSession();
  const enter = useEnter();
  const leaveNow = async () => {
    const { provider_url } = await api('DELETE /session');
    forgetAll();
    forgetUnsaved();
    enter({ ...state, session: null });
    // the identity provider can then end its own session too, if the person wants it
    if (provider_url !== null) window.location.assign(provider_url);
  };
  const leave = () => {
    leaveNow().catch((error: unknown) => tellError(t('You are still signed in'), error));
  };
  return (
    <Menu width={228} position="top-start">
      <Menu.Target>
        <UnstyledButton className="switcher">
          <span className="avatar" aria-hidden="true">
            {initials(session.person.name)}
          </span>
          <span>
            <span className="unseen">{t('You')}: </span>
            <b>{session.person.name}</b>
            <small>{session.person.email}</small>
          </span>
          <Icon name="updown" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="lock" size={16} />} onClick={() => go('/me')}>
          {t('Password and security')}
        </Menu.Item>
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={leave}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    ['light', 'sun', t('Light')],
    ['dark', 'moon', t('Dark')],
    ['auto', 'settings', t('System [device]')],
  ] as const;
  return schemes.map(([scheme, icon, title]) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon name={icon} size={16} />}
      rightSection={colorScheme === scheme ? <Icon name="check" size={16} /> : null}
      onClick={() => setColorScheme(scheme)}
    >
      {title}
    </Menu.Item>
  ));
}
