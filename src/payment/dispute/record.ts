// A dispute of a capture, told by its provider: the money it takes away or gives back, what the order shows, and the event are one
// commit. The status of the order stays (contract 14.2).
import { bookChargeback, unbook } from '../../core/ledger-accounts.ts';
import { toDecimal } from '../../core/money.ts';
import { storable } from '../../kit/database.ts';
import type { Dispute } from '../../provider/contract.ts';
import type { OperationFacts, OrderFacts } from '../order/read/facts.ts';
import type { Tools } from '../tools.ts';
import { insertOrMoveDispute } from './store.ts';

export type Disputed = {
  readonly operation: OperationFacts;
  readonly provider: string;
  readonly dispute: Dispute;
};

/** False: it does not fit, and a person must look. Told twice, or out of order, it moves nothing a second time. */
export async function recordDispute(tools: Tools, order: OrderFacts, told: Disputed): Promise<boolean> {
  const { operation, provider, dispute } = told;
  const { state, amount_minor, currency, reason, reason_code, at } = dispute;
  const known = order.disputes.find(({ operation_id }) => operation_id === operation.id);
  const fits =
    operation.kind === 'capture' &&
    // of one that took no money, none can be taken away
    operation.state !== 'declined' &&
    operation.state !== 'not_sent' &&
    currency === order.currency &&
    amount_minor <= operation.amount_minor &&
    !Number.isNaN(Date.parse(at)) &&
    // what was booked stays as it was booked: a provider that changes its mind about the money is a person's business
    (known === undefined || known.amount_minor === amount_minor);
  if (!fits || amount_minor <= 0n) {
    const alert = 'a dispute is told that does not fit the capture it names';
    tools.log.error({ order_id: order.id, operation_id: operation.id, alert }, alert);
    return false;
  }
  const booked = bookChargeback(amount_minor);
  await insertOrMoveDispute(tools.db.tenant(order.merchant_account_id), {
    id: tools.chance.id(),
    order_id: order.id,
    operation_id: operation.id,
    provider,
    state,
    amount_minor,
    amount: toDecimal(amount_minor, currency),
    currency,
    reason: storable(reason).slice(0, 255),
    reason_code: storable(reason_code).slice(0, 64),
    opened_at: at,
    // taken away when it is opened, given back when it is won; another reason moves no money
    book: booked,
    unbook: state === 'won' ? unbook(booked) : [],
  });
  tools.waker.wake();
  return true;
}
