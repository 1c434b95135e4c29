// Signing in by an account's single sign-on: who is sent where, and who they are when they come back. What begins so is
// for that account alone: its provider says nothing about people of another one.
import { holdsCardNumber } from '../../core/card.ts';
import { id24, text } from '../../core/fields.ts';
import { Refusal } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { sha256 } from '../../kit/crypto.ts';
import { type TenantRunner, afterCommit, storable, withTransaction } from '../../kit/database.ts';
import { tooMany } from '../../kit/http/key-gate.ts';
import type { Caller, RawRequest } from '../../kit/http/route.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { OidcProblem, type SignedOn, beginSignOn, finishSignOn } from '../../kit/person/oidc.ts';
import { hashPassword } from '../../kit/person/password.ts';
import { writeAudit } from '../audit/audit.ts';
import { type AnswerWith, type BackofficeContext, type BackofficeRoute, openRoute } from '../context.ts';
import { acceptInvitation, freeAddress, insertMember, listInvitations, listMembers } from '../people/store.ts';
import { admitSignIn } from '../session/login.ts';
import { cookieOf, cookieValue, findPrincipal, stateOf } from '../session/principal.ts';
import { findAccounts, findPerson, insertPerson } from '../session/person-store.ts';
import type { LoginAnswer } from '../wire/session.ts';
import type { SignOnReturn, SignOnStart } from '../wire/sign-on.ts';
import { clientOf, wayOf } from './client.ts';
import {
  type SignOnRow,
  findIdentity,
  findSignOn,
  findSignOnOfDomain,
  insertIdentity,
  insertSignedOn,
  keepAttempt,
  takeAttempt,
  wasMember,
} from './store.ts';

/** How often one network may ask: each question goes to a provider, or tells whether a domain is here. */
const ASKED_PER_MINUTE = 60;
const EMAIL = required(text(254));

export function signOnDoor(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    openRoute({
      route: 'POST /session/sign-on/find',
      body: { email: EMAIL },
      handle: async ({ body, rawRequest }) => {
        admit(context, rawRequest);
        const found = await findSignOnOfDomain(context.tools.db, domainOf(body.email));
        return { body: { host: found ? (URL.parse(found.issuer)?.host ?? null) : null } };
      },
    }),
    openRoute({
      route: 'POST /session/sign-on',
      body: { email: EMAIL },
      handle: ({ body, rawRequest }) => {
        admit(context, rawRequest);
        return begin(context, body.email);
      },
    }),
    openRoute({
      route: 'POST /session/sign-on/finish',
      body: { account_id: required(id24), query: required(text(8000)) },
      handle: ({ body, rawRequest }) => admitSignIn(context, rawRequest, () => finish(context, body, rawRequest)),
    }),
  ];
}

function admit({ tools }: BackofficeContext, { client_ip }: RawRequest<Caller>): void {
  if (tools.counts.count(`sign-on ${networkOf(client_ip)}`, ASKED_PER_MINUTE) !== 'within')
    throw tooMany('sign-in', { quota: ASKED_PER_MINUTE, window_s: 60, retry_s: 60 });
}

const domainOf = (email: string) =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
const refused = (detail: string) => new Refusal('sign_in_failed', { detail });

/** With https its name tells a browser that no other host may set it: none can sign a person in as somebody else. */
const attemptName = ({ secure }: BackofficeContext) => (secure ? '__Host-florin_sign_on' : 'florin_sign_on');

/**
 * A cookie for the answer to one sign-in: only the same browser comes back with it, and no page of another site can
 * send it.
 */
function attemptCookie(context: BackofficeContext, secret: string): string {
  const secure = context.secure ? '; Secure' : '';
  return `${attemptName(context)}=${secret}; Path=/; HttpOnly; SameSite=Strict${secure}; Max-Age=600`;
}

async function begin(context: BackofficeContext, email: string): Promise<AnswerWith<SignOnStart>> {
  const { db, chance } = context.tools;
  const found = await findSignOnOfDomain(db, domainOf(email));
  const row = found && (await findSignOn(db.tenant(found.merchant_account_id)));
  if (!found || !row) throw refused('there is no single sign-on for this address');
  const secret = chance.bytes(32).toString('base64url');
  const client = clientOf(context, found.merchant_account_id, row);
  try {
    const url = await beginSignOn(client, { secret, email, way: wayOf(context) });
    await keepAttempt(db, { digest: sha256(secret), ...found, issuer: row.issuer });
    return { body: { url }, headers: { 'set-cookie': attemptCookie(context, secret) } };
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error;
    throw refused(`the sign-on at your company does not answer (${error.code}): an owner can come in by password`);
  }
}

const BEGIN_AGAIN = refused(
  'this sign-in was begun in another browser, was used already, or took longer than ten minutes: begin again',
);

async function finish(
  context: BackofficeContext,
  { account_id, query }: SignOnReturn,
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db } = context.tools;
  const secret = cookieValue(rawRequest.headers['cookie'], attemptName(context));
  const attempt = secret === undefined ? undefined : await takeAttempt(db, sha256(secret));
  // from here on this sign-in is used up, whatever becomes of it
  const row = attempt && (await afterCommit(() => findSignOn(db.tenant(attempt.merchant_account_id))));
  // another account's provider, or one that was replaced meanwhile, has nothing to say about this sign-in
  if (secret === undefined || !row || attempt?.merchant_account_id !== account_id || attempt.issuer !== row.issuer)
    throw BEGIN_AGAIN;
  const back = `${context.tools.addresses.backoffice_url}/`;
  try {
    const client = clientOf(context, account_id, row);
    const signed = await finishSignOn(client, { secret, query, back, way: wayOf(context) });
    return await afterCommit(() => enter(context, { account_id, row, signed }, rawRequest));
  } catch (error) {
    const why = error instanceof OidcProblem ? error.code : undefined;
    if (why === undefined && !(error instanceof Refused)) throw error;
    await noteRefused(context, account_id, { why: why ?? (error as Refused).message, client_ip: rawRequest.client_ip });
    throw refused(why === undefined ? (error as Refused).message : wordsOf(why));
  }
}

