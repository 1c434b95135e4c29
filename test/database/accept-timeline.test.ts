// florin accept-timeline with the settings of one host of production, which knows the database of its own zone alone.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const SETTING = { payment: 'FLORIN_DATABASE_URL', vault: 'FLORIN_VAULT_DATABASE_URL' } as const;
const LOST = 'c0'.repeat(12);

test.each(['payment', 'vault'] as const)('a host of %s goes on after a loss was accepted there', async (zone) => {
  const at = `postgres://${zone}_app@/${w.database}?host=${encodeURIComponent(inject('server').socket_dir)}`;
  const { code, said } = await outcomeOf({
    cwd: w.data_dir,
    settings: {
      FLORIN_ENVIRONMENT: 'production',
      FLORIN_DATABASE_DURABLE: 'required',
      FLORIN_DATA_DIR: w.data_dir,
      [SETTING[zone]]: at,
    },
    command: ['accept-timeline', zone, LOST],
  });
  expect([code, said]).toEqual([0, expect.stringContaining(`the database of ${zone} is accepted as it is`)]);
  const marks = await w.sql<{ mark: string }>(
    `SELECT encode(mark, 'hex') AS mark FROM ${zone}.epochs WHERE is_accepted`,
  );
  expect(marks).toEqual([{ mark: LOST }]);
});
