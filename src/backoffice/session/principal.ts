// The person who is signed in: the cookie, the session behind it, the account that it looks at, and what the person may
// do there.
import { sha256 } from '../../kit/crypto.ts';
import type { RawRequest, Caller } from '../../kit/http/route.ts';
import { passkeySite } from '../../kit/person/passkey.ts';
import type { BackofficeContext } from '../context.ts';
import { type HeldRole, heldRole, needsTotp, shownRole } from '../rights.ts';
import type { Account, Person, Session, SessionState } from '../wire/session.ts';
import { type SessionRow, findSession, touchSession } from './store.ts';
import { type AccountRow, findAccounts } from './person-store.ts';

/** An account that a person is a member of, with their rights there. */
export type HeldAccount = Omit<Account, 'role_name'> & HeldRole;

export type Principal = Omit<Session, 'idle_at' | 'ends_at' | 'account' | 'accounts'> & {
  readonly account: HeldAccount;
  readonly accounts: readonly HeldAccount[];
  readonly session: SessionRow;
  /** The digest of the cookie. */
  readonly digest: string;
  readonly csrf_key: string;
};

/** The session's cookie: for this host alone, unseen by scripts, never sent from another site's page. */
export function cookieOf(context: Pick<BackofficeContext, 'secure'>, token: string): string {
  const secure = context.secure ? '; Secure' : '';
  const life = token === '' ? '; Max-Age=0' : '';
  return `${nameOf(context)}=${token}; Path=/; HttpOnly; SameSite=Strict${secure}${life}`;
}

function nameOf({ secure }: Pick<BackofficeContext, 'secure'>): string {
  return secure ? '__Host-florin' : 'florin_session';
}

/** The value of a cookie. Undefined: there is none that could be a secret of ours. */
export function cookieValue(cookie: string | undefined, name: string): string | undefined {
  const pair = (cookie ?? '').split(';').find((part) => part.trim().startsWith(`${name}=`));
  const token = pair?.trim().slice(name.length + 1);
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

/** `idle`: also of a session that was idle for too long; it stays so. */
export async function findPrincipal(
  context: BackofficeContext,
  { headers }: Pick<RawRequest<Caller>, 'headers'>,
  idle = false,
): Promise<Principal | undefined> {
  const token = cookieValue(headers['cookie'], nameOf(context));
  if (token === undefined) return undefined;
  const { db } = context.tools;
  const digest = sha256(token);
  const session = await findSession(db, digest, idle);
  if (!session) return undefined;
  const rows = await findAccounts(db, session.person_id);
  const accounts = rows.filter((row) => mayEnter(row, session)).map(accountOf);
  const account = accounts.find(({ id }) => id === session.account_id) ?? accounts[0];
  // who is no longer a member of anything has nothing to see
  if (!account) return undefined;
  // what a page asks for by itself keeps no session awake
  if (!idle && session.stale && headers['x-background'] === undefined) await touchSession(db, digest);
  const person: Person = { id: session.person_id, name: session.name, email: session.email };
  // the second factor of who comes by single sign-on is its provider's matter
  const must_enrol = session.sign_on_account === null && mustEnrol(context, accounts, session.totp);
  const rights = must_enrol ? [] : account.rights;
  const csrf_key = sha256(`csrf ${token}`);
  const about = { totp: session.totp, passkeys: session.passkeys, must_enrol, session, digest, csrf_key };
  return { person, account, accounts, rights, csrf: csrfOf(csrf_key, account.id), ...about };
}

/**
 * Follows from what the browser holds and says nothing about it. Of one account: a page that still shows another one
 * than the session is at by now changes nothing.
 */
export function csrfOf(csrf_key: string, account_id: string): string {
  return sha256(`${csrf_key} ${account_id}`);
}

/**
 * Into no account that ended the session. By single sign-on into its own account alone; otherwise where that is not the
 * only way in, and always as an owner.
 */
export function mayEnter(
  { merchant_account_id, sign_on_alone, role }: AccountRow,
  { sign_on_account, shut_accounts }: Pick<SessionRow, 'sign_on_account' | 'shut_accounts'>,
): boolean {
  if (shut_accounts.includes(merchant_account_id)) return false;
  return sign_on_account === null ? !sign_on_alone || role === 'owner' : sign_on_account === merchant_account_id;
}

function accountOf(row: AccountRow): HeldAccount {
  return { id: row.merchant_account_id, name: row.name, ...heldRole(row) };
}

const shownAccount = ({ id, name, ...held }: HeldAccount): Account => ({ id, name, ...shownRole(held) });

function mustEnrol(context: BackofficeContext, accounts: readonly HeldAccount[], totp: boolean): boolean {
  return context.tools.environment === 'production' && !totp && accounts.some(needsTotp);
}

/** The answer of GET /api/session. */
export function stateOf(context: BackofficeContext, principal: Principal | undefined): SessionState {
  const { environment, addresses } = context.tools;
  const { base_url, vault_url } = addresses;
  const passkey_origin = passkeySite(addresses.backoffice_url)?.origin ?? null;
  const about = { environment, brand: context.brand, base_url, vault_url, passkey_origin };
  if (!principal) return { ...about, session: null };
  const { session, digest: _, csrf_key: __, account, accounts, ...shown } = principal;
  const ends = { idle_at: session.idle_at.toISOString(), ends_at: session.ends_at.toISOString() };
  const own = { account: shownAccount(account), accounts: accounts.map(shownAccount) };
  return { ...about, session: { ...shown, ...own, ...ends } };
}
