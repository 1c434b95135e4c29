// What is to be done with an observation of an operation, as one of six plans. Pure: record.ts does it.
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
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';

export type Learnt = {
  readonly operation: OperationFacts;
  readonly observation: Observation;
  /** What time allows to conclude; early, where nothing is said. */
  readonly policy?: Policy;
  /** Where to try next if this provider's own trouble ends it. */
  readonly fallback?: Contract | undefined;
  /** An issuer that declined without a reason may be asked once more, elsewhere. */
  readonly soft?: boolean;
  /** While its payer was at the provider another order of the reference was paid: this one is not booked but undone. */
  readonly paid_elsewhere?: boolean;
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
  | ({ readonly kind: 'settle'; readonly facts: SettleFacts } & Pick<Ending, 'retry'> & {
        readonly network_reference: NetworkReference | undefined;
      })
  /** The payer must act at the provider; the operation stays open. */
  | { readonly kind: 'to_payer'; readonly facts: SettleFacts; readonly payer: PayerMustAct }
  /** The attempt is dead, and the issuer wants the payer authenticated: the same provider again, after that. */
  | { readonly kind: 'ask_payer'; readonly facts: SettleFacts }
  /** The attempt is dead by the provider's own trouble: the next one is tried. */
  | ({ readonly kind: 'cascade'; readonly facts: SettleFacts; readonly to: Contract } & Pick<Ending, 'retry'>)
);

/** What becomes of the order's later tries, where no other provider goes on with the attempt. */
type Ending = { readonly retry: RetryMove | undefined };

/** The scheme's id of a subscription's first payment. */
export type NetworkReference = { readonly subscription_id: string; readonly reference: string };

export type Means = {
  /** The id of an operation that a settlement may bring with it. */
  readonly follow_id: string;
  readonly may_authenticate: boolean;
  /** Of this operation's provider: a sale is held, and then captured by a call of ours. */
  readonly captures_itself: boolean;
  /** Today: rows of schemes hold by day. */
  readonly day: Day;
  /** When and where a later try would be. */
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
  // while a contradiction is open, news of the same operation is evidence for the person who ends it, and moves nothing
  // by itself
  const contradicted = isFinal(operation) && order.contradictions.some((one) => one.operation_id === operation.id);
  if (decision.kind === 'contradict' && !contradicted) return { ...about, kind: 'contradict', contradiction: decision };
  if (decision.kind !== 'settle' || contradicted) {
    // a wish of our own is no evidence
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
 * Undefined: no authorization has ended by it, or the order has no policy. What was taken back may be tried again as
 * trouble of its provider.
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

/** How the authorization of the operation's attempt ends by this settlement; undefined: it does not, or has before. */
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
 * What follows the end of an authorization that did not get through; undefined: it was another end, or of something
 * else.
 */
function followingIn(order: OrderFacts, { operation, outcome }: Ended, day: Day): Following | undefined {
  if (operation.kind !== 'authorize') return undefined;
  if (outcome.kind === 'not_sent') return followingUnsent(outcome.result);
  const scheme = transactionOf(order, operation)?.payment_method_name ?? '';
  return outcome.kind === 'declined' ? followingOf(outcome, { scheme, day }) : undefined;
}

const transactionOf = ({ transactions }: OrderFacts, { transaction_id }: OperationFacts) =>
  transactions.find(({ id }) => id === transaction_id);

/**
 * Undefined: nothing is counted of its card and nothing stands open. A payer's approval by a token that pays once
 * leaves things as they are: it is no agreement for payments to come.
 */
function countingOf(
  order: OrderFacts,
  { operation, outcome, settlement }: Ended & { readonly settlement: Settlement },
  following: Following | undefined,
): Counting | undefined {
  const transaction = transactionOf(order, operation);
  if (!transaction || transaction.foreign) return undefined;
  // its own end, or the one that an acknowledged reversal brings
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

/** What a settlement is written from. */
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
    counting,
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
