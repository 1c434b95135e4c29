// What a person has changed on a page and not saved. It is there again when they come back from another page, or sign
// in again after a lost session. It is this window's alone: before it is closed, the browser asks.
import { useEffect, useState } from 'react';
import { hold } from './held.ts';
import { useSession } from './session.tsx';

const kept = new Map<string, unknown>();

hold({ kind: 'draft', loses: () => kept.size > 0, stay: () => false });

/**
 * A state that is kept under a name as long as something in it is unsaved, for this person in this account. It must
 * begin anew where the name changes.
 */
export function useUnsaved<T>(
  name: string,
  initial: () => T,
  isUnsaved: (value: T) => boolean,
): readonly [value: T, set: (value: T) => void] {
  const { session } = useSession();
  const key = `${session.person.id} ${session.account.id} ${name}`;
  const [value, put] = useState(() => (kept.has(key) ? (kept.get(key) as T) : initial()));
  const unsaved = isUnsaved(value);
  useEffect(() => {
    if (unsaved) kept.set(key, value);
    else kept.delete(key);
  }, [key, value, unsaved]);
  return [value, (next) => put(() => next)];
}

/** At sign-out nothing is left for the next person. */
export function forgetUnsaved(): void {
  kept.clear();
}
