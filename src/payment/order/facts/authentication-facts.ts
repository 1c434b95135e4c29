// The facts of an authentication. They never contain the authentication value.
import type { Demand, Version } from '../../../provider/three-ds/contract.ts';
import type { OrderFacts } from './order-facts.ts';

export type AuthenticationState = 'requested' | 'method' | 'challenge' | 'successful' | 'declined';

export type AuthenticationFacts = {
  readonly id: string;
  readonly transaction_id: string;
  readonly demand: Demand;
  /** `requested`: directory or bank are being asked. `method` and `challenge`: the payer must act. */
  readonly state: AuthenticationState;
  /** 64 hex characters: of the payer's page. */
  readonly handle: string;
  readonly partner: string;
  readonly version: Version | null;
  readonly server_id: string | null;
  readonly acs_transaction_id: string | null;
  /** Null: the bank reaches the payer by itself. */
  readonly acs_url: string | null;
  readonly method_url: string | null;
  /** The provider sees the payer itself: `acs_url` is its page. */
  readonly provider_run: boolean;
  /** The form that our page posts to the provider; null: it is a link. */
  readonly form: Readonly<Record<string, string>> | null;
  readonly trans_status: string | null;
  readonly eci: string | null;
  readonly ds_transaction_id: string | null;
  readonly liability_shifted: boolean;
  readonly code: string | null;
  readonly request_id: string | null;
  readonly created_at: string;
  readonly settled_at: string | null;
};

export function isOpen({ state }: AuthenticationFacts): boolean {
  return state !== 'successful' && state !== 'declined';
}

/** The payer must act, and has an address to do it at. */
export function waitsForPayer({ state }: AuthenticationFacts): boolean {
  return state === 'method' || state === 'challenge';
}

/**
 * Since when the payer has been waited for, as ms since 1970; undefined: they are not. A try that follows in the same
 * wait does not begin it anew.
 */
export function payerWaitedForSince({ status, events }: Pick<OrderFacts, 'status' | 'events'>): number | undefined {
  const asked = events.findLast(({ type }) => type === 'authentication_requested' && status === type);
  return asked && Date.parse(asked.at);
}

/** How many ms of so many minutes the payer has left to act; undefined: none, or they need not. */
export function payerHasLeft(order: OrderFacts, minutes: number): number | undefined {
  const since = payerWaitedForSince(order);
  const left = since === undefined ? 0 : since + minutes * 60_000 - Date.parse(order.read_at);
  return left > 0 ? left : undefined;
}

/** The authentication that counts for a transaction: its own, or that of the try before within the same attempt. */
export function authenticationOf(order: OrderFacts, transaction_id: string): AuthenticationFacts | undefined {
  const own = order.authentications.find((one) => one.transaction_id === transaction_id);
  if (own) return own;
  const before = order.transactions.find(({ id }) => id === transaction_id)?.cascade_of;
  return before ? authenticationOf(order, before) : undefined;
}

/** The one that is under way; an order has at most one. */
export function openAuthentication(order: OrderFacts): AuthenticationFacts | undefined {
  return order.authentications.find(isOpen);
}

/** The authentication as it is in this order now. Throws if it belongs to another order. */
export function currentOf(order: OrderFacts, { id }: AuthenticationFacts): AuthenticationFacts {
  const now = order.authentications.find((one) => one.id === id);
  if (!now) throw new Error(`order ${order.id} has no authentication ${id}`);
  return now;
}
