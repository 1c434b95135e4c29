// An operation whose process died or whose answer did not come. An authorization is never sent again: the
// vault tells whether it went out, the provider's inquiry what became of it, and what stays unknown is undone. A
// capture, refund, cancel or reversal is sent again, once it is proved that the first call has not done it.
import { type Facts, type Provider, type Step as ProviderStep, goesThroughVault } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { type Observation, type Policy, isFinal } from '../decide/decision.ts';
import { UNKNOWN, inquire } from './inquire.ts';
import { perform } from './perform.ts';
import { againOf, ageOf, authorizeFacts, canAskAbout, keyIsKept, readAnswer } from './provider-call.ts';
import { takeFrom } from './step-store.ts';
import { UNTIL } from './to-payer.ts';
import { NOT_SENT, mayHaveMoved, walk } from './walk.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { readAgain, record } from './record.ts';
import { type ClaimedOperation, noteSend } from './queue-store.ts';

/** Longer than any call takes: who works on an operation keeps it for that long. */
export const LEASE_S = 20;
const REVIEW_AFTER_MS = 24 * 3600 * 1000;
const REVIEW_EVERY_S = 3600;
/** Behind the moment itself: the database counts finer than the facts do. */
const ARRIVED_S = 0.05;
/** Within half a minute: an answer that was lost is had again at once. */
const QUICK_REPEATS = 6;

/** One that was taken from the queue. */
export async function recoverClaimed(tools: Tools, claimed: ClaimedOperation): Promise<void> {
  // this process works on it already
  if (tools.running.has(claimed.id)) return;
  const order = await findOrder(tools.db.tenant(claimed.merchant_account_id), claimed.order_id);
  const operation = order?.operations.find(({ id }) => id === claimed.id);
  if (!order || !operation) throw new Error('a claimed operation has an order');
  const work = recoverOperation(tools, { order, operation, tries: claimed.tries });
  await tools.running.start(order.id, operation.id, work, order);
}

export type Recovering = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  /** How often it was tried: each fruitless try is followed by a longer wait. */
  readonly tries: number;
};

/** One step towards a definite answer; answers the order as it stands after it. */
export async function recoverOperation(tools: Tools, { order, operation, tries }: Recovering): Promise<OrderFacts> {
  if (isFinal(operation)) return order;
  const name = order.transactions.find(({ id }) => id === operation.transaction_id)?.provider ?? '';
  const provider = tools.providers.get(name);
  if (!provider) throw new Error(`there is no provider ${name} in this build`);
  const policy = policyOf(order, operation, provider);
  const found = { provider, order, operation, policy };
  const waits_s = policy.review_due ? REVIEW_EVERY_S : nextLook(tools, found, tries);
  const retry_s = operation.waits_for === 'payer' ? Math.max(1, payerLeft_s(order, operation)) : waits_s;
  const step = { ...found, retry_s };
  return operation.kind === 'authorize' ? recoverAuthorize(tools, step) : recoverFollowUp(tools, step);
}

type Step = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly policy: Policy;
  readonly retry_s: number;
};
type Found = Omit<Step, 'retry_s'>;

async function recoverAuthorize(tools: Tools, step: Step): Promise<OrderFacts> {
  const { provider, order, operation } = step;
  const facts = authorizeFacts(provider, order, operation);
  const learnt = (observation: Observation) => record(tools, order, { ...step, observation });
  const name = operation.step ?? provider.first(facts) ?? '';
  const row = provider.steps[name];
  if (!mayHaveMoved(provider, operation, facts)) {
    const heard = await beforeMoney(tools, step, { row, facts });
    return heard === 'overtaken' ? readAgain(tools, order) : learnt(heard);
  }
  // once the payer is at the provider, the vault could only say that again
  const asks_vault = row && goesThroughVault(row) && operation.waits_for !== 'payer';
  const told = asks_vault ? await fromVault(tools, step, { name, facts }) : undefined;
  if (told) return learnt(told);
  if (order.cancel_pending) return learnt({ source: 'timer', outcome: WANTED });
  const heard = await whatBecame(tools, step, { row, facts });
  if (heard === 'overtaken') return readAgain(tools, order);
  const after = await learnt(heard);
  const now = after.operations.find(({ id }) => id === operation.id);
  if (now && isFinal(now)) tools.vault.settled(operation.id);
  return after;
}

