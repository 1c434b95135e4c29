// How entries of the books are shown: Orders v2 and Payments v2.
import type { Authorization, Books, Capture, Dispute, Evidence, Order, Refund } from '../books.ts';
import { moneyView } from '../money.ts';
import type { World } from '../world.ts';

const timeOf = (at_ms: number): string => new Date(at_ms).toISOString();
const times = ({ created_ms, updated_ms }: { created_ms: number; updated_ms: number }) => ({
  create_time: timeOf(created_ms),
  update_time: timeOf(updated_ms),
});
const PROTECTION = { status: 'NOT_ELIGIBLE' };

type Link = readonly [rel: string, path: string, method: 'GET' | 'POST'];
const linked = ({ url }: World, links: readonly Link[]) =>
  links.map(([rel, path, method]) => ({ href: url() + path, rel, method }));

export const payerAction = (world: World, { id }: Order) =>
  ({ href: `${world.url()}/checkoutnow/${id}`, rel: 'payer-action', method: 'GET' }) as const;

export function orderView(world: World, order: Order): object {
  const { books } = world;
  const { id, intent, status, amount, reference_id, custom_id, description } = order;
  const parts = Object.entries({
    authorizations: books.authorizationsOf(order).map((one) => ({
      ...authorizationPart(world, one),
      processor_response: one.response,
    })),
    captures: books.capturesOf(order).map((one) => captureView(world, one)),
    refunds: books.refundsOf(order).map((one) => refundView(world, one)),
  }).filter(([, all]) => all.length > 0);
  const self = `/v2/checkout/orders/${id}`;
  const action = intent === 'AUTHORIZE' ? 'authorize' : 'capture';
  const links = linked(world, [
    ['self', self, 'GET'],
    ...(status === 'APPROVED' ? [[action, `${self}/${action}`, 'POST'] as const] : []),
  ]);
  return {
    id,
    intent,
    status,
    ...cardView(order),
    purchase_units: [
      {
        reference_id,
        amount: moneyView(amount),
        ...(custom_id !== undefined && { custom_id }),
        ...(description !== undefined && { description }),
        ...(parts.length > 0 && { payments: Object.fromEntries(parts) }),
      },
    ],
    ...times(order),
    links: status === 'PAYER_ACTION_REQUIRED' ? [...links, payerAction(world, order)] : links,
  };
}

function cardView({ card, authentication }: Order): object {
  if (card === null) return {};
  const { last4, brand, expiry, holder } = card;
  const result = authentication && {
    liability_shift: authentication.shift,
    three_d_secure: { enrollment_status: 'Y', authentication_status: authentication.status },
  };
  return {
    payment_source: {
      card: {
        last_digits: last4,
        expiry,
        type: 'CREDIT',
        ...(brand !== undefined && { brand }),
        ...(holder !== undefined && { name: holder }),
        ...(result && { authentication_result: result }),
      },
    },
  };
}

function statusOf(books: Books, one: Authorization): string {
  if (one.state === 'denied' || one.state === 'pending') return one.state.toUpperCase();
  if (one.state === 'voided' || one.state === 'lapsed') return 'VOIDED';
  const captured = books.capturedOf(one);
  if (captured === 0) return 'CREATED';
  return one.is_used_up || captured >= one.amount.minor ? 'CAPTURED' : 'PARTIALLY_CAPTURED';
}

