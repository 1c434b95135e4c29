// The types of decide(): an observation goes in, a decision comes out. The decision is data, and the caller commits it
// as it is.
import type { LedgerAccount, Transfer } from '../../../core/ledger-accounts.ts';
import { type ResultName, result } from '../../../core/results.ts';
import { ORDER_STATUSES, type OperationState, type OrderStatus } from '../../../core/states.ts';
import type { Outcome } from '../../../provider/contract.ts';
import type { Excerpt } from '../facts/excerpt.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';

/** Something that was seen of an operation, and where it was seen. */
export type Observation = {
  readonly source: 'answer' | 'inquiry' | 'vault' | 'webhook' | 'file' | 'operator' | 'timer';
  readonly outcome: Seen;
  /** The text that the outcome was read from. It is kept for people; decide() never looks at it. */
  readonly answer?: Excerpt | undefined;
  /** An operator's reason, in their own words. It is kept on the operation. */
  readonly reason?: string;
};

export type Seen =
  | Outcome
  /** Proof that no byte reached the provider. */
  | { readonly kind: 'not_sent'; readonly result: ResultName }
  /** A capture or refund was reported as done, and failed later. */
  | { readonly kind: 'corrected'; readonly result: ResultName; readonly reference: string | null }
  /** The authorization is undone now: a cancel waits for it, or its payer began again with another order (`left`). */
  | { readonly kind: 'cancel_wanted'; readonly left?: true };

/** The words of an outcome that no provider has put into words. */
export const NOTHING_SAID = { provider_code: '', provider_text: '' } as const;

/** Facts of time and of the provider, worked out by the caller: decide() reads no clock. */
export type Policy = {
  /** The provider's in-flight time (`in_flight_s`) is over: a call that has had no effect yet will never have one. */
  readonly in_flight_over: boolean;
  /** 24 h have passed without proof: a person decides. */
  readonly review_due: boolean;
  /** The provider accepted the operation, and the message with the result has not come in its time. Absent: false. */
  readonly message_overdue?: boolean;
  /** The provider does a sale in two calls (its `sale`): once the hold is there, we send the capture. Absent: false. */
  readonly captures_itself?: boolean;
};

export type Counters = {
  readonly authorized: bigint;
  readonly released: bigint;
  readonly capturing: bigint;
  readonly captured: bigint;
  readonly refunding: bigint;
  readonly refunded: bigint;
};

export type OperationMove = {
  readonly id: string;
  readonly state: OperationState;
  readonly code: string | null;
  readonly reason: string | null;
};

/** A new operation that is stored together with the settlement of another one. */
export type Follow = {
  readonly kind: 'capture' | 'refund' | 'cancel' | 'reversal';
  readonly state: 'requested' | 'successful' | 'declined';
  readonly waits_for: 'call' | 'provider';
  readonly amount_minor: bigint;
  /** `provider`: it was done at the provider's own site; `schedule`: the provider's own time was over. */
  readonly origin: 'merchant' | 'recovery' | 'provider' | 'schedule';
  readonly target_id: string | null;
  readonly code: string | null;
  /** The provider's own id of it, where it was done without us. */
  readonly provider_ref?: string | null;
};

export type Posting = {
  readonly source: 'operation' | 'follow';
  readonly posting: 'book' | 'unbook';
  readonly transfers: readonly Transfer[];
};

export type OrderEvent = { readonly type: OrderStatus; readonly code: string };

/** One commit: operations, order, ledger and history move together. */
export type Settlement = {
  readonly kind: 'settle';
  readonly state: OperationState;
  readonly code: string | null;
  readonly reason: string | null;
  readonly others: readonly OperationMove[];
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly attempt_dead: boolean;
  readonly wins: boolean;
  readonly cancel_pending: boolean;
  readonly counters: Counters;
  readonly events: readonly OrderEvent[];
  readonly follow: Follow | undefined;
  readonly postings: readonly Posting[];
  /**
   * The amount by which a person's ruling exceeds the limits of the counters; 0: the counters are within their limits.
   */
  readonly above: bigint;
  /** A text for the log, where a person should look at this. */
  readonly alert: string | undefined;
  /** Set where the payer must go to the provider first; the operation stays open until then. */
  readonly payer: PayerMustAct | undefined;
};

export type PayerMustAct = Extract<Outcome, { readonly kind: 'payer_must_act' }>;

