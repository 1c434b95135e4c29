// Signing in: the password, the second factor, the session. An unknown address, a wrong password and a locked person
// are answered alike, after the same work.
import { Refusal } from '../../core/refusals.ts';
import { open, seal, sha256 } from '../../kit/crypto.ts';
import { type Runner, afterCommit, withTransaction } from '../../kit/database.ts';
import { tooMany } from '../../kit/http/key-gate.ts';
import type { RawRequest, Caller } from '../../kit/http/route.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { isPassword } from '../../kit/person/password.ts';
import { findTotpStep } from '../../kit/person/totp.ts';
import { totpSealing } from '../../payment/sealings.ts';
import { type AuditAction, DEPLOYMENT, writeAudit } from '../audit/audit.ts';
import type { AnswerWith, BackofficeContext } from '../context.ts';
import type { LoginAnswer } from '../wire/session.ts';
import { deleteSession, insertSession, tryTicket } from './store.ts';
import {
  type PersonRow,
  findAccounts,
  findPerson,
  putNextTotp,
  takeRecoveryCode,
  takeTotpStep,
} from './person-store.ts';
import { type LockPolicy, countFailure, forgetNetworks, noteLogin } from './places/store.ts';
import { listPasskeys } from './passkeys/store.ts';
import { cookieOf, findPrincipal, mayEnter, stateOf } from './principal.ts';

const FAILURES_PER_MINUTE = 30;
/** PCI DSS 8.3.4: after ten failures half an hour. Everywhere but at known networks that is two tries an hour. */
const LOCK: LockPolicy = { first: 5, many: 10, longest: 30, forget_h: 24 };
/** A network is known for so long after the last sign-in from it. */
const KNOWN_DAYS = 90;

type From = { readonly client_ip: string };

/**
 * Counts failures by network: the first line before the lock of the person. Every try counts while it runs, so that
 * many at once are no way around it; one that succeeds is taken back.
 */
export async function admitSignIn<T>(
  { tools }: BackofficeContext,
  { client_ip }: From,
  work: () => Promise<T>,
): Promise<T> {
  const what = `sign-in ${networkOf(client_ip)}`;
  if (tools.counts.count(what, FAILURES_PER_MINUTE) !== 'within')
    throw tooMany('sign-in', { quota: FAILURES_PER_MINUTE, window_s: 60, retry_s: 60 });
  const done = await work();
  tools.counts.takeBack(what);
  return done;
}

const FAILED = new Refusal('sign_in_failed', {
  detail: 'the address, the password or the code is wrong, or the person is locked for a while after too many tries',
});

export async function logIn(
  context: BackofficeContext,
  { email, password }: { readonly email: string; readonly password: string },
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db, chance } = context.tools;
  const network = networkOf(rawRequest.client_ip);
  const person = await findPerson(db, { email: email.trim().toLowerCase(), network });
  const right = await isPassword(password, person?.password, rawRequest.client_ip);
  if (!person || !right || person.locked) throw await failed(context, person, rawRequest);
  if (!person.totp_confirmed) return signIn(context, person, rawRequest);
  const ticket = chance.bytes(32).toString('base64url');
  const row = { digest: sha256(ticket), id: chance.id(), person_id: person.id, account_id: null } as const;
  const began = await insertSession(db, { ...row, stage: 'totp', ...placeOf(rawRequest) }, person);
  if (!began) throw await overtaken(context, person, rawRequest);
  const passkeys = (await afterCommit(() => listPasskeys(db, person.id))).length > 0;
  return { body: { next: 'totp', ticket, passkeys } };
}

/** The second step: a code of the authenticator, or a recovery code. */
export async function logInByCode(
  context: BackofficeContext,
  { ticket, code }: { readonly ticket: string; readonly code: string },
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db } = context.tools;
  const person_id = await tryTicket(db, sha256(ticket));
  const person =
    person_id === undefined
      ? undefined
      : await findPerson(db, { id: person_id, network: networkOf(rawRequest.client_ip) });
  if (!person || person.locked || !(await takeCode(context, db, { person, code })))
    throw await failed(context, person, rawRequest);
  // the code is used up
  return afterCommit(async () => {
    await deleteSession(db, sha256(ticket));
    return signIn(context, person, rawRequest);
  });
}

/** True once for each code. */
export async function takeCode(
  context: BackofficeContext,
  db: Runner,
  { person, code }: { readonly person: PersonRow; readonly code: string },
): Promise<boolean> {
  const given = code.replaceAll(/[\s-]/g, '').toLowerCase();
  if (person.totp_sealed === null) return false;
  if (!/^\d{6}$/.test(given)) return takeRecoveryCode(db, person.id, recoveryDigest(person.id, given));
  const step = stepOf(context, { person, code: given, sealed: person.totp_sealed, used: Number(person.totp_step) });
  return step !== undefined && takeTotpStep(db, person.id, step);
}

/** The first code of a second factor that is to take the place of the one in force: puts it there. */
export async function takeNextCode(
  context: BackofficeContext,
  db: Runner,
  { person, code }: { readonly person: PersonRow; readonly code: string },
): Promise<boolean> {
  const { id, totp_next_sealed: sealed } = person;
  if (sealed === null) return false;
  const step = stepOf(context, { person, code: code.replaceAll(/\s/g, ''), sealed, used: 0 });
  return step !== undefined && putNextTotp(db, id, { sealed, step });
}

