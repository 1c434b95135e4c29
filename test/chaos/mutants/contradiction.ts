// Mutants of what contradicts a final state: it is passed over (contract 14.2).
import type { Mutant } from './list.ts';

export const CONTRADICTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'x13-contradiction-dropped',
    says: 'news that contradicts a final state is marked applied and dropped',
    patches: [
      {
        in: { function: 'carryOut', below: 'src/payment' },
        find: `return (await contradict(tools, order, contradicting)) ? readAgain(tools, order) : undefined;`,
        put: `return order;`,
      },
    ],
    expect: 'caught',
    stories: ['refusing'],
    faults: { chaos: null, longest_s: 20 },
  },
];
