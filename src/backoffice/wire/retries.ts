// Wire: later tries of declined payments without the payer (contract 7.7).
//
//   GET  /api/retries                             Retries
//   POST /api/orders/{order_id}/stop-retries      ReasonForm → Retries
import type { Sum } from '../wire.ts';

export type RetryRow = {
  readonly order_id: string;
  readonly reference: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly scheme: string;
  readonly last4: string;
  readonly state: 'waiting' | 'running' | 'ended';
  /** Later tries that were made, of so many. */
  readonly tries: number;
  readonly most: number;
  /** Why it is tried again: advice, funds, technical, generic. */
  readonly cause: string | null;
  readonly next_at: string | null;
  readonly until: string;
  readonly ending: string | null;
  /** The same ending in words. */
  readonly ending_text: string | null;
  readonly ended_at: string | null;
};
export type RetrySum = {
  readonly currency: string;
  readonly count: number;
  readonly amount_minor: Sum;
};
export type Retries = {
  readonly planned: readonly RetryRow[];
  readonly ended: readonly RetryRow[];
  /** There are more than are listed; the sums are of all. */
  readonly more_planned: boolean;
  readonly more_ended: boolean;
  /** The day of the scheme limits that are kept; `old`: their sources were last looked at more than OLD_DAYS ago. */
  readonly caps: { readonly as_of: string; readonly old: boolean };
  /** The number of days in which they ended. */
  readonly days: number;
  readonly sums: {
    readonly planned: readonly RetrySum[];
    readonly recovered: readonly RetrySum[];
    readonly not_recovered: readonly RetrySum[];
    /** Later tries that have ended, by reason, the most frequent first. */
    readonly by_reason: readonly { readonly ending: string; readonly text: string; readonly count: number }[];
  };
};
