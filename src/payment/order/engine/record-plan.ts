// Plans what to do with an observation of an operation: one of seven plans. Pure; record.ts carries the plan out.
import { storable } from '../../../kit/database.ts';
import type { Contract } from '../../merchant/account.ts';
import { type Counting, followingOf, followingUnsent, isCounted, noteOf } from '../../declines/counting.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import { type RetryMeans, type RetryMove, retryMove } from '../retries/plan.ts';
import type { Following } from '../../../core/retries/follow.ts';
import type { Day } from '../../../core/retries/day.ts';
import { mayGoOn } from './cascade.ts';
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
import { type OperationFacts, type OrderFacts, providerNameOf, transactionOf } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';

export type Learnt = {
  readonly operation: OperationFacts;
  readonly observation: Observation;
  /** What may be concluded by now from the time that has passed. Absent: the policy of an early observation. */
  readonly policy?: Policy;
  /** The contract that is tried next, if this provider's own trouble ends the attempt. */
  readonly fallback?: Contract | undefined;
  /** After a decline without a reason, the issuer may be asked once more through another provider. */
  readonly soft?: boolean;
  /** While its payer was at the provider another order of the reference was paid: this one is not booked but undone. */
  readonly paid_elsewhere?: boolean;
};

export type Plan = { readonly operation: OperationFacts; readonly alert: string | undefined } & (
  | { readonly kind: 'nothing' }
  /** The observation is kept. An open operation stays open, and a final state stays as it is. */
  | {
      readonly kind: 'note';
      readonly state: OperationFacts['state'];
      readonly waits_for: string;
      readonly new_key?: true | undefined;
    }
  /** The observation says the opposite of a final state. */
  | { readonly kind: 'contradict'; readonly contradiction: Contradiction }
  | ({ readonly kind: 'settle'; readonly facts: SettleFacts } & Pick<Ending, 'retry'> & {
        readonly network_reference: NetworkReference | undefined;
      })
  /** The payer must go to the provider; the operation stays open. */
  | { readonly kind: 'to_payer'; readonly facts: SettleFacts; readonly payer: PayerMustAct }
  /**
   * This transaction has failed because the issuer wants the payer authenticated: after that the same provider is tried
   * again.
   */
  | { readonly kind: 'ask_payer'; readonly facts: SettleFacts }
  /** This transaction has failed by the provider's own trouble: the next contract is tried. */
  | ({ readonly kind: 'cascade'; readonly facts: SettleFacts; readonly to: Contract } & Pick<Ending, 'retry'>)
);

/** What happens to the order's later tries, if no other provider goes on with the attempt. */
type Ending = { readonly retry: RetryMove | undefined };

/** The scheme's id of a subscription's first payment. */
export type NetworkReference = { readonly subscription_id: string; readonly reference: string };

export type Means = {
  /** The id for an operation that the settlement may add. */
  readonly follow_id: string;
  readonly may_authenticate: boolean;
  /** This operation's provider holds a sale first, and we send its capture as a call of our own. */
  readonly captures_itself: boolean;
  /** Today: the limits of card schemes are dated by day. */
  readonly day: Day;
  /** The facts from which the time of a later try is worked out. */
  readonly later: RetryMeans;
};

const UNDONE = { kind: 'cancel_wanted' } as const;
const SECOND = 'another order of the reference was paid while the payer was at the provider: the second one is undone';

export function planRecord(order: OrderFacts, learnt: Learnt, means: Means): Plan {
  const operation = order.operations.find(({ id }) => id === learnt.operation.id);
  if (!operation) throw new Error(`order ${order.id} has no operation ${learnt.operation.id}`);
  const { observation, fallback } = learnt;
  const { outcome } = observation;
  const policy = { ...(learnt.policy ?? EARLY), captures_itself: means.captures_itself };
  const is_second = learnt.paid_elsewhere === true && outcome.kind === 'approved';
  const decision = decide(order, operation, { seen: is_second ? UNDONE : outcome, policy });
  const about = { operation, alert: is_second ? SECOND : decision.alert };
  // while a contradiction is open, news of the same operation is only evidence for the person who ends it
  const contradicted = isFinal(operation) && order.contradictions.some((one) => one.operation_id === operation.id);
  if (decision.kind === 'contradict' && !contradicted) return { ...about, kind: 'contradict', contradiction: decision };
  if (decision.kind !== 'settle' || contradicted) {
    // the wish to cancel is our own, so it is no evidence
    if (outcome.kind === 'cancel_wanted') return { ...about, kind: 'nothing' };
    const { state, waits_for } = decision.kind === 'note' ? decision : operation;
    const new_key = decision.kind === 'note' ? decision.new_key : undefined;
    return { ...about, kind: 'note', state, waits_for, new_key };
  }
  const following = followingIn(order, { operation, outcome }, means.day);
  const counting = countingOf(order, { operation, outcome, settlement: decision }, following);
  const facts = settleFacts({ order, operation, observation, settlement: decision, counting }, means.follow_id);
  const retry = retryIn(order, { operation, observation, settlement: decision, following }, means.later);
  const { attempt_dead, payer } = decision;
  if (payer) return { ...about, kind: 'to_payer', facts, payer };
  if (
    attempt_dead &&
    following?.class === 'with_3ds' &&
    means.may_authenticate &&
    mayAskPayer(order, { operation, outcome })
  )
    return { ...about, kind: 'ask_payer', facts };
  const may_cascade = attempt_dead && !order.cancel_pending && following && mayGoOn(following, learnt.soft === true);
  if (may_cascade && fallback) return { ...about, kind: 'cascade', facts, to: fallback, retry };
  const network_reference = networkReference(order, facts, { operation, outcome });
  return { ...about, kind: 'settle', facts, network_reference, retry };
}

