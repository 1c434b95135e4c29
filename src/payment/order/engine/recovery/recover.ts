// Recovery: an operation whose process died, or whose answer did not come. An authorization is never sent again: the
// vault tells whether it was sent, the provider's inquiry tells what became of it, and what stays unknown is undone. A
// capture, refund, cancel or reversal is sent again, once it is proved that the first call had no effect.
import { type Facts, type Step as ProviderStep, goesThroughVault } from '../../../../provider/contract.ts';
import type { Tools } from '../../../tools.ts';
import { NOTHING_SAID, type Observation, isFinal } from '../../decide/decision.ts';
import { UNKNOWN, inquire } from '../inquire.ts';
import { perform } from '../perform.ts';
import { type Found, isRepeatable, keyedStep, maySend, takesNewKey } from './again.ts';
import { authorizeFacts, canAskAbout, keyIsKept, readAnswer } from '../provider-call.ts';
import { asPassed, isSentLate, lookAtClock, nextLook_s, payerLeft_s, policyOf, waitedFor } from './waits.ts';
import { noteSent, takeFrom } from '../step-store.ts';
import { NOT_SENT, mayHaveMoved, walk } from '../walk.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../../facts/order-facts.ts';
import { findOrder } from '../../facts/order-store.ts';
import { readAgain, record } from '../record.ts';
import { type ClaimedOperation, noteSend } from '../queue-store.ts';

/**
 * A process has an operation for itself for this many seconds. A call may take longer; noteSend keeps two processes
 * from sending the same repeat.
 */
export const LEASE_S = 20;

/** Recovers an operation that was claimed from the queue. */
export async function recoverClaimed(tools: Tools, claimed: ClaimedOperation): Promise<void> {
  // this process works on the operation already
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
  /** How often it was tried: after each try without a result the wait is longer. */
  readonly tries: number;
};

/** One step towards a definite answer; answers the order as it stands after it. */
export async function recoverOperation(
  tools: Tools,
  { order: read, operation, tries }: Recovering,
): Promise<OrderFacts> {
  if (isFinal(operation)) return read;
  await lookAtClock(tools);
  const order = asPassed(tools, read);
  const name = providerNameOf(order, operation);
  const provider = tools.providers.get(name);
  if (!provider) throw new Error(`there is no provider ${name} in this build`);
  const policy = policyOf(order, operation, provider);
  const found = { provider, order, operation, policy };
  const step = { ...found, retry_s: nextLook_s(tools, found, tries) };
  return operation.kind === 'authorize' ? recoverAuthorize(tools, step) : recoverFollowUp(tools, step);
}

type Step = Found & { readonly retry_s: number };

async function recoverAuthorize(tools: Tools, found: Step): Promise<OrderFacts> {
  const { provider, order, operation } = found;
  const facts = authorizeFacts(provider, order, operation);
  const learnt = (observation: Observation, by = found) => record(tools, by.order, { ...by, observation });
  const name = operation.step ?? provider.first(facts) ?? '';
  const row = provider.steps[name];
  if (!mayHaveMoved(provider, operation, facts)) {
    const heard = await beforeMoney(tools, found, { row, facts });
    return heard === 'overtaken' ? readAgain(tools, order) : learnt(heard);
  }
  // while the payer is at the provider, the vault can only repeat that
  const asks_vault = row && goesThroughVault(row) && operation.waits_for !== 'payer';
  const told = asks_vault ? await fromVault(tools, found, { name, facts }) : undefined;
  if (told && 'outcome' in told) return learnt(told);
  const step = await asSent(tools, found, told?.sent_s);
  if (order.cancel_pending) return learnt({ source: 'timer', outcome: WANTED }, step);
  const heard = await whatBecame(tools, step, { row, facts });
  if (heard === 'overtaken') return readAgain(tools, order);
  const after = await learnt(heard, step);
  const now = after.operations.find(({ id }) => id === operation.id);
  if (now && isFinal(now)) tools.vault.settled(operation.id);
  return after;
}

const WANTED = { kind: 'cancel_wanted' } as const;
const PAYER_GONE = {
  kind: 'declined',
  result: 'authentication_timed_out',
  reference: null,
  ...NOTHING_SAID,
} as const;

/**
 * No step that moves money was sent, so the authorization ends as not sent. Two cases go on first: a payer who is at
 * the provider, and a step that asks what became of the payer's visit.
 */
async function beforeMoney(tools: Tools, step: Step, { row, facts }: At): Promise<Observation | 'overtaken'> {
  const { order, operation, policy } = step;
  const waits = operation.waits_for === 'payer' && !order.cancel_pending;
  if (waits && payerLeft_s(order, operation) > 0) return { source: 'timer', outcome: UNKNOWN.outcome };
  // a payer who came back is not kept waiting for longer than one call
  const asks_on = row?.again === 'freely' && operation.waits_for === 'call' && !policy.in_flight_over;
  if (asks_on && !order.cancel_pending) return walk(tools, { ...step, facts, since: tools.clock.ticks() });
  const db = tools.db.tenant(order.merchant_account_id);
  // from here on, a process that still works on the operation sends no further step; its steps so far moved no money
  if (!(await takeFrom(db, { order_id: order.id, operation }))) return 'overtaken';
  return waits ? { source: 'timer', outcome: PAYER_GONE } : { source: 'vault', outcome: NOT_SENT };
}

