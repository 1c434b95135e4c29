// A dialog with what is shown once, to be copied: a key, a secret, a link. A click beside it does not close it, and
// Escape or the browser's own way out asks first.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../base/texts.ts';
import { useAskBeforeClose } from '../base/unsaved.ts';
import { Dialog } from './dialog.tsx';
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

export function ShownOnce({ title, text, label, close, children }: Props) {
  useAskBeforeClose();
  const loses = t('It is not shown again. Copy it, or close once more without it.');
  return (
    <Dialog close={close} title={title} closeOnClickOutside={false} loses={loses}>
      <div className="stack">
        {children}
        <Secret text={text} label={label} />
        <div className="row end">
          <Button onClick={close}>{t('I have copied it')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

export function OnlyTime({ children }: { readonly children: string }) {
  return (
    <Notice tone="warn" title={t('This is the only time it is shown')}>
      {children}
    </Notice>
  );
}
