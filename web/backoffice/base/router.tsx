// The address bar is the state of the app. This file has patterns such as /orders/:id, links that a browser can open in
// a new tab, and query values that hold a page's filters, so that a copied address shows the same list.
import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useSyncExternalStore } from 'react';
import { stays } from './held.ts';

const listeners = new Set<() => void>();

/** Where the person is. The address bar is ahead of it where Back was pressed and the person is asked first. */
let here = placeNow(0);

type Place = {
  readonly path: string;
  readonly search: string;
  /** Its number in the browser's history. */
  readonly at: number;
};

/** `next`: the number of a place that has none: the first one, or one that a link within the page has made. */
function placeNow(next: number): Place {
  const { at }: { readonly at?: unknown } = history.state ?? {};
  if (typeof at !== 'number') history.replaceState({ at: next }, '');
  return { path: location.pathname, search: location.search, at: typeof at === 'number' ? at : next };
}

function show(place: Place): void {
  here = place;
  for (const told of listeners) told();
}

window.addEventListener('popstate', () => {
  const to = placeNow(here.at + 1);
  const leaves = to.path !== here.path || to.search !== here.search;
  // the browser has gone there already: it goes back to where the person still is
  if (leaves && stays()) history.go(here.at - to.at || 1);
  else show(to);
});

function listen(told: () => void): () => void {
  listeners.add(told);
  return () => void listeners.delete(told);
}

/** Goes to an address of the app. With `replace` the back button skips the present page. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  const before = here.path;
  if (how === 'push') history.pushState({ at: here.at + 1 }, '', to);
  else history.replaceState({ at: here.at }, '', to);
  show(placeNow(here.at));
  if (here.path !== before) window.scrollTo(0, 0);
}

export function usePath(): string {
  return useSyncExternalStore(listen, () => here.path);
}

/** The query of the address, and a way to change parts of it; an empty or undefined value removes its name. */
export function useQueryText(): readonly [
  URLSearchParams,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const search = useSyncExternalStore(listen, () => here.search);
  const change = useCallback((changes: Readonly<Record<string, string | undefined>>) => {
    const query = new URLSearchParams(here.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    const text = query.toString();
    go(here.path + (text === '' ? '' : `?${text}`), 'replace');
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
    if (!stays()) go(to);
  };
  return <a {...rest} href={to} onClick={follow} />;
}
