// Products whose guard of a scheme's limit is not where it must be; processes-mutants.ts races them.
import type { Patch } from '../chaos/patch.ts';

/** Asked before, in a statement of its own; and the accepting statement begins whatever it finds. */
export const ASKED_BEFORE: readonly Patch[] = [
  {
    in: { function: 'acceptOrder', below: 'src/payment' },
    find: `return withMore(db, { ...order, merchant_account_id }, accept);`,
    put: `return import('../../declines/store.ts')
    .then(({ findHeld }) => order.guard && findHeld(db.tenant(merchant_account_id), { ...order, merchant_account_id }, { guard: order.guard, at: order.now }))
    .then((held) => (held ? { held } : withMore(db, { ...order, merchant_account_id }, accept)));`,
  },
  {
    in: { constant: 'IS_FREE', below: 'src/payment' },
    find: `NOT EXISTS (SELECT FROM held WHERE why IS NOT NULL)`,
    put: `true`,
  },
  {
    in: { function: 'begunOf', below: 'src/payment' },
    find: `const held = rows.find((row) => row.held !== null)?.held;`,
    put: `const held = undefined;`,
  },
];

export const NO_LOCK: readonly Patch[] = [
  {
    in: { function: 'withMore', below: 'src/payment' },
    find: `if (guard?.opens === true) await lockCard(tx, merchant_account_id, guard.card);`,
    put: ``,
  },
];
