// The golden transcript: what Florin answers to hundreds of requests over all its routes, compared with what is kept in
// transcript/. Not part of npm test: npm run golden, and npm run golden -- --record where an answer was changed on purpose.
import { expect, test } from 'vitest';
import { AREAS } from './areas/index.ts';
import type { Exchange } from './scene.ts';
import { perform } from './stage.ts';

const exchanges: Exchange[] = [];

test.each(AREAS)('$name is answered as it was', async (area) => {
  const scene = await perform(area);
  exchanges.push(...scene.exchanges);
  await expect(scene.text()).toMatchFileSnapshot(`transcript/${area.name}.txt`);
});
