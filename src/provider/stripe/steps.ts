// Stripe's table: what may be sent, where the slots are, and what a lost answer can have done. Data and types only.
import type { HttpStep } from '../contract.ts';

const HEADERS = {
  authorization: 'Bearer secret.secret_key',
  'stripe-version': '2023-08-16',
  accept: 'application/json',
} as const;

/** Ids begin with letters, so no run of digits in them is taken for a card; they are named all the same. */
const REFERENCES = ['id', 'latest_charge', 'payment_method', 'charge', 'network_transaction_id'] as const;

const POST = {
  host: 'api',
  method: 'POST',
  headers: { ...HEADERS, 'idempotency-key': 'step key' },
  content_type: 'application/x-www-form-urlencoded',
  slots: {},
  references: REFERENCES,
} as const;

const GET = {
  host: 'api',
  method: 'GET',
  headers: HEADERS,
  content_type: null,
  slots: {},
  references: REFERENCES,
  effect: 'none',
  again: 'freely',
} as const;

const INTENT = '/v1/payment_intents/{intent}';
const DISPUTE = '/v1/disputes/{dispute}';
/** The charge inside an intent says what the card's bank and 3-D Secure said. */
const WITH_CHARGE = { 'expand[]': 'latest_charge' } as const;

export const STEPS = {
  shell: { ...POST, path: '/v1/payment_intents', effect: 'shell', again: 'same_key' },
  card: {
    ...POST,
    path: '/v1/payment_methods',
    slots: {
      'card[number]': 'card.number',
      'card[exp_month]': 'card.expiry_month',
      'card[exp_year]': 'card.expiry_year',
      'card[cvc]': 'card.cvc?',
      'billing_details[name]': 'card.holder?',
    },
    // it moves no money, and is still sent only once: a repeat under the key would need the same card data, which are
    // gone by then
    effect: 'none',
    again: 'never',
  },
  /** Instead of `card`: puts a payment method that Stripe keeps, and its customer, on the shell. */
  token: {
    ...POST,
    path: INTENT,
    slots: { payment_method: 'psp.token', customer: 'psp.customer?' },
    effect: 'none',
    again: 'never',
  },
  confirm: { ...POST, path: `${INTENT}/confirm`, effect: 'money', again: 'same_key' },
  look: { ...GET, path: INTENT, query: WITH_CHARGE },
  capture: { ...POST, path: `${INTENT}/capture`, effect: 'money', again: 'same_key' },
  cancel: { ...POST, path: `${INTENT}/cancel`, effect: 'money', again: 'same_key' },
  refund: { ...POST, path: '/v1/refunds', effect: 'money', again: 'same_key' },
  /** A reversal that came too late for `cancel` refunds the whole capture. */
  undo: { ...POST, path: '/v1/refunds', effect: 'money', again: 'same_key' },
  refund_by_id: { ...GET, path: '/v1/refunds/{refund}' },
  /** The newest come first. */
  refunds: { ...GET, path: '/v1/refunds', query: { payment_intent: '{intent}', limit: '100' } },
  /** Disputes: how one stands, a file of evidence, all evidence, or that it is accepted. */
  dispute: { ...GET, path: DISPUTE },
  dispute_file: {
    ...POST,
    host: 'files',
    path: '/v1/files',
    content_type: 'multipart/form-data',
    max_body: 10_500_000,
    effect: 'none',
    again: 'same_key',
  },
  dispute_submit: { ...POST, path: DISPUTE, max_body: 1_000_000, effect: 'none', again: 'same_key' },
  dispute_close: { ...POST, path: `${DISPUTE}/close`, effect: 'money', again: 'same_key' },
} as const satisfies Readonly<Record<string, HttpStep>>;

/** The steps of operations; disputing.ts uses the steps of disputes. */
export type StepName = Exclude<keyof typeof STEPS, `dispute${string}`>;
