// Mutants of the guard of captures (targets.md 3: X6).
import type { Patch } from '../tree.ts';
import type { Mutant } from './list.ts';

const NO_GUARD: Patch = {
  file: 'src/payment/order/maintenance/store.ts',
  find: `AND version = :version AND CASE :kind
         WHEN 'capture' THEN NOT cancel_pending AND capturing_minor + captured_minor + released_minor + :amount_minor <= authorized_minor`,
  put: `AND (version = :version OR :kind = 'capture') AND CASE :kind
         WHEN 'capture' THEN :amount_minor > 0`,
};
/** Many races, and nothing that slows them down. */
const RACES = { chaos: null, kill_every_ms: 5_000 } as const;

export const GUARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'x6-no-guard',
    says: 'captures are accepted without amount and version guards, and the constraint is gone',
    patches: [
      NO_GUARD,
      {
        file: 'src/payment/migrations/0031-contradictions.sql',
        find: `
    AND capturing_minor + captured_minor + released_minor <= authorized_minor + coalesce(above_minor, 0))`,
        put: `)`,
      },
    ],
    expect: 'caught',
    stories: ['racing'],
    faults: RACES,
  },
  {
    name: 'x6-no-guard-held',
    says: 'captures are accepted without amount and version guards',
    patches: [NO_GUARD],
    expect: { held_by: ['orders_check3', 'orders_check2'] },
    stories: ['racing'],
    faults: RACES,
  },
];
