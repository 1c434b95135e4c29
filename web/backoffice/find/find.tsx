// One search box for orders, customers, cards, references, requests, settings and pages. It works by keyboard: arrows
// move, Enter opens, Escape closes.
import { Kbd, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { recentThings } from '../base/recent.ts';
import { rich } from '../base/rich.ts';
import { go } from '../base/router.tsx';
import { useSession } from '../base/session.tsx';
import { t } from '../base/texts.ts';
import { Icon } from '../parts/icons.tsx';
import { type Found, type Group, findHere, findThere } from './sources.ts';

type Props = { readonly pages: readonly Found[]; readonly close: () => void };

const PAUSE_MS = 200;
const LEAST = 2;

export function Find({ pages, close }: Props) {
  const [typed, setTyped] = useState('');
  const { groups, waiting, failed } = useFound(typed.trim(), pages);
  const all = groups.flatMap(({ found }) => found);
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, all.length - 1);
  const id = useId();
  const open = (found: Found | undefined) => {
    if (!found) return;
    close();
    go(found.to);
  };
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0 && all.length > 0) {
      event.preventDefault();
      setAt((chosen + by + all.length) % all.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      open(all[chosen]);
    }
  };
  return (
    <Modal opened onClose={close} title={t('Find anything')} size={620} yOffset="10vh">
      <div className="find-field">
        <Icon name="search" />
        <input
          // the dialog would set the focus a moment later, and text typed right after Ctrl-K would be lost
          autoFocus
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-label={t('Find anything')}
          {...(all.length > 0 ? { 'aria-activedescendant': `${id}-${chosen}` } : {})}
          placeholder={t('Reference, id, name, e-mail, last four digits, amount, setting or page')}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={keys}
        />
      </div>
      <p className="unseen" role="status">
        {waiting ? t('Searching') : t('{count} found', { count: all.length })}
      </p>
      <List groups={groups} id={id} at={chosen} show={setAt} open={open} />
      {all.length === 0 ? (
        <p className="padded muted">
          {failed
            ? t('Orders and customers could not be searched.')
            : waiting
              ? t('Searching…')
              : t('Nothing is found by this.')}
        </p>
      ) : null}
      <p className="find-keys">
        {rich('{up} {down} walk · {enter} open · {escape} close', {
          up: <ArrowKey icon="up" word={t('Up')} />,
          down: <ArrowKey icon="down" word={t('Down')} />,
          enter: <Kbd size="xs">{t('Enter')}</Kbd>,
          escape: <Kbd size="xs">{t('Esc')}</Kbd>,
        })}
      </p>
    </Modal>
  );
}

/** The arrows are drawn, because not every font has them. */
function ArrowKey({ icon, word }: { readonly icon: 'up' | 'down'; readonly word: string }) {
  return (
    <Kbd size="xs">
      <Icon name={icon} size={11} />
      <span className="unseen">{word}</span>
    </Kbd>
  );
}

function useFound(typed: string, pages: readonly Found[]) {
  const { may, session } = useSession();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    // waits for a pause in typing before it searches
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const enabled = asked.length >= LEAST;
  const there = useQuery({
    queryKey: ['find', session.account.id, asked],
    queryFn: ({ signal }) => findThere({ typed: asked, requests: may('requests'), signal }),
    enabled,
  });
  const waiting = typed.length >= LEAST && (typed !== asked || there.isFetching);
  const groups =
    typed === '' ? recent(pages) : [...(enabled && there.data ? there.data : []), ...findHere(typed, pages)];
  return { groups: groups.filter(({ found }) => found.length > 0), waiting, failed: enabled && there.isError };
}

function recent(pages: readonly Found[]): readonly Group[] {
  const seen = recentThings().map(({ to, title }) => ({
    to,
    title,
    icon: to.startsWith('/orders') ? ('orders' as const) : ('customers' as const),
  }));
  return [
    { name: t('Recent'), found: seen },
    { name: t('Pages'), found: pages },
  ];
}

type ListProps = {
  readonly groups: readonly Group[];
  readonly id: string;
  readonly at: number;
  readonly show: (at: number) => void;
  readonly open: (found: Found) => void;
};

function List({ groups, id, at, show, open }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, groups]);
  const firsts = groups.map((_, n) => groups.slice(0, n).reduce((sum, { found }) => sum + found.length, 0));
  return (
    <div className="find-list" id={`${id}-list`} role="listbox" aria-label={t('Found')} ref={list} tabIndex={-1}>
      {groups.map(({ name, found }, g) => (
        <div key={name} role="group" aria-label={name}>
          <div className="find-group" aria-hidden="true">
            {name}
          </div>
          {found.map((one, n) => {
            const own = (firsts[g] ?? 0) + n;
            return (
              <div
                key={`${one.to} ${one.title}`}
                id={`${id}-${own}`}
                role="option"
                aria-selected={own === at}
                className="find-one"
                onMouseMove={() => show(own)}
                onClick={() => open(one)}
              >
                <Icon name={one.icon} size={16} />
                <span className="find-text">
                  <span>{one.title}</span>
                  {one.text === undefined ? null : <small>{one.text}</small>}
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
