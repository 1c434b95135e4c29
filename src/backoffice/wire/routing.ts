// Wire: routing rules.
//
//   GET    /api/routing                    RoutingRules
//   GET    /api/routing/versions           RoutingVersions
//   GET    /api/routing/learnt             RoutingLearnt     shares that best_of rules have learnt
//   POST   /api/routing/go-on              {rule, reason} → RoutingLearnt       one that was stopped
//   GET    /api/routing/cells              RoutingCells      where the payments of the last days went
//   POST   /api/routing/test               {document, after} → RoutingTest      a part of the last 30 days
//   POST   /api/routing/publish            {document, base_version, reason} → RoutingRules
//   POST   /api/routing/roll-back          {version, base_version, reason} → RoutingRules

import type { RollBackForm, RuleVersion } from './risk.ts';

export type RoutingRollBackForm = RollBackForm;

/** A rule is data (src/core/routing/table.ts), checked by the server: name, when, then. */
export type RoutingRule = {
  readonly name: string;
  readonly when?: Readonly<Record<string, unknown>>;
  readonly then: Readonly<Record<string, unknown>>;
};
export type RoutingDocument = {
  readonly rules: readonly RoutingRule[];
  readonly else?: 'refuse';
  readonly cascade?: number;
};
export type RoutingRules = RuleVersion & {
  readonly document: RoutingDocument;
  /** Contracts that a rule may name, in the order of their priority. */
  readonly contracts: readonly { readonly name: string; readonly provider: string; readonly enabled: boolean }[];
};
export type RoutingVersions = { readonly versions: readonly Omit<RoutingRules, 'contracts'>[] };
export type RoutingCell = {
  readonly currency: string;
  readonly scheme: string;
  readonly contract: string | null;
  readonly attempts: number;
  readonly approved: number;
};
export type RoutingCells = {
  readonly days: number;
  /** Only the newest orders were looked at, from this moment on; null: all of these days. */
  readonly from: string | null;
  readonly cells: readonly RoutingCell[];
};
export type RoutingWarning = { readonly rule: string | null; readonly says: string };
/** Sums of a sample, of which the page makes an estimate. */
export type RoutingSums = {
  readonly orders: number;
  readonly y: number;
  readonly w: number;
  readonly w2: number;
  readonly wy: number;
  readonly w2y: number;
  readonly w2yy: number;
  readonly unseen: number;
};
/** `same`: go where they went, and cost the same. `unknown`: no fee was stated for them. */
export type RoutingCost = {
  readonly currency: string;
  readonly known: number;
  readonly known_minor: number;
  readonly same: number;
  readonly same_minor: number;
  readonly unknown: number;
  readonly outcome: RoutingSums;
};
export type RoutingTest = {
  readonly attempts: number;
  readonly moved: number;
  readonly refused: number;
  readonly refused_then: number;
  readonly defects: number;
  readonly tried_again: number;
  readonly rules: readonly { readonly rule: string | null; readonly attempts: number; readonly moved: number }[];
  readonly moves: readonly {
    readonly from: string | null;
    readonly to: string | null;
    readonly scheme: string;
    readonly currency: string;
    readonly attempts: number;
    readonly approved: number;
  }[];
  readonly examples: readonly {
    readonly order_id: string;
    readonly from: string | null;
    readonly to: string | null;
    readonly rule: string | null;
  }[];
  /**
   * Sums, added up over the parts, from which the page works out what would have been approved
   * (src/core/routing/learn/snips.ts).
   */
  readonly outcome: RoutingSums;
  /** The costs of the payments by the stated fees (src/core/routing/learn/trial-cost.ts), in minor units. */
  readonly costs: readonly RoutingCost[];
  readonly warnings: readonly RoutingWarning[];
  /** The place where the next part begins; null: this was the last. */
  readonly next: string | null;
  /** Share of the days that is done, 0 to 1. */
  readonly done: number;
};
export type RoutingTestForm = { readonly document: RoutingDocument; readonly after?: string };
export type RoutingPublishForm = {
  readonly document: RoutingDocument;
  readonly base_version: number;
  readonly reason: string;
};
/** Outcomes of first attempts that say something of a contract. */
export type RoutingSeen = { readonly approved: number; readonly tried: number };
/**
 * A contract with its share in basis points. `kept`: part of an approved payment that is left after fees; null: by
 * approval.
 */
export type RoutingArm = {
  readonly contract: string;
  readonly points: number;
  readonly seen: RoutingSeen;
  readonly kept: number | null;
};
export type RoutingLearntRule = {
  readonly rule: string;
  /** Why it keeps to its own order; null: it does not. */
  readonly stopped: string | null;
  /** Outcomes that the contract with the fewest has, where they are fewer than needed; null: enough. */
  readonly missing: number | null;
  readonly needed: number;
  readonly by: 'approval' | 'value';
  readonly control: RoutingSeen;
  readonly others: RoutingSeen;
  /** For a rule by value: the part of a payment that is left after fees, on average over all tries. */
  readonly left: { readonly control: number; readonly others: number } | null;
  /**
   * For a rule by value: payments that go by approval all the same, because the fees of a contract are not known there.
   */
  readonly without_fees: readonly string[];
  readonly arms: readonly RoutingArm[];
  readonly cells: readonly { readonly cell: string; readonly arms: readonly RoutingArm[] }[];
};
export type RoutingLearnt = { readonly version: number; readonly rules: readonly RoutingLearntRule[] };
export type RoutingGoOnForm = { readonly rule: string; readonly reason: string };
