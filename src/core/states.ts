// Every status of an order and every move between them (contract 14.2), and the states of an operation.
// The table is the type; the database's CHECK constraint is compared with it, and docs/states.md is made from it.

type Move = { readonly to: OrderStatus; readonly from: readonly (OrderStatus | 'none')[]; readonly by: string };

/** Stored as the reason of an operation that was booked and booked back later. The checks of the ledger look for it. */
export const TAKEN_BACK = 'corrected by the provider';

/** live: the order may still hold or take money, so nothing else may be started on its checkout. */
export const ORDER_STATUSES = {
  created: { live: true },
  risk_assessment_requested: { live: true },
  risk_assessment_approved: { live: true },
  risk_assessment_declined: { live: false },
  authentication_requested: { live: true },
  authentication_successful: { live: true },
  authentication_declined: { live: false },
  authorization_requested: { live: true },
  authorization_successful: { live: true },
  authorization_declined: { live: false },
  authorization_cancelled: { live: false },
  authorization_expired: { live: false },
  authorization_cancel_requested: { live: true },
  authorization_cancel_declined: { live: true },
  capture_requested: { live: true },
  capture_successful: { live: true },
  capture_declined: { live: true },
  refund_requested: { live: true },
  refund_successful: { live: true },
  refund_declined: { live: true },
} as const;

export type OrderStatus = keyof typeof ORDER_STATUSES;
export const ORDER_STATUS_NAMES = Object.keys(ORDER_STATUSES) as [OrderStatus, ...OrderStatus[]];

const CREATED = ['created', 'risk_assessment_requested'] as const;
const READY = ['created', 'risk_assessment_approved'] as const;

export const ORDER_MOVES: readonly Move[] = [
  {
    to: 'created',
    from: ['none', 'risk_assessment_declined', 'authentication_declined', 'authorization_declined'],
    by: 'order created, or tried again with another token',
  },
  { to: 'risk_assessment_requested', from: ['created'], by: 'outside risk tool asked' },
  { to: 'risk_assessment_approved', from: CREATED, by: 'risk rules or tool' },
  { to: 'risk_assessment_declined', from: CREATED, by: 'risk rules or tool' },
  {
    to: 'authentication_requested',
    from: [...READY, 'authorization_requested'],
    by: 'the payer must act; issuer asks for it',
  },
  { to: 'authentication_successful', from: ['authentication_requested', ...READY], by: 'access control server' },
  {
    to: 'authentication_declined',
    from: ['authentication_requested', ...READY],
    by: 'access control server, timer, payer',
  },
  {
    to: 'authorization_requested',
    // from authentication_requested: the bank could not say, and ask_3ds goes on without (docs/decisions/0037)
    from: [...READY, 'authentication_successful', 'authentication_requested'],
    by: 'sent to the provider',
  },
  { to: 'authorization_successful', from: ['authorization_requested'], by: 'provider' },
  {
    to: 'authorization_declined',
    from: ['authorization_requested', ...READY, 'authorization_cancel_requested'],
    by: 'provider, routing, recovery',
  },
  { to: 'authorization_expired', from: ['authorization_successful'], by: 'timer, provider' },
  {
    to: 'authorization_cancel_requested',
    from: ['authorization_successful', 'authorization_requested', 'authorization_cancel_declined'],
    by: 'cancel',
  },
  {
    to: 'authorization_cancelled',
    from: ['authorization_cancel_requested', 'authentication_requested'],
    by: 'provider',
  },
  { to: 'authorization_cancel_declined', from: ['authorization_cancel_requested'], by: 'provider' },
  {
    to: 'capture_requested',
    from: ['authorization_successful', 'capture_successful', 'capture_declined', 'authorization_cancel_declined'],
    by: 'capture; direct capture in two steps',
  },
  { to: 'capture_successful', from: ['capture_requested', 'authorization_successful'], by: 'provider' },
  { to: 'capture_declined', from: ['capture_requested', 'capture_successful'], by: 'provider' },
  {
    to: 'refund_requested',
    from: ['capture_successful', 'refund_successful', 'refund_declined', 'capture_requested', 'capture_declined'],
    by: 'refund',
  },
  { to: 'refund_successful', from: ['refund_requested'], by: 'provider' },
  { to: 'refund_declined', from: ['refund_requested', 'refund_successful'], by: 'provider' },
];

/** True when the table has this move. */
export function mayMove(from: OrderStatus | 'none', to: OrderStatus): boolean {
  return ORDER_MOVES.some((move) => move.to === to && move.from.includes(from));
}

export function isOrderStatus(text: string): text is OrderStatus {
  return Object.hasOwn(ORDER_STATUSES, text);
}

/** States of an operation, with what each means for the money and for the outside. */
export const OPERATION_STATES = {
  requested: { final: false, meaning: 'intent committed; the call is under way, or payer or provider must act' },
  in_doubt: { final: false, meaning: 'the provider may or may not have done it' },
  reversing: { final: false, meaning: 'authorize only: decided to undo' },
  review: { final: false, meaning: '24 h without proof: a person decides' },
  successful: { final: true, meaning: 'proved done; amount, currency and reference equal ours' },
  declined: { final: true, meaning: 'proved without effect' },
  not_sent: { final: true, meaning: 'proved that no byte reached the provider' },
} as const;

export type OperationState = keyof typeof OPERATION_STATES;

export const OPERATION_KINDS = ['authorize', 'capture', 'refund', 'cancel', 'reversal'] as const;
