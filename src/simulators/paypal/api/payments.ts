// The operations after an authorization: captures, a void, refunds.
import { type Authorization, type Capture, type Refund, keep } from '../books.ts';
import { refusal } from '../errors.ts';
import { amountOf } from '../money.ts';
import type { World } from '../world.ts';
import { tellOfAuthorization } from './orders.ts';
import { type Said, textIn } from '../../said.ts';
import { captureAlone, refundView } from './views.ts';

export function capture(world: World, authorization: Authorization, said: Said): Capture {
  const { books } = world;
  const { state, order } = authorization;
  if (state === 'voided') throw refusal(422, 'AUTHORIZATION_VOIDED');
  if (state === 'lapsed') throw refusal(422, 'AUTHORIZATION_EXPIRED');
  if (state !== 'held') throw refusal(422, 'AUTHORIZATION_DENIED');
  const taken = books.capturedOf(authorization);
  if (authorization.is_used_up || taken >= authorization.amount.minor)
    throw refusal(422, 'AUTHORIZATION_ALREADY_CAPTURED');
  const amount = said['amount'] === undefined ? authorization.amount : amountOf(said['amount']);
  if (amount.currency !== authorization.amount.currency) throw refusal(422, 'AUTH_CAPTURE_CURRENCY_MISMATCH');
  if (taken + amount.minor > authorization.amount.minor) throw refusal(422, 'MAX_CAPTURE_AMOUNT_EXCEEDED');
  const invoice_id = textIn(said, 'invoice_id');
  const of_account = [...books.captures.values()].filter(({ account }) => account === authorization.account);
  if (invoice_id !== undefined && of_account.some((one) => one.invoice_id === invoice_id))
    throw refusal(422, 'DUPLICATE_INVOICE_ID');
  const final_capture = said['final_capture'] === true;
  authorization.is_used_up = final_capture;
  authorization.updated_ms = world.now_ms();
  const made = keep<Capture>(books.captures, {
    id: world.id(),
    account: authorization.account,
    order,
    authorization,
    created_ms: world.now_ms(),
    updated_ms: world.now_ms(),
    amount,
    invoice_id,
    final_capture,
    response: null,
    network_reference: authorization.network_reference,
    // said by the control alone: PayPal reviews it first
    state: said['pending'] === true ? 'pending' : 'completed',
  });
  tellOfCapture(world, made, made.state === 'pending' ? 'PENDING' : 'COMPLETED');
  return made;
}

/** Captured amounts stay; the rest of the hold is released. */
export function voidIt(world: World, authorization: Authorization): Authorization {
  const { state, is_used_up, amount } = authorization;
  if (state === 'voided' || state === 'lapsed') throw refusal(422, 'PREVIOUSLY_VOIDED');
  if (state === 'denied') throw refusal(422, 'CANNOT_BE_VOIDED');
  if (is_used_up || world.books.capturedOf(authorization) >= amount.minor) throw refusal(422, 'PREVIOUSLY_CAPTURED');
  authorization.state = 'voided';
  authorization.updated_ms = world.now_ms();
  tellOfAuthorization(world, authorization, 'PAYMENT.AUTHORIZATION.VOIDED');
  return authorization;
}

export function refund(world: World, of: Capture, said: Said): Refund {
  if (of.state === 'pending') throw refusal(422, 'PENDING_CAPTURE');
  if (of.state !== 'completed') throw refusal(422, 'REFUND_NOT_ALLOWED');
  const left = of.amount.minor - world.books.refundedOf(of);
  if (left === 0) throw refusal(422, 'CAPTURE_FULLY_REFUNDED');
  const amount = said['amount'] === undefined ? { ...of.amount, minor: left } : amountOf(said['amount']);
  if (amount.currency !== of.amount.currency) throw refusal(422, 'REFUND_CAPTURE_CURRENCY_MISMATCH');
  if (amount.minor > left) throw refusal(422, 'REFUND_AMOUNT_EXCEEDED');
  const made = keep<Refund>(world.books.refunds, {
    id: world.id(),
    account: of.account,
    capture: of,
    created_ms: world.now_ms(),
    updated_ms: world.now_ms(),
    amount,
    custom_id: textIn(said, 'custom_id'),
    // a refund whose amount ends in 77 is pending: PayPal first has to collect the money from a bank
    state: amount.minor % 100 === 77 ? 'PENDING' : 'COMPLETED',
  });
  if (made.state === 'COMPLETED') tellOfRefund(world, made);
  return made;
}

export function tellOfRefund(world: World, made: Refund): void {
  const resource = refundView(world, made);
  world.tell({ type: 'PAYMENT.CAPTURE.REFUNDED', resource_type: 'refund', resource, account: made.account });
}

export function tellOfCapture(world: World, made: Capture, what: 'COMPLETED' | 'DENIED' | 'PENDING'): void {
  const resource = captureAlone(world, made);
  world.tell({ type: `PAYMENT.CAPTURE.${what}`, resource_type: 'capture', resource, account: made.account });
}
