// The table of the simulator: small JSON, one call an operation. What each means stands in simulator.ts.
import type { Steps } from '../contract.ts';

const HEADERS = {
  accept: 'application/json',
  'idempotency-key': 'step key',
  'x-api-key': 'secret.api_key?',
} as const;
const POST = {
  host: 'api',
  method: 'POST',
  headers: HEADERS,
  content_type: 'application/json',
  slots: {},
  references: ['id', 'reference'],
  effect: 'money',
} as const;

export const STEPS = {
  authorize: {
    ...POST,
    path: '/payments',
    slots: {
      '/card/number': 'card.number',
      '/card/cvc': 'card.cvc?',
      '/card/expiry_month': 'card.expiry_month',
      '/card/expiry_year': 'card.expiry_year',
      '/card/holder': 'card.holder?',
      '/card/cryptogram': 'card.cryptogram?',
      '/card/eci': 'card.eci?',
    },
    again: 'never',
  },
  /** With a token of the provider's own, in place of a card. */
  authorize_token: {
    ...POST,
    path: '/payments',
    slots: { '/token/id': 'psp.token', '/token/customer': 'psp.customer?' },
    again: 'never',
  },
  capture: { ...POST, path: '/payments/{payment_id}/captures', again: 'until_proved' },
  refund: { ...POST, path: '/captures/{capture_id}/refunds', again: 'until_proved' },
  cancel: { ...POST, path: '/payments/{payment_id}/cancel', again: 'until_proved' },
  reversal: { ...POST, path: '/reversals', again: 'until_proved' },
  inquiry: {
    ...POST,
    method: 'GET',
    path: '/payments',
    query: { reference: '{reference}' },
    content_type: null,
    effect: 'none',
    again: 'freely',
  },
} as const satisfies Steps;
