// The fields of POST /payment/maintenance/{operation}/{order_id} (contract 8). Every body may be absent.
import { bool, id24, money, oneOf, text } from '../../../core/fields.ts';
import type { Read, Shape } from '../../../core/shape.ts';

const COMMON = { operation_merchant_id: text(255) } as const satisfies Shape;

export const CAPTURE = { amount: money, final: bool, ...COMMON } as const satisfies Shape;

export const REFUND = {
  amount: money,
  capture_id: id24,
  refund_reason: oneOf('requested_by_customer', 'fraudulent', 'duplicate', 'other'),
  even_if_disputed: bool,
  ...COMMON,
} as const satisfies Shape;

/** An amount is ignored: the whole authorization is cancelled. */
export const CANCEL = COMMON;

export type CaptureRequest = Read<typeof CAPTURE>;
export type RefundRequest = Read<typeof REFUND>;
export type CancelRequest = Read<typeof CANCEL>;
