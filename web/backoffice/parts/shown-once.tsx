// A dialog with what is shown once, to be copied: a key, a secret, a link. A click beside it does not close it; Escape,
// another page and the browser's own ways out ask first.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../base/texts.ts';
import { Dialog, useShownOnce } from './dialog.tsx';
import { Notice } from './page.tsx';
import { Secret } from './show.tsx';

type Props = {
  readonly title: string;
  /** What is copied, and its name. */
  readonly text: string;
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
};

export function ShownOnce({ title, close, ...shown }: Props) {
  return (
    <Dialog close={close} title={title}>
      <Content close={close} {...shown} />
    </Dialog>
  );
}

function Content({ text, label, close, children }: Omit<Props, 'title'>) {
  useShownOnce(t('It is not shown again. Copy it, or close once more without it.'));
  return (
    <div className="stack">
      {children}
      <Secret text={text} label={label} />
      <div className="row end">
        <Button onClick={close}>{t('I have copied it')}</Button>
      </div>
    </div>
  );
}

export function OnlyTime({ children }: { readonly children: string }) {
  return (
    <Notice tone="warn" title={t('This is the only time it is shown')}>
      {children}
    </Notice>
  );
}
