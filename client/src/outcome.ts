// What has become of a payment, as a union that cannot be read without saying what happens to a payment with an unknown
// outcome: an order is a member of the first four kinds only, and `handle` wants an answer for each.
import { type CodeName, nameOfCode } from './errors.ts';
import type { OrderAnswer } from './wire/schemas.ts';

type Known<Order> = {
  readonly order_id: string;
  /** Result code of the order as it stands. */
  readonly code: string;
  /** The code's name, such as 'authorization_successful'. */
  readonly reason: CodeName;
  /** The order as the API answered it. */
  readonly order: Order;
};

/** The payer's bank said yes. */
export type Approved<Order = OrderAnswer> = Known<Order> & {
  readonly kind: 'approved';
  /** The money is taken; false: it is held, and a capture takes it. */
  readonly captured: boolean;
};

/** Nothing is charged, and nothing will be by itself. */
export type Declined<Order = OrderAnswer> = Known<Order> & {
  readonly kind: 'declined';
  /**
   * The payer may try the same card again; false: ask for another one (the schemes fine those who try again). By the
   * code, and by what the card's scheme said, which may forbid what the code allows.
   */
  readonly same_card_may_be_tried: boolean;
  /** The amount is still held, though the capture failed: capture again, or cancel. */
  readonly still_held: boolean;
};

/** Send the payer to `redirect_url`; the outcome follows when they are back. */
export type PayerMustAct<Order = OrderAnswer> = Known<Order> & {
  readonly kind: 'payer_must_act';
  readonly redirect_url: string;
};

/** Not decided yet (421080 and the like). This is no failure: do not ship, and do not ask for another card. */
export type Pending<Order = OrderAnswer> = Known<Order> & { readonly kind: 'pending' };

/**
 * It is not known yet what became of the money: no answer came, or a provider's outcome is being found out. That may be
 * whether the payer was charged; or, of an order that was paid, whether a refund was made, or whether an earlier try
 * that another provider took over is undone. Do not ship, do not ask for another card;
 * `orders.waitUntilDecided(outcome)`, or wait for the notification.
 */
export type InDoubt<Order = OrderAnswer> = {
  readonly kind: 'in_doubt';
  /** Undefined: no answer came, so it is not known whether there is an order. */
  readonly order_id: string | undefined;
  readonly order: Order | undefined;
  /** What the request was sent under; undefined where the outcome comes from a read. */
  readonly idempotency_key: string | undefined;
  /** Why no answer came. */
  readonly cause: unknown;
};

export type PaymentOutcome<Order = OrderAnswer> =
  | Approved<Order>
  | Declined<Order>
  | PayerMustAct<Order>
  | Pending<Order>
  | InDoubt<Order>;

/** What a page may know of an outcome: send it to the browser as it is. */
export type PageOutcome = { readonly kind: PaymentOutcome['kind']; readonly redirect_url?: string };

type Handlers<Order, T> = {
  readonly [Kind in PaymentOutcome['kind']]: (outcome: Extract<PaymentOutcome<Order>, { kind: Kind }>) => T;
};

/** Calls the one function that fits the outcome. Leaving one out is a type error. */
export function handle<Order, T>(outcome: PaymentOutcome<Order>, handlers: Handlers<Order, T>): T {
  switch (outcome.kind) {
    case 'approved':
      return handlers.approved(outcome);
    case 'declined':
      return handlers.declined(outcome);
    case 'payer_must_act':
      return handlers.payer_must_act(outcome);
    case 'pending':
      return handlers.pending(outcome);
    case 'in_doubt':
      return handlers.in_doubt(outcome);
  }
}

/** The outcome without what is the merchant's business: for the payer's page (see @florin/client/elements). */
export function forPage(outcome: PaymentOutcome<unknown>): PageOutcome {
  return outcome.kind === 'payer_must_act'
    ? { kind: outcome.kind, redirect_url: outcome.redirect_url }
    : { kind: outcome.kind };
}

/** What is read of an order, and may be missing in what an older or newer API answers. */
type Told = {
  readonly order_id?: unknown;
  readonly status?: unknown;
  readonly result?: { readonly code?: unknown } | undefined;
  readonly redirect_url?: unknown;
  readonly is_in_doubt?: unknown;
  readonly is_captured?: unknown;
  readonly retry_class?: unknown;
  readonly type?: unknown;
};

type Standing = 'approved' | 'declined' | 'pending';

/** Of an order whose type is authorize, or of which something is captured already, where that makes a difference. */
const APPROVED_BEFORE: Readonly<Record<string, Standing>> = {
  capture_requested: 'approved',
  capture_declined: 'approved',
};

/** A status that is not here is one this version does not know: that is doubt, and never guessed. */
const BY_STATUS: Readonly<Record<string, Standing>> = {
  created: 'pending',
  risk_assessment_requested: 'pending',
  risk_assessment_approved: 'pending',
  risk_assessment_declined: 'declined',
  authentication_requested: 'pending',
  authentication_successful: 'pending',
  authentication_declined: 'declined',
  authorization_requested: 'pending',
  authorization_successful: 'approved',
  authorization_declined: 'declined',
  authorization_cancelled: 'declined',
  authorization_expired: 'declined',
  authorization_cancel_requested: 'pending',
  authorization_cancel_declined: 'approved',
  capture_requested: 'pending',
  capture_successful: 'approved',
  capture_declined: 'declined',
  refund_requested: 'approved',
  refund_successful: 'approved',
  refund_declined: 'approved',
};

/**
 * The outcome of an order as the API answered it: of `POST`, `PUT` or `GET /payment/order`, or out of a list. Rows of a
 * list have no result code: `code` is empty then, and no card may be tried again.
 */
export function outcomeOf<Order extends Told>(order: Order, idempotency_key?: string): PaymentOutcome<Order> {
  const { status, redirect_url } = order;
  const order_id = typeof order.order_id === 'string' ? order.order_id : undefined;
  const code = typeof order.result?.code === 'string' ? order.result.code : '';
  const standing = typeof status === 'string' ? standingOf(status, order) : undefined;
  if (order_id === undefined || standing === undefined || order.is_in_doubt === true)
    return { kind: 'in_doubt', order_id, order, idempotency_key, cause: undefined };
  const known = { order_id, code, reason: nameOfCode(code), order };
  if (status === 'authentication_requested' && typeof redirect_url === 'string' && redirect_url !== '')
    return { kind: 'payer_must_act', ...known, redirect_url };
  if (standing === 'approved') return { kind: 'approved', ...known, captured: order.is_captured === true };
  if (standing === 'pending') return { kind: 'pending', ...known };
  return {
    kind: 'declined',
    ...known,
    same_card_may_be_tried: code[2] === '0' && order.retry_class !== 'stop',
    still_held: status === 'capture_declined',
  };
}

function standingOf(status: string, { type, is_captured }: Told): Standing | undefined {
  const was_approved = type === 'authorize' || is_captured === true;
  if (was_approved && Object.hasOwn(APPROVED_BEFORE, status)) return APPROVED_BEFORE[status];
  return Object.hasOwn(BY_STATUS, status) ? BY_STATUS[status] : undefined;
}
