// Capture, refund and cancel by a person: the same verbs as the API's, with who and why beside the operation.
import { bool, id24, money } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { Reading, type Shape, readShape } from '../../core/shape.ts';
import { findAccount } from '../../payment/merchant/account.ts';
import { answerOperation } from '../../payment/order/maintenance/answer.ts';
import {
  type MaintenanceRequest,
  cancelOrder,
  captureOrder,
  refundOrder,
} from '../../payment/order/maintenance/maintain.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import { isId } from '../../core/ids.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import type { ActionDone, OrderDetail } from '../wire/orders.ts';
import { readOrderDetail } from './detail.ts';
import { askForRefund, requireWithinLimit } from './refunds/requests.ts';

const FORMS = {
  capture: { amount: money, final: bool, reason: REASON },
  refund: { amount: money, capture_id: id24, even_if_disputed: bool, reason: REASON },
  cancel: { reason: REASON },
} as const satisfies Record<string, Shape>;

type Kind = keyof typeof FORMS;

export function actionRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return (['capture', 'refund', 'cancel'] as const).map((kind) =>
    backofficeRoute(context, {
      route: `POST /orders/:order_id/${kind}`,
      right: 'money',
      body: FORMS[kind],
      handle: (asked) => act(context, asked, kind),
    }),
  );
}

/** A repeated Idempotency-Key is answered again and recorded once, as at the API. */
async function act(
  context: BackofficeContext,
  asked: BackofficeRequest<{ readonly reason: string }>,
  kind: Kind,
): Promise<ActionDone> {
  const { tools } = context;
  const order_id = asked.params['order_id'] ?? '';
  const order = isId(order_id) ? await findOrder(asked.db, order_id) : undefined;
  const account = await findAccount(tools, asked.account_id);
  if (!order || !account) throw unknown('order');
  // the amount is in the order's own currency: its decimals are checked before anything else
  const reading = new Reading(false);
  readShape(FORMS[kind], asked.object, { reading });
  reading.checkAmounts(order.currency);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const kept = kind === 'refund' ? await askForRefund(context, asked, { account, order, form: asked.body }) : undefined;
  if (kept) {
    const { operation_id } = kept;
    const { request_id } = asked;
    // one that the provider declined is refused in its words, as it is when it was done at once
    if (operation_id !== null)
      await answerOperation(tools, { caller: account, wait_s: undefined, request_id }, { order_id, operation_id });
    return doneOf(await readOrderDetail(context, asked, order_id), kind, operation_id);
  }
  let operation_id = '';
  const request: MaintenanceRequest<object> = {
    caller: account,
    body: asked.body,
    params: asked.params,
    path: asked.path,
    request_id: asked.request_id,
    idempotency_key: asked.idempotency_key,
    canonical: () => asked.canonical(),
    wait_s: undefined,
    also: async (tx, id) => {
      operation_id = id;
      if (kind === 'refund') await requireWithinLimit(tx, account, order_id);
      const { reason, ...form } = asked.body;
      const detail = { operation_id: id, ...form };
      await asked.record(tx, { action: `${kind} requested`, object: order_id, reason, detail });
    },
  };
  const { body: said } = await VERBS[kind](tools, request);
  const after = await readOrderDetail(context, asked, order_id);
  // of a repeated request the answer says which one it was; a cancel there is one of
  const named = operation_id === '' ? said[`${kind}_id`] : operation_id;
  return doneOf(after, kind, named);
}

/** `named`: the id of the operation; null: it waits for a second person. */
function doneOf(order: OrderDetail, kind: Kind, named: unknown): ActionDone {
  if (named === null) return { state: 'waits', operation_id: '', order };
  const own = order.operations.filter((one) => one.kind === kind);
  const operation = own.find((one) => one.id === named) ?? own.at(-1);
  const state = operation?.state === 'successful' ? 'successful' : 'pending';
  return { state, operation_id: operation?.id ?? '', order };
}

const VERBS = { capture: captureOrder, refund: refundOrder, cancel: cancelOrder } as const;
