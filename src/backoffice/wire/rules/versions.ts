// Wire: versions of published rules, the same for risk rules and for routing rules.

/** Version 0: none was published. */
export type RuleVersion = {
  readonly version: number;
  readonly published_at: string | null;
  readonly published_by: string | null;
  readonly note: string | null;
  readonly rolled_back_to: number | null;
};
/** `base_version`: the one in force that the person saw. */
export type VersionForm = { readonly base_version: number; readonly reason: string };
export type RollBackForm = VersionForm & { readonly version: number };
