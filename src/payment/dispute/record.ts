// A dispute of a capture, reported by its provider: the money it takes away or gives back, what the order shows, and
// the event are one commit. The status of the order stays (contract 14.2).
import { bookChargeback, unbook } from '../../core/ledger-accounts.ts';
import { nextReminder, reckonedDue } from '../../core/dispute/due.ts';
import { toDecimal } from '../../core/money.ts';
import { storable } from '../../kit/database.ts';
import type { Dispute } from '../../provider/notices.ts';
import { wentBackTwice } from '../order-rules/blocked.ts';
import { contradictionOf } from '../order/review/end-contradiction.ts';
import { contradict } from '../order/engine/contradict.ts';
import { type OperationFacts, type OrderFacts, transactionOf } from '../order/facts/order-facts.ts';
import { findOrder } from '../order/facts/order-store.ts';
import type { Tools } from '../tools.ts';
import { type DisputeMove, decideDispute, meantBy } from './decide.ts';
import { endDoubt } from './desk/told.ts';
import { insertOrMoveDispute } from './store.ts';

export type Disputed = {
  readonly operation: OperationFacts;
  readonly provider: string;
  readonly dispute: Dispute;
};

const MAX_ROUNDS = 20;

/** False: it does not fit, and a person must look. Told twice, or out of order, it moves nothing a second time. */
export async function recordDispute(tools: Tools, first: OrderFacts, told: Disputed): Promise<boolean> {
  const { merchant_account_id } = first;
  const db = tools.db.tenant(merchant_account_id);
  let order = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const operation = order.operations.find(({ id }) => id === told.operation.id) ?? told.operation;
    const here = { ...told, operation, dispute: ofItsOwn(order, operation, shown(told.dispute)) };
    if (!isOfCapture(order, here)) return misfit(tools, order, here);
    const last = lastOf(order, here);
    // of a capture that took no money none can be taken away: if it was, the capture was done after all. What was taken
    // before the capture failed still comes back, or stays away
    const took_nothing = operation.state === 'declined' || operation.state === 'not_sent';
    if (took_nothing && (last === undefined || last.state === 'won' || here.dispute.state === 'opened')) {
      if (contradictionOf(order, operation.id) || (await contradictCapture(tools, order, operation)))
        return misfit(tools, order, here);
    } else {
      const { evidence } = here.dispute;
      if (last && evidence) await endDoubt(tools, { merchant_account_id, dispute_id: last.id, evidence });
      const decision = decideDispute(ofCapture(order, operation), here.dispute);
      if (decision.kind === 'nothing') return true;
      if (decision.kind === 'misfit') return misfit(tools, order, here);
      if (await write(tools, order, { ...here, move: decision })) {
        tools.wake_up.wake();
        if (decision.book && !decision.unbook) warnOfTwice(tools, order, here);
        return true;
      }
    }
    order = (await findOrder(db, order.id)) ?? order;
  }
  throw new Error(`order ${order.id} moved ${MAX_ROUNDS} times while a dispute was written`);
}

/** Texts as the database keeps them. */
function shown(dispute: Dispute): Dispute {
  const { reason, reason_code } = dispute;
  return {
    ...dispute,
    reason: storable(reason).slice(0, 255),
    reason_code: storable(reason_code).slice(0, 64),
    ...(dispute.reference !== undefined && { reference: storable(dispute.reference).slice(0, 128) }),
  };
}

function isOfCapture({ currency }: OrderFacts, { operation, dispute }: Disputed): boolean {
  const { amount_minor, at } = dispute;
  const fits = operation.kind === 'capture' && dispute.currency === currency && !Number.isNaN(Date.parse(at));
  return fits && amount_minor > 0n && amount_minor <= operation.amount_minor;
}

function misfit(tools: Tools, order: OrderFacts, { operation }: Disputed): false {
  const alert = 'a dispute does not fit the capture it names';
  tools.log.error({ order_id: order.id, operation_id: operation.id, alert }, alert);
  return false;
}

