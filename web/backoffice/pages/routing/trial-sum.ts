// Adds up the parts of a trial.
import type { TrialCost } from '../../../../src/core/routing/learn/trial-cost.ts';
import type { RoutingTest } from '../../../../src/backoffice/wire/rules/routing.ts';
import { addedSums } from '../../../../src/core/routing/learn/snips.ts';

export type Sum = RoutingTest;

const EXAMPLES = 20;

export function added(sum: Sum | undefined, part: RoutingTest): Sum {
  if (!sum) return part;
  return {
    ...part,
    attempts: sum.attempts + part.attempts,
    moved: sum.moved + part.moved,
    refused: sum.refused + part.refused,
    refused_then: sum.refused_then + part.refused_then,
    defects: sum.defects + part.defects,
    tried_again: sum.tried_again + part.tried_again,
    rules: merged([...sum.rules, ...part.rules], ({ rule }) => String(rule)).map((all) => ({
      rule: all[0]?.rule ?? null,
      attempts: total(all, ({ attempts }) => attempts),
      moved: total(all, ({ moved }) => moved),
    })),
    moves: merged([...sum.moves, ...part.moves], keyOf)
      .flatMap((all) => {
        const [first] = all;
        if (!first) return [];
        const [attempts, approved] = [total(all, (one) => one.attempts), total(all, (one) => one.approved)];
        return [{ ...first, attempts, approved }];
      })
      .toSorted((a, b) => b.attempts - a.attempts),
    outcome: addedSums(sum.outcome, part.outcome),
    costs: merged([...sum.costs, ...part.costs], ({ currency }) => currency).flatMap((all) => {
      const [first, ...rest] = all;
      return first ? [rest.reduce(addedCosts, first)] : [];
    }),
    examples: [...sum.examples, ...part.examples].slice(0, EXAMPLES),
  };
}

const addedCosts = (a: TrialCost, b: TrialCost): TrialCost => ({
  currency: a.currency,
  known: a.known + b.known,
  known_minor: a.known_minor + b.known_minor,
  same: a.same + b.same,
  same_minor: a.same_minor + b.same_minor,
  unknown: a.unknown + b.unknown,
  outcome: addedSums(a.outcome, b.outcome),
});

const keyOf = ({ from, to, scheme, currency }: RoutingTest['moves'][number]) => `${from} ${to} ${scheme} ${currency}`;

function merged<T>(rows: readonly T[], key: (row: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return [...groups.values()];
}

const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((sum, row) => sum + of(row), 0);
