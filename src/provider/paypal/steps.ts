// PayPal's table: Orders v2 and Payments v2. Data and types only. PayPal keeps a PayPal-Request-Id for 6 hours;
// confirming a payment source and voiding take none.
import type { HttpStep } from '../contract.ts';

/** A full answer, not an id and links. */
const HEADERS = { prefer: 'return=representation', accept: 'application/json' } as const;
const ACCESS = { path: '/v1/oauth2/token', id: 'client_id', secret: 'client_secret' } as const;

/** 17 letters and digits; a scheme's own may be digits alone, and stands as `id`, too. */
const REFERENCES = ['id', 'custom_id', 'invoice_id', 'reference_id', 'acquirer_reference_number', 'debug_id'] as const;

const CALL = { host: 'api', access: ACCESS, slots: {}, references: REFERENCES } as const;
const POST = {
  ...CALL,
  method: 'POST',
  headers: { ...HEADERS, 'paypal-request-id': 'step key' },
  content_type: 'application/json',
  effect: 'money',
  again: 'same_key',
} as const;
const GET = {
  ...CALL,
  method: 'GET',
  headers: { accept: 'application/json' },
  content_type: null,
  effect: 'none',
  again: 'freely',
} as const;

const ORDERS = '/v2/checkout/orders';
const ORDER = `${ORDERS}/{order}`;
const AUTHORIZATION = '/v2/payments/authorizations/{authorization}';
const CAPTURE = '/v2/payments/captures/{capture}';

const DISPUTE = '/v1/customer/disputes/{dispute}';
/** No key is known there: a repeat is refused once the first was taken. */
const ANSWER = { ...POST, headers: { accept: 'application/json' }, again: 'until_proved' } as const;

export const STEPS = {
  shell: { ...POST, path: ORDERS, effect: 'shell' },
  /**
   * The card is put on the order, and the payer's bank may want to see the payer. It moves nothing: what moves money
   * carries no card.
   */
  card: {
    ...POST,
    path: `${ORDER}/confirm-payment-source`,
    headers: HEADERS,
    slots: {
      '/payment_source/card/number': 'card.number',
      '/payment_source/card/expiry': 'card.expiry',
      '/payment_source/card/security_code': 'card.cvc?',
      '/payment_source/card/name': 'card.holder?',
    },
    effect: 'none',
    again: 'never',
  },
  /** Once the payer is back: what became of the visit. */
  back: { ...GET, path: ORDER },
  authorize: { ...POST, path: `${ORDER}/authorize` },
  /** A sale: authorized and captured at once. */
  sell: { ...POST, path: `${ORDER}/capture` },
  /** The order shows everything that was done under it. */
  look: { ...GET, path: ORDER },
  authorization: { ...GET, path: AUTHORIZATION },
  capture: { ...POST, path: `${AUTHORIZATION}/capture` },
  capture_by_id: { ...GET, path: CAPTURE },
  refund: { ...POST, path: `${CAPTURE}/refund` },
  refund_by_id: { ...GET, path: '/v2/payments/refunds/{refund}' },
  /** Twice is refused, and does no harm. */
  void: { ...POST, path: `${AUTHORIZATION}/void`, headers: HEADERS, content_type: null, again: 'until_proved' },
  /** A reversal looks first at what there is to undo. */
  find: { ...GET, path: ORDER },
  /** And gives back what was captured. */
  undo: { ...POST, path: `${CAPTURE}/refund` },
  /** Disputes: how one stands, all that is said and shown, or that nothing is said against it. */
  dispute: { ...GET, path: DISPUTE },
  dispute_evidence: {
    ...ANSWER,
    path: `${DISPUTE}/provide-evidence`,
    content_type: 'multipart/form-data',
    max_body: 9_500_000,
    effect: 'none',
  },
  dispute_accept: { ...ANSWER, path: `${DISPUTE}/accept-claim` },
} as const satisfies Readonly<Record<string, HttpStep>>;

/** The steps of operations; disputing.ts uses the steps of disputes. */
export type StepName = Exclude<keyof typeof STEPS, `dispute${string}`>;
