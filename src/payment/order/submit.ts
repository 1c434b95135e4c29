// The heart: the provider file writes, the vault fills in the card and sends, the provider file reads, and the outcome, the
// postings, the status and the history go into one commit. No transaction is open while the provider is asked.
import type { Facts, Outcome, Provider } from '../../provider/contract.ts';
import { findProvider } from '../../provider/registry.ts';
import type { Tools } from '../tools.ts';
import type { Forwarded } from '../vault-link.ts';
import type { Observation } from './decide.ts';
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import { record } from './record.ts';
import type { NewOrder } from './store.ts';

/** Sends the authorization of an order that was just accepted; answers the facts as they stand after it. */
export function submit(
  tools: Tools,
  order: OrderFacts,
  accepted: Pick<NewOrder, 'token_hash' | 'operation_id'>,
): Promise<OrderFacts> {
  const work = send(tools, order, accepted);
  const done = tools.running.start(
    order.id,
    work.then(
      () => undefined,
      (error: unknown) =>
        tools.log.error({ order_id: order.id, error: String(error) }, 'an authorization is left to recovery'),
    ),
  );
  return done.then(() => work.catch(() => order));
}

async function send(
  tools: Tools,
  order: OrderFacts,
  accepted: Pick<NewOrder, 'token_hash' | 'operation_id'>,
): Promise<OrderFacts> {
  const operation = order.operations.find(({ id }) => id === accepted.operation_id);
  const transaction = order.transactions.at(-1);
  if (!operation || !transaction) throw new Error('an accepted order has an operation');
  const provider = findProvider(transaction.provider);
  if (!provider) throw new Error(`there is no provider ${transaction.provider} in this build`);
  const facts = providerFacts(order, operation, transaction.payment_method_name);
  const call = provider.write(facts);
  if (!call) return record(tools, order, { operation, observation: notSent });
  const forwarded = await tools.vault.forward({
    operation_id: operation.id,
    order_id: order.id,
    merchant_account_id: order.merchant_account_id,
    token_hash: accepted.token_hash,
    checkout_id: order.checkout_id,
    destination: call.destination,
    route: call.route,
    body: call.body,
    key: call.key,
    deadline_ms: call.deadline_ms,
  });
  const recorded = await record(tools, order, { operation, observation: observe(provider, forwarded, facts) });
  if (!isOpen(recorded, operation.id)) tools.vault.settled(operation.id);
  return recorded;
}

function isOpen(order: OrderFacts, operation_id: string): boolean {
  const state = order.operations.find(({ id }) => id === operation_id)?.state;
  return state === 'requested' || state === 'in_doubt';
}

const notSent: Observation = { source: 'vault', outcome: { kind: 'not_sent', result: 'provider_unreachable' } };

/** What the provider is told. */
export function providerFacts(order: OrderFacts, operation: OperationFacts, scheme: string | null): Facts {
  return {
    operation_id: operation.id,
    merchant_account_id: order.merchant_account_id,
    order_id: order.id,
    kind: operation.kind,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    with_capture: operation.with_capture,
    order_merchant_id: order.order_merchant_id,
    scheme,
    target_reference: null,
    target_operation_id: null,
  };
}

function observe(provider: Provider, forwarded: Forwarded, facts: Facts): Observation {
  switch (forwarded.outcome) {
    case 'answered':
      return { source: 'answer', outcome: provider.read(forwarded, facts) };
    case 'not_sent':
      return notSent;
    case 'already_sent':
      return { source: 'vault', outcome: forwarded.answer ? provider.read(forwarded.answer, facts) : UNREAD };
    case 'unknown':
      return { source: 'answer', outcome: { kind: 'unknown', why: forwarded.reason } };
  }
}

const UNREAD: Outcome = { kind: 'unknown', why: 'closed' };
