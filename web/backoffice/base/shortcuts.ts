// Keys that work on the whole page, except while a person types.
import { useEffect, useRef } from 'react';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * `keys` are named as in KeyboardEvent.key. They do nothing with Ctrl, Alt or Meta, in a field, or below an open
 * dialog.
 */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]')) return;
      latest.current[event.key]?.(event);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function writes(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
