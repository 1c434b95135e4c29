// Checks that two people who agree are really two: both have been members for a while, the first did not invite the
// second, and both have proved who they are (by second factor or password, or at the command line by a secret).
import { sha256 } from '../../../kit/crypto.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { heldRole, mayRole } from '../../rights.ts';
import type { Right } from '../../wire/session.ts';
import { type PairRow, findPair, findProved } from './store.ts';

/** A person whom the second person invited counts as the first one only after this many days. */
const INVITED_DAYS = 30;

type SecondPersonRequest = {
  readonly first: string;
  readonly second: string;
  readonly right: Right;
  /** Hours for which both must have been members. */
  readonly member_hours: number;
};

/** Why `second` (a person's id) cannot be the second person after `first`, as a sentence; undefined: they can. */
export async function whyNoSecond(
  db: TenantRunner,
  { first, second, right, member_hours }: SecondPersonRequest,
): Promise<string | undefined> {
  const members = await findPair(db, { first, second });
  const one = members.find(({ person_id }) => person_id === first);
  const other = members.find(({ person_id }) => person_id === second);
  if (first === second) return 'It is the same person.';
  if (!one || !other) return 'One of the two is not a member of the team any more.';
  for (const { email, hours, ...row } of [one, other]) {
    if (!mayRole(heldRole(row), right)) return `The role of ${email} does not allow it any more.`;
    if (hours < member_hours) return `${email} has to be a member for ${member_hours} hours first.`;
  }
  return whyRelated(one, other);
}

function whyRelated(one: PairRow, other: PairRow): string | undefined {
  if (other.invited_by_other)
    return `${other.email} was invited by ${one.email}, or by somebody whom ${one.email} invited: they cannot be the second person after them.`;
  if (one.invited_by_other && one.hours < 24 * INVITED_DAYS)
    return `${one.email} was invited by ${other.email} less than ${INVITED_DAYS} days ago, or by somebody whom ${other.email} invited.`;
  return undefined;
}

/** The member whose name and secret for the command line belong together; undefined: they do not. */
export async function provedMember(
  db: TenantRunner,
  { email, secret, right }: { readonly email: string; readonly secret: string; readonly right: Right },
): Promise<string | undefined> {
  const found = await findProved(db, { email: email.trim().toLowerCase(), digest: sha256(secret.trim()) });
  return found && mayRole(heldRole(found), right) ? found.id : undefined;
}
