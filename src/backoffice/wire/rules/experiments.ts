// Wire: two versions of routing rules compared on live orders.
//
//   GET    /api/experiments                     Experiments      the newest first
//   POST   /api/experiments                     ExperimentForm → Experiments
//   POST   /api/experiments/:number/end         {reason} → Experiments
import type { ExperimentShown } from '../../../core/routing/learn/shown.ts';
import type { Method, Metric } from '../../../core/routing/learn/verdict.ts';
import type { DrawnBy } from '../../../core/routing/table.ts';

export type Experiment = ExperimentShown<string>;
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
  readonly subject: DrawnBy;
  /** Decided once at its end, or at any look before it. */
  readonly method: Method;
  /** Absent: approval. */
  readonly metric?: Metric;
  readonly days: number;
  readonly reason: string;
};
export type ExperimentEndForm = { readonly reason: string };
