// The simulator's calls as data; the table of simulator.ts says what they mean. Both names share it: the sandbox's destinations say
// where each of them is.
import type { HttpStep, Slot } from '../contract.ts';

const SENT = {
  method: 'POST',
  host: 'api',
  headers: { accept: 'application/json', 'idempotency-key': 'step key', 'x-api-key': 'secret.api_key?' },
  content_type: 'application/json',
  slots: {},
  references: ['id', 'reference'],
  effect: 'money',
  // nothing is deduplicated there
  again: 'until_proved',
} as const satisfies Omit<HttpStep, 'path'>;

const CARD = {
  '/card/number': 'card.number',
  '/card/cvc': 'card.cvc?',
  '/card/expiry_month': 'card.expiry_month',
  '/card/expiry_year': 'card.expiry_year',
  '/card/holder': 'card.holder?',
} as const satisfies Readonly<Record<string, Slot>>;

/** A token of the provider's own, in place of a card. */
const TOKEN = { '/token/id': 'psp.token', '/token/customer': 'psp.customer?' } as const satisfies Readonly<
  Record<string, Slot>
>;

export const STEPS = {
  authorize: { ...SENT, path: '/payments', slots: CARD, again: 'never' },
  authorize_token: { ...SENT, path: '/payments', slots: TOKEN, again: 'never' },
  capture: { ...SENT, path: '/payments/{payment_id}/captures' },
  refund: { ...SENT, path: '/captures/{capture_id}/refunds' },
  cancel: { ...SENT, path: '/payments/{payment_id}/cancel' },
  reversal: { ...SENT, path: '/reversals' },
  inquiry: {
    ...SENT,
    method: 'GET',
    path: '/payments',
    query: { reference: '{reference}' },
    content_type: null,
    effect: 'none',
    again: 'freely',
  },
} as const satisfies Readonly<Record<string, HttpStep>>;
