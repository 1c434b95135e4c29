// One order with all its facts.
import { toCount } from '../../core/money.ts';
import { isId } from '../../core/ids.ts';
import { policyOf } from '../../core/retries/policy.ts';
import { findResult } from '../../core/results.ts';
import { type Account, findAccount } from '../../payment/merchant/account.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { findArchives } from '../../payment/months-store.ts';
import { findNotifications } from '../../payment/notification/history/store.ts';
import { disputeState } from '../../payment/order/maintenance/disputed.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../../payment/order/facts/order-facts.ts';
import { isInDoubt } from '../../payment/order/show/doubt.ts';
import { orderRead } from '../../payment/order/show/transaction-view.ts';
import { standingOf } from '../../payment/order/facts/standing.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import { isAllowed, mayCancel, mayCapture, mayRefund } from '../../payment/order-rules/allowed.ts';
import { chargedBack, wentBackTwice } from '../../payment/order-rules/blocked.ts';
import { findObservations, findTurns } from '../../payment/order/timeline/turns-store.ts';
import { orderResult } from '../../payment/order/show/order-view.ts';
import { type RoutingRequest, fits } from '../../payment/routing/choose.ts';
import { whyOf } from '../../payment/routing/why.ts';
import { findRecordsOf } from '../audit/store.ts';
import { type BackofficeRequest, type BackofficeContext, unknown } from '../context.ts';
import type {
  MoneyBox,
  OrderAttempt,
  OrderContradiction,
  OrderDetail,
  OrderDispute,
  OrderOperation,
  RouteStep,
} from '../wire/orders.ts';
import { timelineOf } from './timeline.ts';

export async function readOrderDetail(
  { tools }: BackofficeContext,
  { db, account_id }: BackofficeRequest,
  order_id: string,
): Promise<OrderDetail> {
  const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
  if (!order) throw unknown('order');
  const transactions = order.transactions.map(({ id }) => id);
  const [observations, archives, turns, records, contracts, account, notifications, why] = await Promise.all([
    findObservations(db, transactions, MOST_OBSERVATIONS),
    findArchives(db, transactions),
    findTurns(db, order.id),
    // a card taken by telephone is in the records of its checkout
    findRecordsOf(db, order.checkout_id === null ? [order.id] : [order.id, order.checkout_id]),
    listContracts(db),
    findAccount(tools, account_id),
    findNotifications(db, { filters: { ...NO_FILTER, order_id }, before: null, room: MOST_NOTIFICATIONS }),
    whyOf(tools, order),
  ]);
  const { code, description } = orderResult(order);
  const { id, checkout_id, order_merchant_id, status, created_at, updated_at, read_at, attempts_remaining } = order;
  return {
    id,
    checkout_id,
    order_merchant_id,
    status,
    code,
    code_text: description,
    in_doubt: isInDoubt(order),
    dispute: disputeState(order),
    disputes: disputesOf(order),
    contradictions: contradictionsOf(order),
    created_at,
    updated_at,
    read_at,
    attempts_remaining: Math.max(0, attempts_remaining),
    money: moneyOf(tools, order),
    attempts: order.transactions.map((attempt) => ({
      ...attemptOf(attempt),
      contract: contracts.find((contract) => contract.id === attempt.contract_id)?.name ?? null,
    })),
    operations: order.operations.map(viewOperation),
    timeline: timelineOf(tools, order, { observations, records, turns }),
    archives,
    retry: laterOf(order),
    route: account ? routeOf(order, account) : [],
    why,
    request: order.body,
    answer: orderRead(order, tools),
    notifications: notifications.map(({ id: own, endpoint_id, event, sequence, state, tries, ...sent }) => ({
      id: own,
      endpoint_id,
      event,
      sequence,
      state,
      tries,
      last_http_status: sent.last_status,
      created_at: sent.created_at.toISOString(),
    })),
  };
}

/** Null: nothing is planned, or any more. */
function laterOf({ retry }: OrderFacts): OrderDetail['retry'] {
  if (!retry || retry.state === 'ended') return null;
  const { next_at, cause, tries, policy } = retry;
  return { next_at, cause, tries, most: policyOf(policy)?.tries ?? tries };
}

const MOST_OBSERVATIONS = 2000;
const MOST_NOTIFICATIONS = 200;
const NO_FILTER = { endpoint_id: null, event: null, state: null, created_from: null, created_to: null };

