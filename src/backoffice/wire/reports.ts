// Wire: reports that the worker makes, and what a reconciliation found in those of providers.
import type { Page } from '../wire.ts';

export type ReportKind = 'orders' | 'captures' | 'refunds' | 'disputes' | 'bookings';
export type ReportFormat = 'csv' | 'jsonl' | 'xlsx';

export type Report = {
  readonly id: string;
  readonly name: string;
  readonly kind: ReportKind;
  readonly format: ReportFormat;
  readonly every: 'daily' | 'weekly' | 'monthly';
  readonly zone: string;
  readonly next_at: string;
  readonly created_by: string;
};
export type ReportRun = Pick<Report, 'id' | 'name' | 'kind' | 'format' | 'zone'> & {
  readonly from_at: string;
  readonly to_at: string;
  /** The same moments as the clocks of the zone show them. */
  readonly from_local: string;
  readonly to_local: string;
  /** gone: its days are over. */
  readonly state: 'waiting' | 'done' | 'failed' | 'gone';
  readonly rows: number;
  readonly size: number;
  readonly note: string;
  readonly requested_by: string;
  readonly created_at: string;
  readonly gone_at: string;
};
export type Reports = {
  readonly reports: readonly Report[];
  /** The newest 100. */
  readonly runs: readonly ReportRun[];
  readonly most_rows: number;
  readonly kept_days: number;
  /** How much is stored now, and how much may be. */
  readonly kept_bytes: number;
  readonly most_kept_bytes: number;
};
/** `from` and `to`: whole days of the zone, both included, of a report that is made once. */
export type ReportForm = {
  readonly name: string;
  readonly kind: ReportKind;
  readonly format: ReportFormat;
  readonly every: 'once' | 'daily' | 'weekly' | 'monthly';
  readonly zone: string;
  readonly from?: string;
  readonly to?: string;
};

export type FindingState = 'open' | 'resolved' | 'settled';

export type FindingRow = {
  readonly id: string;
  readonly kind: 'missing here' | 'missing there' | 'amount' | 'currency' | 'state' | 'double effect';
  readonly provider: string;
  readonly what: 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal';
  /** The reference by which the provider knows the operation. */
  readonly reference: string;
  readonly order_id: string;
  /** The id that the API has; null: there is no such order here. */
  readonly order_merchant_id: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** The difference between the books. */
  readonly amount_minor: number;
  readonly currency: string;
  /** The file that showed it last. */
  readonly source: string;
  /** Names the finding as it is shown, to settle it. */
  readonly mark: string;
  /** How many are open of that file. */
  readonly of_source: number;
  /** Names these as they are shown, to settle them all; null: none is open. */
  readonly of_source_mark: string | null;
  /** What `--apply` did with the finding; empty if it was not asked for. */
  readonly became: string;
  readonly state: FindingState;
  readonly found_at: string;
  readonly seen_at: string;
  readonly ended_at: string | null;
  /** The file that agreed. */
  readonly resolved_by: string | null;
  /** The note of the person who settled the finding last. A finding that is open again keeps it. */
  readonly note: string | null;
  readonly by: string | null;
};
export type FindingPage = Page & { readonly findings: readonly FindingRow[] };
/** `mark`: as the list gave it. `all`: every open one of the same file, by the mark of these (`of_source_mark`). */
export type SettleForm = { readonly reason: string; readonly mark: string; readonly all?: boolean };
