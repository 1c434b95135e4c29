// What each role may do: one table, which every route asks and which the web app shows.
import { SCOPE_NAMES, type Scope } from '../core/keys/scopes.ts';
import type { Right, Role, RoleKey } from './wire/session.ts';

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

export const RIGHTS = Object.keys(MAY) as Right[];

/** The rights of a role, whether every account has it or one account made it. */
export type HeldRole = {
  readonly role: RoleKey;
  /** The name of a role of the account's own; null: a role that every account has. */
  readonly role_name: string | null;
  readonly rights: readonly Right[];
};

/** A role as statements read it. `role_rights` null: it is not one of the account's own. */
export type RoleColumns = {
  readonly role: RoleKey;
  readonly role_name: string | null;
  readonly role_rights: readonly string[] | null;
};

/** A right that this version does not know is none; a role that is gone holds none. */
export function heldRole({ role, role_name, role_rights }: RoleColumns): HeldRole {
  if (isRole(role)) return builtIn(role);
  return { role, role_name, rights: RIGHTS.filter((right) => role_rights?.includes(right) === true) };
}

export function builtIn(role: Role): HeldRole {
  return { role, role_name: null, rights: RIGHTS.filter((right) => MAY[right].includes(role)) };
}

/** The name of a role in what people read, as the pages have it; the API and the audit log call a viewer `reader`. */
export const roleName = ({ role, role_name }: Pick<HeldRole, 'role' | 'role_name'>) =>
  role_name ?? (role === 'reader' ? 'viewer' : role);

/** A role in the audit: an id alone tells people nothing. */
export const roleWords = ({ role, role_name }: Pick<HeldRole, 'role' | 'role_name'>) =>
  role_name === null ? role : `${role_name} (${role})`;

type HasRights = Pick<HeldRole, 'rights'>;

export function mayRole({ rights }: HasRights, right: Right): boolean {
  return rights.includes(right);
}

/**
 * May a person make, give, change or take a role? Only a person who has all of its rights may, and for the role of an
 * owner only an owner.
 */
export function mayGive(own: HeldRole, other: HeldRole): boolean {
  if (!mayRole(own, 'team') || (other.role === 'owner' && own.role !== 'owner')) return false;
  return other.rights.every((right) => mayRole(own, right));
}

/**
 * May a person do what only owners and administrators may? Only with all rights of an administrator: a role of the
 * account's own with fewer rights is not enough.
 */
export function mayAsAdministrator(own: HasRights): boolean {
  return builtIn('administrator').rights.every((right) => mayRole(own, right));
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** The right that a person needs to make a key with this scope. */
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
export function scopesOf(role: HasRights): readonly Scope[] {
  return SCOPE_NAMES.filter((scope) => mayRole(role, RIGHT_OF_SCOPE[scope]));
}

/**
 * With these roles production asks for a second factor: with a right that only owners and administrators have
 * otherwise.
 */
export function needsTotp({ rights }: HasRights): boolean {
  return rights.some((right) => MAY[right].every((role) => role === 'owner' || role === 'administrator'));
}

/** The role as the wire has it. */
export function shownRole({ role, role_name }: Pick<HeldRole, 'role' | 'role_name'>) {
  return role_name === null ? { role } : { role, role_name };
}