function attemptOf(attempt: OrderFacts['transactions'][number]): Omit<OrderAttempt, 'contract'> {
  const { id, provider, contract_id, payment_method_name, first6, last4, exp_month, exp_year } = attempt;
  const { risk_score, cascade_of, created_at } = attempt;
  const card = { first6, last4, exp_month, exp_year };
  return { id, provider, contract_id, method: payment_method_name, ...card, risk_score, cascade_of, created_at };
}

function moneyOf({ providers }: BackofficeContext['tools'], order: OrderFacts): MoneyBox {
  const { amount_minor, authorized_minor, captured_minor, capturing_minor, released_minor } = order;
  const { refunded_minor, refunding_minor, currency } = order;
  const standing = standingOf(order);
  const capture = mayCapture(standing, providers.get(lastTransaction(order).provider)?.can);
  const refund = mayRefund(standing, { even_if_disputed: true });
  const cancel = mayCancel(standing);
  return {
    currency,
    ordered_minor: toCount(amount_minor),
    authorized_minor: toCount(authorized_minor),
    captured_minor: toCount(captured_minor),
    capturing_minor: toCount(capturing_minor),
    refunded_minor: toCount(refunded_minor),
    refunding_minor: toCount(refunding_minor),
    released_minor: toCount(released_minor),
    capturable_minor: isAllowed(capture) ? toCount(capture.most_minor) : 0,
    refundable_minor: isAllowed(refund) ? toCount(refund.most_minor) : 0,
    cancellable_minor: isAllowed(cancel) ? toCount(cancel.most_minor) : 0,
    charged_back_minor: toCount(chargedBack(order)),
    back_twice_minor: toCount(wentBackTwice(order)),
  };
}

function disputesOf({ disputes }: OrderFacts): readonly OrderDispute[] {
  return disputes.map(({ id, operation_id, state, amount_minor, reason, reason_code, opened_at }) => ({
    id,
    capture_id: operation_id,
    state,
    amount_minor: toCount(amount_minor),
    reason,
    reason_code,
    opened_at,
  }));
}

function contradictionsOf({ contradictions, operations }: OrderFacts): readonly OrderContradiction[] {
  return contradictions.flatMap(({ operation_id, held, said, opened_at }) => {
    const about = operations.find(({ id }) => id === operation_id);
    if (!about) return [];
    const amount_minor = toCount(about.amount_minor);
    return [{ operation_id, about: about.kind, held, said, amount_minor, since: opened_at }];
  });
}

function viewOperation(operation: OperationFacts): OrderOperation {
  const { id, transaction_id, target_id, kind, origin, state, code, created_at, settled_at } = operation;
  const { provider_code, provider_text, provider_ref, operation_merchant_id, refund_reason } = operation;
  return {
    id,
    transaction_id,
    target_id,
    kind,
    origin,
    state,
    amount_minor: toCount(operation.amount_minor),
    code,
    code_text: code === null ? null : (findResult(code)?.description ?? null),
    provider_code,
    provider_text,
    provider_ref,
    operation_merchant_id,
    reason: refund_reason,
    created_at,
    settled_at,
  };
}

/** The contracts as they stand now, in the order in which they are tried, against what this order wants. */
function routeOf(order: OrderFacts, account: Account): readonly RouteStep[] {
  const used = new Set(order.transactions.map(({ contract_id }) => contract_id));
  const last = lastTransaction(order);
  const { operation_type, payment_channel, customer_country } = order.body;
  const wanted: RoutingRequest = {
    operation_type: operation_type ?? 'authorize',
    token_type: last.token_type ?? 'oneshot',
    payment_channel: payment_channel ?? 'e-commerce',
    currency: order.currency,
    country: customer_country,
    payment_method_name: last.payment_method_name,
  };
  const named = order.body.merchant_contract;
  return account.contracts.map((contract) => {
    const chosen = used.has(contract.id);
    const takes = fits(contract, wanted);
    const why = chosen
      ? named === contract.name || named === contract.id
        ? 'the merchant named it'
        : 'the first that takes this payment'
      : takes
        ? 'takes this payment too, and comes later'
        : `does not take it: ${misfit(contract, wanted)}`;
    return { contract: contract.name, provider: contract.provider, chosen, why };
  });
}

function misfit(contract: Account['contracts'][number], wanted: RoutingRequest): string {
  const open = { operations: [], token_types: [], channels: [], currencies: [], countries: [], methods: [] };
  const lists = Object.keys(open) as (keyof typeof open)[];
  return lists.filter((list) => !fits({ ...contract, ...open, [list]: contract[list] }, wanted)).join(', ');
}
