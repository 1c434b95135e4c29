// The team of a merchant account: who is in it with which role, who is invited.
import { email, oneOf, withoutCard } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { type Reading, required } from '../../core/shape.ts';
import { type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { whyNoMail } from '../../payment/mail/write.ts';
import { REASON } from '../reason.ts';
import { type HeldRole, ROLES, heldRole, isRole, roleWords } from '../rights.ts';
import { unlock } from '../session/places/store.ts';
import { shutSessions } from '../session/store.ts';
import type { InvitationForm, NewInvitation, RoleKey, Team } from '../wire/session.ts';
import { invite } from './invite.ts';
import { findHeld, lockTeam, withdrawBeyond } from './lock.ts';
import { readTeam } from './show.ts';
import { deleteMember, listInvitations, updateRole, withdrawInvitations } from './store.ts';

/** Whether the account has one with this id is looked at later. */
const ROLE = required({
  schema: { type: 'string' },
  required: false,
  read: (value: unknown, name: string, reading: Reading) =>
    typeof value === 'string' && (isRole(value) || isId(value))
      ? value
      : reading.refuse(name, `must be one of ${ROLES.join(', ')}, or the id of a role of the account`),
});

export function teamRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'team' } as const;
  return [
    backofficeRoute(context, { ...of, route: 'GET /team', handle: (asked) => readTeam(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/invitations',
      body: { email: required(withoutCard(email)), role: ROLE, by: oneOf('mail', 'link') },
      handle: (asked) => inviteSomebody(context, asked, asked.body),
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

async function inviteSomebody(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { email: written, role: key, by: way }: InvitationForm,
): Promise<NewInvitation> {
  const { tools } = context;
  const address = written.toLowerCase();
  const by = { actor: asked.principal.person.email, source: asked.client_ip };
  const { person, account } = asked.principal;
  const back_office = tools.addresses.backoffice_url;
  const made = await withTransaction(tools.db, asked.account_id, async (tx) => {
    const { members, requireGift } = await lockTeam(asked, tx);
    const held = await requireHeld(tx, key);
    requireGift(held);
    if (members.some((member) => member.email === address))
      throw new Refusal('change_conflict', {
        detail: 'somebody with this address is in the team already: remove them first if the address is not theirs',
      });
    // the new one ends those before it
    for (const one of await listInvitations(tx)) if (one.email === address) requireGift(heldRole(one));
    const why_no_mail = await whyNoMail(tools, tx, address);
    if (way === 'mail' && why_no_mail !== undefined)
      throw new Refusal('change_conflict', { detail: `${why_no_mail}: take the link and hand it over` });
    const letter = way !== 'link' && why_no_mail === undefined && { account: account.name, by_name: person.name };
    const { role, role_name } = held;
    const about = { email: address, role, role_name, by, inviter_id: person.id };
    const path = await invite(tools, tx, { ...about, ...(letter && { letter: { ...letter, back_office } }) });
    return { path, mailed: letter !== false && tools.mail.way === 'sent' };
  });
  const team = await afterCommit(() => readTeam(context, asked));
  // a link that its inviter has seen would prove nothing
  return made.mailed ? { ...team, link: null } : { ...team, link: `${back_office}${made.path}` };
}

async function withdraw(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const id = asked.params['id'] ?? '';
  if (!isId(id)) throw unknown('invitation');
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { requireGift } = await lockTeam(asked, tx);
    const open = (await listInvitations(tx)).find((one) => one.id === id);
    if (!open) throw unknown('invitation');
    requireGift(heldRole(open));
    if ((await withdrawInvitations(tx, { ids: [id] })) === 0) throw unknown('invitation');
    await asked.record(tx, { action: 'invitation withdrawn', object: id });
  });
  return readTeam(context, asked);
}

async function requireHeld(tx: TenantRunner, role: RoleKey): Promise<HeldRole> {
  const held = await findHeld(tx, role);
  if (!held) throw refuseField('role', 'parameter_invalid', 'is no role of this account');
  return held;
}

/** The team, locked, and the person in it whom a request names: one whose role the asker may give and take. */
async function lockMember(asked: BackofficeRequest, tx: TenantRunner) {
  const team = await lockTeam(asked, tx);
  const member = team.members.find(({ id }) => id === asked.params['id']);
  if (!member) throw unknown('person in this team');
  const was = heldRole(member);
  team.requireGift(was);
  return { ...team, member, was };
}

/** Without a role the person leaves the team; what they are signed in with elsewhere stays. */
async function changeRole(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { role: key, reason }: { readonly role: RoleKey | undefined; readonly reason: string },
): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { members, member, was, requireGift } = await lockMember(asked, tx);
    const becomes = key === undefined ? undefined : await requireHeld(tx, key);
    if (becomes) requireGift(becomes);
    const owners = members.filter((one) => one.role === 'owner' && one.id !== person_id);
    if (was.role === 'owner' && becomes?.role !== 'owner' && owners.length === 0)
      throw new Refusal('change_conflict', { detail: 'this is the last owner: make somebody else one first' });
    if (becomes && person_id === asked.principal.person.id)
      throw new Refusal('not_allowed', { detail: 'you cannot change your own role: ask another person of the team' });
    await (becomes ? updateRole(tx, person_id, becomes.role) : deleteMember(tx, person_id));
    const withdrawn = await withdrawBeyond(tx, becomes ? undefined : member);
    const detail = {
      was: roleWords(was),
      becomes: becomes ? roleWords(becomes) : null,
      ...(withdrawn.length > 0 && { withdrawn }),
    };
    const action = becomes ? 'role or right changed' : 'member removed';
    await asked.record(tx, { action, object: person_id, reason, detail });
  });
  return readTeam(context, asked);
}

/** Ends a lock after wrong passwords; further ones are counted from the beginning. */
async function endLock(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    await lockMember(asked, tx);
    await unlock(tx, person_id);
    await asked.record(tx, { action: 'person unlocked', object: person_id });
  });
  return readTeam(context, asked);
}

/** Ends the person's sessions for this account; their sessions elsewhere are not its matter. */
async function endSessions(context: BackofficeContext, asked: BackofficeRequest): Promise<Team> {
  const person_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    await lockMember(asked, tx);
    const ended = await shutSessions(tx, person_id);
    await asked.record(tx, { action: 'session ended', object: person_id, detail: { ended } });
  });
  return readTeam(context, asked);
}
