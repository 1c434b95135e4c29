// Proving who one is once more, within a session: asked for where two people must agree, and before a secret is shown.
import { refuseField } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import { together } from '../../kit/database.ts';
import type { Asked, Desk } from '../desk.ts';
import { keepCommandDigest, noteProof } from '../people/second/store.ts';
import type { Done } from '../wire.ts';
import type { CommandSecret, Proof } from '../wire/session.ts';
import { WRONG_CODE, requireOwnPassword } from './own.ts';
import { noteFailure, takeCode } from './login.ts';

/** The last proof is too old; the web app asks for one and repeats the request. */
export const NOT_PROVED = refuseField('proof', 'parameter_missing', 'is needed: give your password again');

/** Password, and the code where there is a second factor: good for some minutes. */
export async function prove(desk: Desk, asked: Asked, { password, code = '' }: Proof): Promise<Done> {
  const { db } = desk.tools;
  const person = await requireOwnPassword(desk, asked, password);
  if (person.totp_confirmed && !(await takeCode(desk, db, { person, code }))) {
    await noteFailure(desk, person, { ...asked, at: 'own page' });
    throw WRONG_CODE;
  }
  await noteProof(db, asked.visitor.digest);
  return { done: true };
}

/** A new secret for commands that ask who runs them; the one before is good no more. */
export async function makeCommandSecret(desk: Desk, asked: Asked): Promise<CommandSecret> {
  const { visitor } = asked;
  if (!visitor.session.proved) throw NOT_PROVED;
  // 256 random bits: no dictionary has it, so one fast hash is enough
  const secret = `florin_person_${desk.tools.chance.bytes(32).toString('base64url')}`;
  await together(desk.tools.db, asked.account_id, async (tx) => {
    await keepCommandDigest(tx, visitor.person.id, sha256(secret));
    await asked.record(tx, { action: 'command line secret made', object: visitor.person.id });
  });
  return { secret };
}
