// Every route of {base_url}: one line names the shape of the request and the verb.
import { type Route, privateRoute } from '../kit/http/route.ts';
import { type Notes, withNotes } from '../kit/http/schema.ts';
import { CHECKOUT_ANSWER } from './checkout/answer-schema.ts';
import { checkExpiration, createCheckout } from './checkout/create.ts';
import { CHECKOUT_EXAMPLE, CHECKOUT_NOTES } from './checkout/field-notes.ts';
import { readCheckout } from './checkout/read.ts';
import { CHECKOUT } from './checkout/request.ts';
import type { Account } from './merchant/account.ts';
import { ORDER_ANSWER, ORDER_READ } from './order/schema/answer.ts';
import { createOrder } from './order/create.ts';
import { ORDER_EXAMPLE, ORDER_NOTES } from './order/schema/request-notes.ts';
import { readOrder } from './order/read/read.ts';
import { CUSTOMER_ANSWER } from './customer/answer-schema.ts';
import { readCustomer } from './customer/read.ts';
import { customerMethods } from './customer/record.ts';
import { removeSavedCards } from './customer/remove.ts';
import { REMOVAL, REMOVAL_EXAMPLE, REMOVAL_NOTES } from './customer/request.ts';
import { checkAlone } from './order/terms.ts';
import { ORDER } from './order/request.ts';
import type { Tools } from './tools.ts';

export function paymentRoutes(tools: Tools): readonly Route<Account>[] {
  return [...checkoutRoutes(tools), ...orderRoutes(tools), ...customerRoutes(tools)];
}

function checkoutRoutes(tools: Tools): readonly Route<Account>[] {
  const customers = customerMethods(tools);
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
        body: CHECKOUT,
        answer: CHECKOUT_ANSWER,
        check: checkExpiration,
        handle: (request) => createCheckout(tools, request, customers),
      }),
    ),
    privateRoute({
      method: 'GET',
      path: '/payment/checkout/:checkout_id',
      operation_id: 'readCheckout',
      summary: 'Read a checkout as it stands now',
      tag: 'Checkout',
      answer: CHECKOUT_ANSWER,
      refusals: ['object_unknown'],
      handle: ({ caller, params }) => readCheckout(tools, { account: caller, customers }, params['checkout_id'] ?? ''),
    }),
  ];
}

function orderRoutes(tools: Tools): readonly Route<Account>[] {
  return [
    noted(
      ORDER_NOTES,
      'OrderRequest',
      ORDER_EXAMPLE,
    )(
      privateRoute({
        method: 'POST',
        path: '/payment/order',
        aliases: ['/order/create'],
        operation_id: 'createOrder',
        summary: 'Pay: create an order with a token',
        tag: 'Order',
        body: ORDER,
        answer: ORDER_ANSWER,
        refusals: ['token_unusable', 'contract_unknown', 'attempts_used_up', 'order_in_process'],
        check: checkAlone,
        handle: (request) => createOrder(tools, request),
      }),
    ),
    privateRoute({
      method: 'GET',
      path: '/payment/order/:order_id',
      operation_id: 'readOrder',
      summary: 'Read an order with its transactions and operations',
      tag: 'Order',
      answer: ORDER_READ,
      refusals: ['object_unknown'],
      handle: ({ caller, params }) => readOrder(tools, caller, params['order_id'] ?? ''),
    }),
  ];
}

function customerRoutes(tools: Tools): readonly Route<Account>[] {
  return [
    privateRoute({
      method: 'GET',
      path: '/payment/information/:customer_id',
      // the path of the removal is also that of a customer whose id is "id"
      aliases: ['/payment/information/id'],
      operation_id: 'readCustomer',
      summary: 'Read a customer with saved cards and methods used',
      tag: 'Customer',
      answer: CUSTOMER_ANSWER,
      refusals: ['object_unknown'],
      handle: ({ caller, params }) => readCustomer(tools, caller, params['customer_id'] ?? 'id'),
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
        body: REMOVAL,
        answer: CUSTOMER_ANSWER,
        refusals: ['object_unknown'],
        handle: (request) => removeSavedCards(tools, request),
      }),
    ),
  ];
}

/** Gives the request of a route the meanings of its fields, a name and an example: for the reference, not for validation. */
function noted(groups: Readonly<Record<string, Notes>>, title: string, example: object) {
  return <C>(route: Route<C>): Route<C> => ({
    ...route,
    body: route.body && withNotes(route.body, groups, { title, examples: [example] }),
  });
}
