// What stands around every page: navigation, account, person.
import { ActionIcon, Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Right } from '../../src/backoffice/wire/session.ts';
import { useAsk } from './base/ask.ts';
import { Link } from './base/router.tsx';
import { useSession } from './base/session.tsx';
import { texts } from './base/texts.ts';
import { FindButton, FindDialog } from './find/open.tsx';
import { AccountMenu, PersonMenu } from './menus.tsx';
import { Coin, Icon, type IconName } from './parts/icons.tsx';

type Entry = readonly [to: string, name: keyof ReturnType<typeof texts>['nav'], icon: IconName, right?: Right];
type Group = readonly [name: keyof ReturnType<typeof texts>['groups'], entries: readonly Entry[]];

const GROUPS: readonly Group[] = [
  [
    'payments',
    [
      ['/', 'overview', 'overview'],
      ['/orders', 'orders', 'orders'],
      ['/in-doubt', 'in_doubt', 'doubt'],
      ['/disputes', 'disputes', 'back'],
      ['/links', 'links', 'link'],
      ['/telephone', 'telephone', 'card', 'telephone'],
      ['/customers', 'customers', 'customers'],
      ['/reports', 'reports', 'download', 'export'],
    ],
  ],
  [
    'setup',
    [
      ['/providers', 'providers', 'providers'],
      ['/routing', 'routing', 'route'],
      ['/risk', 'risk', 'rules'],
      ['/notifications', 'notifications', 'bell'],
      ['/keys', 'keys', 'key', 'keys'],
      ['/requests', 'requests', 'updown', 'requests'],
      ['/integration', 'integration', 'settings'],
    ],
  ],
  [
    'account',
    [
      ['/team', 'team', 'team', 'team'],
      ['/audit', 'audit', 'audit', 'audit'],
      ['/sandbox', 'sandbox', 'sandbox', 'sandbox'],
    ],
  ],
];

export function Shell({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { state } = useSession();
  const offered = useOffered();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    setOpen(false);
    // a new page begins at its beginning for the keyboard and the screen reader too
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        {texts().skip}
      </a>
      <div className="shell">
        <aside className="side-wrap" aria-label={texts().account}>
          <Side path={path} />
        </aside>
        <div>
          <div className="topbar" role="region" aria-label="Florin">
            <Brand />
            <span className="grow" />
            <FindButton small />
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts().menu} onClick={() => setOpen(true)}>
              <Icon name="menu" size={22} />
            </ActionIcon>
          </div>
          {state.environment === 'sandbox' ? (
            <aside className="sandbox-bar" aria-label={texts().nav.sandbox}>
              {texts().sandbox}
            </aside>
          ) : null}
          <main id="main" ref={main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <FindDialog pages={offered} />
      <Drawer opened={open} onClose={() => setOpen(false)} position="left" size={280} title={texts().menu}>
        <div className="drawer-side">
          <Side path={path} bare />
        </div>
      </Drawer>
    </>
  );
}

/** The pages of the menu that this person may open, and their own. */
function useOffered() {
  const { may, state } = useSession();
  const entries = GROUPS.flatMap(([, own]) => own).filter((entry) => isOffered(entry, { may, state }));
  return [
    ...entries.map(([to, name, icon]) => ({ to, title: texts().nav[name], icon })),
    { to: '/me', title: texts().me, icon: 'lock' as const },
  ];
}

type Known = Pick<ReturnType<typeof useSession>, 'may' | 'state'>;

function isOffered([, name, , right]: Entry, { may, state }: Known): boolean {
  return (right === undefined || may(right)) && (name !== 'sandbox' || state.environment === 'sandbox');
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
      <nav className="nav" aria-label={bare ? texts().menu : texts().pages}>
        {GROUPS.map(([name, entries]) => (
          <div key={name}>
            <h2>{texts().groups[name]}</h2>
            <ul>
              {entries.map((entry) => (
                <Item key={entry[0]} entry={entry} path={path} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <PersonMenu />
    </div>
  );
}

function Item({ entry, path }: { readonly entry: Entry; readonly path: string }) {
  const { may, state } = useSession();
  const [to, name, icon] = entry;
  const doubt = useAsk('overview', 'GET /needs', { enabled: to === '/in-doubt', every_ms: 60_000 });
  if (!isOffered(entry, { may, state })) return null;
  const count = to === '/in-doubt' ? (doubt.data?.in_doubt ?? []).reduce((sum, row) => sum + row.count, 0) : 0;
  const here = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link to={to} {...(here ? { 'aria-current': 'page' as const } : {})}>
        <Icon name={icon} />
        {texts().nav[name]}
        {count > 0 ? <span className="count num">{count}</span> : null}
      </Link>
    </li>
  );
}
