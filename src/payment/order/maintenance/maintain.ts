// POST /payment/maintenance/{capture|refund|cancel}/{order_id}, step by step: check what the order allows, store the
// intent and what it reserves, send it, answer what is known by then.
import { isId } from '../../../core/ids.ts';
import { Refusal, refuseUnknown } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { type TenantRunner, afterCommit, withTransaction, violated } from '../../../kit/database.ts';
import { type Key, keyOf, repeatOf } from '../../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Capabilities } from '../../../provider/capabilities.ts';
import type { Account } from '../../merchant/account.ts';
import { chargedBack } from '../../order-rules/blocked.ts';
import { findUsedKey } from '../../store.ts';
import type { Tools } from '../../tools.ts';
import { cancelAsking } from './cancel-asking.ts';
import { openAuthentication } from '../facts/authentication-facts.ts';
import { perform } from '../engine/perform.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { recoverOperation } from '../engine/recovery/recover.ts';
import { PENDING, answerOperation } from './answer.ts';
import { type ValidatedOperation, planCancel, planCapture, planRefund, refuseDuplicate } from './plan.ts';
import type { CancelRequest, CaptureRequest, RefundRequest } from './request.ts';
import { acceptOperation, recordDisputedRefund } from '../engine/operation-store.ts';

export type MaintenanceRequest<B> = Pick<
  RouteRequest<Account, B, unknown>,
  'caller' | 'body' | 'params' | 'path' | 'request_id' | 'idempotency_key' | 'canonical' | 'wait_s'
> & {
  /** Done in the commit that accepts the operation, with its id. */
  readonly also?: (tx: TenantRunner, operation_id: string) => Promise<void>;
};
type Plan = (order: OrderFacts, can: Capabilities | undefined) => ValidatedOperation;

export function captureOrder(tools: Tools, request: MaintenanceRequest<CaptureRequest>): Promise<Answer> {
  return maintain(tools, request, (order, can) => planCapture(order, request.body, can));
}

export function refundOrder(tools: Tools, request: MaintenanceRequest<RefundRequest>): Promise<Answer> {
  const { body, caller, params, also } = request;
  if (body.even_if_disputed !== true) return maintain(tools, request, (order) => planRefund(order, body));
  let disputed = false;
  const plan: Plan = (order) => {
    const wish = planRefund(order, body);
    disputed = wish.target_id !== null && chargedBack(order, wish.target_id) > 0n;
    return wish;
  };
  const noted = async (tx: TenantRunner, operation_id: string) => {
    await also?.(tx, operation_id);
    if (!disputed) return;
    const order_id = params['order_id'] ?? '';
    tools.log.warn(
      { merchant_account_id: caller.merchant_account_id, order_id, operation_id },
      'money under a dispute is refunded',
    );
    await recordDisputedRefund(tx, { order_id, operation_id, asked_by: also ? 'back office' : 'payment API' });
  };
  return maintain(tools, { ...request, also: noted }, plan);
}

export function cancelOrder(tools: Tools, request: MaintenanceRequest<CancelRequest>): Promise<Answer> {
  return maintain(tools, request, (order) => planCancel(order, request.body));
}

/** Each time another process was quicker the order has moved, and is looked at again. */
const MAX_ROUNDS = 20;

