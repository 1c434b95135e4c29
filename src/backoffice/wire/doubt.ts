// Wire: what is disputed, what is in doubt, and what a provider contradicts.
import type { OrderOperation } from './orders.ts';

/** opened and lost: the money is away; won: it came back. */
export type DisputeState = 'opened' | 'won' | 'lost';

/**
 * A part of a capture that a payer's bank took back. After a dispute that was won, the same capture may have another.
 */
export type OrderDispute = {
  readonly id: string;
  readonly capture_id: string;
  readonly state: DisputeState;
  readonly amount_minor: number;
  readonly reason: string;
  readonly reason_code: string;
  readonly opened_at: string;
};

/** A provider said the opposite of what is final here, and a person has not ruled on it. */
export type OrderContradiction = {
  readonly operation_id: string;
  readonly about: OrderOperation['kind'];
  /** The state that we hold. */
  readonly held: 'successful' | 'declined' | 'not_sent';
  /** What the provider said: approved, declined, corrected (reported done, failed later), reversed. */
  readonly said: string;
  readonly amount_minor: number;
  readonly since: string;
};

export type InDoubt = {
  readonly operation_id: string;
  readonly order_id: string;
  readonly kind: string;
  /** contradicted: it is final here, and the provider says the opposite. */
  readonly state: 'in_doubt' | 'reversing' | 'review' | 'contradicted';
  /** For a contradicted operation: our final state and what the provider said. Null otherwise. */
  readonly contradiction: Pick<OrderContradiction, 'held' | 'said'> | null;
  readonly provider: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly since: string;
  /** What the service does about the operation, in words. */
  readonly doing: string;
  readonly next_look_at: string;
  readonly tries: number;
  /** Files with what was seen, where nothing of it is in the database; empty text: one that is being written. */
  readonly archives: readonly string[];
  readonly sights: readonly {
    readonly at: string;
    readonly source: string;
    readonly outcome: string;
    readonly why: string | null;
  }[];
  /** Above the limit: two people must say the same. */
  readonly two_people: boolean;
  readonly rulings: readonly {
    readonly by: string;
    readonly ruling: 'done' | 'not-done';
    readonly reason: string;
    readonly provider_ref: string | null;
    readonly at: string;
  }[];
};
/** A provider told something that was kept and moved nothing: a person looks. */
export type ParkedMessage = {
  readonly contract_id: string;
  /** The name of the contract; its id if the contract is gone. */
  readonly contract: string;
  readonly provider: string;
  /** The provider's own id of the event. */
  readonly event_ref: string;
  readonly order_id: string | null;
  readonly reason: string;
  readonly received_at: string;
  /** The beginning of the text, with long runs of digits masked. */
  readonly text: string;
};
export type ParkedList = { readonly messages: readonly ParkedMessage[]; readonly more: boolean };
export type SetAsideForm = { readonly event_ref: string; readonly reason: string };
/** What waits for a person first. `more`: there are others, which the search for orders in doubt finds. */
export type InDoubtList = { readonly operations: readonly InDoubt[]; readonly more: boolean };
/** `provider_ref` where the provider's own id is not known here. */
export type ResolutionForm = {
  readonly as: 'done' | 'not-done';
  readonly reason: string;
  readonly provider_ref?: string;
};
export type ResolutionAnswer = { readonly kind: 'settled' | 'waits'; readonly detail: string };
