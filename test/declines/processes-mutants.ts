// npm run test:mutants: products whose guard of a scheme's limit is not where it must be, raced by whole processes
// until they pass the limit.
import { expect, test } from 'vitest';
import { ASKED_BEFORE, NO_LOCK } from './processes-mutants-list.ts';
import { MOST, race } from './race.ts';

const CARD = '5555555555554444';
/** A race is won by chance: so often it is run at most. */
const RACES = 5;

test.each([
  ['is asked before the accepting statement', ASKED_BEFORE],
  ['is there, and no try waits for another one of its card', NO_LOCK],
])('where the guard %s, more are sent', async (_, patches) => {
  let most = 0;
  for (let n = 0; n < RACES && most <= MOST[CARD]; n++) most = (await race(patches, CARD)).sent;
  expect(most).toBeGreaterThan(MOST[CARD]);
});
