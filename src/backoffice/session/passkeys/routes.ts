// Passkeys: signing in with one, alone or after the password; proving who one is; and a person's own list of them.
import { text, withoutCard } from '../../../core/fields.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusals.ts';
import { required } from '../../../core/shape.ts';
import { sha256 } from '../../../kit/crypto.ts';
import { afterCommit, withTransaction } from '../../../kit/database.ts';
import { tooMany } from '../../../kit/http/key-gate.ts';
import type { Caller, RawRequest } from '../../../kit/http/route.ts';
import { networkOf } from '../../../kit/person/few-at-once.ts';
import {
  type AnswerWith,
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  openRoute,
  unknown,
} from '../../context.ts';
import { noteProof } from '../../people/second/store.ts';
import type { Done } from '../../wire.ts';
import type { LoginAnswer, Me, NewPasskeyForm, PasskeyAnswer, PasskeyLogin } from '../../wire/session.ts';
import { admitSignIn, failed, noteFailure, signIn } from '../login.ts';
import { readMe } from '../own.ts';
import { NOT_PROVED } from '../proof.ts';
import { deleteSession, findTicket, tryTicket } from '../store.ts';
import { findPerson } from '../person-store.ts';
import { NOT_TAKEN, REGISTERED, SIGNED, askForNew, askForOne, readNew, readSigned } from './ceremony.ts';
import { deletePasskey, insertPasskey, listPasskeys } from './store.ts';

/** How many questions one network may ask; each keeps a row for five minutes. */
const QUESTIONS_PER_MINUTE = 60;
const MOST_PASSKEYS = 20;
const TICKET = text(64);

export function passkeyRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const me = { right: 'me' } as const;
  return [
    openRoute({
      route: 'POST /session/passkey/options',
      body: { ticket: TICKET },
      handle: async ({ body, rawRequest }) => {
        admitQuestion(context, rawRequest);
        return { body: await askAtTheDoor(context, body.ticket) };
      },
    }),
    openRoute({
      route: 'POST /session/passkey',
      body: { response: SIGNED, ticket: TICKET },
      handle: ({ body, rawRequest }) =>
        admitSignIn(context, rawRequest, () => logInByPasskey(context, body, rawRequest)),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/prove/options',
      handle: ({ principal }) => askForOne(context, { person_id: principal.person.id, holder: principal.digest }),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/prove/passkey',
      body: { response: SIGNED },
      handle: (asked) => admitSignIn(context, asked, () => proveByPasskey(context, asked, asked.body.response)),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/passkeys/options',
      handle: async ({ principal }) => {
        await requireProof(context, principal);
        return askForNew(context, { person: principal.person, holder: principal.digest });
      },
    }),
    backofficeRoute(context, {
      ...me,
      route: 'POST /me/passkeys',
      body: { name: required(withoutCard(text(100))), response: REGISTERED },
      handle: (asked) => addPasskey(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...me,
      route: 'DELETE /me/passkeys/:id',
      handle: (asked) => removePasskey(context, asked),
    }),
  ];
}

function admitQuestion({ tools }: BackofficeContext, { client_ip }: RawRequest<Caller>): void {
  if (tools.counts.count(`passkey question ${networkOf(client_ip)}`, QUESTIONS_PER_MINUTE) !== 'within')
    throw tooMany('sign-in', { quota: QUESTIONS_PER_MINUTE, window_s: 60, retry_s: 60 });
}

/** An unknown ticket is answered like that of a person without passkeys: what is signed then opens nothing. */
async function askAtTheDoor(context: BackofficeContext, ticket: string | undefined) {
  const holder = ticket === undefined ? null : sha256(ticket);
  const person_id = holder === null ? undefined : await findTicket(context.tools.db, holder);
  return askForOne(context, { holder, person_id });
}

const REFUSED = new Refusal('sign_in_failed', {
  detail: 'the passkey is not known here any more, or it was not accepted: sign in with your password',
});

async function logInByPasskey(
  context: BackofficeContext,
  { response, ticket }: PasskeyLogin,
  rawRequest: RawRequest<Caller>,
): Promise<AnswerWith<LoginAnswer>> {
  const { db } = context.tools;
  const holder = ticket === undefined ? null : sha256(ticket);
  const of_ticket = holder === null ? undefined : await tryTicket(db, holder);
  return readSigned(context, { response, holder }, async ({ passkey, claimed }) => {
    const network = networkOf(rawRequest.client_ip);
    const person = claimed && (await findPerson(db, { id: claimed.person_id, network }));
    const whose_turn = holder === null || of_ticket === claimed?.person_id;
    if (!person || !passkey || person.locked || !whose_turn) {
      await failed(context, person, rawRequest);
      throw REFUSED;
    }
    if (holder !== null) await deleteSession(db, holder);
    return signIn(context, { ...person, by: 'passkey' }, rawRequest);
  });
}

async function proveByPasskey(
  context: BackofficeContext,
  asked: BackofficeRequest,
  response: PasskeyAnswer['response'],
): Promise<Done> {
  const { db } = context.tools;
  const { principal } = asked;
  return readSigned(context, { response, holder: principal.digest }, async ({ passkey }) => {
    const person = await findPerson(db, { id: principal.person.id, network: networkOf(asked.client_ip) });
    if (!person || passkey?.person_id !== person.id || person.locked) {
      await noteFailure(context, person, { ...asked, at: 'passkey' });
      throw NOT_TAKEN;
    }
    await noteProof(db, principal.digest);
    return { done: true };
  });
}

type Principal = BackofficeRequest['principal'];

/** A new way in is made, or one taken away, by who has just shown that they are the person. */
async function requireProof({ tools }: BackofficeContext, { session, person }: Principal): Promise<void> {
  if (!session.proved) throw NOT_PROVED;
  if (!session.totp)
    throw new Refusal('change_conflict', {
      detail: 'set up two-factor authentication first: its codes are the way back when the passkey is lost',
    });
  if ((await listPasskeys(tools.db, person.id)).length >= MOST_PASSKEYS)
    throw new Refusal('change_conflict', { detail: `you have ${MOST_PASSKEYS} passkeys: remove one first` });
}

async function addPasskey(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { name, response }: NewPasskeyForm,
): Promise<Me> {
  const { tools } = context;
  const { principal } = asked;
  await requireProof(context, principal);
  const read = await readNew(context, { response, holder: principal.digest });
  if (!read) throw NOT_TAKEN;
  const passkey = { ...read, id: tools.chance.id(), person_id: principal.person.id, name: name.trim() || 'Passkey' };
  const add = async (tx: BackofficeRequest['db']) => {
    if (!(await insertPasskey(tx, passkey)))
      throw new Refusal('change_conflict', { detail: 'this passkey is registered already' });
    await asked.record(tx, { action: 'passkey added', object: passkey.id, detail: { name: passkey.name } });
  };
  // what the authenticator answered is used up
  await afterCommit(() => withTransaction(tools.db, asked.account_id, add));
  return readMe(context, asked);
}

/** Also without a second factor: what takes a way in away must not wait for one. */
async function removePasskey(context: BackofficeContext, asked: BackofficeRequest): Promise<Me> {
  const { session, person } = asked.principal;
  if (!session.proved) throw NOT_PROVED;
  const id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const name = isId(id) ? await deletePasskey(tx, { id, person_id: person.id }) : undefined;
    if (name === undefined) throw unknown('passkey');
    await asked.record(tx, { action: 'passkey removed', object: id, detail: { name } });
  });
  return readMe(context, asked);
}
