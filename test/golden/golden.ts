// The golden transcript: what Florin answers to more than a thousand requests over all its routes, compared with what
// is kept in transcript/. Not part of npm test: npm run golden, and npm run golden -- --record where an answer was
// changed on purpose.
import { expect, test } from 'vitest';
import { ROLES } from '../../src/backoffice/rights.ts';
import { world } from '../world.ts';
import { AREAS } from './areas.ts';
import { deskRoutes, isOf, knownRoutes, missing } from './routes.ts';
import type { Exchange } from './scene.ts';
import { type Area, perform } from './stage.ts';

const exchanges: Exchange[] = [];
let played = 0;

// what is measured is counted for the whole process: its area comes first, and alone
test.for(AREAS.slice(0, 1))('$name is answered as it was', (area, { expect: own }) => compare(area, own));

// each is a Florin of its own, and much of it waits
test.concurrent.for(AREAS.slice(1))('$name is answered as it was', (area, { expect: own }) => compare(area, own));

async function compare(area: Area, own: typeof expect): Promise<void> {
  const scene = await perform(area);
  exchanges.push(...scene.exchanges);
  played++;
  await own(scene.text()).toMatchFileSnapshot(`transcript/${area.name}.txt`);
}

test('every route is asked, and every route of the back office in every role', async ({ skip }) => {
  if (played < AREAS.length) skip('not every area was played');
  await using w = await world();
  expect(missing(await knownRoutes(w), exchanges)).toEqual([]);
  expect(missing([{ method: 'GET', place: 'api', path: '/no-such/:id' }], exchanges)).toEqual([
    'GET {api}/no-such/:id',
  ]);
  for (const role of ROLES) {
    const own = exchanges.filter(({ as }) => as === role);
    expect([role, missing(deskRoutes(w), own)]).toEqual([role, []]);
  }
  const refused = deskRoutes(w).filter((route) => exchanges.some((one) => one.status === 403 && isOf(route, one)));
  expect(refused.length).toBeGreaterThan(50);
  expect(exchanges.length).toBeGreaterThan(1000);
});
