// Lets changes of a team happen one after the other: its members, and the rights of the person who asks, cannot change
// until the end of the transaction.
import { Refusal } from '../../core/refusals.ts';
import { isId } from '../../core/ids.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { type HeldRole, builtIn, heldRole, isRole, mayGive, roleName } from '../rights.ts';
import type { RoleKey } from '../wire/session.ts';
import { findRole } from './role-store.ts';
import { type MemberRow, listInvitations, listMembers, lockMembers, withdrawInvitations } from './store.ts';

export type Locked = {
  readonly members: readonly MemberRow[];
  /** The role of the person who asks; undefined: they are not in the team any more. */
  readonly own: HeldRole | undefined;
  /** Refuses what the one who asks may neither give nor take. */
  requireGift(role: HeldRole): void;
};

export async function lockTeam(
  { principal }: { readonly principal: { readonly person: { readonly id: string } } },
  tx: TenantRunner,
): Promise<Locked> {
  await lockMembers(tx);
  // a statement of its own, so that it sees what was changed while the lock was waited for
  const members = await listMembers(tx);
  const row = members.find(({ id }) => id === principal.person.id);
  const own = row && heldRole(row);
  const requireGift = (role: HeldRole): void => {
    if (!own || !mayGive(own, role))
      throw new Refusal('not_allowed', {
        detail: `${own ? `the role ${roleName(own)}` : 'a person without a role'} may not give or take ${roleName(role)}`,
      });
  };
  return { members, own, requireGift };
}

/** The role that a text stands for in this account; undefined: none. */
export async function findHeld(tx: TenantRunner, role: RoleKey): Promise<HeldRole | undefined> {
  if (isRole(role)) return builtIn(role);
  const row = isId(role) ? await findRole(tx, role) : undefined;
  return row && heldRole(row);
}

/**
 * Ends the invitations that their inviters could not give any more, and, of somebody who is `gone`, all they gave and
 * one that would bring them back. Answers the ids.
 */
export async function withdrawBeyond(
  tx: TenantRunner,
  gone?: Pick<MemberRow, 'id' | 'email'>,
): Promise<readonly string[]> {
  const members = await listMembers(tx);
  const over = (await listInvitations(tx)).filter((one) => {
    if (gone !== undefined && (one.inviter_id === gone.id || one.email === gone.email)) return true;
    // by their id: an address may have become somebody else's
    const inviter = members.find(({ id }) => id === one.inviter_id);
    return inviter !== undefined && !mayGive(heldRole(inviter), heldRole(one));
  });
  const ids = over.map(({ id }) => id);
  if (ids.length > 0) await withdrawInvitations(tx, { ids });
  return ids;
}
