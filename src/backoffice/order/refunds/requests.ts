// Large refunds, where the account wants two people for them: one asks, a second one approves or declines, and nothing
// moves before.
import { readLimits } from '../../../core/people/two-people.ts';
import { id24 } from '../../../core/fields.ts';
import { isId } from '../../../core/ids.ts';
import { toCount, toDecimal } from '../../../core/money.ts';
import { Refusal } from '../../../core/refusals.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import { type Key, repeatOf } from '../../../kit/http/idempotency.ts';
import { type Account, findAccount } from '../../../payment/merchant/account.ts';
import { operationKey, refundOrder } from '../../../payment/order/maintenance/maintain.ts';
import { planRefund } from '../../../payment/order/maintenance/plan.ts';
import type { OrderFacts } from '../../../payment/order/facts/order-facts.ts';
import { findOrder } from '../../../payment/order/facts/order-store.ts';
import { findUsedKey, takeKey } from '../../../payment/store.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../../context.ts';
import { whyNoSecond } from '../../people/second/second.ts';
import { REASON } from '../../reason.ts';
import { NOT_PROVED } from '../../session/proof.ts';
import type { RefundForm, RefundRequests } from '../../wire/orders.ts';
import {
  type RefundRequestRow,
  decideRefundRequest,
  findOpenRefundRequest,
  findOpenRefundRequests,
  findRefundDecision,
  insertRefundRequest,
} from './store.ts';

/** Shown at once; further ones are on the pages of their orders, and here once older ones are decided. */
const MOST = 200;

export function refundRequestRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /refund-requests',
      right: 'read',
      query: { order_id: id24 },
      handle: (asked) => readRequests(asked, asked.query.order_id),
    }),
    backofficeRoute(context, {
      route: 'POST /refund-requests/:id/approve',
      right: 'money',
      body: { reason: REASON },
      handle: (asked) => approve(context, asked, asked.body.reason),
    }),
    backofficeRoute(context, {
      route: 'POST /refund-requests/:id/decline',
      right: 'money',
      body: { reason: REASON },
      handle: (asked) => decline(context, asked, asked.body.reason),
    }),
  ];
}

async function readRequests({ db, principal }: BackofficeRequest, order_id?: string): Promise<RefundRequests> {
  const rows = await findOpenRefundRequests(db, { order_id: order_id ?? null, room: MOST + 1 });
  return {
    more: rows.length > MOST,
    requests: rows.slice(0, MOST).map(({ form, requested_by, requested_email, amount_minor, created_at, ...row }) => ({
      ...row,
      amount_minor: toCount(amount_minor),
      even_if_disputed: form['even_if_disputed'] === true,
      created_at: created_at.toISOString(),
      requested_by: requested_email,
      own: requested_by === principal.person.id,
    })),
  };
}

/** How a refund stands that was not done at once. `operation_id` null: it still waits. */
export type KeptRefund = { readonly operation_id: string | null };

type Asking = { readonly account: Account; readonly order: OrderFacts; readonly form: RefundForm };

/**
 * Keeps the wish where the refund is above the account's limit; a repeat under its Idempotency-Key is told how that
 * stands. Undefined: it is not above, or was done before, and the verb that refunds answers it.
 */
export async function askForRefund(
  context: BackofficeContext,
  asked: BackofficeRequest,
  asking: Asking,
): Promise<KeptRefund | undefined> {
  const { account, order, form } = asking;
  const key = operationKey(asked, order.id);
  // before the limit: a refund that was done counts against it, and its repeat would be above
  const used = repeatOf(await findUsedKey(asked.db, key), key);
  if (used) return keptUnder(asked, used.object_id);
  const limit = limitOf(account, order.currency);
  if (limit === undefined) return undefined;
  // what is refused is refused now, and not by whoever approves it
  const { amount_minor } = planRefund(order, form);
  // many small refunds of an order are a large one
  if (order.refunded_minor + order.refunding_minor + amount_minor <= limit) return undefined;
  if (!asked.principal.session.proved) throw NOT_PROVED;
  if (await keep(context, asked, { ...asking, amount_minor, key })) return { operation_id: null };
  // the same request was quicker
  return askForRefund(context, asked, asking);
}

