// The team as its page has it: who is in it, who is invited, and which roles there are.
import type { Tools } from '../../payment/tools.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { type HeldRole, ROLES, builtIn, heldRole, mayGive, shownRole } from '../rights.ts';
import type { Team } from '../wire/session.ts';
import { listRoles } from './role-store.ts';
import { type MemberRow, listInvitations, listMembers } from './store.ts';

type Context = { readonly tools: Pick<Tools, 'mail'> };
type Asking = { readonly db: TenantRunner; readonly principal: { readonly account: HeldRole } };

export async function readTeam(context: Context, { db, principal }: Asking): Promise<Team> {
  const [members, invitations, own] = [await listMembers(db), await listInvitations(db), await listRoles(db)];
  const of = (role: string) => (row: { readonly role: string }) => row.role === role;
  const roles = [...ROLES.map(builtIn), ...own.map(heldRole)].map((held) => ({
    ...shownRole(held),
    rights: held.rights,
    members: members.filter(of(held.role)).length,
    invitations: invitations.filter(of(held.role)).length,
    may_give: mayGive(principal.account, held),
    yours: principal.account.role === held.role,
  }));
  return {
    roles,
    members: members.map(shownMember),
    mails: context.tools.mail.way,
    invitations: invitations.map(
      ({ role_rights: _, inviter_id: __, role, role_name, mail_state, mail_note, ...one }) => ({
        ...one,
        ...(mail_state !== null && { mail: { state: mail_state, note: mail_note ?? '' } }),
        ...shownRole({ role, role_name }),
        expires_at: one.expires_at.toISOString(),
      }),
    ),
  };
}

function shownMember({ role_rights: _, role, role_name, ...member }: MemberRow): Team['members'][number] {
  return {
    ...member,
    ...shownRole({ role, role_name }),
    last_login_at: member.last_login_at?.toISOString() ?? null,
    locked_until: member.locked_until?.toISOString() ?? null,
  };
}