function authorizationPart(world: World, one: Authorization): object {
  const { id, amount, order, network_reference, expires_ms } = one;
  const self = `/v2/payments/authorizations/${id}`;
  return {
    id,
    status: statusOf(world.books, one),
    ...(one.state === 'pending' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: moneyView(amount),
    ...(order.custom_id !== undefined && { custom_id: order.custom_id }),
    network_transaction_reference: { id: network_reference },
    seller_protection: PROTECTION,
    expiration_time: timeOf(expires_ms),
    ...times(one),
    links: linked(world, [
      ['self', self, 'GET'],
      ['capture', `${self}/capture`, 'POST'],
      ['void', `${self}/void`, 'POST'],
      ['up', `/v2/checkout/orders/${order.id}`, 'GET'],
    ]),
  };
}

export const authorizationView = (world: World, one: Authorization): object => ({
  ...authorizationPart(world, one),
  supplementary_data: { related_ids: { order_id: one.order.id } },
});

const FEE = 0.03;

function captureView(world: World, one: Capture): object {
  const { id, amount, order, invoice_id, final_capture, network_reference, response } = one;
  const fee = { ...amount, minor: Math.floor(amount.minor * FEE) };
  const refunded = world.books.refundedOf(one);
  const given_back = refunded === 0 ? 'COMPLETED' : refunded < amount.minor ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  return {
    id,
    status: one.state === 'completed' ? given_back : one.state.toUpperCase(),
    ...(one.state === 'pending' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: moneyView(amount),
    final_capture,
    ...(invoice_id !== undefined && { invoice_id }),
    ...(order.custom_id !== undefined && { custom_id: order.custom_id }),
    network_transaction_reference: { id: network_reference },
    seller_protection: PROTECTION,
    ...(one.state === 'completed' && {
      seller_receivable_breakdown: {
        gross_amount: moneyView(amount),
        paypal_fee: moneyView(fee),
        net_amount: moneyView({ ...amount, minor: amount.minor - fee.minor }),
      },
    }),
    ...(response && { processor_response: response }),
    ...times(one),
    links: linked(world, [
      ['self', `/v2/payments/captures/${id}`, 'GET'],
      ['refund', `/v2/payments/captures/${id}/refund`, 'POST'],
    ]),
  };
}

/** A capture that is shown alone names its order and authorization. */
export function captureAlone(world: World, one: Capture): object {
  const related_ids = { order_id: one.order.id, ...(one.authorization && { authorization_id: one.authorization.id }) };
  return { ...captureView(world, one), supplementary_data: { related_ids } };
}

export function refundView(world: World, one: Refund): object {
  const { id, amount, custom_id, state, capture } = one;
  return {
    id,
    status: state,
    ...(state === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount: moneyView(amount),
    ...(custom_id !== undefined && { custom_id }),
    ...times(one),
    links: linked(world, [
      ['self', `/v2/payments/refunds/${id}`, 'GET'],
      ['up', `/v2/payments/captures/${capture.id}`, 'GET'],
    ]),
  };
}

/** https://developer.paypal.com/docs/api/customer-disputes/v1/ */
export function disputeView(world: World, one: Dispute): object {
  const { id, reason, status, outcome, capture, evidences } = one;
  const path = `/v1/customer/disputes/${id}`;
  const may: readonly Link[] =
    status === 'WAITING_FOR_SELLER_RESPONSE'
      ? [
          ['accept_claim', `${path}/accept-claim`, 'POST'],
          ['provide_evidence', `${path}/provide-evidence`, 'POST'],
        ]
      : [];
  return {
    dispute_id: id,
    ...times(one),
    disputed_transactions: [{ seller_transaction_id: capture.id, custom: capture.order.custom_id ?? '' }],
    reason,
    status,
    dispute_amount: moneyView(capture.amount),
    ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: 'EXTERNAL',
    ...(evidences.length > 0 && { evidences: evidences.map(evidenceView) }),
    links: linked(world, [['self', path, 'GET'], ...may]),
  };
}

const evidenceView = ({ evidence_type, notes, tracking_number, documents }: Evidence) => ({
  evidence_type,
  source: 'SUBMITTED_BY_SELLER',
  ...(notes !== undefined && { notes }),
  ...(tracking_number !== undefined && { evidence_info: { tracking_info: [{ tracking_number }] } }),
  ...(documents.length > 0 && { documents: documents.map((name) => ({ name })) }),
});
