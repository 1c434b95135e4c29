// Every route of {base_url}: one line names the shape of the request and the verb.
import type { Reading } from '../core/shape.ts';
import { type TableRoute, privateRoute } from '../kit/http/route.ts';
import { noted } from '../kit/http/schema.ts';
import { CHECKOUT_ANSWER, CHECKOUT_READ } from './checkout/answer-schema.ts';
import { checkExpiration, createCheckout, replayCheckout } from './checkout/create.ts';
import { CHECKOUT_EXAMPLE, CHECKOUT_NOTES } from './checkout/field-notes.ts';
import { checkReturnHosts } from './checkout/return-hosts.ts';
import { readCheckout } from './checkout/read.ts';
import { CHECKOUT, type CheckoutRequest } from './checkout/request.ts';
import type { Account } from './merchant/account.ts';
import { replayRetry, retryAnswer } from './order/accept/retry.ts';
import { cancelOrder, captureOrder, refundOrder } from './order/maintenance/maintain.ts';
import type { MaintenanceKind } from './order/maintenance/plan.ts';
import { CANCEL, CAPTURE, REFUND } from './order/maintenance/request.ts';
import {
  CANCEL_ANSWER,
  CANCEL_REFUSALS,
  CAPTURE_ANSWER,
  CAPTURE_REFUSALS,
  MAINTENANCE_NOTES,
  REFUND_ANSWER,
  REFUND_REFUSALS,
} from './order/maintenance/schema.ts';
import { ORDER_ANSWER, ORDER_READ } from './order/show/order-schema.ts';
import { createOrder, replayOrder } from './order/accept/create.ts';
import { ORDER_EXAMPLE, ORDER_NOTES } from './order/accept/request-notes.ts';
import { STOPPED, stopRetries } from './order/retries/stop.ts';
import { ORDER_LIST, ORDER_QUERY, listOrders } from './order/search/list.ts';
import { readOrder } from './order/show/read-order.ts';
import { CUSTOMER_ANSWER } from './customer/answer-schema.ts';
import { readCustomer } from './customer/read.ts';
import { customerMethods } from './customer/record.ts';
import { removeSavedCards } from './customer/remove.ts';
import { notificationRoutes } from './notification/routes.ts';
import { REMOVAL, REMOVAL_EXAMPLE, REMOVAL_NOTES } from './customer/request.ts';
import { recordDispute } from './dispute/record.ts';
import { checkDecimals } from './order/accept/decimals.ts';
import { checkAlone } from './order/accept/terms.ts';
import { ORDER, type OrderRequest } from './order/accept/request.ts';
import { paymentLinkRoutes } from './payment-link/routes.ts';
import { messageRoutes } from './settlement/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import type { Tools } from './tools.ts';

type PaymentRoute = TableRoute<Tools, Account>;

/** A production deployment does not know the paths of the sandbox (contract 15.4). */
export function paymentRoutes({ environment }: Pick<Tools, 'environment'>): readonly PaymentRoute[] {
  return [
    ...checkoutRoutes(),
    ...paymentLinkRoutes(),
    ...orderRoutes(),
    ...maintenanceRoutes(),
    ...customerRoutes(),
    ...notificationRoutes(),
    ...messageRoutes(recordDispute),
    ...(environment === 'production' ? [] : sandboxRoutes()),
  ];
}

function checkoutRoutes(): readonly PaymentRoute[] {
  return [
    noted(
      CHECKOUT_NOTES,
      'CheckoutRequest',
      CHECKOUT_EXAMPLE,
    )(
      privateRoute({
        method: 'POST',
        path: '/payment/checkout',
        operation_id: 'createCheckout',
        summary: 'Create a checkout',
        tag: 'Checkout',
        scope: 'payments',
        body: CHECKOUT,
        answer: CHECKOUT_ANSWER,
        check: checkCheckout,
        replay: (tools, request) => replayCheckout(tools, request, customerMethods(tools)),
        handle: (tools, request) => createCheckout(tools, request, customerMethods(tools)),
      }),
    ),
    privateRoute({
      method: 'GET',
      path: '/payment/checkout/:checkout_id',
      operation_id: 'readCheckout',
      summary: 'Read a checkout as it stands now',
      tag: 'Checkout',
      scope: 'read',
      answer: CHECKOUT_READ,
      refusals: ['object_unknown'],
      handle: (tools, { caller, params }) =>
        readCheckout(tools, { account: caller, customers: customerMethods(tools) }, params['checkout_id'] ?? ''),
    }),
  ];
}

type At = { readonly now: Date; readonly caller: Account };

function checkCheckout(body: Partial<CheckoutRequest>, reading: Reading, at: At): void {
  checkAmounts(body, reading);
  checkExpiration(body, reading, at);
  checkReturnHosts(body, reading, at.caller);
}

function checkOrder(body: Partial<OrderRequest>, reading: Reading, { caller }: At): void {
  checkAmounts(body, reading);
  checkAlone(body, reading);
  checkReturnHosts(body, reading, caller);
}

function checkRetry(body: Partial<OrderRequest>, reading: Reading, { caller }: At): void {
  checkAmounts(body, reading);
  checkReturnHosts(body, reading, caller);
}

/** Their decimals, where the request says of which currency they are. */
function checkAmounts({ currency }: Partial<OrderRequest>, reading: Reading): void {
  if (currency !== undefined) reading.checkAmounts(currency);
}

const notedOrder = noted(ORDER_NOTES, 'OrderRequest', ORDER_EXAMPLE);

