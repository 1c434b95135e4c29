// Wire: what belongs to a merchant account: contracts with providers, keys, settings.

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
/**
 * Absent currency or scheme: any. Decimal texts: percent of an approved amount, what each approved one and each attempt
 * costs.
 */
export type FeeRow = {
  readonly currency?: string;
  readonly scheme?: string;
  /** The region in which the card was issued, seen from the acquirer's country. */
  readonly region?: 'domestic' | 'intra_eea' | 'inter_region';
  readonly funding?: 'credit' | 'debit' | 'prepaid';
  readonly percent: string;
  readonly fixed?: string;
  readonly attempt?: string;
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
/** `others`: of schemes that no row names. */
export type FeeGap = {
  readonly [name in 'currency' | 'scheme' | 'region' | 'funding']?: string | undefined;
} & { readonly others?: boolean };
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
/** The old key works for so many hours more: 0 to 168. */
export type RollForm = { readonly overlap_hours: number; readonly reason: string };

/** Contract 1.3 and the hosted page. */
export type Settings = {
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
  readonly strict_contract: boolean;
  readonly named_contract: 'first' | 'only' | 'advice';
  readonly require_cvc_for_saved_cards: boolean;
  readonly default_authentication_indicator: 'no_3ds' | 'ask_3ds' | 'force_3ds';
  readonly wait_authorize: number;
  readonly wait_direct_capture: number;
  readonly wait_capture: number;
  readonly wait_refund: number;
  readonly wait_cancel: number;
  readonly unique_order_merchant_id: boolean;
  readonly challenge_minutes: number;
  readonly display_save: boolean;
  readonly mail_receipts: boolean;
  readonly risk_score_suspicious: number;
  readonly page_name: string;
  readonly page_colour: string;
  readonly page_panel_colour: string;
  readonly page_panel_text: string;
  readonly page_terms_url: string;
  readonly page_privacy_url: string;
  readonly page_help_url: string;
  readonly page_shop_url: string;
  readonly page_logo: string;
  readonly page_note: string;
  readonly page_languages: readonly string[];
  readonly page_wallets: readonly string[];
  readonly page_picture_hosts: readonly string[];
  readonly return_url_hosts: readonly string[];
  /** Such as EUR=500. */
  readonly refunds_two_people_above: readonly string[];
  readonly fallback_on_generic_decline: boolean;
  readonly caps_merchant: 'hold' | 'warn';
  readonly caps_payer: 'count' | 'hold';
  readonly default_retry_policy: 'default' | 'none';
};
export type SettingsState = {
  readonly name: string;
  readonly settings: Settings;
  readonly defaults: Settings;
  /** The languages that page_languages may name. */
  readonly languages: readonly string[];
};
