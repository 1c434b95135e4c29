// Adyen Checkout v72 as a table. Adyen keeps an Idempotency-Key (64 characters at most) for at least 7 days; `/v72`
// pins the version.
//
// | operation | steps                        | what it means                                                         |
// |-----------|------------------------------|-----------------------------------------------------------------------|
// | authorize | payments… (vault), details   | a hold, always; `details` goes on with it when the payer came back    |
// | capture   | captures                     | `received`; CAPTURE tells, CAPTURE_FAILED may take it back days later |
// | refund    | refunds                      | `received`; REFUND, later perhaps REFUND_FAILED or REFUNDED_REVERSED  |
// | cancel    | cancels                      | `received`; CANCELLATION                                              |
// | reversal  | cancel_by_reference          | `received`; TECHNICAL_CANCEL. Reaches a hold, never a capture         |
// | inquiry   | none                         | nothing can be asked                                                  |
import type { Step } from '../contract.ts';

const POST = {
  method: 'POST',
  host: 'checkout',
  headers: { 'x-api-key': 'secret.api_key', 'idempotency-key': 'step key', accept: 'application/json' },
  content_type: 'application/json',
  // 16 letters and digits, or digits alone: one of those may pass for a card number
  references: [
    'pspReference',
    'paymentPspReference',
    'reference',
    'paymentReference',
    'merchantReference',
    'networkTxReference',
  ],
  effect: 'money',
  again: 'same_key',
} as const;

const ACCOUNT = { '/merchantAccount': 'secret.merchant_account' } as const;
const FOLLOW_UP = { ...POST, slots: ACCOUNT } as const;
const PAYMENT = { ...POST, path: '/v72/payments', again: 'never' } as const;
const CARD = {
  ...ACCOUNT,
  '/paymentMethod/number': 'card.number',
  '/paymentMethod/expiryMonth': 'card.expiry_month',
  '/paymentMethod/expiryYear': 'card.expiry_year',
  '/paymentMethod/holderName': 'card.holder?',
} as const;

const DISPUTES = '/ca/services/DisputeService/v30';
/** No Idempotency-Key is known there. */
const DISPUTE = {
  ...POST,
  host: 'disputes',
  headers: { 'x-api-key': 'secret.api_key', accept: 'application/json' },
  slots: { '/merchantAccountCode': 'secret.merchant_account' },
  effect: 'none',
  again: 'until_proved',
} as const;

export const STEPS = {
  payments: { ...PAYMENT, slots: { ...CARD, '/paymentMethod/cvc': 'card.cvc?' } },
  payments_network_token: {
    ...PAYMENT,
    slots: {
      ...CARD,
      '/mpiData/tokenAuthenticationVerificationValue': 'card.cryptogram?',
      '/mpiData/eci': 'card.eci?',
    },
  },
  payments_token: {
    ...PAYMENT,
    slots: { ...ACCOUNT, '/paymentMethod/storedPaymentMethodId': 'psp.token', '/shopperReference': 'psp.customer?' },
  },
  /** Neither card nor account in it: unlike the payment it goes on with, it may be repeated under its key. */
  details: { ...POST, path: '/v72/payments/details', slots: {} },
  captures: { ...FOLLOW_UP, path: '/v72/payments/{payment}/captures' },
  refunds: { ...FOLLOW_UP, path: '/v72/payments/{payment}/refunds' },
  cancels: { ...FOLLOW_UP, path: '/v72/payments/{payment}/cancels' },
  cancel_by_reference: { ...FOLLOW_UP, path: '/v72/cancels' },
  /** Disputes: how one may be defended, documents, the defence, or that nothing is said against it. */
  dispute_reasons: { ...DISPUTE, path: `${DISPUTES}/retrieveApplicableDefenseReasons`, again: 'freely' },
  dispute_documents: { ...DISPUTE, path: `${DISPUTES}/supplyDefenseDocument`, max_body: 7_000_000, again: 'freely' },
  dispute_defend: { ...DISPUTE, path: `${DISPUTES}/defendDispute` },
  dispute_accept: { ...DISPUTE, path: `${DISPUTES}/acceptDispute`, effect: 'money' },
} as const satisfies Record<string, Step>;

/** The steps of operations; disputing.ts uses the steps of disputes. */
export type StepName = Exclude<keyof typeof STEPS, `dispute${string}`>;
