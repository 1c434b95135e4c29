// Wire: two versions of routing rules compared on live orders.
//
//   GET    /api/experiments                     Experiments      the newest first
//   POST   /api/experiments                     ExperimentForm → Experiments
//   POST   /api/experiments/:number/end         {reason} → Experiments

export type ExperimentInterval = { readonly from: number; readonly to: number };
export type ExperimentGroup = {
  /** a: by the rules that were in force when it began. */
  readonly group: 'a' | 'b';
  readonly version: number;
  /** In basis points. */
  readonly share: number;
  readonly decided: number;
  readonly approved: number;
  /**
   * In a comparison by value: the part of an order that is left after fees, on average; null: by approval, or fees are
   * not known.
   */
  readonly left: number | null;
  readonly interval: ExperimentInterval | null;
};
export type Experiment = {
  readonly number: number;
  /** The subject that stays in one group. */
  readonly subject: 'order' | 'customer' | 'card';
  /** Decided once at its end, or at any look before it. */
  readonly method: 'fixed' | 'sequential';
  readonly metric: 'approval' | 'value';
  readonly started_at: string;
  readonly started_by: string;
  readonly reason: string;
  readonly ends_at: string;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
  /** Which group is better; none: no difference was found. */
  readonly verdict: 'a' | 'b' | 'none' | null;
  readonly verdict_at: string | null;
  readonly groups: readonly ExperimentGroup[];
  /** The difference of b minus a; null: too little was seen. */
  readonly difference: ExperimentInterval | null;
  /** What is missing until there is a verdict, in words; empty: nothing. */
  readonly missing: string;
};
export type Experiments = {
  readonly experiments: readonly Experiment[];
  /** The version in force, and those that may be compared with it; the newest first. */
  readonly in_force: number;
  readonly versions: readonly { readonly version: number; readonly rules: number; readonly note: string | null }[];
};
export type ExperimentForm = {
  readonly version: number;
  /** The one in force that the person compares it with. */
  readonly base_version: number;
  /** The share of the other version, in basis points. */
  readonly share: number;
  readonly subject: 'order' | 'customer' | 'card';
  readonly method: 'fixed' | 'sequential';
  /** Absent: approval. */
  readonly metric?: 'approval' | 'value';
  readonly days: number;
  readonly reason: string;
};
export type ExperimentEndForm = { readonly reason: string };