const WANTED = { kind: 'cancel_wanted' } as const;
const PAYER_GONE = {
  kind: 'declined',
  result: 'authentication_timed_out',
  reference: null,
  provider_code: '',
  provider_text: '',
} as const;

/**
 * No step was sent that moves money, so it has ended; but for a payer who is at the provider first, and for what asks
 * what came of that.
 */
async function beforeMoney(tools: Tools, step: Step, { row, facts }: At): Promise<Observation | 'overtaken'> {
  const { order, operation, policy } = step;
  const waits = operation.waits_for === 'payer' && !order.cancel_pending;
  if (waits && payerLeft_s(order, operation) > 0) return { source: 'timer', outcome: UNKNOWN.outcome };
  // a payer who came back is not kept waiting for longer than a call takes
  const asks_on = row?.again === 'freely' && operation.waits_for === 'call' && !policy.in_flight_over;
  if (asks_on && !order.cancel_pending) return walk(tools, { ...step, facts, since: tools.clock.ticks() });
  const db = tools.db.tenant(order.merchant_account_id);
  // a process that still works on it sends no further step; the steps sent so far move no money
  if (!(await takeFrom(db, { order_id: order.id, operation }))) return 'overtaken';
  return waits ? { source: 'timer', outcome: PAYER_GONE } : { source: 'vault', outcome: NOT_SENT };
}

type At = { readonly row: ProviderStep | undefined; readonly facts: Facts };

/**
 * Of a money step whose answer is lost: the provider is asked, or told again, or its message is awaited; else it is
 * undone.
 */
async function whatBecame(tools: Tools, step: Step, { row, facts }: At): Promise<Observation | 'overtaken'> {
  const { provider, order, operation } = step;
  const payer_is_gone = operation.waits_for === 'payer' && payerLeft_s(order, operation) === 0;
  if (canAskAbout(provider.can, order, operation)) {
    const heard = await inquire(tools, step);
    const waits = heard.outcome.kind === 'payer_must_act' || heard.outcome.kind === 'not_found';
    return { ...heard, outcome: payer_is_gone && waits ? WANTED : heard.outcome, source: 'inquiry' };
  }
  if (payer_is_gone) return { source: 'timer', outcome: WANTED };
  if (operation.waits_for === 'payer') return { source: 'timer', outcome: UNKNOWN.outcome };
  if (row && !goesThroughVault(row) && row.again === 'same_key' && keyIsKept(step))
    return walk(tools, { ...step, facts, since: tools.clock.ticks() });
  const outcome = waitedFor(step) ? WANTED : UNKNOWN.outcome;
  return { source: 'timer', outcome };
}

/** For how long the payer is still waited for, in seconds. */
function payerLeft_s(order: OrderFacts, { kept }: OperationFacts): number {
  return Math.max(0, (Date.parse(kept[UNTIL] ?? order.read_at) - Date.parse(order.read_at)) / 1000);
}

/** Its message had its time to come. */
function waitedFor({ provider, order, operation }: Pick<Step, 'provider' | 'order' | 'operation'>): boolean {
  const since = Date.parse(operation.sent_at ?? operation.created_at);
  return Date.parse(order.read_at) - since >= provider.can.notice_wait_s * 1000;
}

/** Undefined: it was sent, and the vault has no answer to show. */
async function fromVault(
  tools: Tools,
  { provider, operation }: Step,
  { name, facts }: { readonly name: string; readonly facts: Facts },
): Promise<Observation | undefined> {
  const tombstone = await tools.vault.tombstone({ operation_id: operation.id });
  tools.crash.at('tombstone_committed');
  if (!tombstone.sent) return { source: 'vault', outcome: NOT_SENT };
  if (!tombstone.answer) return undefined;
  const heard = readAnswer(tombstone.answer, { provider, step: name, facts, kept: operation.kept });
  const { reading } = heard;
  const { kind } = reading;
  // what was pending then may be decided by now: only the provider knows
  if (reading.kind === 'next' || kind === 'unknown' || kind === 'pending') return undefined;
  return { outcome: reading, answer: heard.answer, source: 'vault' };
}

