// What a person does about themselves: password, second factor, sessions.
import { required } from '../../core/shape.ts';
import { text } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { hashPassword, isPassword } from '../../kit/person/password.ts';
import { base32 } from '../../kit/person/totp.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute, unknown } from '../desk.ts';
import { together } from '../../kit/database.ts';
import { requirePassword } from '../people/invite.ts';
import { needsTotp } from '../rights.ts';
import type { Done } from '../wire.ts';
import type { Me, RecoveryCodes, TotpOffer } from '../wire/session.ts';
import { type Doorman, noteFailure, recoveryDigest, sealTotp, takeCode } from './login.ts';
import {
  type PersonRow,
  countRecoveryCodes,
  deleteSessions,
  findPerson,
  listSessions,
  offerTotp,
  replaceRecoveryCodes,
  updatePassword,
} from './store.ts';

const PASSWORD = required(text(200));
const DONE: Done = { done: true };

/** Where a password is asked for again stands the doorman of the sign-in. */
export function ownRoutes(desk: Desk, doorman: Doorman): readonly DeskRoute[] {
  const me = { right: 'me' } as const;
  return [
    deskRoute(desk, { ...me, route: 'GET /me', handle: (asked) => readMe(desk, asked) }),
    deskRoute(desk, {
      ...me,
      route: 'POST /me/password',
      body: { password: PASSWORD, new_password: PASSWORD },
      handle: (asked) => doorman.admit(desk, asked, () => changePassword(desk, asked, asked.body)),
    }),
    deskRoute(desk, {
      ...me,
      route: 'POST /me/totp',
      body: { password: PASSWORD },
      handle: (asked) => doorman.admit(desk, asked, () => beginTotp(desk, asked, asked.body.password)),
    }),
    deskRoute(desk, {
      ...me,
      route: 'POST /me/totp/confirm',
      body: { code: required(text(20)) },
      handle: (asked) => confirmTotp(desk, asked, asked.body.code),
    }),
    deskRoute(desk, {
      ...me,
      route: 'DELETE /me/totp',
      body: { password: PASSWORD, code: required(text(40)) },
      handle: (asked) => doorman.admit(desk, asked, () => removeTotp(desk, asked, asked.body)),
    }),
    deskRoute(desk, {
      ...me,
      route: 'DELETE /me/sessions/:id',
      handle: (asked) => endSession(desk, asked),
    }),
  ];
}

async function readMe({ tools }: Desk, { visitor }: Asked): Promise<Me> {
  const rows = await listSessions(tools.db, visitor.person.id);
  return {
    person: visitor.person,
    totp: visitor.totp,
    recovery_codes_left: await countRecoveryCodes(tools.db, visitor.person.id),
    sessions: rows.map((row) => ({
      ...{ id: row.id, from: row.source, browser: row.browser, current: row.id === visitor.session.id },
      ...{ created_at: row.created_at.toISOString(), seen_at: row.seen_at.toISOString() },
    })),
  };
}

/** Asked again for what decides about the session itself; failures count as those of a sign-in. */
export async function requireOwnPassword(desk: Desk, asked: Asked, password: string): Promise<PersonRow> {
  const network = networkOf(asked.client_ip);
  const person = await findPerson(desk.tools.db, { id: asked.visitor.person.id, network });
  const right = await isPassword(password, person?.password, asked.client_ip);
  if (person && right && !person.locked) return person;
  await noteFailure(desk, person, { ...asked, at: 'own page' });
  throw refuseField('password', 'parameter_invalid', 'is not the one you sign in with');
}

async function changePassword(
  desk: Desk,
  asked: Asked,
  { password, new_password }: { readonly password: string; readonly new_password: string },
): Promise<Done> {
  const person = await requireOwnPassword(desk, asked, password);
  requirePassword(new_password, { field: 'new_password', own: [person.email, person.name, desk.brand] });
  const kept = await hashPassword(new_password, desk.tools.chance.bytes(16), asked.client_ip);
  await together(desk.tools.db, asked.account_id, async (tx) => {
    await updatePassword(tx, person.id, kept);
    await deleteSessions(tx, { person_id: person.id, except: asked.visitor.session.id });
    await asked.record(tx, { action: 'password changed', object: person.id });
  });
  return DONE;
}

async function beginTotp(desk: Desk, asked: Asked, password: string): Promise<TotpOffer> {
  const person = await requireOwnPassword(desk, asked, password);
  if (person.totp_confirmed) throw HAS_TOTP;
  const secret = desk.tools.chance.bytes(20);
  if (!(await offerTotp(desk.tools.db, person.id, sealTotp(desk, person.id, secret)))) throw HAS_TOTP;
  const text32 = base32(secret);
  secret.fill(0);
  const issuer = encodeURIComponent(`${desk.brand} ${desk.tools.environment}`);
  const uri = `otpauth://totp/${issuer}:${encodeURIComponent(person.email)}?secret=${text32}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`;
  return { uri, secret: text32 };
}

const HAS_TOTP = new Refusal('change_conflict', { detail: 'there is a second factor: take it away first' });
const RECOVERY_CODES = 10;

async function confirmTotp(desk: Desk, asked: Asked, code: string): Promise<RecoveryCodes> {
  const { db, chance } = desk.tools;
  const person = await findPerson(db, { id: asked.visitor.person.id, network: networkOf(asked.client_ip) });
  if (!person || person.totp_confirmed || person.totp_sealed === null)
    throw new Refusal('change_conflict', { detail: 'begin with a new secret first' });
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (chance.bytes(8).toString('hex').match(/.{4}/g) ?? []).join('-'),
  );
  await together(db, asked.account_id, async (tx) => {
    if (!/^\d{6}$/.test(code.trim()) || !(await takeCode(desk, tx, { person, code }))) throw WRONG_CODE;
    await replaceRecoveryCodes(
      tx,
      person.id,
      codes.map((one) => recoveryDigest(person.id, one)),
    );
    await deleteSessions(tx, { person_id: person.id, except: asked.visitor.session.id });
    await asked.record(tx, { action: 'MFA changed', object: person.id, detail: { second_factor: 'on' } });
  });
  return { codes };
}

async function removeTotp(
  desk: Desk,
  asked: Asked,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<Done> {
  const person = await requireOwnPassword(desk, asked, password);
  const { environment, db } = desk.tools;
  if (environment === 'production' && asked.visitor.accounts.some(({ role }) => needsTotp(role)))
    throw new Refusal('change_conflict', { detail: 'production asks owners and administrators for a second factor' });
  const taken = await together(db, asked.account_id, async (tx) => {
    if (!(await takeCode(desk, tx, { person, code }))) return false;
    await offerTotp(tx, person.id, null);
    await replaceRecoveryCodes(tx, person.id, []);
    await asked.record(tx, { action: 'MFA changed', object: person.id, detail: { second_factor: 'off' } });
    return true;
  });
  if (taken) return DONE;
  await noteFailure(desk, person, { ...asked, at: 'own page' });
  throw WRONG_CODE;
}

export const WRONG_CODE = refuseField('code', 'parameter_invalid', 'is not the one your authenticator shows now');

async function endSession(desk: Desk, asked: Asked): Promise<Done> {
  const id = asked.params['id'] ?? '';
  const person_id = asked.visitor.person.id;
  await together(desk.tools.db, asked.account_id, async (tx) => {
    if (!isId(id) || (await deleteSessions(tx, { person_id, id })) === 0) throw unknown('session');
    await asked.record(tx, { action: 'session ended', object: person_id, detail: { ended: 1 } });
  });
  return DONE;
}
