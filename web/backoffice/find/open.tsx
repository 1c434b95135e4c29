// Opens the search: a button, and Ctrl-K (Command-K) on every page, also while a person types. The search itself is
// loaded then.
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { Suspense, lazy, useEffect, useState } from 'react';
import { rememberFor } from '../base/recent.ts';
import { useSession } from '../base/session.tsx';
import { t, wholeLanguage } from '../base/texts.ts';
import { Icon } from '../parts/icons.tsx';
import type { Found } from './sources.ts';

const Find = lazy(async () => {
  await wholeLanguage();
  return { default: (await import('./find.tsx')).Find };
});

type Props = {
  /** The pages that this person may open. */
  readonly pages: readonly Found[];
  /** True: there is room for an icon only. */
  readonly small?: boolean;
};

export function FindButton({ small = false }: Pick<Props, 'small'>) {
  const open = () => document.dispatchEvent(new Event(OPEN));
  return small ? (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Find anything')} onClick={open}>
      <Icon name="search" size={20} />
    </ActionIcon>
  ) : (
    <UnstyledButton className="find-button" onClick={open} aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" size={16} />
      {t('Find anything')}
      <Kbd size="xs">Ctrl K</Kbd>
    </UnstyledButton>
  );
}

const OPEN = 'florin-find';

/** Mounted once beside the pages; it handles the buttons and the keys. */
export function FindDialog({ pages }: Pick<Props, 'pages'>) {
  const { session } = useSession();
  const [shown, setShown] = useState(false);
  useEffect(() => rememberFor(session.account.id), [session.account.id]);
  useEffect(() => {
    const open = () => setShown(true);
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // not above a form that moves money
      if (!document.querySelector('[role="dialog"]')) setShown(true);
    };
    document.addEventListener(OPEN, open);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener(OPEN, open);
      document.removeEventListener('keydown', pressed);
    };
  }, []);
  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <Find pages={pages} close={() => setShown(false)} />
    </Suspense>
  );
}
