// The facts of an order: the rows from which an answer is made. A read fills them from the database, an accepted order
// from what it has just committed; a test of journeys checks that the two are equal.
import type { OrderStatus } from '../../../core/states.ts';
import type { Amounts } from '../../order-rules/amounts.ts';
import type { Otherwise } from './attempt-fields.ts';
import type { AuthenticationFacts } from './authentication-facts.ts';
import type { Said } from '../decide/decision.ts';
import type { StoredOrder } from '../accept/request.ts';
import type { DeclineNote, HeldNote } from '../../declines/held.ts';
import type { RiskNote } from '../../risk/note.ts';
import type { RetryFacts } from '../../retry-told.ts';
import type { RouteKept } from '../../routing/note.ts';
import type { OperationFacts } from './operation-columns.ts';

export type TransactionFacts = {
  readonly id: string;
  readonly provider: string;
  readonly contract_id: string | null;
  readonly token_type: string | null;
  /** Paid with a token of the provider's own in place of a card (contract 6.4). */
  readonly foreign: boolean;
  /** The number is a token of the scheme, known to no directory and no issuing bank's 3-D Secure. */
  readonly network_token: boolean;
  readonly payment_method_name: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly risk_score: number | null;
  readonly risk: RiskNote | null;
  /** The limits of its card's scheme held it back, or what would have followed it. */
  readonly held: HeldNote | null;
  /** What may follow the decline of this transaction. */
  readonly decline: DeclineNote | null;
  /** Why this contract; null: the account had no rules. */
  readonly route: RouteKept | null;
  readonly cascade_of: string | null;
  /** What the attempt was sent with otherwise than the one behind it; null: nothing, or there is none behind it. */
  readonly otherwise: Otherwise | null;
  readonly created_at: string;
};

export type { OperationFacts } from './operation-columns.ts';

export type EventFacts = {
  readonly type: string;
  readonly code: string | null;
  readonly at: string;
  readonly request_id: string | null;
};

/** A dispute: the part of a capture that the payer's bank took back, or wants back. */
export type DisputeFacts = {
  readonly id: string;
  readonly operation_id: string;
  /** A capture may have several disputes, and one that was won may come again: from 1. */
  readonly round: number;
  /** The provider's own id of it, where it told one: what tells two disputes of one capture apart. */
  readonly reference: string | null;
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
  readonly reason: string;
  readonly reason_code: string;
  readonly opened_at: string;
  /** When its provider last said something new of it, by the provider's clock. */
  readonly told_at: string;
};

/** A contradiction: what a provider said against a final state, until something ends it. */
export type ContradictionFacts = {
  readonly id: string;
  readonly operation_id: string;
  readonly held: 'successful' | 'declined' | 'not_sent';
  readonly said: Said;
  /** The provider's own id of what it approved, where it named one. */
  readonly provider_ref: string | null;
  readonly opened_at: string;
};

export type OrderFacts = Amounts & {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly checkout_id: string | null;
  readonly order_merchant_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly version: number;
  readonly winner_id: string | null;
  /** The amount by which a person's ruling exceeds these limits; nearly always 0. */
  readonly above_minor: bigint;
  /** A cancel was accepted and is not decided. */
  readonly cancel_pending: boolean;
  /** Of its checkout, if it has one. */
  readonly attempts_used: number;
  readonly attempts_remaining: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** The moment these facts were read, on the database's clock. */
  readonly read_at: string;
  /** An earlier moment, until which time has passed for all we know: that clock was set forward (decision 177). */
  readonly passed_at?: string;
  /** Everything the merchant gave, the checkout's fields under the order's own. */
  readonly body: StoredOrder;
  readonly transactions: readonly TransactionFacts[];
  readonly operations: readonly OperationFacts[];
  readonly authentications: readonly AuthenticationFacts[];
  readonly events: readonly EventFacts[];
  readonly disputes: readonly DisputeFacts[];
  /** Open ones. */
  readonly contradictions: readonly ContradictionFacts[];
  /** The order's later tries; null: no decline has started a policy. */
  readonly retry: RetryFacts | null;
};

/** The last attempt: the one the top level of an answer speaks of. */
export function lastTransaction(order: OrderFacts): TransactionFacts {
  const last = order.transactions.at(-1);
  if (!last) throw new Error(`order ${order.id} has no transaction`);
  return last;
}

type OfTransaction = { readonly transaction_id: string };

/** The transaction that an operation or an authentication belongs to. */
export function transactionOf(
  { transactions }: OrderFacts,
  { transaction_id }: OfTransaction,
): TransactionFacts | undefined {
  return transactions.find(({ id }) => id === transaction_id);
}

/** The name of the provider that an operation goes to. */
export function providerNameOf(order: OrderFacts, of: OfTransaction): string {
  return transactionOf(order, of)?.provider ?? '';
}
