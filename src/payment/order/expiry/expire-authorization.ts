// The end of an authorization that was not captured: a cancel of origin `schedule` that really calls the
// provider, so a wrong timer leaves no hold behind. What is undecided is looked at again later.
import { DAY_S } from '../../../core/durations.ts';
import { result } from '../../../core/results.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { capturableMinor } from '../../order-rules/amounts.ts';
import type { Tools } from '../../tools.ts';
import { NOTHING_SAID, isFinal } from '../decide/decision.ts';
import { perform } from '../engine/perform.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { record } from '../engine/record.ts';
import { dropLapse, findDaysOf, postponeLapse } from './expiry-store.ts';
import { acceptOperation } from '../engine/operation-store.ts';

const LATER_S = 3600;
/** Another process moved the order just now. */
const SOON_S = 60;
/** The longest time from the start of an attempt to its approval: the payer may have been at the bank. */
const SLACK_S = 3600;

export type Expiring = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  /** The provider says so itself: there is nothing to call for. */
  readonly told?: true;
};

/** Releases what is left of an authorization. Answers false where something is undecided: it is looked at again. */
export async function expireAuthorization(
  tools: Tools,
  { merchant_account_id, order_id, told }: Expiring,
): Promise<boolean> {
  const db = tools.db.tenant(merchant_account_id);
  const order = await findOrder(db, order_id);
  if (!order) return true;
  const left = capturableMinor(order);
  // what a provider tells is looked at again with its message: as a date of the order it would end a later attempt
  const postpone = async (later_s: number) => (told ? undefined : postponeLapse(db, order_id, later_s));
  const over = !order.live || (left === 0n && order.operations.every(isFinal));
  if (over || order.contradictions.length > 0 || order.operations.some((o) => !isFinal(o))) {
    if (over) await dropLapse(db, order_id);
    else await postpone(LATER_S);
    return over;
  }
  const early_s = told ? 0 : await earlyBy(db, order);
  if (early_s > SLACK_S) {
    await postpone(early_s);
    return false;
  }
  const id = tools.chance.id();
  const since = tools.clock.ticks();
  const provider = tools.providers.get(lastTransaction(order).provider);
  const lease_s = (provider?.can.answer_deadline_s ?? 0) + 5;
  if (!provider || !(await accept(tools, order, { id, amount_minor: left, lease_s }))) {
    await postpone(SOON_S);
    return false;
  }
  await dropLapse(db, order_id);
  const now = await findOrder(db, order_id);
  const operation = now?.operations.find((o) => o.id === id);
  if (!now || !operation) throw new Error('a lapse that was accepted is there');
  const work = told
    ? record(tools, now, { operation, observation: { source: 'webhook', outcome: ended(now, operation) } })
    : perform(tools, { provider, order: now, operation, since });
  await tools.running.start(order_id, id, work, now);
  return true;
}

/** An order is as old as its first attempt; its authorization is as old as the attempt that was approved. */
async function earlyBy(db: TenantRunner, order: OrderFacts): Promise<number> {
  const winner = order.transactions.find(({ id }) => id === order.winner_id);
  const days = winner?.contract_id ? await findDaysOf(db, winner.contract_id) : undefined;
  if (!winner || days === undefined) return 0;
  return days * DAY_S - (Date.parse(order.read_at) - Date.parse(winner.created_at)) / 1000;
}

function accept(tools: Tools, order: OrderFacts, cancel: { id: string; amount_minor: bigint; lease_s: number }) {
  return acceptOperation(tools.db.tenant(order.merchant_account_id), {
    ...cancel,
    kind: 'cancel',
    order_id: order.id,
    transaction_id: order.winner_id ?? lastTransaction(order).id,
    version: order.version,
    origin: 'schedule',
    target_id: null,
    final: false,
    refund_reason: null,
    operation_merchant_id: null,
    status: order.status,
    waits_for: 'call',
    code: result('cancel_pending').code,
    request_id: null,
    key: undefined,
  });
}

/** The meaning of the provider's own message: the cancel that we would have asked for is done. */
function ended(order: OrderFacts, operation: OrderFacts['operations'][number]) {
  return {
    kind: 'approved',
    reference: operation.id,
    our_reference: operation.id,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    authorization_code: '',
    captured: false,
    ...NOTHING_SAID,
  } as const;
}
