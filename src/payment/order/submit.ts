// The heart: the provider file writes, the vault fills in the card and sends, the provider file reads, and the outcome, the
// postings, the status and the history go into one commit. No transaction is open while the provider is asked.
import type { Provider } from '../../provider/contract.ts';
import type { Contract } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import type { Observation } from './decide/decision.ts';
import { isFinal } from './decide/decision.ts';
import { providerFacts, report, seenOf } from './perform.ts';
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import { record } from './record.ts';

export type Submitted = {
  readonly token_hash: string;
  readonly operation_id: string;
  /** Where to try next, in order, when a provider's own trouble ends the try before. */
  readonly fallbacks: readonly Contract[];
};

/** Sends the authorization of an order that was just accepted; answers the facts as they stand after it. */
export function submit(tools: Tools, order: OrderFacts, submitted: Submitted): Promise<OrderFacts> {
  return tools.running.start(order.id, submitted.operation_id, send(tools, order, submitted), order);
}

async function send(tools: Tools, order: OrderFacts, submitted: Submitted): Promise<OrderFacts> {
  const operation = order.operations.find(({ id }) => id === submitted.operation_id);
  const transaction = order.transactions.at(-1);
  if (!operation || !transaction) throw new Error('an accepted order has an operation');
  const provider = tools.providers.get(transaction.provider);
  if (!provider) throw new Error(`there is no provider ${transaction.provider} in this build`);
  const observation = await authorize(tools, { provider, order, operation, submitted });
  const [fallback, ...fallbacks] = submitted.fallbacks;
  const recorded = await record(tools, order, { operation, observation, fallback });
  const now = recorded.operations.find(({ id }) => id === operation.id);
  if (now && isFinal(now)) tools.vault.settled(operation.id);
  const next = recorded.transactions.at(-1);
  if (next?.cascade_of !== transaction.id) return recorded;
  const again = send(tools, recorded, { ...submitted, operation_id: next.id, fallbacks });
  return tools.running.start(order.id, next.id, again, recorded);
}

type Sending = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly submitted: Submitted;
};

async function authorize(tools: Tools, { provider, order, operation, submitted }: Sending): Promise<Observation> {
  const facts = providerFacts(order, operation);
  // a provider that is down is not called at all: another one may be, at once
  const call = tools.breaker.isOpen(provider.name) ? undefined : provider.write(facts);
  if (!call) return { source: 'timer', outcome: { kind: 'not_sent', result: 'provider_unreachable' } };
  const forwarded = await tools.vault.forward({
    operation_id: operation.id,
    order_id: order.id,
    merchant_account_id: order.merchant_account_id,
    token_hash: submitted.token_hash,
    checkout_id: order.checkout_id,
    destination: call.destination,
    route: call.route,
    body: call.body,
    key: call.key,
    deadline_ms: call.deadline_ms,
  });
  tools.crash.at('call_answered');
  const outcome = seenOf(forwarded, provider, facts);
  // what the vault refused was never the provider's to answer
  if (forwarded.outcome !== 'not_sent' || forwarded.reason === 'connect') report(tools, provider, outcome);
  const told_by_vault = forwarded.outcome === 'not_sent' || forwarded.outcome === 'already_sent';
  return { source: told_by_vault ? 'vault' : 'answer', outcome };
}
