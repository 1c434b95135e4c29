// Whether a settlement takes money, or gives it back, that its payer is to get a receipt for: told from the order
// alone, so that others ask nothing. Pure.
import { isMailbox } from '../../../kit/mail/mailbox.ts';
import { type Returned, returnedOf } from '../../payer/receipt.ts';
import type { Tools } from '../../tools.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from '../engine/settle-store.ts';

export type Receipt = {
  readonly order: OrderFacts;
  readonly to: string;
  /** The capture or refund that it tells of. */
  readonly operation_id: string;
  readonly transaction_id: string;
  /** The amount of the capture; for a refund, the amount that was captured in all. */
  readonly amount_minor: bigint;
  /** With the refund that the receipt is about. Undefined: it is about a capture. */
  readonly returned: Returned | undefined;
};

type Settling = Pick<SettleFacts, 'operation_id' | 'transaction_id' | 'follow_id' | 'settlement'>;

/**
 * The receipt that a settlement needs, by the order's facts alone. Undefined: no money moves to or from the payer, or
 * no receipt is wanted.
 */
export function receiptDue(
  { mail }: Pick<Tools, 'mail'>,
  order: OrderFacts,
  { operation_id, transaction_id, follow_id, settlement }: Settling,
): Receipt | undefined {
  const { body } = order;
  const { captured, refunded } = settlement.counters;
  if (body.mail_receipt !== true || mail.way === 'none' || (captured <= 0n && refunded <= 0n)) return undefined;
  const to = body.customer_email ?? '';
  if (!isMailbox(to)) return undefined;
  const receipt = { order, to, transaction_id };
  if (refunded > 0n) {
    const returned = returnedOf(order, order.refunded_minor + refunded, refunded);
    return { ...receipt, operation_id, amount_minor: order.captured_minor, returned };
  }
  // the capture of a sale comes with its authorization
  const capture_id = settlement.follow?.kind === 'capture' ? follow_id : operation_id;
  if (capture_id === null) return undefined;
  return { ...receipt, operation_id: capture_id, amount_minor: captured, returned: undefined };
}
