// The answers of capture, refund and cancel (contract 8), as schemas.
import type { JsonSchema } from '../../../core/shape.ts';
import type { ResultName } from '../../../core/results.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import { type Members, flag, id, longDate, number, object, resultOf, text, word } from '../../../kit/http/schema.ts';
import type { Notes } from '../../../kit/http/schema.ts';

const AT = 'Fri Aug 16 2024 09:20:01 GMT+0000 (Coordinated Universal Time)';
const REQUEST_STATUS = ['pending', 'success', 'failure'];

const common = (status: keyof typeof ORDER_STATUSES): Members => ({
  order_id: id('Id of the order', '66bf18d25d1c9a0e47b2f317'),
  transaction_id: id('Attempt that holds the money', '66bf18d25d1c9a0e47b2f318'),
  status: word('Where the order stands now', Object.keys(ORDER_STATUSES), status),
  order_amount: number('Amount of the order in major units', 42.5),
  order_currency: text('ISO 4217 code', 'EUR'),
  order_merchant_id: text('Your own reference of the order', 'cart-1881'),
  payment_method_name: text('Card scheme the order was paid with', 'visa'),
  payin_partner: text('Provider', 'simulator'),
  is_authenticated: flag('The liability is shifted to the issuer'),
  is_authorized: flag('An amount is authorized', true),
  request_id: id('Id of this request', '66bf19c05d1c9a0e47b2f349'),
  operation_merchant_id: text('Your own reference of this operation, or ""', ''),
});

function answer(title: string, name: ResultName, members: Members): JsonSchema {
  const description = `Done, or accepted and not yet decided; a refused ${title.toLowerCase()} is never 2xx`;
  return object({ result: resultOf(name), ...members }, { title: `${title}Answer`, description });
}

export const CAPTURE_ANSWER = answer('Capture', 'capture_successful', {
  ...common('capture_successful'),
  capture_id: id('Id of the capture', '66bf18fb5d1c9a0e47b2f32c'),
  capture_date: longDate('When it was decided; null while it is not', AT),
  capture_request_status: word('Outcome', REQUEST_STATUS, 'success'),
  captured_amount: number('Captured so far', 42.5),
  capturable_amount: number('What can still be captured', 0),
  capture_amount_requested: number('Amount of this capture', 42.5),
  total_capture_amount_requested: number('All captures that are done or undecided', 42.5),
});

export const REFUND_ANSWER = answer('Refund', 'refund_successful', {
  ...common('refund_successful'),
  refund_id: id('Id of the refund', '66bf19c05d1c9a0e47b2f34a'),
  capture_id: id('The capture it refunds', '66bf18fb5d1c9a0e47b2f32c'),
  refund_date: longDate('When it was decided; null while it is not', AT),
  refund_request_status: word('Outcome', REQUEST_STATUS, 'success'),
  refunded_amount: number('Refunded so far', 11.3),
  refundable_amount: number('What can still be refunded', 31.2),
  refund_amount_requested: number('Amount of this refund', 11.3),
  total_refund_amount_requested: number('All refunds that are done or undecided', 11.3),
});

export const CANCEL_ANSWER = answer('Cancel', 'cancel_successful', {
  ...common('authorization_cancelled'),
  cancellation_date: longDate('When it was decided; null while it is not', AT),
  cancellation_result: word('Outcome', REQUEST_STATUS, 'success'),
});

/** The meanings of the request fields, for the reference. */
export const MAINTENANCE_NOTES: Readonly<Record<string, Notes>> = {
  maintenance: {
    amount: 'Major units, as a number or as text; left out: all that is left.',
    final: 'true: no further capture follows, and what is left of the authorization is released.',
    capture_id: 'The capture to refund; left out: the only one, or the oldest that covers the amount.',
    refund_reason: 'Kept with the refund.',
    even_if_disputed:
      'true: refund also what the payer’s bank has taken back in a dispute that is open or lost; the payer then has it twice.',
    operation_merchant_id: 'Your own reference, once for an order and operation; comes back in the answer.',
  },
};

/** Why each of them may be refused (contract 8). */
export const CAPTURE_REFUSALS = [
  'object_unknown',
  'capture_already_done',
  'capture_above_authorization',
  'capture_duplicated',
  'captures_too_many',
  'capture_after_lapse',
  'capture_unavailable',
  'capture_order_cancelled',
  'capture_declined',
] as const;
export const REFUND_REFUSALS = [
  'object_unknown',
  'refund_already_done',
  'refund_above_captured',
  'refund_duplicated',
  'refunds_too_many',
  'refund_unavailable',
  'refund_declined',
] as const;
export const CANCEL_REFUSALS = [
  'object_unknown',
  'cancel_after_lapse',
  'cancel_after_capture',
  'cancel_already_done',
  'cancel_duplicated',
  'cancel_unavailable',
  'cancel_declined',
] as const;
