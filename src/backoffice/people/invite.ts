// Invitations: a link with a secret in it, good once and for some days. It is mailed, or shown once to the inviter, who
// hands it over.
import { LEAST_PASSWORD } from '../../core/people/limits.ts';
import { sha256 } from '../../kit/crypto.ts';
import { type Database, type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import { type FieldProblem, Refusal, refuseField, refuseProblems } from '../../core/refusals.ts';
import type { RawRequest, Caller } from '../../kit/http/route.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { hashPassword, isPassword } from '../../kit/person/password.ts';
import type { Letter } from '../../kit/mail/letter.ts';
import { weaknessOf } from '../../kit/person/weak-password.ts';
import { writeMail } from '../../payment/mail/write.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import { type AnswerWith, type BackofficeContext, unknown } from '../context.ts';
import { noteFailure, signIn } from '../session/login.ts';
import { type PersonRow, findAccounts, findPerson, insertPerson } from '../session/person-store.ts';
import { takeAddress } from './address.ts';
import { heldRole, roleName, roleWords, shownRole } from '../rights.ts';
import type { Acceptance, LoginAnswer, RoleKey, Welcome } from '../wire/session.ts';
import {
  type LinkRow,
  acceptInvitation,
  findLink,
  freeAddress,
  insertInvitation,
  insertMember,
  listMembers,
  proveAddress,
  withdrawInvitations,
} from './store.ts';

const HOURS = 72;
const MAX_PASSWORD = 200;

type Inviting = {
  readonly email: string | null;
  readonly role: RoleKey;
  /** The name of a role of the account's own. */
  readonly role_name?: string | null;
  readonly by: Actor;
  /** The person behind `by`; absent: a command or the start. */
  readonly inviter_id?: string;
  /** The sender and the address for the mail; absent: no mail is written. */
  readonly letter?: { readonly account: string; readonly by_name: string; readonly back_office: string };
};

type InvitingTools = Pick<Tools, 'chance'> & Partial<Pick<Tools, 'mail' | 'secret_key'>>;

/**
 * Stores the invitation in this transaction, with its mail, and gives the path of its link. Earlier ones to the same
 * address are over.
 */
export async function invite(
  tools: InvitingTools,
  tx: TenantRunner,
  { email, role, role_name = null, by, inviter_id, letter }: Inviting,
): Promise<string> {
  const { mail, secret_key } = tools;
  const token = tools.chance.bytes(32).toString('base64url');
  const id = tools.chance.id();
  await withdrawInvitations(tx, { email });
  const row = {
    id,
    digest: sha256(token),
    email,
    role,
    invited_by: by.actor,
    inviter_id: inviter_id ?? null,
    hours: HOURS,
    // what is kept is looked at by others too
    mailed: letter !== undefined && mail?.way === 'sent',
  };
  await insertInvitation(tx, row);
  const path = `/welcome/${token}`;
  if (letter && email !== null && mail && secret_key) {
    const written = letterOf({ ...letter, email, by, path, role: roleName({ role, role_name }) });
    const about = { kind: 'invitation', about_id: id, to: email, letter: written, hours: HOURS } as const;
    await writeMail({ ...tools, mail, secret_key }, tx, about);
  }
  const detail = { role: roleWords({ role, role_name }), ...(row.mailed && { mailed: true }) };
  await writeAudit(tx, by, { action: 'person invited', object: email ?? 'first owner', detail });
  return path;
}

type About = NonNullable<Inviting['letter']> & {
  readonly email: string;
  readonly by: Actor;
  readonly path: string;
  readonly role: string;
};

function letterOf({ account, by_name, by, email, path, role, back_office }: About): Letter {
  return {
    subject: `Invitation to ${account}`,
    paragraphs: [
      `${by_name} (${by.actor}) invites you to the team of ${account}. Your role: ${role}.`,
      `The link works once, for ${HOURS / 24} days. Anyone who has it can use it: do not pass it on.`,
    ],
    link: { text: 'Accept the invitation', url: `${back_office}${path}` },
    why: `You get this mail because ${by.actor} wrote ${email} into an invitation. If you do not know them, do nothing.`,
  };
}

/**
 * The path of a link for the first owner of an account; undefined: it has members. Each start makes the link before it
 * void.
 */
export function inviteFirstOwner(
  tools: Pick<Tools, 'db' | 'chance'>,
  merchant_account_id: string,
): Promise<string | undefined> {
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    if ((await listMembers(tx)).length > 0) return undefined;
    return invite(tools, tx, { email: null, role: 'owner', by: { actor: 'florin start', source: 'this machine' } });
  });
}

async function linkOf(db: Database, token: string): Promise<LinkRow | undefined> {
  const link = /^[A-Za-z0-9_-]{43}$/.test(token) ? await findLink(db, sha256(token)) : undefined;
  // an invitation to a role that is gone is not valid
  return link && heldRole(link).rights.length > 0 ? link : undefined;
}

export async function readWelcome(context: BackofficeContext, token: string, client_ip: string): Promise<Welcome> {
  const { db } = context.tools;
  const link = await linkOf(db, token);
  if (!link) throw GONE;
  const holder =
    link.email === null ? undefined : await findPerson(db, { email: link.email, network: networkOf(client_ip) });
  const known = holder !== undefined && (await findAccounts(db, holder.id)).length > 0;
  return {
    kind: link.email === null ? 'first' : 'invitation',
    account: { name: link.account_name },
    email: link.email,
    ...shownRole(link),
    known,
    ...(known && mayTake(link, holder) && { anew: true }),
    expires_at: link.expires_at.toISOString(),
  };
}

