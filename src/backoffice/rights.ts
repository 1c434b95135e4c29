// What each role may do: one table, asked by every route and shown to the web app.
import { SCOPE_NAMES, type Scope } from '../core/keys/scopes.ts';
import type { Right, Role } from './wire/session.ts';

export const ROLES = ['owner', 'administrator', 'developer', 'operator', 'reader'] as const satisfies readonly Role[];

const MAY: Readonly<Record<Right, readonly Role[]>> = {
  read: ROLES,
  money: ['owner', 'administrator', 'operator'],
  notes: ['owner', 'administrator', 'developer', 'operator'],
  rule: ['owner', 'administrator', 'operator'],
  telephone: ['owner', 'administrator', 'operator'],
  links: ['owner', 'administrator', 'operator'],
  cards: ['owner', 'administrator', 'operator'],
  export: ['owner', 'administrator', 'operator'],
  erase: ['owner'],
  keys: ['owner', 'administrator', 'developer'],
  settings: ['owner', 'administrator', 'developer'],
  providers: ['owner', 'administrator'],
  hold: ['owner', 'administrator', 'operator'],
  risk: ['owner', 'administrator', 'operator'],
  notifications: ['owner', 'administrator', 'developer'],
  requests: ['owner', 'administrator', 'developer'],
  team: ['owner', 'administrator'],
  audit: ['owner', 'administrator'],
  sandbox: ['owner', 'administrator', 'developer', 'operator'],
};

export function mayRole(role: Role, right: Right): boolean {
  return MAY[right].includes(role);
}

export function rightsOf(role: Role): readonly Right[] {
  return RIGHTS.filter((right) => mayRole(role, right));
}

const RIGHTS = Object.keys(MAY) as Right[];

/** Who may give, change or take a role: never one above their own. */
export function mayGive(own: Role, other: Role): boolean {
  return own === 'owner' || (own === 'administrator' && other !== 'owner');
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** What a person must be allowed here to make a key that may do it there. */
const RIGHT_OF_SCOPE: Readonly<Record<Scope, Right>> = {
  read: 'read',
  payments: 'money',
  refunds: 'money',
  cards: 'cards',
  notifications: 'notifications',
  tokens: 'keys',
  sandbox: 'sandbox',
};

/** The scopes that a role may give to a key: none above what it may do itself. */
export function scopesOf(role: Role): readonly Scope[] {
  return SCOPE_NAMES.filter((scope) => mayRole(role, RIGHT_OF_SCOPE[scope]));
}

/** May somebody with this role hold the text of a private key with these scopes (null: all)? */
export function mayHoldKey(role: Role, scopes: readonly Scope[] | null): boolean {
  const own = scopesOf(role);
  return (scopes ?? SCOPE_NAMES).every((scope) => own.includes(scope));
}

/** With these roles production asks for a second factor. */
export function needsTotp(role: Role): boolean {
  return role === 'owner' || role === 'administrator';
}