/** Nothing final was learnt: the evidence is kept, and the operation stays open. */
export type Note = {
  readonly kind: 'note';
  readonly state: OperationState;
  readonly waits_for: 'call' | 'provider' | 'payer';
  readonly alert?: string;
  /** The next request takes another key: under the present key the provider would repeat this answer. */
  readonly new_key?: true;
};

/** The observation is kept and changes nothing. */
export type Ignore = { readonly kind: 'ignore'; readonly alert?: string };

/** What a provider can say against a final state. `differs`: an approval of another amount, currency or reference. */
export const SAYINGS = ['approved', 'differs', 'declined', 'corrected', 'reversed', 'not_sent'] as const;
export type Said = (typeof SAYINGS)[number];

/**
 * The observation says the opposite of a final state. It is kept, and the money is blocked until a proof or a person
 * ends the contradiction.
 */
export type Contradiction = {
  readonly kind: 'contradict';
  readonly said: Said;
  /** The provider's own id of the thing that it speaks of; null: it names none. */
  readonly reference: string | null;
  readonly alert: string;
};

export type Decision = Settlement | Note | Ignore | Contradiction;

export const NOTHING: Counters = {
  authorized: 0n,
  released: 0n,
  capturing: 0n,
  captured: 0n,
  refunding: 0n,
  refunded: 0n,
};

/** A settlement that moves the operation to `state` and changes what `change` names; everything else stays. */
export function settlement(
  order: OrderFacts,
  state: OperationState,
  change: Partial<Omit<Settlement, 'kind' | 'state' | 'live'>>,
): Settlement {
  const status = change.status ?? order.status;
  return {
    kind: 'settle',
    state,
    code: null,
    reason: null,
    others: [],
    attempt_dead: false,
    wins: false,
    cancel_pending: order.cancel_pending,
    counters: NOTHING,
    events: [],
    follow: undefined,
    postings: [],
    above: 0n,
    alert: undefined,
    payer: undefined,
    ...change,
    status,
    live: status === order.status ? order.live : ORDER_STATUSES[status].live,
  };
}

export const codeOf = (name: ResultName): string => result(name).code;

const FINAL: ReadonlySet<OperationState> = new Set(['successful', 'declined', 'not_sent']);

export function isFinal({ state }: { readonly state: OperationState }): boolean {
  return FINAL.has(state);
}

/** Refusals that say "this was done before". After a repeat they may be about our own first call. */
export const ECHOES: ReadonlySet<ResultName> = new Set([
  'provider_capture_already_done',
  'provider_capture_duplicated',
  'provider_capture_above_authorization',
  'provider_captures_too_many',
  'provider_refund_already_done',
  'provider_refund_duplicated',
  'provider_refund_above_captured',
  'provider_refunds_too_many',
  'issuer_cancel_already_done',
]);

/**
 * False: the approval is of another amount, currency or reference, so it is never applied. A value that the provider
 * did not repeat counts as the value that we asked for.
 */
export function isOurs(
  order: OrderFacts,
  operation: OperationFacts,
  outcome: Extract<Outcome, { kind: 'approved' }>,
): boolean {
  const { amount_minor, currency, our_reference } = outcome;
  return (
    (amount_minor ?? operation.amount_minor) === operation.amount_minor &&
    (currency ?? order.currency) === order.currency &&
    isAbout(our_reference, operation.id)
  );
}

/** Is an acknowledgement about this operation? One without a reference is about what was asked. */
export const isAbout = (our_reference: string | null, id: string): boolean => (our_reference ?? id) === id;

/** The state of an operation after an observation that proved nothing. */
export function unproved(operation: OperationFacts, policy: Policy): Note {
  const state = policy.review_due || operation.state === 'review' ? 'review' : 'in_doubt';
  const { waits_for } = operation;
  return { kind: 'note', state, waits_for: waits_for === 'provider' ? 'provider' : 'call' };
}

export type PostingLine = {
  readonly source: string;
  readonly posting: 'book' | 'unbook';
  readonly line: number;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount_minor: bigint;
};

/** The ledger rows of a settlement, once the ids of its operations are known. */
export function postingLines(
  { postings }: Settlement,
  ids: { readonly operation: string; readonly follow: string | null },
): readonly PostingLine[] {
  return postings.flatMap(({ source, posting, transfers }) =>
    transfers.map((transfer, index) => ({
      source: source === 'follow' ? (ids.follow ?? ids.operation) : ids.operation,
      posting,
      line: index + 1,
      ...transfer,
    })),
  );
}
