// Operations in doubt: since when, what the service does about them, and the few things that a person may do.
import { toCount } from '../../core/money.ts';
import { oneOf, textOfForm } from '../../core/fields.ts';
import { isId } from '../../core/ids.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import { askContradictionIn } from '../../payment/order/engine/contradiction-store.ts';
import { archivesOf } from '../../payment/order/review/list.ts';
import { CannotSettle, RESOLUTION_FIELDS, resolveByHand } from '../../payment/order/review/settle.ts';
import { findLastSights, findResolutions, findWhere } from '../../payment/order/review/review-store.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { whyNoSecond } from '../people/second/second.ts';
import { reasonOf } from '../reason.ts';
import { NOT_PROVED } from '../session/proof.ts';
import type { InDoubt, InDoubtList, ResolutionAnswer, ResolutionForm } from '../wire/orders.ts';
import type { Done } from '../wire.ts';
import { type InDoubtRow, findInDoubt, lookNow } from './store.ts';

/** How a ruling may be said: checked here, so that what is wrong stands beside its field. */
const RULING = {
  as: required(oneOf('done', 'not-done')),
  reason: reasonOf(RESOLUTION_FIELDS.reason),
  provider_ref: textOfForm(
    RESOLUTION_FIELDS.provider_ref,
    "the provider's own id: 1 to 100 printable characters, no space",
  ),
};
const MOST = 200;
const SIGHTS = 5;

export function inDoubtRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /in-doubt',
      right: 'read',
      handle: (asked) => readInDoubt(context, asked),
    }),
    backofficeRoute(context, {
      route: 'POST /in-doubt/:id/look',
      right: 'rule',
      handle: (asked) => look(context, asked),
    }),
    backofficeRoute(context, {
      route: 'POST /in-doubt/:id/rule',
      right: 'rule',
      body: RULING,
      handle: (asked) => rule(context, asked, asked.body),
    }),
  ];
}

async function readInDoubt(context: BackofficeContext, { db }: BackofficeRequest): Promise<InDoubtList> {
  const found = await findInDoubt(db, MOST + 1);
  const rows = found.slice(0, MOST);
  const sights = rows.length === 0 ? [] : await findLastSights(db, { operations: rows, room: SIGHTS });
  const now = context.tools.clock.now().getTime();
  const operations: InDoubt[] = [];
  for (const row of rows) {
    const seen = sights.filter(({ operation_id }) => operation_id === row.id);
    const archives = await archivesOf(db, row, seen);
    const rulings = await findResolutions(db, row.id);
    operations.push({
      operation_id: row.id,
      order_id: row.order_id,
      kind: row.kind,
      state: row.state,
      provider: row.provider,
      amount_minor: toCount(row.amount_minor),
      currency: row.currency,
      since: row.created_at.toISOString(),
      contradiction: row.held === null || row.said === null ? null : { held: row.held, said: row.said },
      doing: doingOf(row),
      next_look_at: row.due_at.toISOString(),
      tries: row.tries,
      archives,
      sights: seen.map(({ source, outcome, why, provider_code, age_s }) => ({
        at: new Date(now - age_s * 1000).toISOString(),
        source,
        outcome,
        why: why ?? provider_code,
      })),
      two_people: row.amount_minor > context.two_people.above(row.currency),
      rulings: rulings.map(({ by_name, at, person_id: _, ...said }) => ({
        by: by_name,
        at: at.toISOString(),
        ...said,
      })),
    });
  }
  return { operations, more: found.length > MOST };
}

function doingOf({ state, kind, provider }: InDoubtRow): string {
  if (state === 'contradicted')
    return `${provider} says the opposite of what was final here. It is asked once an hour; the money is blocked until a person settles it, or its answer proves it.`;
  if (state === 'review')
    return `Nothing has proved it for a day. ${provider} is asked once an hour; a person may settle it.`;
  if (kind === 'authorize') return `${provider} is asked what became of it; what stays unknown is undone.`;
  if (kind === 'reversal') return `The reversal is repeated until ${provider} acknowledges it.`;
  return `${provider} is asked what became of it; it is sent again once it is proved that it was not done.`;
}

/** An operation of another account is as unknown as one that is not there. */
async function requireOwn(
  { tools }: BackofficeContext,
  { account_id, params }: BackofficeRequest,
): Promise<{ id: string; order_id: string }> {
  const id = params['id'] ?? '';
  const where = isId(id) ? await findWhere(tools.db, id) : undefined;
  if (where?.merchant_account_id !== account_id) throw unknown('operation in doubt');
  return { id, order_id: where.order_id };
}

async function look(context: BackofficeContext, asked: BackofficeRequest): Promise<Done> {
  const { id, order_id } = await requireOwn(context, asked);
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const asked_now =
      (await lookNow(tx, { id, order_id })) ||
      (await askContradictionIn(tx, { order_id, operation_id: id, retry_s: 0 }));
    if (!asked_now) throw new Refusal('change_conflict', { detail: 'the operation is not in doubt any more' });
    await asked.record(tx, { action: 'provider asked again', object: order_id, detail: { operation_id: id } });
  });
  context.tools.wake_up.wake();
  return { done: true };
}

async function rule(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { as, reason, provider_ref }: ResolutionForm,
): Promise<ResolutionAnswer> {
  const { id, order_id } = await requireOwn(context, asked);
  const { member_hours } = context.two_people;
  const second = asked.principal.person.id;
  const ruling = { operation_id: id, as, reason, by: asked.principal.person.email, provider_ref };
  try {
    const ruled = await resolveByHand(context.tools, {
      ...ruling,
      two_people_above: context.two_people.above,
      person_id: asked.principal.session.proved ? second : undefined,
      whyNoSecond: (first) => whyNoSecond(asked.db, { first, second, right: 'rule', member_hours }),
      also: (tx, what) =>
        asked.record(tx, {
          action: what === 'settled' ? 'review settled by an operator' : 'review ruled',
          object: order_id,
          reason,
          detail: { operation_id: id, as, ...(provider_ref !== undefined && { provider_ref }) },
        }),
    });
    const { operation } = ruled;
    return ruled.kind === 'settled'
      ? { kind: 'settled', detail: `The ${operation.kind} is ${operation.state}.` }
      : {
          kind: 'waits',
          detail:
            `Noted. Another person must say the same, in the same words, before it takes effect. ${ruled.reasons.join(' ')}`.trim(),
        };
  } catch (error) {
    if (!(error instanceof CannotSettle)) throw error;
    if (error.field === 'proof') throw NOT_PROVED;
    if (error.field !== undefined)
      throw refuseField(error.field, 'parameter_missing', 'is needed: it is not known here');
    throw new Refusal('change_conflict', { detail: error.message });
  }
}
