// Wire: risk rules and lists.
//
//   GET    /api/risk                       RiskRules
//   POST   /api/risk/test                  {rules} → RiskTest      a draft on last week's orders
//   POST   /api/risk/publish               {rules, base_version, reason} → RiskRules
//   POST   /api/risk/roll-back             {version, base_version, reason} → RiskRules
//   GET    /api/risk/versions              RiskVersions
//   GET    /api/risk/lists?cursor          ListEntries             the newest 500, or those before
//   POST   /api/risk/lists                 ListEntryForm → ListEntries
//   DELETE /api/risk/lists/{id}            {reason} → ListEntries
import type { VersionForm, RuleVersion } from './versions.ts';

/** Rules are read from the top; each is data (src/core/risk/rules.ts), checked by the server. */
export type RiskRule = Readonly<Record<string, unknown>>;
export type RiskRules = RuleVersion & { readonly rules: readonly RiskRule[] };
export type RiskVersions = { readonly versions: readonly RiskRules[] };
export type RiskTest = {
  readonly attempts: number;
  /** False: there were more orders than are played. */
  readonly complete: boolean;
  readonly refused: number;
  /** The number that the rules of the day really refused. */
  readonly refused_then: number;
  readonly rules: readonly {
    readonly rule: string;
    readonly code: string;
    readonly hits: number;
    /** How many of these orders were paid. */
    readonly paid: number;
    readonly order_ids: readonly string[];
  }[];
};
export type RiskDraft = { readonly rules: readonly RiskRule[] };
export type RiskPublishForm = RiskDraft & VersionForm;
export type ListEntry = {
  readonly id: string;
  readonly list: 'block' | 'allow';
  readonly subject: string;
  /** The value, its personal part hidden. */
  readonly shown: string;
  readonly note: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly until: string | null;
};
export type ListEntries = {
  readonly entries: readonly ListEntry[];
  /** Null: there are no older ones. */
  readonly next_cursor: string | null;
  readonly subjects: readonly string[];
};
export type ListEntryForm = {
  readonly list: 'block' | 'allow';
  readonly subject: string;
  readonly value: string;
  readonly note?: string;
  readonly until?: string;
  readonly reason: string;
};
