// What best_of rules have learnt and how a comparison of two versions stands, as people are shown it: by the command
// and in the back office.
import type { Group } from '../experiment.ts';
import type { DrawnBy } from '../table.ts';
import type { Interval, Method, Metric, Verdict } from './verdict.ts';
import type { Seen } from './weights.ts';

/** A contract with its share in basis points. */
export type ArmLearnt = {
  readonly contract: string;
  readonly points: number;
  readonly seen: Seen;
  /**
   * The part of an approved payment that is left after fees (and within the margin); null: the rule does not choose by
   * value, or fees are not known.
   */
  readonly kept: number | null;
};

export type RuleLearnt = {
  readonly rule: string;
  /** Why it keeps to its own order; null: it does not. */
  readonly stopped: string | null;
  /**
   * Outcomes that the contract with the fewest has, where they are too few to leave the rule's own order; null: enough.
   */
  readonly missing: number | null;
  readonly needed: number;
  readonly by: 'approval' | 'value';
  readonly control: Seen;
  readonly others: Seen;
  /**
   * The part of a payment that is left after fees, on average over all tries; null: the rule does not choose by value,
   * or nothing was tried.
   */
  readonly left: { readonly control: number; readonly others: number } | null;
  /**
   * For a rule by value: the cells that are decided by approval all the same, because the fees of a contract are not
   * known there.
   */
  readonly without_fees: readonly string[];
  readonly arms: readonly ArmLearnt[];
  /** The cells with shares of their own: the currency, the scheme and who pays. */
  readonly cells: readonly { readonly cell: string; readonly arms: readonly ArmLearnt[] }[];
};

export type RoutesLearnt = { readonly version: number; readonly rules: readonly RuleLearnt[] };

export type GroupShown = {
  /** a: by the rules that were in force when it began. */
  readonly group: Group;
  readonly version: number;
  /** In basis points. */
  readonly share: number;
  readonly decided: number;
  readonly approved: number;
  /**
   * In a comparison by value: the part of an order that is left after fees, on average. Null: by approval, or fees are
   * not known.
   */
  readonly left: number | null;
  /** The interval of the rate, or of the part that is left; null: nothing is decided yet. */
  readonly interval: Interval | null;
};

/** A moment is a text once it was sent to the browser. */
export type ExperimentShown<Moment = Date> = {
  readonly number: number;
  /** The subject that stays in one group. */
  readonly subject: DrawnBy;
  readonly method: Method;
  readonly metric: Metric;
  readonly started_at: Moment;
  readonly started_by: string;
  readonly reason: string;
  readonly ends_at: Moment;
  readonly ended_at: Moment | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
  /** Which group is better; none: no difference was found. */
  readonly verdict: Verdict | null;
  readonly verdict_at: Moment | null;
  readonly groups: readonly GroupShown[];
  /** The difference of b minus a; null: too little was seen. */
  readonly difference: Interval | null;
  /** What is missing until there is a verdict; empty: there is one, or the comparison has ended without one. */
  readonly missing: string;
};
