// Wire: what belongs to a merchant account: contracts with providers, keys, settings.
import type { FeeGap } from '../../core/routing/fee-gaps.ts';
import type { FeeRow } from '../../core/routing/fees.ts';
import type { Settings } from '../../payment/merchant/settings.ts';

export type { FeeGap, FeeRow, Settings };

export type Contract = {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly priority: number;
  readonly enabled: boolean;
  /** Empty lists: anything. */
  readonly methods: readonly string[];
  readonly currencies: readonly string[];
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly authorization_days: number;
  /** A person's decision, whatever the calls show: `open`: no new payments; `closed`: the contract is well. */
  readonly held: 'open' | 'closed' | null;
  /** Null: until a person ends it. */
  readonly held_until: string | null;
  /** The changes of the last 24 hours, the oldest first: because of declines, or by a person's hold. */
  readonly changes: readonly HealthStep[];
  /** The stated fees, the newest first; at most 10. */
  readonly fees: readonly StatedFees[];
  /** The address to which the provider sends its messages; null: it sends none. */
  readonly messages_to: string | null;
  /** The credentials that the provider wants; `set_at` null: not given yet. The values are never answered. */
  readonly credentials: readonly {
    readonly name: string;
    readonly required: boolean;
    /** send: goes with calls; check: proves messages of the provider. */
    readonly use: 'send' | 'check';
    readonly help: string;
    readonly set_at: string | null;
    /** For a secret that proves messages: the value before it stays valid until it is removed. */
    readonly older_set_at: string | null;
  }[];
};
/** `state`: of the versions that have begun one holds. Days are of UTC. */
export type StatedFees = {
  readonly version: number;
  readonly valid_from: string;
  readonly state: 'holds' | 'to_come' | 'past';
  readonly stated_by: string;
  readonly stated_at: string;
  readonly reason: string | null;
  /** Null: not told. */
  readonly acquirer_country: string | null;
  readonly rows: readonly FeeRow[];
  /** Payments that no row tells; what is absent is any. */
  readonly gaps: readonly FeeGap[];
};
/** `from`: a day; without it today. `base_version`: the newest that the person saw, 0: none. */
export type FeesForm = {
  readonly base_version: number;
  readonly fees: readonly FeeRow[];
  readonly acquirer_country?: string;
  readonly from?: string;
  readonly reason: string;
};
export type HealthStep = {
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly by: string | null;
  /** For one contract: the scheme whose payments it declined. */
  readonly scheme: string | null;
};
export type ProviderInfo = {
  readonly name: string;
  readonly display_name: string;
  readonly health: 'well' | 'down';
  /** closed: takes payments; half, spread: a part of them; open: none. */
  readonly state: string;
  /** The changes of the last 24 hours before `at`, the oldest first. */
  readonly changes: readonly HealthStep[];
  readonly at: string;
  readonly can: Readonly<Record<string, boolean | number | string>>;
};
export type Providers = { readonly contracts: readonly Contract[]; readonly providers: readonly ProviderInfo[] };
export type ContractForm = Partial<
  Pick<Contract, 'priority' | 'enabled' | 'methods' | 'currencies' | 'channels' | 'countries'>
> & {
  /** The contract that is tried directly before it: the two change places. */
  readonly before?: string;
  /** What the person saw: where something else is there by now, nothing is changed. */
  readonly was?: Partial<Pick<Contract, 'priority' | 'methods' | 'currencies' | 'channels' | 'countries'>>;
  readonly reason: string;
};
/** free: as its calls say again. `until`: a moment; without it until it is let go. */
export type HoldForm = { readonly held: 'open' | 'closed' | 'free'; readonly until?: string; readonly reason: string };
export type NewContractForm = { readonly name: string; readonly provider: string; readonly reason: string };
/** Null removes: of two values the older one. */
export type CredentialsForm = { readonly values: Readonly<Record<string, string | null>>; readonly reason: string };
/** refused: it answers, and does not take the contract's credentials; silent: nothing came back in time. */
export type TestCall = {
  readonly outcome: 'answered' | 'refused' | 'silent';
  readonly duration_ms: number;
  readonly detail: string;
};

export type ApiKey = {
  readonly id: string;
  readonly kind: 'private' | 'public';
  readonly label: string;
  /** The scopes of a private key; null: all. */
  readonly scopes: readonly string[] | null;
  readonly created_at: string;
  /** The last use, to the minute; null: never, or before this was stored. */
  readonly last_used_at: string | null;
  /** A private key, and a browser brought it: then for the last time. */
  readonly in_page_at: string | null;
  /** Rolled: it works until then. */
  readonly ends_at: string | null;
  readonly revoked_at: string | null;
};
export type Keys = {
  readonly keys: readonly ApiKey[];
  readonly environment: 'sandbox' | 'production';
  /** Every scope there is, and whether this person may give it to a key. */
  readonly scopes: readonly { readonly name: string; readonly meaning: string; readonly yours: boolean }[];
};
/**
 * `scopes`: what a private key may be used for; without them everything, which needs the right to all of it.
 * `text`: of an existing integration, 24 to 128 letters, digits, _ or -; without it one is made.
 */
export type KeyForm = {
  readonly kind: 'private' | 'public';
  readonly label: string;
  readonly scopes?: readonly string[];
  readonly text?: string;
};
/** `text` is shown this once; null: it was brought, and is never shown. */
export type NewKey = Keys & { readonly id: string; readonly text: string | null };
/** The old key works for so many hours more, MOST_OVERLAP_H at the most. */
export type RollForm = { readonly overlap_hours: number; readonly reason: string };

export type SettingsState = {
  readonly name: string;
  readonly settings: Settings;
  readonly defaults: Settings;
  /** The languages that page_languages may name. */
  readonly languages: Settings['page_languages'];
};
