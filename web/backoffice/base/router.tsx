// The address bar is the state of the app. This file has patterns such as /orders/:id, links that a browser can open in
// a new tab, and query values that hold a page's filters, so that a copied address shows the same list.
import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function listen(told: () => void): () => void {
  listeners.add(told);
  window.addEventListener('popstate', told);
  return () => {
    listeners.delete(told);
    window.removeEventListener('popstate', told);
  };
}

/** Goes to an address of the app. With `replace` the back button skips the present page. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  const before = location.pathname;
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  for (const told of listeners) told();
  if (location.pathname !== before) window.scrollTo(0, 0);
}

export function usePath(): string {
  return useSyncExternalStore(listen, () => location.pathname);
}

/** The query of the address, and a way to change parts of it; an empty or undefined value removes its name. */
export function useQueryText(): readonly [
  URLSearchParams,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const search = useSyncExternalStore(listen, () => location.search);
  const change = useCallback((changes: Readonly<Record<string, string | undefined>>) => {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    const text = query.toString();
    go(location.pathname + (text === '' ? '' : `?${text}`), 'replace');
  }, []);
  return [new URLSearchParams(search), change];
}

/**
 * Whether the form for a new thing is open. The address says so, so that the form can be found, and opened from
 * anywhere.
 */
export function useNew(): readonly [shown: boolean, show: (shown: boolean) => void] {
  const [query, change] = useQueryText();
  return [query.get('new') === 'yes', (shown) => change({ new: shown ? 'yes' : undefined })];
}

/** The parameters of a path that matches the pattern; undefined if it does not match. */
export function fits(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/(?<=.)\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    const read = part.startsWith(':') ? decoded(value) : undefined;
    if (read !== undefined && read !== '') found[part.slice(1)] = read;
    else if (part !== value) return undefined;
  }
  return found;
}

/** Undefined for what nobody encoded, such as a percent sign that was typed. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string };

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return <a {...rest} href={to} onClick={follow} />;
}
