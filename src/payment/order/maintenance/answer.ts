// The answer to a maintenance request (contract 8): done or undecided is 200; refused by the provider is 422, never
// 2xx.
import { longDate } from '../../../core/dates.ts';
import { toMajor } from '../../../core/money.ts';
import { Refusal } from '../../../core/refusals.ts';
import { type ResultName, findResult, result } from '../../../core/results.ts';
import { REPLAYED } from '../../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { capturableMinor, heldMinor, refundableMinor } from '../../order-rules/amounts.ts';
import type { Tools } from '../../tools.ts';
import { firstOf, getOrder, LOOK_AGAIN_MS } from '../show/order-answer.ts';
import { isFinal } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { membersOf } from '../show/refusal-members.ts';
import { orderMembers, resultWord } from '../show/order-view.ts';
import type { MaintenanceKind } from './plan.ts';
import { captureLeft, heldLeft, refundLeft } from './reasons.ts';

type WaitingRequest = Pick<RouteRequest<Account, unknown, unknown>, 'caller' | 'wait_s'> & {
  readonly request_id: string;
};

export type Waiting = {
  readonly order_id: string;
  readonly operation_id: string;
  /** The call, where it runs here. */
  readonly settled?: Promise<OrderFacts>;
  /** The request was made before. */
  readonly replayed?: true;
};

/** Waits for the outcome within the budget, then answers what is known; the call goes on behind it. */
export async function answerOperation(tools: Tools, request: WaitingRequest, waiting: Waiting): Promise<Answer> {
  const { order, operation } = await untilDecided(tools, request, waiting);
  const headers = waiting.replayed ? REPLAYED : undefined;
  if (operation.state === 'declined' || operation.state === 'not_sent') throw refused(order, operation, headers);
  const kind = operation.kind as MaintenanceKind;
  const name = isFinal(operation) ? DONE[kind] : PENDING[kind];
  const body = { result: result(name), ...common(order, operation, request), ...VIEWS[kind](order, operation) };
  return headers ? { body, headers } : { body };
}

const DONE: Readonly<Record<MaintenanceKind, ResultName>> = {
  capture: 'capture_successful',
  refund: 'refund_successful',
  cancel: 'cancel_successful',
};
/** The order's history has this code too, from the commit that stores the operation. */
export const PENDING: Readonly<Record<MaintenanceKind, ResultName>> = {
  capture: 'capture_pending',
  refund: 'refund_pending',
  cancel: 'cancel_pending',
};

async function untilDecided(tools: Tools, request: WaitingRequest, { order_id, operation_id, settled }: Waiting) {
  const { merchant_account_id } = request.caller;
  const pick = (order: OrderFacts) => {
    const operation = order.operations.find(({ id }) => id === operation_id);
    if (!operation) throw new Error(`order ${order_id} has no operation ${operation_id}`);
    return { order, operation };
  };
  const look = () => getOrder(tools, merchant_account_id, order_id);
  const until = tools.clock.ticks() + 1000 * budgetOf(request, pick(await look()).operation);
  const rest_ms = () => until - tools.clock.ticks();
  if (settled) await firstOf(tools, { settled, budget_s: Math.max(0, rest_ms()) / 1000, otherwise: undefined });
  let known = pick(await look());
  let is_last = false;
  while (!isFinal(known.operation) && rest_ms() > 0 && !is_last) {
    // a service that stops waits for its own call alone, whose outcome the look behind it has
    is_last = tools.running.ending && !tools.running.has(operation_id);
    if (!is_last) await tools.clock.sleep(Math.min(LOOK_AGAIN_MS, rest_ms()));
    known = pick(await look());
  }
  return known;
}

function budgetOf({ caller, wait_s }: WaitingRequest, operation: OperationFacts): number {
  return wait_s ?? caller.settings[`wait_${operation.kind as MaintenanceKind}`];
}

/** The provider said no, or a cancel turned out to have nothing to cancel (409). */
function refused(order: OrderFacts, operation: OperationFacts, headers?: Readonly<Record<string, string>>): Refusal {
  const declined = `${operation.kind as MaintenanceKind}_declined` as const;
  const name = findResult(operation.code ?? '')?.name ?? declined;
  const id = operation.kind === 'cancel' ? {} : { [`${operation.kind}_id`]: operation.id };
  const members = { ...membersOf(order), ...id };
  const more = headers ? { headers } : {};
  if (name === 'cancel_unavailable' && operation.provider_code === null)
    return new Refusal('cancel_unavailable', {
      detail: 'nothing to cancel: the authorization was declined',
      members,
      ...more,
    });
  const detail = `${result(name).description}; ${LEFT[operation.kind as MaintenanceKind](order)}`;
  return new Refusal(declined, { result: name, detail, members, ...more });
}

/** A declined operation changes nothing: what can still be done. */
const LEFT: Readonly<Record<MaintenanceKind, (order: OrderFacts) => string>> = {
  capture: captureLeft,
  refund: refundLeft,
  cancel: heldLeft,
};

function common(order: OrderFacts, operation: OperationFacts, { request_id }: WaitingRequest) {
  const all = orderMembers(order);
  return {
    order_id: order.id,
    transaction_id: operation.transaction_id,
    status: order.status,
    order_amount: all.order_amount,
    order_currency: order.currency,
    order_merchant_id: order.order_merchant_id,
    payment_method_name: all.payment_method_name,
    payin_partner: all.payin_partner,
    is_authenticated: all.is_authenticated,
    is_authorized: heldMinor(order) > 0n,
    request_id,
    operation_merchant_id: operation.operation_merchant_id ?? '',
  };
}

type View = (order: OrderFacts, operation: OperationFacts) => Readonly<Record<string, unknown>>;

const VIEWS: Readonly<Record<MaintenanceKind, View>> = {
  capture: (order, operation) => {
    const money = (minor: bigint) => toMajor(minor, order.currency);
    const { captured_minor, capturing_minor } = order;
    return {
      capture_id: operation.id,
      capture_date: dateOf(operation),
      capture_request_status: resultWord(operation),
      captured_amount: money(captured_minor),
      capturable_amount: money(capturableMinor(order)),
      capture_amount_requested: money(operation.amount_minor),
      total_capture_amount_requested: money(captured_minor + capturing_minor),
    };
  },
  refund: (order, operation) => {
    const money = (minor: bigint) => toMajor(minor, order.currency);
    const { refunded_minor, refunding_minor } = order;
    return {
      refund_id: operation.id,
      capture_id: operation.target_id,
      refund_date: dateOf(operation),
      refund_request_status: resultWord(operation),
      refunded_amount: money(refunded_minor),
      refundable_amount: money(refundableMinor(order)),
      refund_amount_requested: money(operation.amount_minor),
      total_refund_amount_requested: money(refunded_minor + refunding_minor),
    };
  },
  cancel: (_, operation) => ({
    cancellation_date: dateOf(operation),
    cancellation_result: resultWord(operation),
  }),
};

function dateOf({ settled_at }: OperationFacts): string | null {
  return settled_at === null ? null : longDate(new Date(settled_at));
}
