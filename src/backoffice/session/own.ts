// Everything that a person does about themselves: password, second factor, sessions.
import { required } from '../../core/shape.ts';
import { bool, text } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { hashPassword, isPassword, isSamePassword } from '../../kit/person/password.ts';
import { base32 } from '../../kit/person/totp.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { findAlarmMails, putAlarmMails } from '../alarm/store.ts';
import { type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import type { Tools } from '../../payment/tools.ts';
import { requirePassword } from '../people/invite.ts';
import { keepCommandDigest } from '../people/second/store.ts';
import { heldRole, needsTotp } from '../rights.ts';
import type { Done } from '../wire.ts';
import type { Me, RecoveryCodes, TotpOffer } from '../wire/session.ts';
import { admitSignIn, noteFailure, recoveryDigest, sealTotp, takeCode, takeNextCode } from './login.ts';
import { listPasskeys } from './passkeys/store.ts';
import { deleteSessions, listSessions } from './store.ts';
import {
  type PersonRow,
  countRecoveryCodes,
  findAccounts,
  findPerson,
  offerNextTotp,
  offerTotp,
  replaceRecoveryCodes,
  updatePassword,
} from './person-store.ts';

const PASSWORD = required(text(200));
const DONE: Done = { done: true };

/** The routes of a person's own page. The limits of the sign-in also hold if a password is asked for again. */
export function ownRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const me = { right: 'me' } as const;
  return [
    backofficeRoute(context, { ...me, route: 'GET /me', handle: (asked) => readMe(context, asked) }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/password',
      body: { password: PASSWORD, new_password: PASSWORD },
      handle: (asked) => admitSignIn(context, asked, () => changePassword(context, asked, asked.body)),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/totp',
      body: { password: PASSWORD, code: text(40) },
      handle: (asked) => admitSignIn(context, asked, () => beginTotp(context, asked, asked.body)),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/totp/confirm',
      body: { code: required(text(20)) },
      handle: (asked) => confirmTotp(context, asked, asked.body.code),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'DELETE /me/totp',
      body: { password: PASSWORD, code: required(text(40)) },
      handle: (asked) => admitSignIn(context, asked, () => removeTotp(context, asked, asked.body)),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/alarms',
      body: { alarm_mails: required(bool) },
      handle: (asked) => chooseAlarms(context, asked, asked.body.alarm_mails),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'DELETE /me/sessions/:id',
      handle: (asked) => endSession(context, asked),
    }),
  ];
}