type Stepping = {
  readonly person: Pick<PersonRow, 'id' | 'now_s'>;
  readonly code: string;
  readonly sealed: string;
  readonly used: number;
};

function stepOf(context: BackofficeContext, { person: { id, now_s }, code, sealed, used }: Stepping) {
  const secret = open(Buffer.from(sealed, 'hex'), totpSealing(context.tools.secret_key, id));
  const step = findTotpStep(secret, code, { at_s: now_s, used });
  secret.fill(0);
  return step;
}

export function recoveryDigest(person_id: string, code: string): string {
  return sha256(`${person_id} ${code.replaceAll('-', '')}`);
}

export function sealTotp(context: BackofficeContext, person_id: string, secret: Uint8Array): Buffer {
  return seal(secret, context.tools.chance.bytes(12), totpSealing(context.tools.secret_key, person_id));
}

/** Notes the failure once, and gives the refusal that all failures share. */
export async function failed(
  context: BackofficeContext,
  person: Tried | undefined,
  { client_ip }: From,
): Promise<Refusal> {
  // the same statements for every address; no person has the id of the deployment's chain
  const [account] = await findAccounts(context.tools.db, person?.id ?? DEPLOYMENT);
  await noteFailure(context, person, {
    account_id: account?.merchant_account_id ?? DEPLOYMENT,
    client_ip,
    at: 'sign-in',
  });
  return FAILED;
}

type Tried = Pick<PersonRow, 'id' | 'email' | 'locked'>;
type Place = From & {
  /** Account whose audit chain gets the record. */
  readonly account_id: string;
  readonly at: 'sign-in' | 'own page' | 'invitation' | 'passkey';
};

/**
 * Counts and records a wrong password or code, wherever one is asked for, and the lock that follows. A lock that stands
 * is not made longer.
 */
export async function noteFailure(
  { tools }: BackofficeContext,
  person: Tried | undefined,
  { account_id, client_ip, at }: Place,
): Promise<void> {
  await withTransaction(tools.db, account_id, async (tx) => {
    const person_id = person && !person.locked ? person.id : DEPLOYMENT;
    const locked_until = await countFailure(tx, { person_id, network: networkOf(client_ip) }, LOCK);
    const action: AuditAction = 'failed operator login';
    const event = {
      action,
      object: person?.id ?? 'unknown person',
      result: 'refused',
      detail: { at, locked_until },
    } as const;
    await writeAudit(tx, { actor: person?.email ?? 'unknown person', source: client_ip }, event);
  });
}

const SIGN_ON_ALONE = new Refusal('sign_in_failed', {
  detail: 'your team comes in by single sign-on: give your address and go on there',
});

type Proved = Pick<PersonRow, 'id' | 'email' | 'password' | 'totp_confirmed' | 'network'> & {
  /** The account they are shown first, if they are in it. */
  readonly prefer?: string;
  readonly by?: 'passkey';
};

/** A proof that was right a moment ago and is not any more: answered as a wrong password, but not counted as a try. */
function overtaken(context: BackofficeContext, { id, email }: Proved, from: From): Promise<Refusal> {
  return failed(context, { id, email, locked: true }, from);
}

/**
 * Begins a session under a new secret, whatever the browser held before. `person` as they were looked at: a new
 * password, a second factor or a lock that came meanwhile goes before.
 */
export async function signIn(
  context: BackofficeContext,
  person: Proved,
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db, chance } = context.tools;
  const all = await findAccounts(db, person.id);
  const accounts = all.filter((row) => mayEnter(row, { sign_on_account: null, shut_accounts: [] }));
  // they have shown who they are, so a stranger learns nothing from this
  if (all.length > 0 && accounts.length === 0) throw SIGN_ON_ALONE;
  const account = accounts.find(({ merchant_account_id }) => merchant_account_id === person.prefer) ?? accounts[0];
  // without any account the answer and the count are those of a wrong password: else this would be a way to try
  // passwords
  if (!account) throw await failed(context, { locked: false, ...person }, rawRequest);
  const { merchant_account_id: account_id } = account;
  const token = chance.bytes(32).toString('base64url');
  const place = placeOf(rawRequest);
  const began = await withTransaction(db, account_id, async (tx) => {
    const row = { digest: sha256(token), id: chance.id(), person_id: person.id, account_id } as const;
    if (!(await insertSession(tx, { ...row, stage: 'in', ...place }, person))) return false;
    await forgetNetworks(tx, person.id, KNOWN_DAYS);
    await noteLogin(tx, { person_id: person.id, network: person.network });
    await writeAudit(
      tx,
      { actor: person.email, source: rawRequest.client_ip },
      { action: 'operator login', object: person.id, ...(person.by && { detail: { by: person.by } }) },
    );
    return true;
  });
  if (!began) throw await overtaken(context, person, rawRequest);
  const cookie = cookieOf(context, token);
  const principal = await afterCommit(() => findPrincipal(context, { headers: { cookie } }));
  const body: LoginAnswer = { next: 'done', state: stateOf(context, principal) };
  return { body, headers: { 'set-cookie': cookie } };
}

function placeOf({ client_ip, headers }: RawRequest<Caller>): { readonly source: string; readonly browser: string } {
  return { source: client_ip, browser: (headers['user-agent'] ?? '').slice(0, 200) };
}
