// The team of a merchant account: who is in it with which role, who is invited.
import { email, oneOf } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { withTransaction } from '../../kit/database.ts';
import { REASON } from '../reason.ts';
import { ROLES, mayGive } from '../rights.ts';
import { unlock } from '../session/places/store.ts';
import { deleteSessions } from '../session/store.ts';
import type { NewInvitation, Role, Team } from '../wire/session.ts';
import { invite } from './invite.ts';
import { deleteMember, listInvitations, listMembers, lockMembers, updateRole, withdrawInvitations } from './store.ts';

const ROLE = required(oneOf(...ROLES));

export function teamRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'team' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /team', handle: ({ db }) => readTeam(db) }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/invitations',
      body: { email: required(email), role: ROLE },
      handle: (asked) =>
        inviteSomebody(context, asked, { email: asked.body.email.toLowerCase(), role: asked.body.role }),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'DELETE /team/invitations/:id',
      handle: (asked) => withdraw(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'PUT /team/:id',
      body: { role: ROLE, reason: REASON },
      handle: (asked) => changeRole(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/:id/remove',
      body: { reason: REASON },
      handle: (asked) => changeRole(context, asked, { role: undefined, reason: asked.body.reason }),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'DELETE /team/:id/sessions',
      handle: (asked) => endSessions(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/:id/unlock',
      handle: (asked) => endLock(context, asked),
    }),
  ];
}

async function readTeam(db: TenantRunner): Promise<Team> {
  const [members, invitations] = [await listMembers(db), await listInvitations(db)];
  return {
    members: members.map((member) => ({
      ...member,
      last_login_at: member.last_login_at?.toISOString() ?? null,
      locked_until: member.locked_until?.toISOString() ?? null,
    })),
    invitations: invitations.map((one) => ({ ...one, expires_at: one.expires_at.toISOString() })),
  };
}

async function inviteSomebody(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { email: address, role }: { readonly email: string; readonly role: Role },
): Promise<NewInvitation> {
  const by = { actor: asked.principal.person.email, source: asked.client_ip };
  const path = await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { requireGift } = await lockTeam(asked, tx);
    requireGift(role);
    if ((await listMembers(tx)).some((member) => member.email === address))
      throw new Refusal('change_conflict', {
        detail: 'somebody with this address is in the team already: remove them first if the address is not theirs',
      });
    // the new one ends those before it
    for (const one of await listInvitations(tx)) if (one.email === address) requireGift(one.role);
    return invite(context.tools, tx, { email: address, role, by, inviter_id: asked.principal.person.id });
  });
  return { ...(await readTeam(asked.db)), link: `${context.tools.addresses.backoffice_url}${path}` };
}

async function withdraw(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const id = asked.params['id'] ?? '';
  if (!isId(id)) throw unknown('invitation');
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { requireGift } = await lockTeam(asked, tx);
    const open = (await listInvitations(tx)).find((one) => one.id === id);
    if (!open) throw unknown('invitation');
    requireGift(open.role);
    if ((await withdrawInvitations(tx, { ids: [id] })) === 0) throw unknown('invitation');
    await asked.record(tx, { action: 'invitation withdrawn', object: id });
  });
  return readTeam(asked.db);
}

/** The members as they stand, until the end of the transaction, and what the asking one may give or take by that. */
async function lockTeam({ principal }: BackofficeRequest, tx: TenantRunner) {
  const members = await lockMembers(tx);
  const own = members.find(({ person_id }) => person_id === principal.person.id)?.role;
  const requireGift = (role: Role): void => {
    if (own === undefined || !mayGive(own, role))
      throw new Refusal('not_allowed', { detail: `the role ${own ?? 'of nobody'} may not give or take ${role}` });
  };
  return { members, requireGift };
}

/** Without a role the person leaves the team; what they are signed in with elsewhere stays. */
async function changeRole(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { role, reason }: { readonly role: Role | undefined; readonly reason: string },
): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { members, requireGift } = await lockTeam(asked, tx);
    const member = members.find((one) => one.person_id === person_id);
    if (!member) throw unknown('person in this team');
    requireGift(member.role);
    if (role !== undefined) requireGift(role);
    const owners = members.filter((one) => one.role === 'owner' && one.person_id !== person_id);
    if (member.role === 'owner' && role !== 'owner' && owners.length === 0)
      throw new Refusal('change_conflict', { detail: 'this is the last owner: make somebody else one first' });
    const withdrawn = await withdrawOf(tx, { person_id, role });
    await (role === undefined ? deleteMember(tx, person_id) : updateRole(tx, person_id, role));
    const detail = { was: member.role, becomes: role ?? null, ...(withdrawn.length > 0 && { withdrawn }) };
    const action = role === undefined ? 'member removed' : 'role or right changed';
    await asked.record(tx, { action, object: person_id, reason, detail });
  });
  return readTeam(asked.db);
}

/** Ends the invitations that person could not give any more, and one that would bring them back; answers their ids. */
async function withdrawOf(
  tx: TenantRunner,
  { person_id, role }: { readonly person_id: string; readonly role: Role | undefined },
): Promise<readonly string[]> {
  const address = (await listMembers(tx)).find(({ id }) => id === person_id)?.email;
  const over = (await listInvitations(tx)).filter(({ invited_by, email: to, role: given }) => {
    const beyond = invited_by === address && (role === undefined || !mayGive(role, given));
    return beyond || (role === undefined && to === address);
  });
  const ids = over.map(({ id }) => id);
  if (ids.length > 0) await withdrawInvitations(tx, { ids });
  return ids;
}

/** After wrong passwords; the next ones are counted from the beginning. */
async function endLock(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { members } = await lockTeam(asked, tx);
    if (!members.some((one) => one.person_id === person_id)) throw unknown('person in this team');
    await unlock(tx, person_id);
    await asked.record(tx, { action: 'person unlocked', object: person_id });
  });
  return readTeam(asked.db);
}

async function endSessions(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { members, requireGift } = await lockTeam(asked, tx);
    const member = members.find((one) => one.person_id === person_id);
    if (!member) throw unknown('person in this team');
    requireGift(member.role);
    const ended = await deleteSessions(tx, { person_id });
    await asked.record(tx, { action: 'session ended', object: person_id, detail: { ended } });
  });
  return readTeam(asked.db);
}
