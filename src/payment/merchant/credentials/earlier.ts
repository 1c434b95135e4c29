// Whose money it was before: the account of a contract at its provider may be replaced while money is under way. What
// is repeated or undone under another account is another thing there, so an operation goes on under the one with which
// it began (decision 198). The earlier ones stand beside the credentials, under the same seal.
import type { Credential } from '../../../provider/capabilities.ts';

type Texts = Readonly<Record<string, string>>;

/** The values until a replacement. */
export type Earlier = { readonly replaced_at: number; readonly values: Texts };

/** No credential is called so. */
export const EARLIER = '(earlier)';
const MOST = 20;

/**
 * What began so shortly before a replacement, or behind it, may have been sent under either: a call may leave that late
 * (LATE_MS), and the vault remembers credentials for a moment.
 */
const UNSURE_MS = { before: 4000, behind: 2000 } as const;

/** The names of the credentials that say whose money it is. */
export const namesOfOwner = (known: readonly Credential[]): readonly string[] =>
  known.flatMap(({ name, owner }) => (owner === true ? [name] : []));

/** The oldest first. */
export function earlierIn(said: Readonly<Record<string, unknown>>): readonly Earlier[] {
  const list = said[EARLIER];
  return Array.isArray(list) ? list.filter(isEarlier) : [];
}

function isEarlier(one: unknown): one is Earlier {
  if (typeof one !== 'object' || one === null || !('replaced_at' in one) || !('values' in one)) return false;
  return typeof one.replaced_at === 'number' && typeof one.values === 'object' && one.values !== null;
}

type Change = {
  readonly names: readonly string[];
  readonly before: Texts;
  readonly after: Texts;
  /** By the clock of which operations have their times. */
  readonly at: Date;
};

/** The list after a change. What is set for the first time, or is set again as it was, replaces nothing. */
export function earlierAfter(list: readonly Earlier[], { names, before, after, at }: Change): readonly Earlier[] {
  const replaced = names.some((name) => before[name] !== undefined && before[name] !== after[name]);
  if (!replaced) return list;
  const values = Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)));
  return [...list, { replaced_at: at.getTime(), values }].slice(-MOST);
}

/**
 * The credentials with those of the owner as they were when something began. Undefined: it may have been sent under
 * either of two.
 */
export function asOf(now: Texts, list: readonly Earlier[], began: string): Texts | undefined {
  const at = Date.parse(began);
  const { before, behind } = UNSURE_MS;
  if (list.some(({ replaced_at }) => at > replaced_at - before && at < replaced_at + behind)) return undefined;
  const then = list.find(({ replaced_at }) => at < replaced_at);
  return then ? { ...now, ...then.values } : now;
}
