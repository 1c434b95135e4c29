// What is to be done with an observation of an operation, as one of six plans. Pure: record.ts does it.
import { storable } from '../../../kit/database.ts';
import type { Contract } from '../../merchant/account.ts';
import { mayCascade } from './cascade.ts';
import { mayAskPayer } from './soft-decline.ts';
import { EARLY, decide } from '../decide/by-kind.ts';
import {
  type Contradiction,
  type Observation,
  type PayerMustAct,
  type Policy,
  type Settlement,
  isFinal,
  postingLines,
} from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';

export type Learnt = {
  readonly operation: OperationFacts;
  readonly observation: Observation;
  /** What time allows to conclude; early, where nothing is said. */
  readonly policy?: Policy;
  /** Where to try next if this provider's own trouble ends it. */
  readonly fallback?: Contract | undefined;
};

export type Plan = { readonly operation: OperationFacts; readonly alert: string | undefined } & (
  | { readonly kind: 'nothing' }
  /** The observation is kept; an operation that is open stays so, and what is final stays as it is. */
  | {
      readonly kind: 'note';
      readonly state: OperationFacts['state'];
      readonly waits_for: string;
      readonly new_key?: true | undefined;
    }
  /** It is the opposite of what is final here. */
  | { readonly kind: 'contradict'; readonly contradiction: Contradiction }
  | { readonly kind: 'settle'; readonly facts: SettleFacts; readonly network_reference: NetworkReference | undefined }
  /** The payer must act at the provider; the operation stays open. */
  | { readonly kind: 'to_payer'; readonly facts: SettleFacts; readonly payer: PayerMustAct }
  /** The attempt is dead, and the issuer wants the payer authenticated: the same provider again, after that. */
  | { readonly kind: 'ask_payer'; readonly facts: SettleFacts }
  /** The attempt is dead by the provider's own trouble: the next one is tried. */
  | { readonly kind: 'cascade'; readonly facts: SettleFacts; readonly to: Contract }
);

/** The scheme's id of a subscription's first payment. */
export type NetworkReference = { readonly subscription_id: string; readonly reference: string };

export type Means = {
  /** The id of an operation that a settlement may bring with it. */
  readonly follow_id: string;
  readonly may_authenticate: boolean;
  /** Of this operation's provider: a sale is held, and then captured by a call of ours. */
  readonly captures_itself: boolean;
};

export function planRecord(order: OrderFacts, learnt: Learnt, means: Means): Plan {
  const operation = order.operations.find(({ id }) => id === learnt.operation.id);
  if (!operation) throw new Error(`order ${order.id} has no operation ${learnt.operation.id}`);
  const { observation, fallback } = learnt;
  const { outcome } = observation;
  const policy = { ...(learnt.policy ?? EARLY), captures_itself: means.captures_itself };
  const decision = decide(order, operation, { seen: outcome, policy });
  const about = { operation, alert: decision.alert };
  // while a contradiction is open, news of the same operation is evidence for the person who ends it, and moves nothing by itself
  const contradicted = isFinal(operation) && order.contradictions.some((one) => one.operation_id === operation.id);
  if (decision.kind === 'contradict' && !contradicted) return { ...about, kind: 'contradict', contradiction: decision };
  if (decision.kind !== 'settle' || contradicted) {
    // a wish of our own is no evidence
    if (outcome.kind === 'cancel_wanted') return { ...about, kind: 'nothing' };
    const { state, waits_for } = decision.kind === 'note' ? decision : operation;
    const new_key = decision.kind === 'note' ? decision.new_key : undefined;
    return { ...about, kind: 'note', state, waits_for, new_key };
  }
  const facts = settleFacts({ order, operation, observation, settlement: decision }, means.follow_id);
  const { attempt_dead, payer } = decision;
  if (payer) return { ...about, kind: 'to_payer', facts, payer };
  if (attempt_dead && means.may_authenticate && mayAskPayer(order, { operation, outcome }))
    return { ...about, kind: 'ask_payer', facts };
  // a scheme that says never means this card, wherever it is tried
  const never = outcome.kind === 'declined' && outcome.retry === 'never';
  const may_cascade =
    attempt_dead && !order.cancel_pending && !never && 'result' in outcome && mayCascade(outcome.result);
  if (may_cascade && fallback) return { ...about, kind: 'cascade', facts, to: fallback };
  return { ...about, kind: 'settle', facts, network_reference: networkReference(order, facts, { operation, outcome }) };
}

type Ended = { readonly operation: OperationFacts; readonly outcome: Observation['outcome'] };

function networkReference(
  { body }: OrderFacts,
  { settlement }: SettleFacts,
  { operation, outcome }: Ended,
): NetworkReference | undefined {
  const { subscription_id } = body;
  if (operation.kind !== 'authorize' || settlement.state !== 'successful' || outcome.kind !== 'approved')
    return undefined;
  const reference = outcome.network_reference;
  return reference === undefined || typeof subscription_id !== 'string' ? undefined : { subscription_id, reference };
}

type Writing = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly observation: Observation;
  readonly settlement: Settlement;
};

/** What a settlement is written from. */
export function settleFacts(
  { order, operation, observation, settlement: decided }: Writing,
  new_id: string,
): SettleFacts {
  const settlement = observation.reason === undefined ? decided : { ...decided, reason: observation.reason };
  const follow_id = settlement.follow ? new_id : null;
  const { outcome } = observation;
  const approved = outcome.kind === 'approved' ? outcome : undefined;
  const applied = isFinal(settlement) ? approved : undefined;
  return {
    order_id: order.id,
    version: order.version,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
    follow_id,
    provider: order.transactions.find(({ id }) => id === operation.transaction_id)?.provider ?? '',
    settlement,
    postings: postingLines(settlement, { operation: operation.id, follow: follow_id }),
    request_id: operation.request_id,
    ...observed(observation),
    provider_text: 'provider_text' in outcome ? masked(outcome.provider_text) : null,
    authorization_code: storable(applied?.authorization_code ?? '') || null,
    seen_amount_minor: approved?.amount_minor ?? null,
    seen_currency: approved?.currency ?? null,
    risk_score: applied?.risk_score ?? null,
    liability_shifted: applied?.liability_shifted ?? false,
  };
}

export type Observed = ReturnType<typeof observed>;

/** The columns of an observation. */
export function observed({ source, outcome, answer }: Observation) {
  return {
    source,
    // a wish of our own: of the provider nothing was learnt
    outcome: outcome.kind === 'cancel_wanted' ? 'unknown' : outcome.kind,
    provider_ref: 'reference' in outcome && outcome.reference !== null ? storable(outcome.reference) : null,
    provider_code: 'provider_code' in outcome ? storable(outcome.provider_code) : null,
    http_status: answer?.status ?? null,
    answer: answer?.text ?? null,
  };
}

/** Provider texts are shown with runs of digits masked and without what no database keeps. */
function masked(text: string): string {
  return storable(text).replace(/\d{7,}/g, (digits) => '#'.repeat(digits.length));
}
