// A call to a provider, from both ends: what it is told of an operation, and how what comes back is read. Whoever sends one (submit,
// perform, recover) takes it from here.
import type { Answer, Call, Facts, Provider } from '../../../provider/contract.ts';
import type { StepCall } from '../../../provider/send/call.ts';
import { tellSpan } from '../../../kit/trace/spans.ts';
import { sawCall } from '../../metrics/metrics.ts';
import { type Credentials, findCredentials } from '../../merchant/credentials/credentials.ts';
import type { Tools } from '../../tools.ts';
import type { Forwarded } from '../../vault-link.ts';
import type { Observation, Seen } from '../decide/decision.ts';
import { excerptOf } from '../facts/excerpt.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';

/** What the provider is told. */
export function providerFacts(order: OrderFacts, operation: OperationFacts): Facts {
  const authorize = order.operations.find(({ id }) => id === operation.transaction_id);
  const target = order.operations.find(({ id }) => id === operation.target_id);
  const transaction = order.transactions.find(({ id }) => id === operation.transaction_id);
  // a sale is captured under the reference of its authorization
  const captured = target?.provider_ref ?? authorize?.provider_ref ?? null;
  return {
    operation_id: operation.id,
    merchant_account_id: order.merchant_account_id,
    order_id: order.id,
    kind: operation.kind,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    with_capture: operation.with_capture,
    final: operation.final,
    order_merchant_id: order.order_merchant_id,
    scheme: transaction?.payment_method_name ?? null,
    ...(operation.kind === 'authorize' && transaction?.foreign === true && { psp_token: true }),
    target_reference: operation.kind === 'refund' ? captured : (authorize?.provider_ref ?? null),
    target_operation_id: operation.target_id,
  };
}

/** What it is asked about an operation; of a sale's capture, about the sale. */
export function inquiryFacts(order: OrderFacts, operation: OperationFacts): Facts {
  const target_operation_id = saleOf(order, operation) ?? operation.id;
  return { ...providerFacts(order, operation), kind: 'inquiry', target_operation_id };
}

/** The authorization of a sale whose capture has no call and no reference of its own. */
export function saleOf(order: OrderFacts, { kind, target_id }: OperationFacts): string | undefined {
  const sale = kind === 'capture' && order.operations.find(({ id }) => id === target_id);
  return sale && sale.with_capture ? sale.id : undefined;
}

/** What is said of a sale, as it is said of the capture that is part of it. */
export function ofCapture(seen: Seen, capture: OperationFacts, sale_id: string): Seen {
  if (seen.kind !== 'approved' || seen.our_reference !== sale_id) return seen;
  if (seen.captured) return { ...seen, our_reference: capture.id, authorization_code: '' };
  if (seen.capture?.kind === 'declined') return { ...seen.capture, reference: seen.reference };
  return { kind: 'pending', reference: seen.reference };
}

/** Those of the contract that an operation is under. */
export async function credentialsOf(
  tools: Tools,
  {
    provider,
    order,
    operation,
  }: { readonly provider: Provider; readonly order: OrderFacts; readonly operation: OperationFacts },
): Promise<Credentials> {
  const { merchant_account_id, transactions } = order;
  const contract_id = transactions.find(({ id }) => id === operation.transaction_id)?.contract_id ?? null;
  return contract_id === null ? {} : findCredentials(tools, { provider, merchant_account_id, contract_id });
}

/** As the senders take it. */
export function stepCall({ destination, route, path_values, body, key, deadline_ms }: Call): StepCall {
  return { destination, step: route, values: path_values, body, key, deadline_ms };
}

type Called = {
  readonly provider: Provider;
  readonly kind: Facts['kind'];
  readonly operation: OperationFacts;
  /** The clock's ticks when it began. */
  readonly from: number;
};

/** Every call tells of the health of its provider. */
export function report(tools: Tools, seen: Seen, { provider, kind, from, operation }: Called): void {
  const { kind: outcome } = seen;
  tools.breaker.saw(provider.name, isUnheard(seen) || (outcome !== 'unknown' && outcome !== 'not_sent'));
  const ms = tools.clock.ticks() - from;
  sawCall({ provider: provider.name, kind, outcome, ms });
  const { request_id, id: operation_id } = operation;
  const attributes = { 'florin.provider': provider.name, 'florin.operation': kind, 'florin.outcome': outcome };
  tellSpan({ name: `provider ${kind}`, kind: 'client', request_id, ms, attributes, failed: outcome === 'unknown' });
  tools.log.debug({ request_id, operation_id, provider: provider.name, kind, outcome, ms }, 'a provider was called');
}

/** Turned away for its contract's credentials: no fault of the provider, and nothing that other merchants should feel. */
export const isUnheard = (seen: Seen): boolean => 'unheard' in seen && seen.unheard !== undefined;

export type ProviderAnswer = Pick<Observation, 'outcome' | 'answer'>;

/** What came back, as the provider file reads it. */
export function readProviderAnswer(forwarded: Forwarded, provider: Provider, facts: Facts): ProviderAnswer {
  switch (forwarded.outcome) {
    case 'answered':
      return readBy(provider, forwarded, facts);
    case 'not_sent':
      return { outcome: { kind: 'not_sent', result: unsent(forwarded.reason) } };
    case 'already_sent':
      return forwarded.answer
        ? readBy(provider, forwarded.answer, facts)
        : { outcome: { kind: 'unknown', why: 'closed' } };
    case 'unknown':
      return { outcome: { kind: 'unknown', why: forwarded.reason } };
  }
}

const unsent = (reason: string) => (reason === 'credentials' ? 'provider_credentials_invalid' : 'provider_unreachable');

/** With what it was read from: the meaning decides, the text is kept for people. */
export function readBy(provider: Provider, answer: Answer, facts: Facts): ProviderAnswer {
  const { operation_id, order_id, merchant_account_id, target_operation_id } = facts;
  const ids = [operation_id, order_id, merchant_account_id, target_operation_id ?? operation_id];
  return { outcome: provider.read(answer, facts), answer: excerptOf(answer, ids) };
}
