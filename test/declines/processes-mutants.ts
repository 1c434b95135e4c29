// npm run test:mutants: products whose guard of a scheme's limit is not where it must be, raced by whole processes
// until they pass the limit.
import { expect, test } from 'vitest';
import type { Patch } from '../chaos/patch.ts';
import { MOST, race } from './race.ts';

const CARD = '5555555555554444';
/** A race is won by chance: so often it is run at most. */
const RACES = 5;

/** Asked before, in a statement of its own; and the accepting statement begins whatever it finds. */
const ASKED_BEFORE: readonly Patch[] = [
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

const NO_LOCK: readonly Patch[] = [
  {
    in: { function: 'withMore', below: 'src/payment' },
    find: `if (guard?.opens === true) await lockCard(tx, merchant_account_id, guard.card);`,
    put: ``,
  },
];

test.each([
  ['is asked before the accepting statement', ASKED_BEFORE],
  ['is there, and no try waits for another one of its card', NO_LOCK],
])('where the guard %s, more are sent', async (_, patches) => {
  let most = 0;
  for (let n = 0; n < RACES && most <= MOST[CARD]; n++) most = (await race(patches, CARD)).sent;
  expect(most).toBeGreaterThan(MOST[CARD]);
});