function orderRoutes(): readonly PaymentRoute[] {
  return [
    notedOrder(
      privateRoute({
        method: 'POST',
        path: '/payment/order',
        aliases: ['/order/create'],
        operation_id: 'createOrder',
        summary: 'Pay: create an order with a token',
        tag: 'Order',
        scope: 'payments',
        body: ORDER,
        answer: ORDER_ANSWER,
        refusals: ['token_unusable', 'contract_unknown', 'attempts_used_up', 'order_in_process'],
        check: checkOrder,
        alsoWrong: checkDecimals,
        replay: replayOrder,
        handle: createOrder,
      }),
    ),
    noted(
      ORDER_NOTES,
      'RetryRequest',
      RETRY_EXAMPLE,
    )(
      privateRoute({
        method: 'PUT',
        path: '/payment/order/:order_id',
        operation_id: 'retryOrder',
        summary: 'Try a declined order again with another token',
        tag: 'Order',
        scope: 'payments',
        body: ORDER,
        answer: ORDER_ANSWER,
        refusals: ['object_unknown', 'token_unusable', 'contract_unknown', 'attempts_used_up', 'order_in_process'],
        check: checkRetry,
        alsoWrong: checkDecimals,
        replay: replayRetry,
        handle: retryAnswer,
      }),
    ),
    privateRoute({
      method: 'GET',
      path: '/payment/order/:order_id',
      operation_id: 'readOrder',
      summary: 'Read an order with its transactions and operations',
      tag: 'Order',
      scope: 'read',
      answer: ORDER_READ,
      refusals: ['object_unknown'],
      handle: (tools, { caller, params }) => readOrder(tools, caller, params['order_id'] ?? ''),
    }),
    privateRoute({
      method: 'DELETE',
      path: '/payment/order/:order_id/retry',
      operation_id: 'stopRetries',
      summary: 'Stop later tries of a declined payment',
      tag: 'Order',
      scope: 'payments',
      answer: STOPPED,
      refusals: ['object_unknown'],
      handle: stopRetries,
    }),
    privateRoute({
      method: 'GET',
      path: '/payment/order',
      operation_id: 'listOrders',
      summary: 'List orders, newest first',
      tag: 'Order',
      scope: 'read',
      query: ORDER_QUERY,
      answer: ORDER_LIST,
      handle: (tools, { caller, query }) => listOrders(tools, caller, query),
    }),
  ];
}

const RETRY_EXAMPLE = { token: 'cf9fc0cc860214a8bb1bce449086112addf5cac7648fd2f1f3b381a8f47c8125' };

function maintenanceRoutes(): readonly PaymentRoute[] {
  const path = (kind: MaintenanceKind) => `/payment/maintenance/${kind}/:order_id`;
  const of = { method: 'POST', tag: 'Maintenance' } as const;
  return [
    noted(MAINTENANCE_NOTES, 'CaptureRequest', { amount: '20.00', final: false })(
      privateRoute({
        ...of,
        path: path('capture'),
        operation_id: 'captureOrder',
        scope: 'payments',
        summary: 'Capture what is authorized, in full or in part',
        body: CAPTURE,
        bodiless: true,
        answer: CAPTURE_ANSWER,
        refusals: CAPTURE_REFUSALS,
        alsoWrong: checkDecimals,
        handle: captureOrder,
      }),
    ),
    noted(MAINTENANCE_NOTES, 'RefundRequest', { amount: '11.30', refund_reason: 'requested_by_customer' })(
      privateRoute({
        ...of,
        path: path('refund'),
        operation_id: 'refundOrder',
        scope: 'refunds',
        summary: 'Refund what is captured, in full or in part',
        body: REFUND,
        bodiless: true,
        answer: REFUND_ANSWER,
        refusals: REFUND_REFUSALS,
        alsoWrong: checkDecimals,
        handle: refundOrder,
      }),
    ),
    noted(MAINTENANCE_NOTES, 'CancelRequest', { operation_merchant_id: 'cancel-1881' })(
      privateRoute({
        ...of,
        path: path('cancel'),
        aliases: ['/payment/maintenance/void/:order_id'],
        operation_id: 'cancelOrder',
        scope: 'payments',
        summary: 'Cancel the authorization, before any capture',
        body: CANCEL,
        bodiless: true,
        answer: CANCEL_ANSWER,
        refusals: CANCEL_REFUSALS,
        handle: cancelOrder,
      }),
    ),
  ];
}

function customerRoutes(): readonly PaymentRoute[] {
  return [
    privateRoute({
      method: 'GET',
      path: '/payment/information/:customer_id',
      // the path of the removal is also that of a customer whose id is "id"
      aliases: ['/payment/information/id'],
      operation_id: 'readCustomer',
      summary: 'Read a customer with saved cards and methods used',
      tag: 'Customer',
      scope: 'read',
      answer: CUSTOMER_ANSWER,
      refusals: ['object_unknown'],
      handle: (tools, { caller, params }) => readCustomer(tools, caller, params['customer_id'] ?? 'id'),
    }),
    noted(
      REMOVAL_NOTES,
      'SavedCardRemoval',
      REMOVAL_EXAMPLE,
    )(
      privateRoute({
        method: 'DELETE',
        path: '/payment/information/id',
        operation_id: 'removeSavedCards',
        summary: 'Remove saved cards of a customer',
        tag: 'Customer',
        scope: 'cards',
        body: REMOVAL,
        answer: CUSTOMER_ANSWER,
        refusals: ['object_unknown'],
        handle: removeSavedCards,
      }),
    ),
  ];
}
