// The frame of every page before the sign-in, and how such a page sends its form.
import { type FormEvent, type ReactNode, useState } from 'react';
import { Coin } from '../../parts/icons.tsx';
import { LanguageChoice } from '../../parts/language.tsx';

export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="door">
      <title>{`${title} · Florin`}</title>
      <main id="main">
        <div className="brand">
          <Coin size={30} />
          Florin
        </div>
        <div className="panel">
          <div className="stack">
            <h1>{title}</h1>
            {children}
          </div>
        </div>
        <LanguageChoice />
      </main>
    </div>
  );
}

/** A refusal is shown above the fields, so that it does not reveal which of them was wrong. */
export function useSending<T>(run: () => Promise<T>, done: (answer: T) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    setBusy(true);
    setError(undefined);
    void sendNow();
  };
  const sendNow = async () => {
    try {
      done(await run());
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return { busy, error, send };
}
