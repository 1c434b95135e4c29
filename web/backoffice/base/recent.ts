// The things a person looked at last. This browser keeps them for each account separately, and forgets them at
// sign-out.
const PREFIX = 'florin-recent-';
const MOST = 8;

export type Seen = { readonly to: string; readonly title: string };

/** Only orders and customers are kept; the pages are in the menu. */
const WORTH = /^\/(?:orders|customers)\/[^/]+$/;

let account = '';

/** Sets the account for which things are kept from now on. */
export function rememberFor(account_id: string): void {
  account = account_id;
}

export function remember(to: string, title: string): void {
  if (account === '' || !WORTH.test(to)) return;
  const others = recentThings().filter((one) => one.to !== to);
  localStorage.setItem(PREFIX + account, JSON.stringify([{ to, title }, ...others].slice(0, MOST)));
}

/** The last one comes first. */
export function recentThings(): readonly Seen[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + account) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSeen) : [];
  } catch {
    return [];
  }
}

function isSeen(value: unknown): value is Seen {
  return (
    typeof value === 'object' &&
    value !== null &&
    'to' in value &&
    'title' in value &&
    typeof value.to === 'string' &&
    typeof value.title === 'string' &&
    WORTH.test(value.to)
  );
}

/** Forgets the things of every account. */
export function forgetAll(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
