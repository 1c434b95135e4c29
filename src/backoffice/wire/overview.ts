// Wire: the overview over days, and what needs a person.
import type { Sum } from '../wire.ts';

/** GET /overview. Without `days` and `from`: today. */
export type OverviewFilters = {
  /** The last so many days, today the last of them. */
  readonly days?: '1' | '7' | '30' | '90';
  /** Or days of one's own, both included: 2026-10-25. */
  readonly from?: string;
  readonly to?: string;
  /** The time zone of the viewer's days, as Europe/Paris; UTC if absent. */
  readonly zone?: string;
  readonly currency?: string;
  /** `before`: the same number of days before; `week`: the same days a week before; `year`: 52 weeks before. */
  readonly compare?: 'before' | 'week' | 'year' | 'none';
};

/** The outcomes of orders; each order is counted once. */
export type Outcome = 'captured' | 'refunded' | 'authorized' | 'released' | 'declined' | 'open';

/** A share with the interval in which it lies with 95 % certainty (Wilson). */
export type Share = { readonly share: number; readonly low: number; readonly high: number };

export type Figures = {
  readonly orders: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Approved of those that were decided; null: none was. */
  readonly approval: Share | null;
  /** The volume of approved orders; null if there are several currencies. */
  readonly volume_minor: Sum | null;
};

/** `before`: of the days it is compared with; null where it is compared with none. */
export type Compared = { readonly name: string; readonly now: Figures; readonly before: Figures | null };

export type Rated = { readonly orders: number; readonly share: Share | null };

export type Overview = {
  /** The first and the last day, as the viewer has them. */
  readonly from: string;
  readonly to: string;
  readonly before: { readonly from: string; readonly to: string } | null;
  readonly step: 'hour' | 'day';
  /** Null: all together. */
  readonly currency: string | null;
  readonly now: Figures;
  readonly earlier: Figures | null;
  /** Orders that were refunded, in whole or in part, of the approved. */
  readonly refunded: { readonly now: Rated; readonly earlier: Rated | null };
  /** Orders with a dispute, however it stands, of the approved. */
  readonly disputed: { readonly now: Rated; readonly earlier: Rated | null };
  /** The bars of the chart, each with its begin and end. */
  readonly series: readonly (Figures & { readonly begins: string; readonly ends: string })[];
  readonly series_before: readonly Figures[] | null;
  /** All of the account's currencies with orders then, most used first. */
  readonly currencies: readonly Compared[];
  readonly providers: readonly Compared[];
  readonly schemes: readonly Compared[];
  /** The country as the merchant gave it; '' if none was given. */
  readonly countries: readonly Compared[];
  /** Declined orders by result code, the most frequent first. */
  readonly reasons: readonly {
    readonly code: string;
    readonly text: string;
    readonly now: number;
    readonly before: number | null;
  }[];
  /** Figures by the hour of the viewer's day: 24 of them. */
  readonly day_hours: readonly Figures[];
  readonly tries: Tries;
  /** After an upgrade: orders that were made before this moment are still being counted. */
  readonly counted_from: string | null;
  /** The account has never had an order: offer to make some (sandbox). */
  readonly empty: boolean;
};

/** Orders by how often they were tried. Shares are of all that were decided, each line with those above it. */
export type Tries = {
  readonly decided: number;
  readonly first: { readonly approved: number; readonly share: Share | null };
  /** Another provider was tried inside the same attempt. */
  readonly fallback: { readonly orders: number; readonly approved: number; readonly share: Share | null };
  /** The payer tried once more. */
  readonly again: { readonly orders: number; readonly approved: number; readonly share: Share | null };
};

/** GET /needs: what a person should look at, now. */
export type Needs = {
  readonly in_doubt: readonly {
    readonly currency: string;
    readonly amount_minor: Sum;
    readonly count: number;
    readonly oldest_at: string | null;
  }[];
  /** The disputes that wait for an answer. */
  readonly disputes: readonly {
    readonly currency: string;
    readonly amount_minor: Sum;
    readonly count: number;
    readonly next_due_at: string;
  }[];
  /** Open findings of florin reconcile: by how much books are apart. */
  readonly findings: readonly {
    readonly currency: string;
    readonly amount_minor: Sum;
    readonly count: number;
    readonly oldest_at: string;
  }[];
  /** Refunds that wait for a second person. */
  readonly refunds_waiting: number;
  readonly notifications: { readonly endpoints: number; readonly waiting: number; readonly failing_endpoints: number };
  readonly providers: readonly { readonly name: string; readonly health: 'well' | 'down' }[];
  /** Rolled keys that end within three days. */
  readonly keys_ending: readonly { readonly label: string; readonly ends_at: string }[];
};
