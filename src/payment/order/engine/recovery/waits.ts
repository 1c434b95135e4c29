// How long an operation that is not decided has waited, what its waiting time proves, and when it is looked at again.
import { DAY_MS } from '../../../../core/durations.ts';
import type { Provider } from '../../../../provider/contract.ts';
import type { Tools } from '../../../tools.ts';
import type { Policy } from '../../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../facts/order-facts.ts';
import { type Found, isRepeatable, maySend, takesNewKey } from './again.ts';
import { ageOf, authorizeFacts, canAskAbout } from '../provider-call.ts';
import { bringForward, readMachineClock } from '../queue-store.ts';
import { UNTIL } from '../to-payer.ts';
import { LATE_MS } from '../walk.ts';

/** Added to the moment itself, because the database counts time in smaller units than the facts do. */
const ARRIVED_S = 0.05;
/** Repeats that come quickly, within half a minute: a lost answer is then had again at once. */
const QUICK_REPEATS = 6;
const REVIEW_AFTER_MS = DAY_MS;
const REVIEW_EVERY_S = 3600;

/** To be asked again behind each reading of which an age decides about money. */
export function lookAtClock({ database_clock, db }: Pick<Tools, 'database_clock' | 'db'>): Promise<void> {
  return database_clock.look(() => readMachineClock(db.looks));
}

/**
 * A clock that was set back has put all that waits so much further away: it comes when it was meant to. Ages stay as
 * they are, and what is not proved to be over waits longer.
 */
export async function followSetBack({ database_clock, db, log }: Pick<Tools, 'database_clock' | 'db' | 'log'>) {
  const by_ms = database_clock.setBack_ms();
  if (by_ms === 0) return;
  log.error({ by_s: Math.round(by_ms / 1000) }, 'the clock of the database was set back');
  await bringForward(db, by_ms / 1000);
  database_clock.doneWithSetBack(by_ms);
}

/**
 * The order with the moment until which time has passed for all we know: a clock that was set forward makes nothing
 * over that may still be on its way (decision 177). Other ages stay those of the database's clock: while this machine
 * slept its own stood still, and a provider forgot keys all the same.
 */
export function asPassed({ database_clock }: Pick<Tools, 'database_clock'>, order: OrderFacts): OrderFacts {
  const ahead_ms = database_clock.setForward_ms();
  if (ahead_ms === 0) return order;
  return { ...order, passed_at: new Date(Date.parse(order.read_at) - ahead_ms).toISOString() };
}

/** Until then time has passed since the order's moments, for all we know; in milliseconds. */
export const passedAt = ({ read_at, passed_at = read_at }: OrderFacts): number => Date.parse(passed_at);

/** The operation whose sending counts: of a reversal, the operation that it undoes. */
function sentOf(order: OrderFacts, operation: OperationFacts): OperationFacts | undefined {
  return operation.kind === 'reversal' ? order.operations.find(({ id }) => id === operation.target_id) : operation;
}

/** Milliseconds since the operation was last sent. */
function sinceSent(order: OrderFacts, operation: OperationFacts): number {
  const sent = sentOf(order, operation);
  const sent_at = sent?.sent_at ?? sent?.created_at;
  return sent_at === undefined ? 0 : passedAt(order) - Date.parse(sent_at);
}

/** What was sent `sent_s` seconds ago left later than a process sends what it is about to send. */
export function isSentLate(order: OrderFacts, operation: OperationFacts, sent_s: number): boolean {
  return sinceSent(order, operation) - sent_s * 1000 > LATE_MS;
}

/**
 * The policy for an operation by its age. `in_flight_over`: a call that has had no effect since it was last sent will
 * never have one. For a reversal the question is about its authorization: if the provider has given a reference for it,
 * it has arrived.
 */
export function policyOf(order: OrderFacts, operation: OperationFacts, provider: Provider): Policy {
  const sent = sentOf(order, operation);
  return {
    in_flight_over:
      sinceSent(order, operation) > provider.can.in_flight_s * 1000 ||
      (operation.kind === 'reversal' && isArrived(provider, order, sent)),
    review_due: passedAt(order) - Date.parse(operation.created_at) > REVIEW_AFTER_MS,
    message_overdue: isOverdue(provider, order, operation),
  };
}

/**
 * The message about an accepted reversal is overdue, at a provider that reports the result by message and cannot be
 * asked. The message can be lost, or can have come before the answer that accepted the reversal. A repeat under the
 * same key brings no second message.
 */
function isOverdue(provider: Provider, order: OrderFacts, operation: OperationFacts): boolean {
  if (operation.kind !== 'reversal' || operation.waits_for !== 'provider') return false;
  const waits = provider.can.ends.reversal === 'notice' && !canAskAbout(provider.can, order, operation);
  return waits && waitedFor({ provider, order, operation });
}

/**
 * Seconds until the next look at the operation. While the payer is awaited: when the payer's time ends. Else no later
 * than the moment from which "not found" proves something. Each repeat moves that moment further away, so after a few
 * repeats the next look waits for it; otherwise a provider that repeats its answer under the key would be asked for
 * ever.
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
 * The wait grows with the age: half a second, doubled with each try, at most 20 s at first, later a tenth of the age,
 * and never more than 5 min. A claim counts as a try even if its process dies, so the tries alone would make the wait
 * grow too fast. The wait is a quarter longer or shorter by chance, so that many operations do not come back together;
 * in a seeded sandbox it is the same for the same order.
 */
function backoff(tools: Tools, { order, operation }: Found, tries: number): number {
  const most = Math.min(300, Math.max(20, ageOf(order, operation) / 10));
  const share = tools.chance.share(`${order.order_merchant_id} ${operation.kind} ${tries}`);
  return Math.min(most, 0.5 * 2 ** Math.min(tries, 12)) * (0.75 + share / 2);
}

/**
 * The authorization that a reversal undoes has arrived at the provider, or can be undone before it arrives: a shell
 * that is cancelled takes no money any more. The reference belongs to the authorization's present step only if that
 * step is the first one.
 */
function isArrived(provider: Provider, order: OrderFacts, sent: OperationFacts | undefined): boolean {
  if (!sent || sent.provider_ref === null) return false;
  if (provider.can.reversal === 'by_shell' || sent.step === null) return true;
  return sent.kind === 'authorize' && sent.step === provider.first(authorizeFacts(provider, order, sent));
}

/** How long we still wait for the payer, in seconds. */
export function payerLeft_s(order: OrderFacts, { kept }: OperationFacts): number {
  return Math.max(0, (Date.parse(kept[UNTIL] ?? order.read_at) - Date.parse(order.read_at)) / 1000);
}

/** The time in which the provider's message had to come is over. */
export function waitedFor({ provider, order, operation }: Omit<Found, 'policy'>): boolean {
  const since = Date.parse(operation.sent_at ?? operation.created_at);
  return passedAt(order) - since >= provider.can.notice_wait_s * 1000;
}
