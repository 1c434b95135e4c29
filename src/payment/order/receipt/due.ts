// Whether a settlement takes money that its payer is to get a receipt for: told from the order alone, so that others
// ask nothing. Pure.
import { isMailbox } from '../../../kit/mail/mailbox.ts';
import type { Tools } from '../../tools.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from '../engine/settle-store.ts';

export type Receipt = {
  readonly order: OrderFacts;
  readonly to: string;
  readonly capture_id: string;
  readonly transaction_id: string;
  readonly amount_minor: bigint;
};

type Settling = Pick<SettleFacts, 'operation_id' | 'transaction_id' | 'follow_id' | 'settlement'>;

/**
 * What a settlement is to be receipted by, told from the order alone. Undefined: it takes no money, or no receipt is
 * wanted.
 */
export function receiptDue(
  { mail }: Pick<Tools, 'mail'>,
  order: OrderFacts,
  { operation_id, transaction_id, follow_id, settlement }: Settling,
): Receipt | undefined {
  const { body } = order;
  const { captured: amount_minor } = settlement.counters;
  if (body.mail_receipt !== true || amount_minor <= 0n || mail.way === 'none') return undefined;
  const to = body.customer_email ?? '';
  // the capture of a sale comes with its authorization
  const capture_id = settlement.follow?.kind === 'capture' ? follow_id : operation_id;
  return isMailbox(to) && capture_id !== null ? { order, to, capture_id, transaction_id, amount_minor } : undefined;
}
