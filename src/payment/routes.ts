// Every route of {base_url}: one line names the shape of the request and the verb.
import type { JsonSchema } from '../core/shape.ts';
import { type Route, privateRoute } from '../kit/http/route.ts';
import { checkExpiration, createCheckout } from './checkout/create.ts';
import { readCheckout } from './checkout/read.ts';
import { CHECKOUT } from './checkout/request.ts';
import type { Account } from './merchant/account.ts';
import { createOrder } from './order/create.ts';
import { readOrder } from './order/read/read.ts';
import { ORDER } from './order/request.ts';
import type { Tools } from './tools.ts';

export function paymentRoutes(tools: Tools): readonly Route<Account>[] {
  return [
    privateRoute({
      method: 'POST',
      path: '/payment/checkout',
      operation_id: 'createCheckout',
      summary: 'Create a checkout',
      tag: 'Checkout',
      body: CHECKOUT,
      answer: CHECKOUT_ANSWER,
      check: checkExpiration,
      handle: (request) => createCheckout(tools, request),
    }),
    privateRoute({
      method: 'GET',
      path: '/payment/checkout/:checkout_id',
      operation_id: 'readCheckout',
      summary: 'Read a checkout as it stands now',
      tag: 'Checkout',
      answer: CHECKOUT_ANSWER,
      refusals: ['object_unknown'],
      handle: ({ caller, params }) => readCheckout(tools, caller, params['checkout_id'] ?? ''),
    }),
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
      handle: (request) => createOrder(tools, request),
    }),
    privateRoute({
      method: 'GET',
      path: '/payment/order/:order_id',
      operation_id: 'readOrder',
      summary: 'Read an order with its transactions and operations',
      tag: 'Order',
      answer: ORDER_ANSWER,
      refusals: ['object_unknown'],
      handle: ({ caller, params }) => readOrder(tools, caller, params['order_id'] ?? ''),
    }),
  ];
}

const RESULT: JsonSchema = {
  type: 'object',
  required: ['code', 'description'],
  properties: { code: { type: 'string' }, description: { type: 'string' } },
};

const CHECKOUT_ANSWER: JsonSchema = {
  type: 'object',
  required: ['result', 'checkout'],
  properties: {
    result: RESULT,
    checkout: {
      type: 'object',
      required: ['checkout_id', 'status', 'amount', 'currency', 'expiration_date', 'merchant_data'],
      properties: { checkout_id: { type: 'string' }, status: { type: 'string' } },
    },
    payment_methods: { type: 'object' },
    redirect_url: { type: 'string' },
  },
};

const ORDER_ANSWER: JsonSchema = {
  type: 'object',
  required: ['result', 'order_id', 'transaction_id', 'status'],
  properties: {
    result: RESULT,
    order_id: { type: 'string' },
    transaction_id: { type: 'string' },
    status: { type: 'string' },
    order_amount: { type: 'number' },
    order_currency: { type: 'string' },
  },
};
