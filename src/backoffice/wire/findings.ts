// Wire: findings of florin reconcile, where our books and a provider's differ.
//
//   GET  /api/findings                   FindingPage
//   POST /api/findings/{id}/settle       SettleForm → Done
import type { Page } from '../wire.ts';

export type FindingState = 'open' | 'resolved' | 'settled';

export type FindingRow = {
  readonly id: string;
  readonly kind: 'missing here' | 'missing there' | 'amount' | 'currency' | 'state' | 'double effect';
  readonly provider: string;
  readonly what: 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal';
  /** As the provider knows the operation. */
  readonly reference: string;
  readonly order_id: string;
  /** As the API has it; null: there is no such order here. */
  readonly order_merchant_id: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** By how much the books are apart. */
  readonly amount_minor: number;
  readonly currency: string;
  /** The file that showed it last. */
  readonly source: string;
  /** How many are open of that file. */
  readonly of_source: number;
  /** What `--apply` made of it; empty where it was not asked to. */
  readonly became: string;
  readonly state: FindingState;
  readonly found_at: string;
  readonly seen_at: string;
  readonly ended_at: string | null;
  /** The file that agreed. */
  readonly resolved_by: string | null;
  /** Of who settled it last. One that is open again keeps them. */
  readonly note: string | null;
  readonly by: string | null;
};
export type FindingPage = Page & { readonly findings: readonly FindingRow[] };
/** `all`: every open one of the same file. */
export type SettleForm = { readonly reason: string; readonly all?: boolean };