/** Who reads the mails of an address goes before who merely gave it first (decision 161). */
const mayTake = (link: LinkRow, holder: PersonRow) => link.mailed && !holder.address_proved;

const GONE = unknown('link: it was used or withdrawn, or its time is over');

export async function acceptWelcome(
  context: BackofficeContext,
  { token, form }: { readonly token: string; readonly form: Partial<Acceptance> },
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer | { readonly next: 'login' }>> {
  const { db, chance } = context.tools;
  const link = await linkOf(db, token);
  if (!link) throw GONE;
  const given = link.email ?? form.email ?? '';
  const who = { email: given.trim().toLowerCase(), name: (form.name ?? '').trim(), password: form.password ?? '' };
  const { email, name } = who;
  const { client_ip } = rawRequest;
  const network = networkOf(client_ip);
  const holder = await findPerson(db, { email, network });
  // an address that is not used any more is free again: the invited one makes a login of their own
  const member = holder && (await findAccounts(db, holder.id)).length > 0 ? holder : undefined;
  const taken = form.anew === true ? member : undefined;
  if (taken && !mayTake(link, taken)) throw NOT_ANEW;
  const known = taken ? undefined : member;
  const own = [email, name, context.brand, link.account_name];
  const refusal = refuseProblems(known ? missingIn({ password: who.password }) : problemsOf(who, own));
  if (refusal) throw refusal;
  if (known && (known.locked || !(await isPassword(who.password, known.password, client_ip)))) {
    await noteFailure(context, known, { account_id: link.merchant_account_id, client_ip, at: 'invitation' });
    throw refuseField('password', 'parameter_invalid', 'is not the one you sign in with');
  }
  const id = known?.id ?? chance.id();
  const password = known?.password ?? (await hashPassword(who.password, chance.bytes(16), client_ip));
  if (taken) await takeAddress(db, taken, { actor: email, source: 'a link that was mailed to the address' });
  const join = async (tx: TenantRunner) => {
    if (!(await acceptInvitation(tx, link.id, id))) throw GONE;
    if (holder && !known) await freeAddress(tx, { id: holder.id, email });
    if (!known && !(await insertPerson(tx, { id, email, name, password }))) throw TOO_SLOW;
    const joined = await insertMember(tx, id, link.role);
    const by = { actor: email, source: client_ip };
    if (link.mailed) await proveAddress(tx, id);
    await writeAudit(tx, by, {
      action: 'invitation accepted',
      object: id,
      detail: {
        role: joined ? roleWords(link) : null,
        invited_as: email,
        invited_by: link.invited_by,
        // a link that the inviter handed over proves nothing
        address: link.mailed ? 'proved by mail' : 'not proved',
        ...(taken && { address_taken_from: taken.id }),
      },
    });
  };
  const joining = () => withTransaction(db, link.merchant_account_id, join);
  // the holder has lost the address by now
  await (taken ? afterCommit(joining) : joining());
  // who has a second factor gives it: a link is no way around it
  if (known?.totp_confirmed) return { body: { next: 'login' } };
  const proved = { id, email, password, network, totp_confirmed: false, prefer: link.merchant_account_id };
  return afterCommit(() => signIn(context, proved, rawRequest));
}

const NOT_ANEW = refuseField(
  'anew',
  'parameter_invalid',
  'needs a link that was mailed to you, and an address that nobody has proved',
);
const TOO_SLOW = new Refusal('change_conflict', { detail: 'somebody has just taken this address: try again' });

type Who = { readonly email: string; readonly name: string; readonly password: string };

/** Everything that is wrong with a new login, at once. */
function problemsOf(who: Who, own: readonly string[]): readonly FieldProblem[] {
  const is_address = who.email === '' || /^[^@\s]+@[^@\s]+$/.test(who.email);
  const weak = who.password === '' ? undefined : weaknessIn(who.password, own);
  return [
    ...missingIn(who),
    ...(is_address ? [] : [invalid('email', 'is not an e-mail address')]),
    ...(weak === undefined ? [] : [invalid('password', weak)]),
  ];
}

const invalid = (field: string, message: string): FieldProblem => ({ field, refusal: 'parameter_invalid', message });

const missingIn = (fields: Readonly<Record<string, string>>): readonly FieldProblem[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    value === '' ? [{ field, refusal: 'parameter_missing', message: 'is required' }] : [],
  );

/** Refuses a new password in this field. */
export function requirePassword(
  password: string,
  { field, own }: { readonly field: string; readonly own: readonly string[] },
): void {
  const weak = weaknessIn(password, own);
  if (weak !== undefined) throw refuseField(field, 'parameter_invalid', weak);
}

/**
 * Length is what counts (NIST SP 800-63B), and that it is not guessed first; what it is made of is the person's own
 * matter. `own`: words that others know of the person and the service. Undefined: the password is good.
 */
function weaknessIn(password: string, own: readonly string[]): string | undefined {
  if ([...password].length < LEAST_PASSWORD) return `has fewer than ${LEAST_PASSWORD} characters`;
  if (password.length > MAX_PASSWORD) return `has more than ${MAX_PASSWORD} characters`;
  if (new Set(password).size < 5) return 'has too few different characters';
  const weakness = weaknessOf(password, own);
  return weakness === undefined ? undefined : `${weakness}: take another`;
}
