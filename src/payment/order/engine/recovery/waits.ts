// How long an operation that is not decided has waited, what that proves, and when it is looked at again.
import type { Provider } from '../../../../provider/contract.ts';
import type { Tools } from '../../../tools.ts';
import type { Policy } from '../../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../facts/order-facts.ts';
import { type Found, isRepeatable, maySend, takesNewKey } from './again.ts';
import { ageOf, authorizeFacts, canAskAbout } from '../provider-call.ts';
import { UNTIL } from '../to-payer.ts';

/** Behind the moment itself: the database counts finer than the facts do. */
const ARRIVED_S = 0.05;
/** Within half a minute: an answer that was lost is had again at once. */
const QUICK_REPEATS = 6;
const REVIEW_AFTER_MS = 24 * 3600 * 1000;
const REVIEW_EVERY_S = 3600;

/** Of a reversal, what it undoes. */
function sentOf(order: OrderFacts, operation: OperationFacts): OperationFacts | undefined {
  return operation.kind === 'reversal' ? order.operations.find(({ id }) => id === operation.target_id) : operation;
}

/** Milliseconds since it was sent last. */
function sinceSent(order: OrderFacts, operation: OperationFacts): number {
  const sent = sentOf(order, operation);
  return Date.parse(order.read_at) - Date.parse(sent?.sent_at ?? sent?.created_at ?? order.read_at);
}

/**
 * in_flight_over: what has not taken effect since it was sent last never will. A reversal asks for its authorization;
 * one that the provider has answered to, with a reference of its own, is not on its way any more.
 */
export function policyOf(order: OrderFacts, operation: OperationFacts, provider: Provider): Policy {
  const sent = sentOf(order, operation);
  return {
    in_flight_over:
      sinceSent(order, operation) > provider.can.in_flight_s * 1000 ||
      (operation.kind === 'reversal' && isArrived(provider, order, sent)),
    review_due: Date.parse(order.read_at) - Date.parse(operation.created_at) > REVIEW_AFTER_MS,
    message_overdue: isOverdue(provider, order, operation),
  };
}

/**
 * An accepted reversal, at a provider that reports the result by message and cannot be asked. The message can be lost,
 * or can have come before the answer that accepted the reversal; a repeat under the same key brings no second message.
 */
function isOverdue(provider: Provider, order: OrderFacts, operation: OperationFacts): boolean {
  if (operation.kind !== 'reversal' || operation.waits_for !== 'provider') return false;
  const waits = provider.can.ends.reversal === 'notice' && !canAskAbout(provider.can, order, operation);
  return waits && waitedFor({ provider, order, operation });
}

/**
 * Seconds until it is looked at again: when the payer's time ends; else no later than the moment from which "not found"
 * proves something. Each repeat puts that moment off: after a few, one waits for it, or what the provider answers under
 * the key for ever would be asked for for ever.
 */
export function nextLook_s(tools: Tools, found: Found, tries: number): number {
  const { provider, order, operation, policy } = found;
  if (operation.waits_for === 'payer') return Math.max(1, payerLeft_s(order, operation));
  if (policy.review_due) return REVIEW_EVERY_S;
  const waits_s = backoff(tools, found, tries);
  if (!maySend(operation)) return waits_s;
  const proves_s = provider.can.in_flight_s + ARRIVED_S;
  if (operation.kind !== 'authorize' && isRepeatable(found) && takesNewKey(found))
    return tries < QUICK_REPEATS ? waits_s : Math.max(waits_s, proves_s);
  const left_s = proves_s - sinceSent(order, operation) / 1000;
  return left_s > 0 ? Math.min(waits_s, left_s) : waits_s;
}

/**
 * The wait grows with the age: half a second doubled with each try, at most 20 s at first, a tenth of the age
 * later and never more than 5 min. A claim counts as a try also when its process dies, so tries alone would grow too
 * fast. A quarter more or less, so that a crowd does not come back together; in a seeded sandbox the same for the same
 * order.
 */
function backoff(tools: Tools, { order, operation }: Found, tries: number): number {
  const most = Math.min(300, Math.max(20, ageOf(order, operation) / 10));
  const share = tools.chance.share(`${order.order_merchant_id} ${operation.kind} ${tries}`);
  return Math.min(most, 0.5 * 2 ** Math.min(tries, 12)) * (0.75 + share / 2);
}

/**
 * What is undone has answered before, or can be undone before it comes: a shell that is cancelled takes no money any
 * more. A reference is that of the step that it stands at only where that is its first.
 */
function isArrived(provider: Provider, order: OrderFacts, sent: OperationFacts | undefined): boolean {
  if (!sent || sent.provider_ref === null) return false;
  if (provider.can.reversal === 'by_shell' || sent.step === null) return true;
  return sent.kind === 'authorize' && sent.step === provider.first(authorizeFacts(provider, order, sent));
}

/** For how long the payer is still waited for, in seconds. */
export function payerLeft_s(order: OrderFacts, { kept }: OperationFacts): number {
  return Math.max(0, (Date.parse(kept[UNTIL] ?? order.read_at) - Date.parse(order.read_at)) / 1000);
}

/** Its message had its time to come. */
export function waitedFor({ provider, order, operation }: Omit<Found, 'policy'>): boolean {
  const since = Date.parse(operation.sent_at ?? operation.created_at);
  return Date.parse(order.read_at) - since >= provider.can.notice_wait_s * 1000;
}
