// A call to a provider, from both ends: the facts that are sent of an operation, and how the answer is read. Used by
// all that send one: submit, perform, recover.
import type { Capabilities } from '../../../provider/capabilities.ts';
import type { ResultName } from '../../../core/results.ts';
import type { Again, Answer, Facts, Kept, Next, Provider } from '../../../provider/contract.ts';
import { tellSpan } from '../../../kit/trace/spans.ts';
import { sawCall } from '../../metrics/metrics.ts';
import { type Credentials, findCredentials, findCredentialsThen } from '../../merchant/credentials/credentials.ts';
import type { Tools } from '../../tools.ts';
import type { Forwarded } from '../../vault-link.ts';
import type { Observation, Seen } from '../decide/decision.ts';
import { excerptOf } from '../facts/excerpt.ts';
import { type OperationFacts, type OrderFacts, transactionOf } from '../facts/order-facts.ts';
import { unseenPayerOf } from '../facts/payer.ts';

/** The facts that the provider gets. */
export function providerFacts(order: OrderFacts, operation: OperationFacts): Facts {
  const { id, transaction_id, target_id, kind } = operation;
  const authorize = order.operations.find((one) => one.id === transaction_id);
  const target = order.operations.find((one) => one.id === target_id);
  const transaction = transactionOf(order, operation);
  const authorization_reference = authorize?.provider_ref ?? null;
  const unseen_payer = unseenPayerOf(order);
  return {
    operation_id: id,
    merchant_account_id: order.merchant_account_id,
    order_id: order.id,
    kind,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    with_capture: operation.with_capture,
    final: operation.final,
    ...(isRefundReason(operation.refund_reason) && { refund_reason: operation.refund_reason }),
    order_merchant_id: order.order_merchant_id,
    scheme: transaction?.payment_method_name ?? null,
    ...(unseen_payer && { unseen_payer }),
    ...(kind === 'authorize' && transaction?.foreign === true && { psp_token: true }),
    ...(kind === 'authorize' && transaction?.network_token === true && { network_token: true }),
    authorization_reference,
    authorization_code: authorize?.authorization_code ?? null,
    authorization_kept: authorize?.kept ?? {},
    // a sale is captured under the reference of its authorization
    capture_reference: kind === 'refund' ? (target?.provider_ref ?? authorization_reference) : null,
    ...(kind === 'reversal' && target && { about: aboutOf(target) }),
  };
}

const REFUND_REASONS = ['requested_by_customer', 'fraudulent', 'duplicate', 'other'] as const;
type RefundReason = (typeof REFUND_REASONS)[number];
const isRefundReason = (text: string | null): text is RefundReason => REFUND_REASONS.some((one) => one === text);

export const aboutOf = ({ kind, id, with_capture, provider_ref, kept, origin }: OperationFacts) => ({
  kind,
  operation_id: id,
  with_capture,
  reference: provider_ref,
  kept,
  ...(origin === 'provider' && ({ nameless: true } as const)),
});

/** The facts of an inquiry about an operation. For the capture of a sale, the inquiry is about the sale. */
export function inquiryFacts(order: OrderFacts, operation: OperationFacts, can: Capabilities): Facts {
  const about = order.operations.find(({ id }) => id === saleOf(order, operation, can)) ?? operation;
  return { ...providerFacts(order, operation), kind: 'inquiry', about: aboutOf(about) };
}

/**
 * Can the provider be asked about this operation? The capture of a sale has no call of its own, so the question is
 * about the sale.
 */
export function canAskAbout(can: Capabilities, order: OrderFacts, operation: OperationFacts): boolean {
  return can.inquiry.includes(saleOf(order, operation, can) === undefined ? operation.kind : 'authorize');
}

type Sent = { readonly provider: Provider; readonly order: OrderFacts; readonly operation: OperationFacts };

/** Seconds since the operation was accepted, by the database's clock. */
export function ageOf(order: OrderFacts, operation: OperationFacts): number {
  return (Date.parse(order.read_at) - Date.parse(operation.created_at)) / 1000;
}

/**
 * The provider still keeps the key when what is sent now arrives at the latest: it answers a repeat as it answered the
 * first call.
 */
export function keyIsKept({ provider, order, operation }: Sent): boolean {
  const { key_kept_h, in_flight_s } = provider.can;
  return ageOf(order, operation) + in_flight_s < key_kept_h * 3600;
}

/**
 * Whether the step that the operation has reached may be sent again. For operations without a card; undefined: there is
 * no step.
 */
export function againOf({ provider, order, operation }: Sent): Again | undefined {
  const name = operation.step ?? provider.first(providerFacts(order, operation));
  return name === undefined ? undefined : provider.steps[name]?.again;
}

/**
 * The facts of an authorization. A sale that this provider does in two calls is sent as a hold; its capture follows as
 * an operation of its own. The chosen scheme is sent only to a provider that has a field for it.
 */
export function authorizeFacts({ can }: Provider, order: OrderFacts, operation: OperationFacts): Facts {
  const facts = providerFacts(order, operation);
  const with_capture = facts.with_capture && can.sale === 'one_call';
  return { ...facts, with_capture, scheme: can.scheme_choice ? facts.scheme : null };
}

/** The id of the sale, if this operation is its capture and has no call and no reference of its own. */
export function saleOf(
  order: OrderFacts,
  { kind, target_id }: OperationFacts,
  { sale: form }: Pick<Capabilities, 'sale'>,
): string | undefined {
  if (form === 'hold_then_capture') return undefined;
  const sale = kind === 'capture' && order.operations.find(({ id }) => id === target_id);
  return sale && sale.with_capture ? sale.id : undefined;
}