/** What a used key stands for; undefined: for a refund that was done at once. */
async function keptUnder({ db }: BackofficeRequest, id: string): Promise<KeptRefund | undefined> {
  const decision = await findRefundDecision(db, id);
  if (decision?.state === 'declined')
    throw new Refusal('change_conflict', {
      detail: `${decision.decided_email ?? 'a second person'} has declined it: nothing was refunded`,
    });
  return decision && { operation_id: decision.operation_id };
}

type Keeping = Asking & { readonly amount_minor: bigint; readonly key: Key | undefined };

/** False: its key was used meanwhile. */
async function keep(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { order: { id: order_id, currency }, form, amount_minor, key }: Keeping,
): Promise<boolean> {
  const id = tools.chance.id();
  const { reason, ...rest } = form;
  const wish = { ...rest, amount: toDecimal(amount_minor, currency) };
  const { id: requested_by, email: requested_email } = asked.principal.person;
  return withTransaction(tools.db, asked.account_id, async (tx) => {
    if (key && !(await takeKey(tx, key, id))) return false;
    const row = { id, order_id, form: JSON.stringify(wish), amount_minor, currency, reason };
    await insertRefundRequest(tx, { ...row, requested_by, requested_email });
    const detail = { request_id: id, ...wish };
    await asked.record(tx, { action: 'refund proposed', object: order_id, reason, detail });
    return true;
  });
}

/** Undefined: a refund takes one person. A list that cannot be read, as an earlier version took it, makes it two. */
function limitOf({ settings }: Account, currency: string): bigint | undefined {
  const limits = readLimits(settings.refunds_two_people_above);
  return limits ? limits.get(currency) : 0n;
}

/**
 * Runs in the commit of a refund by one person: other refunds of the same order may have been accepted since it was
 * read.
 */
export async function requireWithinLimit(tx: TenantRunner, account: Account, order_id: string): Promise<void> {
  const order = await findOrder(tx, order_id);
  if (!order) throw unknown('order');
  const limit = limitOf(account, order.currency);
  if (limit !== undefined && order.refunded_minor + order.refunding_minor > limit)
    throw new Refusal('change_conflict', {
      detail:
        'another refund of this order was accepted at the same moment: ask again, and a second person approves it',
    });
}

async function findOpen({ db, params }: BackofficeRequest): Promise<RefundRequestRow> {
  const id = params['id'] ?? '';
  const request = isId(id) ? await findOpenRefundRequest(db, id) : undefined;
  if (!request) throw unknown('refund that waits for a second person');
  return request;
}

const TAKEN = new Refusal('change_conflict', { detail: 'somebody else has decided it meanwhile' });

/** The refund is accepted and the request closed in one commit: it cannot be approved twice. */
async function approve(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<RefundRequests> {
  const request = await findOpen(asked);
  const { person, session } = asked.principal;
  const pair = { first: request.requested_by, second: person.id, right: 'money' } as const;
  const why = await whyNoSecond(asked.db, { ...pair, member_hours: context.two_people.member_hours });
  if (why !== undefined) throw new Refusal('not_allowed', { detail: `A second person approves it. ${why}` });
  if (!session.proved) throw NOT_PROVED;
  const caller = await findAccount(context.tools, asked.account_id);
  if (!caller) throw unknown('account');
  const { id, order_id, form } = request;
  await refundOrder(context.tools, {
    caller,
    body: form,
    params: { order_id },
    path: asked.path,
    request_id: asked.request_id,
    idempotency_key: undefined,
    canonical: () => asked.canonical(),
    wait_s: undefined,
    also: async (tx, operation_id) => {
      const decision = { id, decided_by: person.id, decided_email: person.email, operation_id };
      if (!(await decideRefundRequest(tx, { ...decision, state: 'approved' }))) throw TAKEN;
      const detail = { request_id: id, operation_id, proposed_by: request.requested_email, ...form };
      await asked.record(tx, { action: 'refund requested', object: order_id, reason, detail });
    },
  });
  return readRequests(asked);
}

/** Also by who asked: then it is taken back. */
async function decline(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<RefundRequests> {
  const { id, order_id } = await findOpen(asked);
  const { person } = asked.principal;
  await withTransaction(context.tools.db, asked.account_id, async (tx) => {
    const decision = { id, decided_by: person.id, decided_email: person.email, operation_id: null };
    if (!(await decideRefundRequest(tx, { ...decision, state: 'declined' }))) throw TAKEN;
    await asked.record(tx, {
      action: 'refund declined by a second person',
      object: order_id,
      reason,
      detail: { request_id: id },
    });
  });
  return readRequests(asked);
}
