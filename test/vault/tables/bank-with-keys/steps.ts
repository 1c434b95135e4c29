// A table of the tests: a bank that is told by credentials whose money it is, in headers and in the body.
import type { Steps } from '../../../../src/provider/contract.ts';

const POST = {
  host: 'api',
  method: 'POST',
  headers: {
    authorization: 'Bearer secret.api_key',
    'x-account': 'secret.account?',
    'idempotency-key': 'step key',
  },
  references: [],
  effect: 'money',
  again: 'never',
} as const;

export const STEPS = {
  authorize: {
    ...POST,
    path: '/v1/payments',
    content_type: 'application/json',
    slots: {
      '/account': 'secret.account?',
      '/card/number': 'card.number',
      '/card/cvc': 'card.cvc?',
      '/card/expiry_month': 'card.expiry_month',
      '/card/expiry_year': 'card.expiry_year',
      '/card/holder': 'card.holder?',
    },
  },
  form: {
    ...POST,
    path: '/v1/charges',
    content_type: 'application/x-www-form-urlencoded',
    slots: {
      account: 'secret.account?',
      'card[number]': 'card.number',
      'card[cvc]': 'card.cvc?',
      'card[exp_month]': 'card.expiry_month',
      'card[exp_year]': 'card.expiry_year',
      'card[name]': 'card.holder?',
    },
  },
  capture: {
    ...POST,
    path: '/v1/captures',
    content_type: 'application/json',
    slots: { '/account': 'secret.account?' },
    again: 'same_key',
  },
} as const satisfies Steps;