export async function readMe({ tools }: BackofficeContext, { principal, db }: BackofficeRequest): Promise<Me> {
  const { sign_on_account } = principal.session;
  // what a provider signed in sees what it signed in, and nothing of the person elsewhere
  const rows = (await listSessions(tools.db, principal.person.id)).filter(
    (row) => sign_on_account === null || row.sign_on_account === sign_on_account,
  );
  const passkeys = sign_on_account === null ? await listPasskeys(tools.db, principal.person.id) : [];
  return {
    person: principal.person,
    totp: principal.totp,
    alarms: await alarmsFor(tools, db, principal.person.id),
    recovery_codes_left: await countRecoveryCodes(tools.db, principal.person.id),
    passkeys: passkeys.map(({ id, name, synced, created_at, used_at }) => ({
      id,
      name,
      synced,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    sessions: rows.map((row) => ({
      id: row.id,
      from: row.source,
      country: tools.origins.countryOf(row.source),
      browser: row.browser,
      current: row.id === principal.session.id,
      created_at: row.created_at.toISOString(),
      seen_at: row.seen_at.toISOString(),
    })),
  };
}

async function alarmsFor({ mail }: Pick<Tools, 'mail'>, db: TenantRunner, person_id: string): Promise<Me['alarms']> {
  const found = await findAlarmMails(db, person_id);
  const reaches = mail.way === 'kept' || (mail.way === 'sent' && found?.address_proved === true);
  return { on: found?.alarm_mails === true, reaches: reaches ? 'yes' : mail.way === 'none' ? 'no_server' : 'unproved' };
}

/** BackofficeRequest again for what decides about the session itself; failures count as those of a sign-in. */
export async function requireOwnPassword(
  context: BackofficeContext,
  asked: BackofficeRequest,
  password: string,
): Promise<PersonRow> {
  const network = networkOf(asked.client_ip);
  const person = await findPerson(context.tools.db, { id: asked.principal.person.id, network });
  const right = await isPassword(password, person?.password, asked.client_ip);
  if (person && right && !person.locked) return person;
  await noteFailure(context, person, { ...asked, at: 'own page' });
  throw refuseField('password', 'parameter_invalid', 'is not the one you sign in with');
}

async function changePassword(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { password, new_password }: { readonly password: string; readonly new_password: string },
): Promise<Done> {
  const person = await requireOwnPassword(context, asked, password);
  requirePassword(new_password, { field: 'new_password', own: [person.email, person.name, context.brand] });
  if (isSamePassword(password, new_password))
    throw refuseField('new_password', 'parameter_invalid', 'is the one that you have: take another');
  const kept = await hashPassword(new_password, context.tools.chance.bytes(16), asked.client_ip);
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    await updatePassword(tx, person.id, kept);
    await endElsewhere(tx, asked);
    await asked.record(tx, { action: 'password changed', object: person.id });
  });
  return DONE;
}

/** What the person proved before by less than now is over: the other sessions, and the secret for the command line. */
async function endElsewhere(tx: TenantRunner, { principal }: BackofficeRequest): Promise<void> {
  const { id: person_id } = principal.person;
  await deleteSessions(tx, { person_id, except: principal.session.id });
  await keepCommandDigest(tx, person_id, null);
}

/**
 * Begins a new second factor. If the person has one, they must give it, too, and it stays in force until the first code
 * of the new one.
 */
async function beginTotp(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { password, code }: { readonly password: string; readonly code?: string },
): Promise<TotpOffer> {
  const { db, chance } = context.tools;
  const person = await requireOwnPassword(context, asked, password);
  if (person.totp_confirmed) await requireOwnCode(context, asked, { person, code });
  const secret = chance.bytes(20);
  const sealed = sealTotp(context, person.id, secret);
  // the code is used up
  if (person.totp_confirmed) await afterCommit(() => offerNextTotp(db, person.id, sealed));
  else if (!(await offerTotp(db, person.id, sealed))) throw HAS_TOTP;
  const text32 = base32(secret);
  secret.fill(0);
  const issuer = encodeURIComponent(`${context.brand} ${context.tools.environment}`);
  const uri = `otpauth://totp/${issuer}:${encodeURIComponent(person.email)}?secret=${text32}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`;
  return { uri, secret: text32 };
}

type Proving = { readonly person: PersonRow; readonly code: string | undefined };

/** A wrong one counts as one at the sign-in. */
async function requireOwnCode(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { person, code }: Proving,
): Promise<void> {
  if (code === undefined) throw refuseField('code', 'parameter_missing', 'is required: there is a second factor');
  if (await takeCode(context, context.tools.db, { person, code })) return;
  await noteFailure(context, person, { ...asked, at: 'own page' });
  throw WRONG_CODE;
}

const HAS_TOTP = new Refusal('change_conflict', { detail: 'a second factor was set up meanwhile: try again' });
const RECOVERY_CODES = 10;

async function confirmTotp(context: BackofficeContext, asked: BackofficeRequest, code: string): Promise<RecoveryCodes> {
  const { db, chance } = context.tools;
  const person = await findPerson(db, { id: asked.principal.person.id, network: networkOf(asked.client_ip) });
  const offered = person?.totp_confirmed === true ? person.totp_next_sealed : person?.totp_sealed;
  if (!person || offered === null || offered === undefined)
    throw new Refusal('change_conflict', { detail: 'begin with a new secret first' });
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (chance.bytes(8).toString('hex').match(/.{4}/g) ?? []).join('-'),
  );
  await withTransaction(db, asked.account_id, async (tx) => {
    const take = person.totp_confirmed ? takeNextCode : takeCode;
    if (!/^\d{6}$/.test(code.trim()) || !(await take(context, tx, { person, code }))) throw WRONG_CODE;
    await replaceRecoveryCodes(
      tx,
      person.id,
      codes.map((one) => recoveryDigest(person.id, one)),
    );
    await endElsewhere(tx, asked);
    const second_factor = person.totp_confirmed ? 'set up again' : 'on';
    await asked.record(tx, { action: 'MFA changed', object: person.id, detail: { second_factor } });
  });
  return { codes };
}

async function removeTotp(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<Done> {
  const person = await requireOwnPassword(context, asked, password);
  const { environment, db } = context.tools;
  // of all accounts: a session of single sign-on knows one
  if (environment === 'production' && (await findAccounts(db, person.id)).map(heldRole).some(needsTotp))
    throw new Refusal('change_conflict', { detail: 'production asks owners and administrators for a second factor' });
  const taken = await withTransaction(db, asked.account_id, async (tx) => {
    if (!(await takeCode(context, tx, { person, code }))) return false;
    // from here on no passkey is added
    await offerTotp(tx, person.id, null);
    if ((await listPasskeys(tx, person.id)).length > 0)
      throw new Refusal('change_conflict', {
        detail: 'you have passkeys, and the code is the way back: remove them first',
      });
    await replaceRecoveryCodes(tx, person.id, []);
    await asked.record(tx, { action: 'MFA changed', object: person.id, detail: { second_factor: 'off' } });
    return true;
  });
  if (taken) return DONE;
  await noteFailure(context, person, { ...asked, at: 'own page' });
  throw WRONG_CODE;
}

/** Sets the alarms of the account that the person works in now. */
async function chooseAlarms(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  alarm_mails: boolean,
): Promise<Done> {
  const person_id = asked.principal.person.id;
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (!(await putAlarmMails(tx, { person_id, alarm_mails }))) throw unknown('member');
    await asked.record(tx, { action: 'alarm mails changed', object: person_id, detail: { alarm_mails } });
  });
  return DONE;
}

export const WRONG_CODE = refuseField('code', 'parameter_invalid', 'is not the one your authenticator shows now');

async function endSession(context: BackofficeContext, asked: BackofficeRequest): Promise<Done> {
  const id = asked.params['id'] ?? '';
  const person_id = asked.principal.person.id;
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    if (!isId(id) || (await deleteSessions(tx, { person_id, id })) === 0) throw unknown('session');
    await asked.record(tx, { action: 'session ended', object: person_id, detail: { ended: 1 } });
  });
  return DONE;
}
