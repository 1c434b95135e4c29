// Wire: risk rules and lists. Comes with the rules themselves; absent until then (404).
//
//   GET    /api/risk                       RiskRules
//   POST   /api/risk/test                  {rules} → RiskTest      a draft on last week's orders
//   POST   /api/risk/publish               {rules, base_version, reason} → RiskRules
//   POST   /api/risk/roll-back             {version, reason} → RiskRules
//   GET    /api/risk/versions              RiskVersions
//   GET    /api/risk/lists?list=&search=   ListEntries
//   POST   /api/risk/lists                 ListEntryForm → ListEntries
//   DELETE /api/risk/lists/{id}            {reason} → ListEntries

/** Rules are read from the top; each is data that the server checks and describes. */
export type RiskRule = Readonly<Record<string, unknown>> & { readonly says?: string };
export type RiskRules = {
  readonly version: number;
  readonly published_at: string | null;
  readonly published_by: string | null;
  readonly rules: readonly RiskRule[];
};
export type RiskVersions = { readonly versions: readonly RiskRules[] };
export type RiskTest = {
  readonly orders: number;
  readonly refused: number;
  readonly by_rule: readonly { readonly rule: number; readonly says: string; readonly refused: number }[];
};
export type ListEntry = {
  readonly id: string;
  readonly list: 'block' | 'allow';
  readonly subject: string;
  readonly shown: string;
  readonly note: string;
  readonly created_at: string;
  readonly created_by: string;
};
export type ListEntries = { readonly entries: readonly ListEntry[]; readonly subjects: readonly string[] };
export type ListEntryForm = {
  readonly list: 'block' | 'allow';
  readonly subject: string;
  readonly value: string;
  readonly note?: string;
  readonly reason: string;
};