async function recoverFollowUp(tools: Tools, step: Step): Promise<OrderFacts> {
  const { provider, order, operation, policy } = step;
  // a cancel that waits for its authorization makes no call of its own
  if (operation.kind === 'cancel' && waitsForAuthorization(order)) return wait(tools, step);
  const again = { ...step, again: true } as const;
  const may_send = maySend(operation);
  const can_ask = canAskAbout(provider.can, order, operation);
  if (may_send && isRepeatable(step)) {
    if (policy.in_flight_over && takesNewKey(step)) return underNewKey(tools, again);
    const after = await resend(tools, again);
    const now = after.operations.find(({ id }) => id === operation.id);
    // an answer that is kept with its key may say nothing for ever
    const asks = can_ask && now?.state === 'in_doubt' && now.waits_for === 'call' && keyedStep(step);
    return asks ? askAbout(tools, { ...step, order: after, operation: now }) : after;
  }
  const heard = can_ask ? await inquire(tools, step) : UNKNOWN;
  const observation: Observation = { ...heard, source: 'inquiry' };
  if (heard.outcome.kind !== 'not_found' || !may_send) return record(tools, order, { ...step, observation });
  // not found is no proof as long as the first call may still be on its way; a cancel does no harm twice
  if (operation.kind !== 'cancel' && !policy.in_flight_over) return record(tools, order, { ...step, observation });
  return resend(tools, again);
}

/**
 * A provider that keeps answers with their keys gives the first one for ever, also if it was an error. An operation
 * that is not there and can no longer arrive is sent under another key; one that the provider says nothing of, once
 * more under the same.
 */
async function underNewKey(tools: Tools, step: Step & { readonly again: true }): Promise<OrderFacts> {
  const heard = await inquire(tools, step);
  if (heard.outcome.kind === 'unknown') return resend(tools, step);
  const order = await record(tools, step.order, { ...step, observation: { ...heard, source: 'inquiry' } });
  const operation = order.operations.find(({ id }) => id === step.operation.id);
  return operation && heard.outcome.kind === 'not_found' ? resend(tools, { ...step, order, operation }) : order;
}

async function askAbout(tools: Tools, step: Step): Promise<OrderFacts> {
  const heard = await inquire(tools, step);
  return record(tools, step.order, { ...step, observation: { ...heard, source: 'inquiry' } });
}

const maySend = ({ waits_for, state }: OperationFacts): boolean => waits_for === 'call' && state !== 'review';

/** Sent again without a proof that the first call had no effect: the key keeps it to one, or it does no harm twice. */
function isRepeatable(step: Found): boolean {
  return step.operation.kind === 'reversal' || (keyedStep(step) && keyIsKept(step));
}

/** A reversal takes another key after each failure. */
function takesNewKey({ provider, order, operation }: Found): boolean {
  return operation.kind !== 'reversal' && canAskAbout(provider.can, order, operation);
}

function keyedStep(step: Found): boolean {
  const again = againOf(step);
  return again === 'same_key' || again === 'freely';
}

/** The evidence that it is sent again is committed before it is sent. */
async function resend(tools: Tools, sending: Step & { readonly again: true }): Promise<OrderFacts> {
  const since = tools.clock.ticks();
  const { order, operation } = sending;
  await noteSend(tools.db.tenant(order.merchant_account_id), {
    order_id: order.id,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
  });
  return perform(tools, { ...sending, since });
}

function waitsForAuthorization(order: OrderFacts): boolean {
  return order.operations.some((o) => o.kind === 'authorize' && !isFinal(o));
}

/** Nothing to do but to look again later. */
function wait(tools: Tools, step: Step): Promise<OrderFacts> {
  return record(tools, step.order, { ...step, observation: { source: 'timer', outcome: { kind: 'cancel_wanted' } } });
}

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
 * No later than the moment from which "not found" proves something. Each repeat puts that moment off: after a few, one
 * waits for it, or what the provider answers under the key for ever would be asked for for ever.
 */
function nextLook(tools: Tools, found: Found, tries: number): number {
  const { provider, order, operation } = found;
  const waits_s = backoff(tools, { order, operation, tries });
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
function backoff(tools: Tools, { order, operation, tries }: Recovering): number {
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
