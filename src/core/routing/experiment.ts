// Two versions of rules compared on live orders: which group an order is of, as data that travels with the account.
import type { DrawnBy, RoutingInForce } from './table.ts';

/** `a`: by the rules in force. */
export const GROUPS = ['a', 'b'] as const;
export type Group = (typeof GROUPS)[number];

export type ExperimentInForce = {
  readonly number: number;
  /** The subject that stays in one group: an order with all its attempts; or a customer or card, if there is one. */
  readonly subject: DrawnBy;
  /** The share of version b, in basis points. */
  readonly share: number;
  /** The rules of b. */
  readonly table: RoutingInForce;
};