async function maintain(tools: Tools, request: MaintenanceRequest<unknown>, plan: Plan): Promise<Answer> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const order = await findOwn(db, request.params['order_id'] ?? '');
    const key = operationKey(request, order.id);
    const used = repeatOf(await findUsedKey(db, key), key);
    if (used)
      return answerOperation(tools, request, { order_id: order.id, operation_id: used.object_id, replayed: true });
    const provider = tools.providers.get(lastTransaction(order).provider);
    const wish = plan(order, provider?.can);
    const authentication = openAuthentication(order);
    // a payer who is at the provider can be paid there: what is open at it is undone first
    if (wish.kind === 'cancel' && authentication && !authentication.provider_run) {
      const { request_id, also } = request;
      const cancel = { operation_merchant_id: wish.operation_merchant_id, request_id, key, also };
      const operation_id = await cancelAsking(tools, order, cancel);
      if (operation_id === undefined) continue;
      return afterCommit(() => answerOperation(tools, request, { order_id: order.id, operation_id }));
    }
    const id = tools.chance.id();
    const lease_s = (provider?.can.answer_deadline_s ?? 0) + 5;
    const since = tools.clock.ticks();
    tools.crash.at('t1_before');
    const { request_id, also } = request;
    const operation = { ...wish, ...idsOf(order), id, lease_s, key, request_id };
    const accepting = also
      ? withTransaction(tools.db, order.merchant_account_id, async (tx) => {
          const done = await accepted(tx, order, operation);
          if (done) await also(tx, id);
          return done;
        })
      : accepted(db, order, operation);
    if (await accepting) {
      tools.crash.at('t1_committed');
      const waiting = {
        order_id: order.id,
        operation_id: id,
        settled: start(tools, order, { id, since }),
      };
      return afterCommit(() => answerOperation(tools, request, waiting));
    }
  }
  throw new Refusal('unavailable', {
    detail: 'the order was changed again and again by others; nothing was accepted: repeat after 1 s',
    headers: { 'retry-after': '1' },
  });
}

/** The Idempotency-Key of a request for an operation; undefined: it has none. */
export function operationKey(
  request: Pick<MaintenanceRequest<unknown>, 'path' | 'idempotency_key' | 'canonical'>,
  order_id: string,
): Key | undefined {
  return keyOf(request, `POST ${request.path.replace(':order_id', order_id)}`);
}

async function findOwn(db: TenantRunner, order_id: string): Promise<OrderFacts> {
  const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
  if (!order) throw refuseUnknown('order');
  return order;
}

function idsOf(order: OrderFacts) {
  const transaction_id = order.winner_id ?? lastTransaction(order).id;
  return { order_id: order.id, transaction_id, version: order.version, origin: 'merchant' } as const;
}

type Accepting = ValidatedOperation &
  ReturnType<typeof idsOf> & {
    readonly id: string;
    readonly lease_s: number;
    readonly key: Key | undefined;
    readonly request_id: string;
  };

async function accepted(db: TenantRunner, order: OrderFacts, operation: Accepting): Promise<boolean> {
  try {
    return await acceptOperation(db, { ...operation, code: result(PENDING[operation.kind]).code });
  } catch (error) {
    // one reference was used twice at once: the second is the duplicate
    if (violated(error) === 'own_reference_once') throw refuseDuplicate(order, operation.kind);
    throw error;
  }
}

type Started = { readonly id: string; readonly since: number };

/** The call goes on behind the answer, and what fails of it is left to recovery: there may be no caller to answer. */
function start(tools: Tools, before: OrderFacts, { id, since }: Started): Promise<OrderFacts> {
  const work = async () => {
    const order = await findOwn(tools.db.tenant(before.merchant_account_id), before.id);
    const operation = order.operations.find((o) => o.id === id);
    if (!operation) throw new Error('an operation that was accepted is there');
    return send(tools, order, { operation, since });
  };
  return tools.running.start(before.id, id, work(), before);
}

function send(
  tools: Tools,
  order: OrderFacts,
  { operation, since }: { readonly operation: OperationFacts; readonly since: number },
): Promise<OrderFacts> {
  const provider = tools.providers.get(lastTransaction(order).provider);
  if (!provider) throw new Error(`there is no provider ${lastTransaction(order).provider} in this build`);
  // what waits for a provider that is down goes on when it is back
  if (tools.breaker.isOpen(provider.name)) return Promise.resolve(order);
  if (operation.waits_for === 'call') return perform(tools, { provider, order, operation, since });
  return undo(tools, order);
}

/** A cancel of an undecided authorization: was it never sent, is its answer there, else it is undone. */
async function undo(tools: Tools, order: OrderFacts): Promise<OrderFacts> {
  const authorize = order.operations.find((o) => o.kind === 'authorize' && o.id === lastTransaction(order).id);
  if (!authorize) throw new Error('an undecided order has an authorization');
  return recoverOperation(tools, { order, operation: authorize, tries: 0 });
}
