// What a person would lose who goes away now: they are asked first, whichever way they go. The browser asks before it
// closes the window; by a link or Back inside of the app, what holds them says so, and the next try lets them go.
import { useEffect, useRef } from 'react';

export type Held = {
  /** secret: shown once, nobody can show it again. typed: in a dialog. draft: outlasts the page, not the window. */
  readonly kind: 'secret' | 'typed' | 'draft';
  readonly loses: () => boolean;
  /** Tells the person what another page would cost. False: they know, or it costs nothing. */
  readonly stay: () => boolean;
};

const all = new Set<Held>();

window.addEventListener('beforeunload', (event) => {
  if (losing().length > 0) event.preventDefault();
});

const losing = () => [...all].filter((one) => one.loses());

/** Holds as long as the window is there. */
export function hold(one: Held): () => void {
  all.add(one);
  return () => void all.delete(one);
}

/** Holds as long as this is shown. */
export function useHeld(one: Held): void {
  const latest = useRef(one);
  useEffect(() => {
    latest.current = one;
  });
  const { kind } = one;
  useEffect(() => hold({ kind, loses: () => latest.current.loses(), stay: () => latest.current.stay() }), [kind]);
}

/** Asked before the app shows another page. True: the person stays, and has read why. */
export function stays(): boolean {
  return losing().filter((one) => one.stay()).length > 0;
}

/** A secret is on the screen that nobody can show again: the app takes nothing away by itself. */
export function isSecretShown(): boolean {
  return losing().some(({ kind }) => kind === 'secret');
}