type At = { readonly row: ProviderStep | undefined; readonly facts: Facts };

/**
 * The answer to a step that moves money is lost. The provider is asked, or gets the same call again, or its message is
 * awaited; else the authorization is undone.
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

/** What the vault knows of the authorization. `sent_s`: it was sent so long ago, and no answer decides. */
async function fromVault(
  tools: Tools,
  { provider, operation }: Step,
  { name, facts }: { readonly name: string; readonly facts: Facts },
): Promise<Observation | { readonly sent_s: number | undefined }> {
  const tombstone = await tools.vault.tombstone({ operation_id: operation.id });
  tools.crash.at('tombstone_committed');
  if (!tombstone.sent) return { source: 'vault', outcome: NOT_SENT };
  const { sent_s } = tombstone;
  if (!tombstone.answer) return { sent_s };
  const heard = readAnswer(tombstone.answer, { provider, step: name, facts, kept: operation.kept });
  const { reading } = heard;
  const { kind } = reading;
  // the stored answer may be out of date if it says pending: only the provider knows more
  if (reading.kind === 'next' || kind === 'unknown' || kind === 'pending') return { sent_s };
  return { outcome: reading, answer: heard.answer, source: 'vault' };
}

/**
 * The step with the time of its sending as the vault tells it. A call that lay on its way to the vault, or in the
 * socket of a vault that stood still, leaves for the provider long after it was asked for (decision 165).
 */
async function asSent(tools: Tools, step: Step, sent_s: number | undefined): Promise<Step> {
  const { provider, order, operation } = step;
  if (sent_s === undefined || !isSentLate(order, operation, sent_s)) return step;
  const db = tools.db.tenant(order.merchant_account_id);
  const sent_at = await noteSent(db, { order_id: order.id, operation_id: operation.id, sent_s });
  const sent = { ...operation, sent_at };
  const operations = order.operations.map((one) => (one.id === operation.id ? sent : one));
  const known = { ...order, operations };
  return { ...step, order: known, operation: sent, policy: policyOf(known, sent, provider) };
}

async function recoverFollowUp(tools: Tools, step: Step): Promise<OrderFacts> {
  const { provider, order, operation, policy } = step;
  // a cancel that waits for its authorization sends no call of its own
  if (operation.kind === 'cancel' && waitsForAuthorization(order)) return wait(tools, step);
  const again = { ...step, again: true } as const;
  const may_send = maySend(operation);
  const can_ask = canAskAbout(provider.can, order, operation);
  if (may_send && isRepeatable(step)) {
    if (policy.in_flight_over && takesNewKey(step)) return underNewKey(tools, again);
    const after = await resend(tools, again);
    const now = after.operations.find(({ id }) => id === operation.id);
    // a provider that keeps answers under their keys may repeat an answer that decides nothing
    const asks = can_ask && now?.state === 'in_doubt' && now.waits_for === 'call' && keyedStep(step);
    return asks ? askAbout(tools, { ...step, order: after, operation: now }) : after;
  }
  const heard = can_ask ? await inquire(tools, step) : UNKNOWN;
  const observation: Observation = { ...heard, source: 'inquiry' };
  if (heard.outcome.kind !== 'not_found' || !may_send) return record(tools, order, { ...step, observation });
  // "not found" is no proof while the first call may still arrive; a second cancel does no harm
  if (operation.kind !== 'cancel' && !policy.in_flight_over) return record(tools, order, { ...step, observation });
  return resend(tools, again);
}

/**
 * A provider that keeps answers under their keys repeats the first answer for ever, even if that was an error. If the
 * operation is not there and can no longer arrive, it is sent under another key. If the provider says nothing about it,
 * it is sent once more under the same key.
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

/**
 * Sends an operation again, after the evidence of the repeat is committed. Nothing is sent if another process has sent
 * the operation since: what was learnt before that proves nothing any more.
 */
async function resend(tools: Tools, sending: Step & { readonly again: true }): Promise<OrderFacts> {
  const since = tools.clock.ticks();
  const { order, operation } = sending;
  const db = tools.db.tenant(order.merchant_account_id);
  if (!(await noteSend(db, { order_id: order.id, operation }))) return readAgain(tools, order);
  return perform(tools, { ...sending, since });
}

function waitsForAuthorization(order: OrderFacts): boolean {
  return order.operations.some((o) => o.kind === 'authorize' && !isFinal(o));
}

/** Nothing can be done now: the operation is looked at again later. */
function wait(tools: Tools, step: Step): Promise<OrderFacts> {
  return record(tools, step.order, { ...step, observation: { source: 'timer', outcome: WANTED } });
}
