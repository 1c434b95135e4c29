// A dialog with a form: a key, or a press beside it, does not throw away at once what was typed or chosen in it.
import { Modal, type ModalProps } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, createContext, useContext, useEffect, useRef, useState } from 'react';
import { useHeld } from '../base/held.ts';
import { t } from '../base/texts.ts';
import { Notice } from './page.tsx';

type Props = Pick<ModalProps, 'title' | 'size' | 'closeOnClickOutside'> & {
  readonly children: ReactNode;
  readonly close: () => void;
};

const Losing = createContext<(says: string | undefined) => void>(() => undefined);

/**
 * Of what is shown once, in a dialog or on a page of its own: `says` is read before it is gone. Nothing but its own
 * button takes it away at once.
 */
export function useShownOnce(says: string): void {
  const lose = useContext(Losing);
  // the dialog around it makes the person stay
  useHeld({ kind: 'secret', loses: () => true, stay: () => false });
  useEffect(() => {
    lose(says);
    return () => lose(undefined);
  }, [lose, says]);
}

/**
 * Where its fields are not as the person found them, or it shows what is shown once, the first try to close it or to go
 * to another page says so, and the next one does it. Cancel closes at once, and so does everything where the form has
 * gone.
 */
export function Dialog({ close, children, ...look }: Props) {
  const [loses, lose] = useState<string>();
  const content = useRef<HTMLDivElement>(null);
  const found = useRef<string>(undefined);
  const [warned, warn] = useState(false);
  // a list to choose from is outside of the dialog, and what is done in it arrives here all the same
  const lookFirst = () => {
    found.current ??= filledIn(content.current);
  };
  // not as soon as it is pressed: what is below the warning would move away under the pointer
  const goOn = () => warn(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') return;
    lookFirst();
    goOn();
  };
  const onInput = () => {
    // what came without a key or a press, such as a text that the browser fills in
    found.current ??= UNKNOWN;
    goOn();
  };
  const wouldLose = () => {
    const now = filledIn(content.current);
    const changed = now !== NOTHING && found.current !== undefined && now !== found.current;
    return changed || loses !== undefined;
  };
  const stay = () => {
    warn(true);
    return !warned;
  };
  useHeld({ kind: 'typed', loses: wouldLose, stay });
  const tryToClose = () => {
    if (!wouldLose() || !stay()) close();
  };
  return (
    <Modal opened onClose={tryToClose} closeOnClickOutside={loses === undefined} {...look}>
      <div role="status">
        {warned ? (
          <div className="below-head">
            <Notice tone="warn">
              {loses ?? t('What you typed or chose is not kept. Close once more to discard it.')}
            </Notice>
          </div>
        ) : null}
      </div>
      <div
        ref={content}
        onPointerDownCapture={lookFirst}
        onClickCapture={goOn}
        onKeyDownCapture={onKeyDown}
        onInputCapture={onInput}
      >
        <Losing value={lose}>{children}</Losing>
      </div>
    </Modal>
  );
}

const NOTHING = '[]';
const UNKNOWN = '';

/** Of every field what it holds: a list that was chosen from keeps its choice in a hidden one. */
function filledIn(content: HTMLElement | null): string {
  const fields = content?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [];
  return JSON.stringify(
    [...fields].map((field) => (['checkbox', 'radio'].includes(field.type) ? field.checked : field.value)),
  );
}
