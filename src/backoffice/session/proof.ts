// Proving who one is once more, within a session: asked for where two people must agree, and before a secret is shown.
import { refuseField } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import { afterCommit, withTransaction } from '../../kit/database.ts';
import type { BackofficeRequest, BackofficeContext } from '../context.ts';
import { keepCommandDigest, noteProof } from '../people/second/store.ts';
import type { Done } from '../wire.ts';
import type { CommandSecret, Proof } from '../wire/session.ts';
import { WRONG_CODE, requireOwnPassword } from './own.ts';
import { noteFailure, takeCode } from './login.ts';

/** The last proof is too old; the web app asks for one and repeats the request. */
export const NOT_PROVED = refuseField('proof', 'parameter_missing', 'is needed: give your password again');

/** Password, and the code where there is a second factor: good for some minutes. */
export async function prove(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { password, code = '' }: Proof,
): Promise<Done> {
  const { db } = context.tools;
  const person = await requireOwnPassword(context, asked, password);
  if (person.totp_confirmed && !(await takeCode(context, db, { person, code }))) {
    await noteFailure(context, person, { ...asked, at: 'own page' });
    throw WRONG_CODE;
  }
  const note = () => noteProof(db, asked.principal.digest);
  // a code is used up
  await (person.totp_confirmed ? afterCommit(note) : note());
  return { done: true };
}

/** A new secret for commands that ask who runs them; the one before is good no more. */
export async function makeCommandSecret(context: BackofficeContext, asked: BackofficeRequest): Promise<CommandSecret> {
  const { principal } = asked;
  if (!principal.session.proved) throw NOT_PROVED;
  // 256 random bits: no dictionary has it, so one fast hash is enough
  const secret = `florin_person_${context.tools.chance.bytes(32).toString('base64url')}`;
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    await keepCommandDigest(tx, principal.person.id, sha256(secret));
    await asked.record(tx, { action: 'command line secret made', object: principal.person.id });
  });
  return { secret };
}
