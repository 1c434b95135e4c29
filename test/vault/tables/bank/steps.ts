// A table of the tests: a bank that takes JSON and forms, and wants nothing of anybody's contract.
import type { Steps } from '../../../../src/provider/contract.ts';

const POST = {
  host: 'api',
  method: 'POST',
  headers: { authorization: 'Bearer of-the-operator', 'idempotency-key': 'step key' },
  effect: 'money',
  again: 'never',
} as const;

export const STEPS = {
  authorize: {
    ...POST,
    path: '/v1/payments',
    content_type: 'application/json',
    slots: {
      '/card/number': 'card.number',
      '/card/cvc': 'card.cvc?',
      '/card/expiry_month': 'card.expiry_month',
      '/card/expiry_year': 'card.expiry_year',
      '/card/holder': 'card.holder?',
    },
    references: ['reference'],
  },
  form: {
    ...POST,
    path: '/v1/charges',
    content_type: 'application/x-www-form-urlencoded',
    slots: {
      'card[number]': 'card.number',
      'card[cvc]': 'card.cvc?',
      'card[exp_month]': 'card.expiry_month',
      'card[exp_year]': 'card.expiry_year',
      'card[name]': 'card.holder?',
    },
    references: [],
  },
  /** With values in its path and its query. */
  confirm: {
    ...POST,
    path: '/v1/payments/{payment}/confirm',
    query: { expand: 'charge,refunds', of: '{customer}' },
    content_type: 'application/json',
    slots: { '/number': 'card.number' },
    references: [],
  },
  capture: {
    ...POST,
    path: '/v1/payments/{payment}/captures',
    content_type: 'application/json',
    slots: {},
    references: [],
    again: 'same_key',
  },
  look: {
    ...POST,
    method: 'GET',
    path: '/v1/payments',
    query: { reference: '{reference}' },
    content_type: null,
    slots: {},
    references: [],
    effect: 'none',
    again: 'freely',
  },
} as const satisfies Steps;