/** A person whom the provider knows and who is not admitted. */
class Refused extends Error {}

function wordsOf(code: string): string {
  if (code === 'access_denied') return 'your company’s sign-on did not let you in';
  if (code === 'not_reached' || code === 'no_answer') return `your company’s sign-on does not answer (${code})`;
  return `the answer of your company’s sign-on does not hold (${code}): begin again, and tell an owner if it stays`;
}

function noteRefused(
  { tools }: BackofficeContext,
  account_id: string,
  { why, client_ip }: { readonly why: string; readonly client_ip: string },
): Promise<void> {
  const event = { action: 'failed operator login', object: 'unknown person', result: 'refused' } as const;
  return withTransaction(tools.db, account_id, (tx) =>
    writeAudit(tx, { actor: 'unknown person', source: client_ip }, { ...event, detail: { at: 'single sign-on', why } }),
  );
}

type Coming = { readonly account_id: string; readonly row: SignOnRow; readonly signed: SignedOn };

async function enter(
  context: BackofficeContext,
  { account_id, row, signed }: Coming,
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db, chance } = context.tools;
  const { client_ip, headers } = rawRequest;
  const token = chance.bytes(32).toString('base64url');
  // a password that is never shown: they sign in by the provider alone
  const password = await hashPassword(chance.bytes(32).toString('hex'), chance.bytes(16), client_ip);
  await withTransaction(db, account_id, async (tx) => {
    const person =
      (await findIdentity(tx, { issuer: row.issuer, subject: signed.subject })) ??
      (await join(context, tx, { row, signed, password, client_ip }));
    const place = { source: client_ip, browser: (headers['user-agent'] ?? '').slice(0, 200) };
    const session = { digest: sha256(token), id: chance.id(), person_id: person.id, ...place };
    await insertSignedOn(tx, { ...session, sign_out_url: signed.sign_out_url ?? null });
    const detail = { by: 'single sign-on', subject: signed.subject };
    await writeAudit(
      tx,
      { actor: person.email, source: client_ip },
      { action: 'operator login', object: person.id, detail },
    );
  });
  const cookie = cookieOf(context, token);
  const principal = await findPrincipal(context, { headers: { cookie } });
  return { body: { next: 'done', state: stateOf(context, principal) }, headers: { 'set-cookie': cookie } };
}

type Joining = Omit<Coming, 'account_id'> & { readonly password: string; readonly client_ip: string };

/** A person's first sign-on: a member with that address, an invited person, or a new one if the account admits them. */
async function join(
  { tools }: BackofficeContext,
  tx: TenantRunner,
  { row, signed, password, client_ip }: Joining,
): Promise<{ readonly id: string; readonly email: string }> {
  const { email, subject } = signed;
  if (email === undefined || !/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(email) || email.length > 254)
    throw new Refused('your company’s sign-on does not tell an e-mail address that is proved to be yours');
  if (holdsCardNumber(email)) throw new Refused('your e-mail address holds a card number');
  if (!row.domains.includes(domainOf(email)))
    throw new Refused('your e-mail address is of a domain that this account does not take');
  const link = async (id: string) => {
    if (await insertIdentity(tx, { issuer: row.issuer, subject, person_id: id })) return { id, email };
    throw new Refused('somebody else signed in with your address before: an owner removes them from the team first');
  };
  const member = (await listMembers(tx)).find((one) => one.email === email);
  if (member) return link(member.id);
  const invitation = (await listInvitations(tx)).find((one) => one.email === email);
  const holder = await findPerson(tx, { email, network: networkOf(client_ip) });
  // who was removed is no newcomer, though the provider still knows them
  if (!invitation && (await wasMember(tx, { issuer: row.issuer, subject, person_id: holder?.id ?? null })))
    throw new Refused('you were removed from this team: an owner or administrator may invite you again');
  const role = invitation?.role ?? row.new_role;
  if (role === null) throw new Refused('you are not invited to this account yet: ask an owner or administrator');
  // of a person of another account this one's provider says nothing
  if (holder && (await findAccounts(tx, holder.id)).length > 0)
    throw new Refused(
      'you are in another account here: open the link of your invitation and give your password, and sign in here then',
    );
  // an address that is not used any more is free again
  if (holder) await freeAddress(tx, holder);
  const id = tools.chance.id();
  const told = storable(signed.name ?? '')
    .toWellFormed()
    .trim()
    .slice(0, 100);
  const name = told === '' || holdsCardNumber(told) ? email : told;
  if (!(await insertPerson(tx, { id, email, name, password })))
    throw new Refused('somebody has just taken this address: begin again');
  if (invitation && !(await acceptInvitation(tx, invitation.id, id)))
    throw new Refused('the invitation is over: begin again');
  const joined = await link(id);
  await insertMember(tx, id, role);
  const by = { actor: email, source: client_ip };
  // the account chose the provider: its word holds here, and takes the address from nobody (decisions 118 and 161)
  const detail = { role, invited_by: invitation?.invited_by ?? null, address: 'not proved' };
  await writeAudit(tx, by, { action: 'joined by single sign-on', object: id, detail });
  return joined;
}
