// Wire: reports that the worker makes.
export type ReportKind = 'orders' | 'captures' | 'refunds' | 'disputes';
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
  /** The same moments as the zone's clocks show them. */
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
  /** What is kept now, and what may be. */
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
