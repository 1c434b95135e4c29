// An operation whose process died or whose answer did not come (engine.md 3.2). An authorization is never sent again: the
// vault tells whether it went out, the provider's inquiry what became of it, and what stays unknown is undone. A capture,
// refund, cancel or reversal is sent again, once it is proved that the first call has not done it.
import type { Provider } from '../../../provider/contract.ts';
import type { Credentials } from '../../merchant/credentials/credentials.ts';
import type { Tools } from '../../tools.ts';
import { type Observation, type Policy, isFinal } from '../decide/decision.ts';
import { perform } from './perform.ts';
import {
  type ProviderAnswer,
  credentialsOf,
  readProviderAnswer,
  inquiryFacts,
  isUnheard,
  ofCapture,
  providerFacts,
  readBy,
  report,
  stepCall,
  saleOf,
} from './provider-call.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { record } from './record.ts';
import { type ClaimedOperation, claimOperations, noteSend } from './queue-store.ts';

/** Longer than any call takes: who works on an operation keeps it for that long. */
const LEASE_S = 20;
const REVIEW_AFTER_MS = 24 * 3600 * 1000;
const REVIEW_EVERY_S = 3600;

/** Takes what is due and works on it; answers how many there were. */
export async function recoverDue(tools: Tools, room: number): Promise<number> {
  const claimed = await claimOperations(tools.db, { room, lease_s: LEASE_S });
  if (claimed.length > 0) tools.crash.at('claim_committed');
  await Promise.all(
    claimed.map((operation) =>
      recoverClaimed(tools, operation).catch((error: unknown) =>
        tools.log.error(
          { order_id: operation.order_id, operation_id: operation.id, error: String(error) },
          'recovery will try again',
        ),
      ),
    ),
  );
  return claimed.length;
}

async function recoverClaimed(tools: Tools, claimed: ClaimedOperation): Promise<void> {
  // this process works on it already
  if (tools.running.has(claimed.id)) return;
  const order = await findOrder(tools.db.tenant(claimed.merchant_account_id), claimed.order_id);
  const operation = order?.operations.find(({ id }) => id === claimed.id);
  if (!order || !operation) throw new Error('a claimed operation has an order');
  const work = recoverOperation(tools, { order, operation, tries: claimed.tries });
  await tools.running.start(order.id, operation.id, work, order);
}

/** Asked with an id that was never used, so nothing can happen by it. refused: it answers, and does not take the credentials. */
export async function probe(
  tools: Tools,
  name: string,
  credentials: Credentials = {},
): Promise<'answered' | 'refused' | 'silent'> {
  const provider = tools.providers.get(name);
  const id = tools.chance.id();
  const facts = {
    operation_id: id,
    merchant_account_id: id,
    order_id: id,
    kind: 'inquiry',
    amount_minor: 1n,
    currency: 'EUR',
    with_capture: false,
    order_merchant_id: id,
    scheme: null,
    target_reference: null,
    target_operation_id: id,
  } as const;
  const call = provider?.can.inquiry ? provider.write(facts) : undefined;
  if (!provider || !call) return 'answered';
  const { outcome } = readProviderAnswer(await tools.direct({ ...stepCall(call), credentials }), provider, facts);
  if (isUnheard(outcome)) return 'refused';
  return outcome.kind === 'unknown' || outcome.kind === 'not_sent' ? 'silent' : 'answered';
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
  const retry_s = policy.review_due ? REVIEW_EVERY_S : backoff(tools, { order, operation, tries });
  const step = { provider, order, operation, policy, retry_s };
  return operation.kind === 'authorize' ? recoverAuthorize(tools, step) : recoverFollowUp(tools, step);
}

/** Seconds since the operation was accepted, on the database's clock. */
function ageOf(order: OrderFacts, operation: OperationFacts): number {
  return (Date.parse(order.read_at) - Date.parse(operation.created_at)) / 1000;
}

type Step = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly policy: Policy;
  readonly retry_s: number;
};

async function recoverAuthorize(tools: Tools, step: Step): Promise<OrderFacts> {
  const { order, operation } = step;
  const told = await fromVault(tools, step);
  const learnt = (observation: Observation) => record(tools, order, { ...step, observation });
  if (told) return learnt(told);
  if (order.cancel_pending) return learnt({ source: 'timer', outcome: { kind: 'cancel_wanted' } });
  // a provider that cannot be asked: undone at once
  const heard: ProviderAnswer = step.provider.can.inquiry
    ? await inquire(tools, step)
    : { outcome: { kind: 'cancel_wanted' } };
  const after = await learnt({ ...heard, source: 'inquiry' });
  const now = after.operations.find(({ id }) => id === operation.id);
  if (now && isFinal(now)) tools.vault.settled(operation.id);
  return after;
}

