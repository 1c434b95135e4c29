// The frame of every page: navigation, account, person.
import { ActionIcon, Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Right } from '../../src/backoffice/wire/session.ts';
import { useAsk } from './base/ask.ts';
import { Link } from './base/router.tsx';
import { useSession } from './base/session.tsx';
import { t } from './base/texts.ts';
import { FindButton, FindDialog } from './find/open.tsx';
import { AccountMenu, PersonMenu } from './menus.tsx';
import { Coin, Icon, type IconName } from './parts/icons.tsx';

type Entry = readonly [to: string, title: string, icon: IconName, right?: Right];
type Group = readonly [title: string, entries: readonly Entry[]];

const GROUPS: readonly Group[] = [
  [
    t('Payments'),
    [
      ['/', t('Overview'), 'overview'],
      ['/orders', t('Orders'), 'orders'],
      ['/in-doubt', t('Outcome unknown'), 'doubt'],
      ['/disputes', t('Disputes'), 'back'],
      ['/retries', t('Retries'), 'refresh'],
      ['/findings', t('Reconciliation'), 'columns'],
      ['/links', t('Payment links'), 'link'],
      ['/telephone', t('Card by telephone'), 'card', 'telephone'],
      ['/customers', t('Customers'), 'customers'],
      ['/reports', t('Reports'), 'download', 'export'],
    ],
  ],
  [
    t('Setup'),
    [
      ['/providers', t('Providers'), 'providers'],
      ['/routing', t('Routing'), 'route'],
      ['/experiments', t('Experiments'), 'experiments'],
      ['/risk', t('Risk'), 'rules'],
      ['/notifications', t('Notifications'), 'bell'],
      ['/keys', t('API keys'), 'key', 'keys'],
      ['/requests', t('Requests'), 'updown', 'requests'],
      ['/integration', t('Integration'), 'settings'],
    ],
  ],
  [
    t('Account'),
    [
      ['/team', t('Team'), 'team', 'team'],
      ['/audit', t('Audit log'), 'audit', 'audit'],
      ['/sandbox', t('Sandbox'), 'sandbox', 'sandbox'],
    ],
  ],
];

/** Forms that are opened often; the search finds them as it finds pages. */
const FORMS: readonly Entry[] = [
  ['/?range=30', t('Overview of 30 days'), 'overview'],
  ['/links?new=yes', t('New payment link'), 'plus', 'links'],
  ['/reports?new=yes', t('New report'), 'plus', 'export'],
];

export function Shell({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { state } = useSession();
  const offered = useOffered();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    setOpen(false);
    // moves the focus to the start of a new page, for the keyboard and the screen reader
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <div className="shell">
        <aside className="side-wrap" aria-label={t('Account')}>
          <Side path={path} />
        </aside>
        <div>
          <div className="topbar" role="region" aria-label="Florin">
            <Brand />
            <span className="grow" />
            <FindButton small />
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Menu')} onClick={() => setOpen(true)}>
              <Icon name="menu" size={22} />
            </ActionIcon>
          </div>
          {state.environment === 'sandbox' ? (
            <aside className="sandbox-bar" aria-label={t('Sandbox')}>
              {t('Sandbox: no real money moves here')}
            </aside>
          ) : null}
          <main id="main" ref={main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <FindDialog pages={offered} />
      <Drawer opened={open} onClose={() => setOpen(false)} position="left" size={280} title={t('Menu')}>
        <div className="drawer-side">
          <Side path={path} bare />
        </div>
      </Drawer>
    </>
  );
}

/** The pages of the menu and the forms that this person may open, and their own page. */
function useOffered() {
  const { may, state } = useSession();
  const entries = [...GROUPS.flatMap(([, own]) => own), ...FORMS].filter((entry) => isOffered(entry, { may, state }));
  return [
    ...entries.map(([to, title, icon]) => ({ to, title, icon })),
    { to: '/me', title: t('Password and security'), icon: 'lock' as const },
  ];
}

type Known = Pick<ReturnType<typeof useSession>, 'may' | 'state'>;

function isOffered([to, , , right]: Entry, { may, state }: Known): boolean {
  return (right === undefined || may(right)) && (to !== '/sandbox' || state.environment === 'sandbox');
}

function Brand() {
  return (
    <Link to="/" className="brand">
      <Coin />
      Florin
    </Link>
  );
}

function Side({ path, bare = false }: { readonly path: string; readonly bare?: boolean }) {
  return (
    <div className="side">
      {bare ? null : <Brand />}
      {bare ? null : <FindButton />}
      <AccountMenu />
      <nav className="nav" aria-label={bare ? t('Menu') : t('Pages')}>
        {GROUPS.map((group) => (
          <Entries key={group[0]} group={group} path={path} />
        ))}
      </nav>
      <PersonMenu />
    </div>
  );
}

/**
 * Without an entry that the person may open, the group is not there. Its title is no heading: it stands above the
 * page's own.
 */
function Entries({ group: [title, entries], path }: { readonly group: Group; readonly path: string }) {
  const { may, state } = useSession();
  const id = useId();
  const offered = entries.filter((entry) => isOffered(entry, { may, state }));
  if (offered.length === 0) return null;
  return (
    <>
      <p className="group" id={id}>
        {title}
      </p>
      <ul aria-labelledby={id}>
        {offered.map((entry) => (
          <Item key={entry[0]} entry={entry} path={path} />
        ))}
      </ul>
    </>
  );
}

function Item({ entry, path }: { readonly entry: Entry; readonly path: string }) {
  const [to, title, icon] = entry;
  const doubt = useAsk('overview', 'GET /needs', { enabled: to === '/in-doubt', every_ms: 60_000 });
  const count = to === '/in-doubt' ? (doubt.data?.in_doubt ?? []).reduce((sum, row) => sum + row.count, 0) : 0;
  const here = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link to={to} {...(here ? { 'aria-current': 'page' as const } : {})}>
        <Icon name={icon} />
        {title}
        {count > 0 ? <span className="count num">{count}</span> : null}
      </Link>
    </li>
  );
}