/** It is booked as it is told, and a person is to contest it: what the provider took away is away. */
function warnOfTwice(tools: Tools, order: OrderFacts, { operation, dispute }: Disputed): void {
  const { operations, disputes } = order;
  const this_one = { operation_id: operation.id, state: dispute.state, amount_minor: dispute.amount_minor };
  if (wentBackTwice({ operations, disputes: [...disputes, this_one] }) === 0n) return;
  const alert = 'more went back to the payer than was captured: a dispute took what a refund or another one had';
  tools.log.error({ order_id: order.id, operation_id: operation.id, alert }, alert);
}

/** Some accounts repeat the payment's reference where the dispute's would be: that tells no dispute from another. */
function ofItsOwn({ operations }: OrderFacts, { id, transaction_id }: OperationFacts, dispute: Dispute): Dispute {
  const { reference, ...rest } = dispute;
  const is_payments = operations.some(
    (one) => (one.id === id || one.id === transaction_id) && one.provider_ref === reference,
  );
  return reference === undefined || is_payments ? rest : dispute;
}

const ofCapture = ({ disputes }: OrderFacts, { id }: OperationFacts) =>
  disputes.filter(({ operation_id }) => operation_id === id);

function lastOf(order: OrderFacts, { operation, dispute }: About) {
  const meant = meantBy(ofCapture(order, operation), dispute);
  return meant === 'unclear' ? undefined : meant;
}

function contradictCapture(tools: Tools, order: OrderFacts, operation: OperationFacts): Promise<boolean> {
  const alert = 'a capture that was declined is disputed: it was done after all';
  const seen = { source: 'webhook', outcome: 'approved', provider_ref: null, provider_code: null } as const;
  return contradict(tools, order, {
    operation,
    decision: { kind: 'contradict', said: 'approved', reference: null, alert },
    seen: { ...seen, http_status: null, answer: null },
  });
}

/** False: the order has moved. */
function write(
  tools: Tools,
  order: OrderFacts,
  { operation, provider, dispute, move }: Disputed & { readonly move: DisputeMove },
): Promise<boolean> {
  const { amount_minor, currency, reason, reason_code, at } = dispute;
  const { round, state, event } = move;
  const booked = bookChargeback(amount_minor);
  return insertOrMoveDispute(tools.db.tenant(order.merchant_account_id), {
    id: tools.chance.id(),
    order_id: order.id,
    version: order.version,
    operation_id: operation.id,
    provider,
    round,
    state,
    event,
    amount_minor,
    amount: toDecimal(amount_minor, currency),
    currency,
    reason,
    reason_code,
    opened_at: at,
    reference: dispute.reference ?? null,
    ...dueOf(tools, order, { operation, dispute }),
    book: move.book ? booked : [],
    unbook: move.unbook ? unbook(booked) : [],
  });
}

type About = Pick<Disputed, 'operation' | 'dispute'>;

/** The date until which a dispute must be answered: the provider's own, else the usual one of the scheme. */
function dueOf({ clock }: Tools, order: OrderFacts, { operation, dispute }: About) {
  // what ended keeps the day that it had
  if (dispute.state !== 'opened') return { due_at: null, due_reckoned: true, remind_at: null };
  const told = dispute.due_at === undefined ? Number.NaN : Date.parse(dispute.due_at);
  const due_reckoned = Number.isNaN(told);
  const last = lastOf(order, { operation, dispute });
  const open = last?.state === 'opened' ? last : undefined;
  const paid = transactionOf(order, operation);
  const due_at = due_reckoned
    ? reckonedDue(paid?.payment_method_name ?? null, new Date(open?.opened_at ?? dispute.at))
    : new Date(told);
  return { due_at, due_reckoned, remind_at: nextReminder(due_at, clock.now()) ?? null };
}
