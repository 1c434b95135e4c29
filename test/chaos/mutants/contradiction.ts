// Mutants of what contradicts a final state: it is passed over (contract 14.2).
import type { Mutant } from './list.ts';

export const CONTRADICTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'x13-contradiction-dropped',
    says: 'news that contradicts a final state is marked applied and dropped',
    patches: [
      {
        in: { function: 'planRecord', below: 'src/payment' },
        find: `if (decision.kind === 'contradict' && !contradicted)`,
        put: `if (decision.kind === 'contradict' && order.id === '')`,
      },
    ],
    expect: 'caught',
    stories: ['refusing'],
    faults: { chaos: null, longest_s: 20 },
  },
];