/** Translates what the provider said of a sale into what it says of the capture that is part of it. */
export function ofCapture(seen: Seen, capture: OperationFacts, sale_id: string): Seen {
  if (seen.kind !== 'approved' || (seen.our_reference ?? sale_id) !== sale_id) return seen;
  if (seen.captured) return { ...seen, our_reference: capture.id, authorization_code: '' };
  if (seen.capture?.kind === 'declined') return { ...seen.capture, reference: seen.reference };
  return { kind: 'pending', reference: seen.reference };
}

/**
 * Those with which an operation is sent. What was sent before, or is undone, goes on under the account with which it
 * began (decision 198). Undefined: that is not known, and nothing is to be sent.
 */
export async function credentialsToSend(
  tools: Tools,
  { again = false, ...sent }: Sent & { readonly again?: boolean },
): Promise<Credentials | undefined> {
  const { provider, order, operation } = sent;
  const contract_id = transactionOf(order, operation)?.contract_id ?? null;
  const begins = !again && operation.kind !== 'reversal';
  if (begins || contract_id === null) return credentialsOf(tools, sent);
  const { merchant_account_id } = order;
  return findCredentialsThen(tools, { provider, merchant_account_id, contract_id, began: beganAt(sent) });
}

/**
 * When the operation began whose account a call names: a reversal's is that of what it undoes. A step that followed,
 * after a payer came back, has moved `sent_at` on.
 */
function beganAt({ provider, order, operation }: Sent): string {
  const undone = operation.kind === 'reversal' && order.operations.find(({ id }) => id === operation.target_id);
  const of = undone || operation;
  if (of.kind !== 'authorize') return of.created_at;
  const at_first = of.step === null || of.step === provider.first(authorizeFacts(provider, order, of));
  return (at_first ? of.sent_at : null) ?? of.created_at;
}

/** The credentials of the contract under which an operation is sent. */
export async function credentialsOf(
  tools: Tools,
  {
    provider,
    order,
    operation,
  }: { readonly provider: Provider; readonly order: OrderFacts; readonly operation: OperationFacts },
): Promise<Credentials> {
  const { merchant_account_id } = order;
  const contract_id = transactionOf(order, operation)?.contract_id ?? null;
  return contract_id === null ? {} : findCredentials(tools, { provider, merchant_account_id, contract_id });
}

type Called = {
  readonly provider: Provider;
  readonly kind: Facts['kind'];
  readonly operation: OperationFacts;
  /** The clock's ticks when the call began. */
  readonly from: number;
};

/** Declines that are the fault of the provider, or of the acquirer behind it, and not of the card. */
const TROUBLE: ReadonlySet<ResultName> = new Set(['provider_unreachable', 'acquirer_unreachable']);

/** HTTP status 429: the caller asks too often. It means the same at every provider (RFC 6585). */
const TOO_MANY = 429;

/**
 * Reports a call to the provider's health, which all accounts share. Left out are answers that are about one account
 * alone: its credentials were refused, or it was slowed down (decision 109).
 */
export function report(
  tools: Tools,
  { outcome: seen, answer }: ProviderAnswer,
  { provider, kind, from, operation }: Called,
): void {
  const { kind: outcome } = seen;
  const ms = tools.clock.ticks() - from;
  const answered = outcome !== 'unknown' && outcome !== 'not_sent';
  if (!isUnheard(seen) && answer?.status !== TOO_MANY)
    tools.breaker.saw(provider.name, { answered, trouble: 'result' in seen && TROUBLE.has(seen.result), ms });
  sawCall({ provider: provider.name, kind, outcome, ms });
  const { request_id, id: operation_id } = operation;
  const attributes = { 'florin.provider': provider.name, 'florin.operation': kind, 'florin.outcome': outcome };
  tellSpan({ name: `provider ${kind}`, kind: 'client', request_id, ms, attributes, failed: outcome === 'unknown' });
  tools.log.debug({ request_id, operation_id, provider: provider.name, kind, outcome, ms }, 'a provider was called');
}

/**
 * The provider refused the credentials of the contract. It is not the provider's fault, and other merchants must not
 * feel it.
 */
export const isUnheard = (seen: Seen): boolean => 'unheard' in seen && seen.unheard !== undefined;

export type ProviderAnswer = Pick<Observation, 'outcome' | 'answer'>;

/** The answer to a step: an outcome, or another step to send. */
export type StepAnswer = Omit<ProviderAnswer, 'outcome'> & { readonly reading: Seen | Next };

export type Stepping = {
  readonly provider: Provider;
  readonly step: string;
  readonly facts: Facts;
  readonly kept: Kept;
};

/** Reads what came back for a step, with the provider file. */
export function readStep(forwarded: Forwarded, stepping: Stepping): StepAnswer {
  switch (forwarded.outcome) {
    case 'answered':
      return readAnswer(forwarded, stepping);
    case 'not_sent':
      return { reading: { kind: 'not_sent', result: unsent(forwarded.reason) } };
    case 'already_sent':
      return forwarded.answer
        ? readAnswer(forwarded.answer, stepping)
        : { reading: { kind: 'unknown', why: 'closed' } };
    case 'unknown':
      return { reading: { kind: 'unknown', why: forwarded.reason } };
  }
}

const unsent = (reason: string) => (reason === 'credentials' ? 'provider_credentials_invalid' : 'provider_unreachable');

/** The reading with the text that it was read from: the engine uses the reading, people look at the text. */
export function readAnswer(answer: Answer, { provider, step, facts, kept }: Stepping): StepAnswer {
  const { operation_id, order_id, merchant_account_id, about } = facts;
  const ids = [operation_id, order_id, merchant_account_id, about?.operation_id ?? operation_id];
  return { reading: provider.read(step, answer, facts, kept), answer: excerptOf(answer, ids) };
}
