// Roles that an account makes of the rights there are. A change holds from the next request of each person who has the
// role.
import { text, withoutCard } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { type Field, required } from '../../core/shape.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import { type HeldRole, RIGHTS, ROLES, heldRole, roleWords } from '../rights.ts';
import type { OwnRoleForm, Right, RoleChangeForm, RoleRemovalForm, Team } from '../wire/session.ts';
import { type Locked, findHeld, lockTeam, withdrawBeyond } from './lock.ts';
import { changeRights, deleteRole, findRole, insertRole, listRoles } from './role-store.ts';
import { readTeam } from './show.ts';
import { listInvitations, updateRole, withdrawInvitations } from './store.ts';

/** More roles than a team can keep apart. */
const MOST = 50;

const RIGHT_LIST: Field<readonly Right[], false> = {
  schema: { type: 'array', items: { enum: RIGHTS }, minItems: 1 },
  required: false,
  read: (value, name, reading) => {
    const says = `must be a list of some of ${RIGHTS.join(', ')}`;
    if (!Array.isArray(value)) return reading.refuse(name, says);
    const named = RIGHTS.filter((right) => value.includes(right));
    if (named.length < new Set(value).size) return reading.refuse(name, says);
    if (!named.includes('read')) return reading.refuse(name, 'must hold read: everyone who signs in sees orders');
    return named;
  },
};
const FORM = { name: required(withoutCard(text(40))), rights: required(RIGHT_LIST), reason: REASON };

export function roleRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'team' } as const;
  return [
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/roles',
      body: FORM,
      handle: (asked) => make(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'PUT /team/roles/:id',
      body: { ...FORM, was: RIGHT_LIST },
      handle: (asked) => change(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /team/roles/:id/remove',
      body: { becomes: text(24), reason: REASON },
      handle: (asked) => remove(context, asked, asked.body),
    }),
  ];
}

async function make(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { name: written, rights, reason }: OwnRoleForm,
): Promise<Team> {
  const [id, name] = [context.tools.chance.id(), written.trim()];
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const { requireGift } = await lockTeam(asked, tx);
    requireGift({ role: id, role_name: name, rights });
    const others = await requireName(tx, { id, name });
    if (others >= MOST) throw new Refusal('change_conflict', { detail: `an account has at most ${MOST} roles` });
    await insertRole(tx, { id, name, rights });
    await asked.record(tx, { action: 'role made', object: id, reason, detail: { becomes: { name, rights } } });
  });
  return readTeam(context, asked);
}

/** Refuses a name that is another role's. Answers how many others there are. */
async function requireName(tx: TenantRunner, { id, name }: { readonly id: string; readonly name: string }) {
  if (name === '') throw refuseField('name', 'parameter_missing', 'is required');
  const others = (await listRoles(tx)).filter(({ role }) => role !== id);
  // a reader is called viewer on the page
  const taken = [...ROLES, 'viewer', ...others.map(({ role_name }) => role_name)];
  if (taken.some((one) => one.toLowerCase() === name.toLowerCase()))
    throw refuseField('name', 'parameter_invalid', 'is the name of another role');
  return others.length;
}

/** The role of the path, which the one who asks may change: within their own rights, and not their own. */
async function requireRole(
  tx: TenantRunner,
  { params }: Pick<BackofficeRequest, 'params'>,
  { own, requireGift }: Locked,
): Promise<HeldRole> {
  const id = params['id'] ?? '';
  const row = isId(id) ? await findRole(tx, id) : undefined;
  if (!row) throw unknown('role');
  const role = heldRole(row);
  if (own?.role === id) throw new Refusal('not_allowed', { detail: 'it is your own role: somebody else changes it' });
  requireGift(role);
  return role;
}

async function change(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { name: written, rights, reason, was: seen }: RoleChangeForm,
): Promise<Team> {
  const name = written.trim();
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const locked = await lockTeam(asked, tx);
    const was = await requireRole(tx, asked, locked);
    locked.requireGift({ role: was.role, role_name: name, rights });
    // a page of before must not give back what somebody has just taken away
    if (seen && RIGHTS.some((right) => seen.includes(right) !== was.rights.includes(right)))
      throw new Refusal('change_conflict', {
        detail: 'somebody has changed the rights of this role meanwhile: close this and look at them again',
      });
    await requireName(tx, { id: was.role, name });
    await changeRights(tx, { id: was.role, name, rights });
    const withdrawn = await withdrawBeyond(tx);
    const detail = {
      was: { name: was.role_name, rights: was.rights },
      becomes: { name, rights },
      ...(withdrawn.length > 0 && { withdrawn }),
    };
    await asked.record(tx, { action: 'role changed', object: was.role, reason, detail });
  });
  return readTeam(context, asked);
}

type Instead = {
  readonly holders: readonly { readonly id: string }[];
  readonly was: HeldRole;
  readonly next: HeldRole;
  readonly reason: string;
};

async function giveInstead(asked: BackofficeRequest, tx: TenantRunner, { holders, was, next, reason }: Instead) {
  for (const { id } of holders) {
    await updateRole(tx, id, next.role);
    const detail = { was: roleWords(was), becomes: roleWords(next) };
    await asked.record(tx, { action: 'role or right changed', object: id, reason, detail });
  }
}

async function remove(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { becomes, reason }: RoleRemovalForm,
): Promise<Team> {
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const locked = await lockTeam(asked, tx);
    const was = await requireRole(tx, asked, locked);
    const holders = locked.members.filter(({ role }) => role === was.role);
    const next = becomes === undefined ? undefined : await findHeld(tx, becomes);
    if (becomes !== undefined && (!next || next.role === was.role))
      throw refuseField('becomes', 'parameter_invalid', 'is no other role of this account');
    if (holders.length > 0 && !next)
      throw refuseField('becomes', 'parameter_missing', `is required: ${holders.length} in the team have this role`);
    if (next) locked.requireGift(next);
    if (next) await giveInstead(asked, tx, { holders, was, next, reason });
    const to = (await listInvitations(tx)).filter(({ role }) => role === was.role).map(({ id }) => id);
    if (to.length > 0) await withdrawInvitations(tx, { ids: to });
    const withdrawn = [...to, ...(await withdrawBeyond(tx))];
    if (!(await deleteRole(tx, was.role)))
      throw new Refusal('change_conflict', { detail: 'somebody has just been given this role: try again' });
    const detail = {
      was: { name: was.role_name, rights: was.rights },
      ...(next && { becomes: roleWords(next) }),
      ...(withdrawn.length > 0 && { withdrawn }),
    };
    await asked.record(tx, { action: 'role removed', object: was.role, reason, detail });
  });
  return readTeam(context, asked);
}
