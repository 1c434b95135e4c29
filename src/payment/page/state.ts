// The state of the hosted page, from the checkout and its orders alone, never from what a browser brings back (contract
// 10.3, 10.4). A pure function: the same facts give the same page, however often it is opened.
import { sha256 } from '../../kit/crypto.ts';
import type { CheckoutStatus } from '../checkout/view.ts';

export type PageState =
  /** `declined`: it was tried before. */
  | { readonly kind: 'open'; readonly declined: boolean; readonly attempts_remaining: number }
  /** Another order is paid, or may be, in place of one of here (`held` of the facts). */
  | { readonly kind: 'held' }
  | { readonly kind: 'waiting'; readonly order_id: string }
  | { readonly kind: 'challenge'; readonly redirect_url: string }
  | { readonly kind: 'paid' | 'declined' | 'cancelled' | 'expired' };

export type PageFacts = {
  readonly status: CheckoutStatus;
  readonly attempts_remaining: number;
  /**
   * An order of elsewhere is paid, or may be: of a page that is open, one with the same order_merchant_id (contract
   * 7.3); of one that has ended unpaid, one of the same payment link.
   */
  readonly held: boolean;
  /** An order of here, or of the same payment link, ended unpaid, and that is not proved (`isUnproved`). */
  readonly unproved: boolean;
  /** Newest first. */
  readonly orders: readonly { readonly order_id: string; readonly live: boolean }[];
  /** The address that the payer must go to, while the payer of the live order must act. */
  readonly redirect_url: string | undefined;
};

export function stateOf({ status, attempts_remaining, held, unproved, orders, redirect_url }: PageFacts): PageState {
  const live = orders.find((order) => order.live);
  // no card is asked for, and nothing is said of money, until that has ended
  if (unproved && live === undefined) return { kind: 'waiting', order_id: orders[0]?.order_id ?? '' };
  switch (status) {
    case 'created':
      if (held) return { kind: 'held' };
      return { kind: 'open', declined: orders.length > 0, attempts_remaining };
    case 'processing':
      if (redirect_url !== undefined) return { kind: 'challenge', redirect_url };
      return { kind: 'waiting', order_id: live?.order_id ?? '' };
    case 'completed':
      return { kind: 'paid' };
    case 'declined':
    case 'cancelled':
    case 'expired':
      return { kind: held ? 'held' : status };
  }
}

export type Urls = Readonly<Record<(typeof RETURN_URLS)[number], string | undefined>>;
export const RETURN_URLS = ['accept_url', 'decline_url', 'cancel_url', 'pending_url', 'exception_url'] as const;

/** The address an ended page leads to (contract 10.3); undefined: our own page says it. */
export function returnUrl(state: PageState, urls: Urls, { tried }: { readonly tried: boolean }): string | undefined {
  if (state.kind === 'paid') return urls.accept_url;
  if (state.kind === 'declined') return urls.decline_url;
  // who gives up after a decline was declined
  if (state.kind === 'cancelled') return tried ? urls.decline_url : urls.cancel_url;
  if (state.kind === 'expired') return urls.exception_url;
  return undefined;
}

/**
 * Goes with a form and is good for one attempt: the same for every window that shows this attempt, another one after
 * it. It is the Idempotency-Key of the order, so whatever is sent twice makes one order.
 */
export function nonceOf(handle: string, attempts: number): string {
  return sha256(`page|${handle}|${attempts}`);
}
