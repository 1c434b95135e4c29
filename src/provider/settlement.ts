// A provider's own settlement report, as far as its folder can read it: rows become lines of a provider's books, and
// what is no operation of ours is named and left to people.
import type { OperationKind } from './contract.ts';

/** The account of the report: our id, and its name at the provider. */
export type Reported = { readonly merchant_account_id: string; readonly name: string };

/** The fee of the provider for one movement. */
export type SettledFee = {
  /** The provider's own id of the movement: read twice, it is the same one. */
  readonly entry: string;
  /** Below 0: it was given back. */
  readonly fee_minor: bigint;
  /** The currency of the provider's balance, which may differ from that of the payment. */
  readonly currency: string;
};

export type SettledLine = {
  readonly provider: string;
  readonly kind: Exclude<OperationKind, 'inquiry'>;
  /** Our operation id. */
  readonly reference: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly effects: number;
  readonly state: 'done' | 'undone';
  readonly provider_ref: string;
  /** The fees; an empty list: the report does not say. */
  readonly fees: readonly SettledFee[];
};

export type SettledRow =
  | { readonly kind: 'line'; readonly line: SettledLine }
  /** Fees, payouts, disputes, corrections: no operation of ours. */
  | { readonly kind: 'other'; readonly type: string }
  /**
   * Takes from the line of that reference, wherever it stands: what was not captured of a hold that the report shows as
   * a whole.
   */
  | ({ readonly kind: 'less'; readonly type: string } & Pick<SettledLine, 'reference' | 'amount_minor' | 'fees'>)
  /** Heads, feet and totals: no movement. */
  | { readonly kind: 'frame' }
  | { readonly kind: 'problem'; readonly says: string };

export type SettlementReport = {
  /** The kinds of operation that the report lists. Operations of other kinds are not missing. */
  readonly kinds: ReadonlySet<SettledLine['kind']>;
  /** Made of the first line; then asked row by row, in their order. Undefined: a column is missing. */
  reader(head: string, reported: Reported): RowReader | undefined;
};

export type RowReader = ((row: string) => SettledRow) & {
  /** Asked after the last row of a report that has an end of its own: what is missing behind that row. */
  cut?(): string | undefined;
};
