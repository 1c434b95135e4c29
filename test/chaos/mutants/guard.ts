// Mutants of the guard of captures.
import type { Patch } from '../patch.ts';
import type { Mutant } from './list.ts';

const NO_GUARD: readonly Patch[] = [
  {
    in: { statement: 'accept_operation' },
    find: `AND version = :version`,
    put: `AND (version = :version OR :kind = 'capture')`,
  },
  {
    in: { constant: 'OPERATION_GUARD', below: 'src/payment/order/' },
    find: `NOT cancel_pending AND capturing_minor + captured_minor + released_minor + :amount_minor <= authorized_minor`,
    put: `:amount_minor > 0`,
  },
];
/** Many races, and nothing that slows them down. */
const RACES = { chaos: null, kill_every_ms: 5_000 } as const;

export const GUARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'x6-no-guard',
    says: 'captures are accepted without amount and version guards, and the constraint is gone',
    patches: [...NO_GUARD, { drop: 'constraint', name: 'orders_captured_at_most_authorized', table: 'payment.orders' }],
    expect: 'caught',
    stories: ['racing'],
    faults: RACES,
  },
  {
    name: 'x6-no-guard-held',
    says: 'captures are accepted without amount and version guards',
    patches: NO_GUARD,
    expect: { held_by: ['orders_captured_at_most_authorized', 'orders_no_cancel_beside_capture'] },
    stories: ['racing'],
    faults: RACES,
  },
];
