// What an API key may be used for. Every route that takes a key names one scope; a key without a list has all of them,
// also those of later versions.

export const SCOPES = {
  read: 'read orders, checkouts and customers',
  payments: 'create checkouts and orders, try declined ones again, capture and cancel',
  refunds: 'refund captured orders',
  cards: 'remove saved cards of customers',
  notifications: 'manage endpoints, list notifications and send them again',
  tokens: 'turn cards into tokens at the vault',
  sandbox: 'arm faults, move the clock and read the books of the simulated provider',
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(text: unknown): text is Scope {
  return typeof text === 'string' && Object.hasOwn(SCOPES, text);
}

/** May a key with these scopes (null: all) be used where this one is wanted? */
export function hasScope(scopes: readonly Scope[] | null, wanted: Scope): boolean {
  return scopes === null || scopes.includes(wanted);
}
