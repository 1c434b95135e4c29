// Counts of a trial: what stays, what goes elsewhere and why, and some of it as examples.
import { NO_ORDERS, type SnipsSums, addedSums } from '../../../core/routing/learn/snips.ts';
import type { TrialCost } from '../../../core/routing/learn/trial-cost.ts';
import type { Contract } from '../../merchant/account.ts';
import { CostTally, type Costing } from './cost.ts';
import type { StoredAttempt } from './attempts-store.ts';

export type Judged = {
  readonly row: StoredAttempt;
  /** Contracts: where it went, and where the draft sends it; null: nowhere. */
  readonly before: string | null;
  readonly after: string | null;
  readonly rule: string | null;
  readonly because: 'named' | 'rule' | 'priority';
  /** Was the choice made again exactly? Of an order that was tried again the fields of then are gone. */
  readonly replayed: 'same' | 'tried_again' | 'defect';
  readonly fallbacks: readonly Contract[];
  /** The attempt's part of the draft's rate. */
  readonly sums: SnipsSums;
  /** The cost of the attempt (cost.ts), and its part of the draft's cost. */
  readonly cost: Costing['cost'];
  /** Fallbacks of the draft would have cost the same, as far as they were reached. */
  readonly costs_same: boolean;
  readonly cost_sums: SnipsSums;
};

export type Move = {
  /** Names of contracts; null: refused. */
  readonly from: string | null;
  readonly to: string | null;
  readonly scheme: string;
  readonly currency: string;
  readonly attempts: number;
  /** How many of these were approved at the contract of that time. */
  readonly approved: number;
};

export type RuleShare = { readonly rule: string | null; readonly attempts: number; readonly moved: number };

export type TrialExample = {
  readonly order_id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly rule: string | null;
};

export type TrialCounts = {
  readonly attempts: number;
  readonly moved: number;
  readonly refused: number;
  readonly refused_then: number;
  /** Attempts that would have another provider behind the first. */
  readonly with_fallback: number;
  /** Choices of then that do not come out again though they should: a defect of the service, to be reported. */
  readonly defects: number;
  readonly tried_again: number;
  readonly rules: readonly RuleShare[];
  readonly moves: readonly Move[];
  readonly examples: readonly TrialExample[];
  /** The sums from which the draft's rate is estimated, where they suffice for one (core/routing/learn/snips.ts). */
  readonly outcome: SnipsSums;
  readonly costs: readonly TrialCost[];
};

type Count<T> = { -readonly [K in keyof T]: T[K] };

export class Tally {
  private readonly sums = {
    attempts: 0,
    moved: 0,
    refused: 0,
    refused_then: 0,
    with_fallback: 0,
    defects: 0,
    tried_again: 0,
  };
  private readonly rules = new Map<string | null, Count<RuleShare>>();
  private readonly moves = new Map<string, Count<Move>>();
  private readonly examples: TrialExample[] = [];
  private outcome = NO_ORDERS;
  private readonly costs = new CostTally();
  private readonly names: ReadonlyMap<string, string>;
  private readonly most: number;

  constructor(examples: number, contracts: readonly Contract[]) {
    this.most = examples;
    this.names = new Map(contracts.map(({ id, name }) => [id, name]));
  }

  take({ row, before, after, rule, replayed, fallbacks, sums: part, cost, costs_same, cost_sums }: Judged): void {
    const { sums } = this;
    const moved = before !== after;
    // another one took it in the end where the first was passed over
    const same = !moved && before === row.contract_id && costs_same;
    this.costs.take({ currency: row.currency, cost, same, sums: cost_sums });
    sums.attempts += 1;
    if (part !== NO_ORDERS) this.outcome = addedSums(this.outcome, part);
    if (moved) sums.moved += 1;
    if (after === null) sums.refused += 1;
    if (before === null) sums.refused_then += 1;
    if (fallbacks.length > 0) sums.with_fallback += 1;
    if (replayed === 'defect') sums.defects += 1;
    if (replayed === 'tried_again') sums.tried_again += 1;
    const share = this.rules.get(rule) ?? { rule, attempts: 0, moved: 0 };
    share.attempts += 1;
    if (moved) share.moved += 1;
    this.rules.set(rule, share);
    if (!moved) return;
    const { scheme, currency } = row;
    const [from, to] = [this.nameOf(before), this.nameOf(after)];
    const key = [from, to, scheme, currency].join('\0');
    const move = this.moves.get(key) ?? { from, to, scheme, currency, attempts: 0, approved: 0 };
    move.attempts += 1;
    if (row.approved === true) move.approved += 1;
    this.moves.set(key, move);
    if (this.examples.length < this.most) this.examples.push({ order_id: row.order_id, from, to, rule });
  }

  counts(): TrialCounts {
    const most = (a: { readonly attempts: number }, b: { readonly attempts: number }) => b.attempts - a.attempts;
    return {
      ...this.sums,
      rules: [...this.rules.values()].toSorted(most),
      moves: [...this.moves.values()].toSorted(most),
      examples: this.examples,
      outcome: this.outcome,
      costs: this.costs.sums(),
    };
  }

  private nameOf(id: string | null): string | null {
    return id === null ? null : (this.names.get(id) ?? id);
  }
}