type Retrying = Pick<Writing, 'operation' | 'observation' | 'settlement'> & {
  readonly following: Following | undefined;
};

/**
 * The change to the order's later tries. Undefined: no authorization ended, or the order has no policy for later tries.
 * An authorization that was reversed may be tried again, as after a provider's own trouble.
 */
function retryIn(
  order: OrderFacts,
  { operation, observation, settlement, following }: Retrying,
  means: RetryMeans,
): RetryMove | undefined {
  const transaction = transactionOf(order, operation);
  const state = transaction && endIn(order, { operation, settlement });
  if (!transaction || state === undefined) return undefined;
  const end = {
    transaction,
    is_approved: state === 'successful',
    // whoever asked for a cancel while it was under way wants no other try
    is_declined: settlement.status === 'authorization_declined' && !order.cancel_pending,
    by_person: observation.source === 'operator',
    following: following ?? followingUnsent('provider_unreachable'),
  };
  return retryMove(order, end, means);
}

/**
 * The final state that this settlement gives to the authorization of the same transaction. Undefined: the authorization
 * stays open, or had ended before.
 */
function endIn(
  order: OrderFacts,
  { operation, settlement }: { readonly operation: OperationFacts; readonly settlement: Settlement },
): OperationFacts['state'] | undefined {
  const { transaction_id: id } = operation;
  const authorize = order.operations.find((one) => one.id === id);
  const state = operation.id === id ? settlement.state : settlement.others.find((one) => one.id === id)?.state;
  return !authorize || isFinal(authorize) || state === undefined || !isFinal({ state }) ? undefined : state;
}

/**
 * What the merchant may do after an authorization that did not succeed. Undefined: it succeeded, or this is another
 * kind of operation.
 */
function followingIn(order: OrderFacts, { operation, outcome }: Ended, day: Day): Following | undefined {
  if (operation.kind !== 'authorize') return undefined;
  if (outcome.kind === 'not_sent') return followingUnsent(outcome.result);
  const scheme = transactionOf(order, operation)?.payment_method_name ?? '';
  return outcome.kind === 'declined' ? followingOf(outcome, { scheme, day }) : undefined;
}

/**
 * What the settlement adds to the counted declines of the card. Undefined: nothing is counted, and no counted try is
 * open. An approval that a payer gave with a one-shot token counts nothing: it is no agreement to later payments.
 */
function countingOf(
  order: OrderFacts,
  { operation, outcome, settlement }: Ended & { readonly settlement: Settlement },
  following: Following | undefined,
): Counting | undefined {
  const transaction = transactionOf(order, operation);
  if (!transaction || transaction.foreign) return undefined;
  // the authorization ends by itself, or by an acknowledged reversal
  const authorize = order.operations.find(({ id }) => id === transaction.id);
  const itself = operation.id === transaction.id;
  const state = endIn(order, { operation, settlement });
  if (!authorize || state === undefined) return undefined;
  const { amount_minor } = authorize;
  const initiator = initiatorOf(order);
  const about = { initiator, amount_minor, following, note: null };
  if (itself && state === 'declined' && outcome.kind === 'declined' && following) {
    const note = noteOf(outcome, following);
    return { ...about, note, counts: isCounted(outcome) ? 'declined' : 'forgotten' };
  }
  const stands_open = initiator === 'm' || transaction.cascade_of !== null;
  const approved = state === 'successful';
  if (!stands_open && !(approved && transaction.token_type === 'recurring')) return undefined;
  return { ...about, counts: approved ? 'approved' : 'forgotten' };
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
  readonly counting?: Counting | undefined;
};

/** All values that the statement of a settlement needs. */
export function settleFacts(
  { order, operation, observation, settlement: decided, counting }: Writing,
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
    provider: providerNameOf(order, operation),
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
    counting,
  };
}

export type Observed = ReturnType<typeof observed>;

/** The columns of an observation. */
export function observed({ source, outcome, answer }: Observation) {
  return {
    source,
    // the wish to cancel is our own: nothing was learnt of the provider
    outcome: outcome.kind === 'cancel_wanted' ? 'unknown' : outcome.kind,
    provider_ref: 'reference' in outcome && outcome.reference !== null ? storable(outcome.reference) : null,
    provider_code: 'provider_code' in outcome ? storable(outcome.provider_code) : null,
    http_status: answer?.status ?? null,
    answer: answer?.text ?? null,
  };
}

/**
 * The provider's text as it may be stored and shown: long runs of digits are masked, and characters that a database
 * cannot store are left out.
 */
function masked(text: string): string {
  return storable(text).replace(/\d{7,}/g, (digits) => '#'.repeat(digits.length));
}