/** Undefined: it was sent, and the vault has no answer to show. */
async function fromVault(tools: Tools, { provider, order, operation }: Step): Promise<Observation | undefined> {
  const stone = await tools.vault.tombstone({ operation_id: operation.id });
  tools.crash.at('tombstone_committed');
  if (!stone.sent) return { source: 'vault', outcome: { kind: 'not_sent', result: 'provider_unreachable' } };
  if (!stone.answer) return undefined;
  const heard = readBy(provider, stone.answer, providerFacts(order, operation));
  const { kind } = heard.outcome;
  // what was pending then may be decided by now: only the provider knows
  return kind === 'unknown' || kind === 'pending' ? undefined : { ...heard, source: 'vault' };
}

async function recoverFollowUp(tools: Tools, step: Step): Promise<OrderFacts> {
  const { provider, order, operation, policy } = step;
  // a cancel that waits for its authorization makes no call of its own
  if (operation.kind === 'cancel' && waitsForAuthorization(order)) return wait(tools, step);
  const again = { ...step, again: true } as const;
  const may_send = operation.waits_for === 'call' && operation.state !== 'review';
  if (provider.can.deduplicates && may_send) return resend(tools, again);
  // sent again until it is acknowledged: it does no harm twice, and has no state of its own to ask for
  if (operation.kind === 'reversal' && may_send) return resend(tools, again);
  const heard = provider.can.inquiry ? await inquire(tools, step) : UNKNOWN;
  const observation: Observation = { ...heard, source: 'inquiry' };
  if (heard.outcome.kind !== 'not_found' || !may_send) return record(tools, order, { ...step, observation });
  // not found is no proof as long as the first call may still be on its way; a cancel does no harm twice
  if (operation.kind !== 'cancel' && !policy.in_flight_over) return record(tools, order, { ...step, observation });
  return resend(tools, again);
}

const UNKNOWN: ProviderAnswer = { outcome: { kind: 'unknown', why: 'timeout' } };

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

/** Asks the provider what became of an operation, by our own reference of it. */
export async function inquire(
  tools: Tools,
  { provider, order, operation }: Pick<Step, 'provider' | 'order' | 'operation'>,
): Promise<ProviderAnswer> {
  const sale_id = saleOf(order, operation);
  const facts = inquiryFacts(order, operation);
  const call = provider.can.inquiry ? provider.write(facts) : undefined;
  if (!call) return UNKNOWN;
  const credentials = await credentialsOf(tools, { provider, order, operation });
  const from = tools.clock.ticks();
  const heard = readProviderAnswer(await tools.direct({ ...stepCall(call), credentials }), provider, facts);
  const { outcome } = heard;
  report(tools, outcome, { provider, kind: 'inquiry', from, operation });
  // that no byte of an inquiry was sent says nothing of the operation
  if (outcome.kind === 'not_sent') return UNKNOWN;
  return sale_id === undefined ? heard : { ...heard, outcome: ofCapture(outcome, operation, sale_id) };
}

/**
 * in_flight_over: what has not taken effect since it was sent last never will. A reversal asks for its authorization; one that
 * the provider has answered to, with a reference of its own, is not on its way any more.
 */
function policyOf(order: OrderFacts, operation: OperationFacts, provider: Provider): Policy {
  const now = Date.parse(order.read_at);
  const sent =
    operation.kind === 'reversal' ? order.operations.find(({ id }) => id === operation.target_id) : operation;
  const since = now - Date.parse(sent?.sent_at ?? sent?.created_at ?? order.read_at);
  return {
    in_flight_over:
      since > provider.can.in_flight_s * 1000 ||
      (operation.kind === 'reversal' && (sent?.provider_ref ?? null) !== null),
    review_due: now - Date.parse(operation.created_at) > REVIEW_AFTER_MS,
  };
}

/**
 * engine.md 9, but in proportion to the age: half a second doubled with each try, at most 20 s at first, a tenth of the age
 * later and never more than 5 min. A claim counts as a try also when its process dies, so tries alone would grow too fast. A
 * quarter more or less, so that a crowd does not come back together; in a seeded sandbox the same for the same order.
 */
function backoff(tools: Tools, { order, operation, tries }: Recovering): number {
  const most = Math.min(300, Math.max(20, ageOf(order, operation) / 10));
  const share = tools.chance.share(`${order.order_merchant_id} ${operation.kind} ${tries}`);
  return Math.min(most, 0.5 * 2 ** Math.min(tries, 12)) * (0.75 + share / 2);
}
