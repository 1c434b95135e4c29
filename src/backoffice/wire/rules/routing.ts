// Wire: routing rules.
//
//   GET    /api/routing                    RoutingRules
//   GET    /api/routing/versions           RoutingVersions
//   GET    /api/routing/learnt             RoutesLearnt     shares that best_of rules have learnt
//   POST   /api/routing/go-on              {rule, reason} → RoutesLearnt        one that was stopped
//   GET    /api/routing/cells              RoutingCells      where the payments of the last days went
//   POST   /api/routing/test               {document, after} → RoutingTest      a part of the last 30 days
//   POST   /api/routing/publish            {document, base_version, reason} → RoutingRules
//   POST   /api/routing/roll-back          {version, base_version, reason} → RoutingRules

import type { SnipsSums } from '../../../core/routing/learn/snips.ts';
import type { TrialCost } from '../../../core/routing/learn/trial-cost.ts';
import type { VersionForm, RuleVersion } from './versions.ts';

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
   * Sums, added up over the parts, from which the page works out what would have been approved.
   */
  readonly outcome: SnipsSums;
  /** The costs of the payments by the stated fees. */
  readonly costs: readonly TrialCost[];
  readonly warnings: readonly RoutingWarning[];
  /** The place where the next part begins; null: this was the last. */
  readonly next: string | null;
  /** Share of the days that is done, 0 to 1. */
  readonly done: number;
};
export type RoutingTestForm = { readonly document: RoutingDocument; readonly after?: string };
export type RoutingPublishForm = VersionForm & { readonly document: RoutingDocument };
export type RoutingGoOnForm = { readonly rule: string; readonly reason: string };
