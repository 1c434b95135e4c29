// The question to an authenticator, and the check of its answer. A challenge is good once, for a while, and for the
// person it was made for; a counter never goes back.
import { anything } from '../../../core/fields.ts';
import { Refusal, refuseField } from '../../../core/refusals.ts';
import { type Field, required } from '../../../core/shape.ts';
import { afterCommit } from '../../../kit/database.ts';
import {
  type PasskeySite,
  askForNewPasskey,
  askForPasskey,
  challengeIn,
  claimsOf,
  passkeySite,
  readNewPasskey,
  readPasskey,
} from '../../../kit/person/passkey.ts';
import type { BackofficeContext } from '../../context.ts';
import type { NewPasskeyForm, NewPasskeyQuestion, PasskeyAnswer, PasskeyQuestion, Person } from '../../wire/session.ts';
import { type PasskeyRow, countPasskey, findPasskey, keepChallenge, listPasskeys, takeChallenge } from './store.ts';

/** The answer of a browser; the library checks everything in it. */
export const REGISTERED = required(anything as Field<NewPasskeyForm['response'], false>);
export const SIGNED = required(anything as Field<PasskeyAnswer['response'], false>);

export const NOT_TAKEN = refuseField('passkey', 'parameter_invalid', 'was not accepted: try it again');

function siteOf({ tools }: BackofficeContext): PasskeySite {
  const site = passkeySite(tools.addresses.backoffice_url);
  if (site) return site;
  throw new Refusal('change_conflict', {
    detail: 'passkeys need the back office at a name with https: FLORIN_BACKOFFICE_URL is none',
  });
}

/** Hash of the session or ticket that a question is for; null: the person is not known yet. */
type Holder = string | null;

/** Made and kept: 256 random bits. */
async function newChallenge({ tools }: BackofficeContext, holder: Holder): Promise<string> {
  const challenge = tools.chance.bytes(32).toString('hex');
  await keepChallenge(tools.db, { challenge, holder });
  return challenge;
}

async function credentialsOf({ tools }: BackofficeContext, person_id: string | undefined): Promise<readonly string[]> {
  const own = person_id === undefined ? [] : await listPasskeys(tools.db, person_id);
  return own.map(({ credential_id }) => credential_id);
}

export async function askForNew(
  context: BackofficeContext,
  { person, holder }: { readonly person: Person; readonly holder: string },
): Promise<NewPasskeyQuestion> {
  const site = siteOf(context);
  const credentials = await credentialsOf(context, person.id);
  const challenge = await newChallenge(context, holder);
  return { options: await askForNewPasskey({ site, challenge, credentials, person, brand: context.brand }) };
}

/** `person_id`: whose passkeys are meant; undefined: the authenticator says whose. */
export async function askForOne(
  context: BackofficeContext,
  { person_id, holder }: { readonly person_id: string | undefined; readonly holder: Holder },
): Promise<PasskeyQuestion> {
  const site = siteOf(context);
  const credentials = await credentialsOf(context, person_id);
  const challenge = await newChallenge(context, holder);
  return { options: await askForPasskey({ site, challenge, credentials }) };
}

type Answered<R> = { readonly response: R; readonly holder: Holder };

/** The challenge that was signed, if it is one of ours: it is used up, as is the answer to it. */
async function takeChallengeOf(
  { tools }: BackofficeContext,
  { response, holder }: Answered<NewPasskeyForm['response'] | PasskeyAnswer['response']>,
): Promise<string | undefined> {
  const challenge = challengeIn(response);
  if (challenge === undefined) return undefined;
  return (await takeChallenge(tools.db, { challenge, holder })) ? challenge : undefined;
}

/** The key of a registration. Undefined: it is not what was asked for. */
export async function readNew(context: BackofficeContext, answered: Answered<NewPasskeyForm['response']>) {
  const site = siteOf(context);
  const challenge = await takeChallengeOf(context, answered);
  return challenge === undefined ? undefined : readNewPasskey({ site, challenge, response: answered.response });
}

type Signed = { readonly passkey?: PasskeyRow; readonly claimed?: PasskeyRow };

/**
 * Finds the passkey that signed our challenge, counts its use, and goes on with it. `claimed`: the person that it
 * should belong to.
 */
export async function readSigned<T>(
  context: BackofficeContext,
  answered: Answered<PasskeyAnswer['response']>,
  goOn: (signed: Signed) => Promise<T>,
): Promise<T> {
  const site = siteOf(context);
  const challenge = await takeChallengeOf(context, answered);
  const work = async () => goOn(await signedBy(context, { site, challenge, ...answered }));
  return challenge === undefined ? work() : afterCommit(work);
}

type Reading = Answered<PasskeyAnswer['response']> & {
  readonly site: PasskeySite;
  readonly challenge: string | undefined;
};

async function signedBy({ tools }: BackofficeContext, { site, challenge, response, holder }: Reading): Promise<Signed> {
  const { db } = tools;
  const { credential_id, person_id } = claimsOf(response);
  const claimed = credential_id === undefined ? undefined : await findPasskey(db, credential_id);
  if (!claimed) return {};
  // the authenticator says whose it is, and must if we do not know the person yet; if we know another person, it is
  // forged
  const named = person_id === undefined ? holder !== null : person_id === claimed.person_id;
  if (challenge === undefined || !named) return { claimed };
  const read = await readPasskey({ site, challenge, response }, claimed);
  const counted = read && (await countPasskey(db, { ...read, id: claimed.id }));
  return counted ? { claimed, passkey: claimed } : { claimed };
}
