// The objects of the API as Stripe shows them, version 2023-08-16.
import type { Charge, Customer, Dispute, File, Intent, Method, Refund } from './books.ts';

const NOT_LIVE = { livemode: false } as const;
const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

const billingOf = (method: Method) => ({ address: NO_ADDRESS, email: null, name: method.holder, phone: null });

export const methodView = (method: Method) => ({
  id: method.id,
  object: 'payment_method',
  billing_details: billingOf(method),
  card: {
    brand: method.behaviour.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
    country: method.behaviour.country,
    exp_month: method.exp_month,
    exp_year: method.exp_year,
    fingerprint: method.fingerprint,
    funding: method.behaviour.funding,
    generated_from: null,
    last4: method.last4,
    networks: { available: method.behaviour.networks ?? [method.behaviour.brand], preferred: null },
    three_d_secure_usage: { supported: method.behaviour.three_ds !== 'not_supported' },
    wallet: null,
  },
  created: method.created,
  customer: method.customer,
  ...NOT_LIVE,
  metadata: method.metadata,
  type: 'card',
});

const amountHeld = ({ status, amount }: Intent) => (status === 'requires_capture' ? amount : 0);

export function intentView(intent: Intent, pages_url: string, with_charge = false): Readonly<Record<string, unknown>> {
  const { charge, method } = intent;
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    amount_capturable: amountHeld(intent),
    amount_details: { tip: {} },
    amount_received: charge?.captured === true ? charge.amount_captured : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceled_at,
    cancellation_reason: intent.cancellation_reason,
    capture_method: intent.capture_method,
    client_secret: `${intent.id}_secret_Simulated`,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: intent.customer,
    description: null,
    invoice: null,
    last_payment_error: intent.last_payment_error,
    latest_charge: charge === null ? null : with_charge ? chargeView(charge) : charge.id,
    ...NOT_LIVE,
    metadata: intent.metadata,
    next_action: nextAction(intent, pages_url),
    on_behalf_of: null,
    payment_method: method?.id ?? null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: intent.wanted.network,
        request_three_d_secure: intent.wanted.three_ds ?? 'automatic',
      },
    },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: intent.setup_future_usage,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  };
}

function nextAction({ id, status, return_url }: Intent, pages_url: string) {
  if (status !== 'requires_action') return null;
  const url = `${pages_url}/3ds/${id}`;
  return return_url === null
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
    : { type: 'redirect_to_url', redirect_to_url: { return_url, url } };
}

export function chargeView(charge: Charge) {
  const { intent, method, failure } = charge;
  const paid = failure === null;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.amount_captured,
    amount_refunded: charge.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: billingOf(method),
    calculated_statement_descriptor: 'SIMULATED',
    captured: charge.captured,
    created: charge.created,
    currency: intent.currency,
    customer: intent.customer,
    description: null,
    disputed: charge.disputed,
    failure_balance_transaction: null,
    failure_code: paid ? null : failure['code'],
    failure_message: paid ? null : failure['message'],
    fraud_details: {},
    invoice: null,
    ...NOT_LIVE,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: paid ? null : (failure['decline_code'] ?? failure['code']),
      risk_level: 'normal',
      risk_score: 20,
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(charge), type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.amount_refunded === charge.amount,
    review: null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

const cardDetails = ({ method, network, authenticated }: Charge) => ({
  brand: method.behaviour.brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: method.behaviour.country,
  exp_month: method.exp_month,
  exp_year: method.exp_year,
  fingerprint: method.fingerprint,
  funding: method.behaviour.funding,
  installments: null,
  last4: method.last4,
  mandate: null,
  network,
  network_token: { used: false },
  three_d_secure:
    authenticated === null
      ? null
      : { authentication_flow: 'challenge', result: authenticated, result_reason: null, version: '2.2.0' },
  wallet: null,
});

export const refundView = (refund: Refund) => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  balance_transaction: null,
  charge: refund.charge.id,
  created: refund.created,
  currency: refund.charge.intent.currency,
  ...(refund.status === 'failed' && { failure_reason: 'lost_or_stolen_card' }),
  metadata: refund.metadata,
  payment_intent: refund.charge.intent.id,
  reason: refund.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: refund.status,
  transfer_reversal: null,
});

export const customerView = (customer: Customer) => ({
  id: customer.id,
  object: 'customer',
  address: null,
  balance: 0,
  created: customer.created,
  currency: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: customer.email,
  invoice_prefix: 'SIMULATED',
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  ...NOT_LIVE,
  metadata: customer.metadata,
  name: customer.name,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
});

export const disputeView = (dispute: Dispute) => ({
  id: dispute.id,
  object: 'dispute',
  amount: dispute.charge.amount_captured,
  balance_transactions: [],
  charge: dispute.charge.id,
  created: dispute.created,
  currency: dispute.charge.intent.currency,
  evidence: dispute.evidence,
  evidence_details: {
    due_by: dispute.due_by,
    has_evidence: Object.keys(dispute.evidence).length > 0,
    past_due: false,
    submission_count: dispute.submissions,
  },
  is_charge_refundable: dispute.status.startsWith('warning_'),
  ...NOT_LIVE,
  metadata: {},
  payment_intent: dispute.charge.intent.id,
  payment_method_details: {
    card: { brand: dispute.charge.method.behaviour.brand, network_reason_code: '10.4' },
    type: 'card',
  },
  reason: dispute.reason,
  status: dispute.status,
});

export const fileView = (file: File) => ({
  id: file.id,
  object: 'file',
  created: file.created,
  expires_at: null,
  filename: null,
  links: null,
  purpose: file.purpose,
  size: file.size,
  title: null,
  type: file.type,
  url: null,
});

export const listView = (url: string, data: readonly object[], has_more: boolean) => ({
  object: 'list',
  data,
  has_more,
  url,
});
