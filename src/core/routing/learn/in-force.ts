// Shares that best_of rules have learnt, as they travel with an account: a rule's choice reads them and nothing else.
import type { RouteFacts } from '../facts.ts';
import type { BestOf } from '../table.ts';
import { firstShares } from './weights.ts';

/** In basis points, in the order in which the rule names its contracts. */
export type Shares = readonly number[];

export type RuleWeights = {
  readonly rule: string;
  /** The version in which its target last changed: shares of another target say nothing of this one. */
  readonly since: number;
  /**
   * The first hour (of Unix time) from which the control group is compared with the others: after a stop a person began
   * anew.
   */
  readonly from_hour: number;
  /** Why it keeps to the rule's own order; null: it does not. */
  readonly stopped: string | null;
  /** The shares for cells that have none of their own. */
  readonly shares: Shares;
  readonly cells: Readonly<Record<string, Shares>>;
};

export type WeightsInForce = { readonly version: number; readonly rules: readonly RuleWeights[] };

/** Payments that contracts are compared on: what they are in, what they are paid with, and who is there. */
export function cellOf(currency: string, scheme: string, initiator: string): string {
  return `${currency} ${scheme} ${initiator}`;
}

export function cellParts(cell: string): { readonly currency: string; readonly scheme: string } {
  const [currency = '', scheme = ''] = cell.split(' ');
  return { currency, scheme };
}

type Asked = { readonly name: string; readonly since: number; readonly then: BestOf };

/** Shares of a rule's contracts for a payment; of a rule that has learnt nothing yet, its own order and the floor. */
export function sharesFor(
  weights: WeightsInForce | undefined,
  { name, since, then }: Asked,
  facts: RouteFacts,
): Shares {
  const found = weights?.rules.find((one) => one.rule === name && one.since === since);
  if (!found) return firstShares(then.best_of.length, then.floor);
  const cell = cellOf(facts.currency, facts.word('scheme') ?? '', facts.word('initiator') ?? '');
  return Object.hasOwn(found.cells, cell) ? (found.cells[cell] ?? found.shares) : found.shares;
}
