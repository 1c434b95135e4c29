// Limits hold for all processes of a zone: two of them count on one database.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { openDatabase } from '../../src/kit/database.ts';
import { countStore } from '../../src/kit/database/counts.ts';
import { type CountStore, Counts } from '../../src/kit/http/counts.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';
import { type World, idleWorld } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await idleWorld();
});
afterAll(() => w[Symbol.asyncDispose]());

describe.each(['payment', 'vault'] as const)('in the zone %s', (schema) => {
  test('what two processes counted in a minute is one count, and limits of a second are divided by who lives', async () => {
    const { socket_dir, user } = inject('server');
    const log = openLog('silent');
    const at = { socket_dir, user, database: w.database };
    const db = openDatabase({ at, name: 'counts', role: `${schema}_app`, max: 2, log });
    const clock = systemClock();
    const tools = { clock, chance: systemChance(clock), log };
    const [one, two] = [new Counts(tools, countStore(db, schema)), new Counts(tools, countStore(db, schema))];
    const ends = [await one.join(), await two.join()];
    for (let i = 0; i < 20; i++) expect(one.count('somebody', 30)).toBe('within');
    // what was counted elsewhere comes with the next exchange; here nothing is left of a try
    const said = await until(() => {
      const one_more = two.count('somebody', 20);
      if (one_more === 'within') two.takeBack('somebody');
      return one_more === 'within' ? undefined : one_more;
    });
    expect(said).toBe('first beyond');
    expect([two.count('somebody', 20), two.count('somebody else', 30)]).toEqual(['beyond', 'within']);
    two.takeBack('somebody else');
    expect(await until(() => (one.share(100) === 50 ? 50 : undefined))).toBe(50);
    expect(await until(() => (two.share(100) === 50 ? 50 : undefined))).toBe(50);
    expect(two.share(1)).toBe(1);
    await ends[1]?.();
    expect(await until(() => (one.share(100) === 100 ? 100 : undefined))).toBe(100);
    await ends[0]?.();
    await db.close();
    expect(await w.sql(`SELECT * FROM ${schema}.processes`)).toEqual([]);
    const names = await w.sql<{ name: Buffer }>(`SELECT name FROM ${schema}.counts`);
    expect(names.map(({ name }) => name.length)).toContain(16);
  });
});

test('what could not be told the others, because the database was away, is told when it is back', async () => {
  const clock = systemClock();
  const told: number[] = [];
  let is_away = true;
  let refused = 0;
  const store: CountStore = {
    exchange: async (_, counted) => {
      if (is_away) {
        refused++;
        throw new Error('the database is away');
      }
      told.push(...counted.map(({ count }) => count));
      return new Map();
    },
    beat: async () => 1,
    leave: async () => undefined,
  };
  // an exchange with each turn
  const turns = { ...clock, sleep: () => new Promise<void>((done) => setImmediate(done)) };
  const counts = new Counts({ clock: turns, chance: systemChance(clock), log: openLog('silent') }, store);
  const end = await counts.join();
  counts.count('somebody', 30);
  counts.count('somebody', 30);
  await expect.poll(() => refused).toBeGreaterThan(0);
  is_away = false;
  await expect.poll(() => told).toEqual([2]);
  await end();
});

test('a process alone counts without a database', () => {
  const clock = systemClock();
  const counts = new Counts({ clock, chance: systemChance(clock), log: openLog('silent') });
  expect([1, 2, 3, 4].map(() => counts.count('somebody', 2))).toEqual(['within', 'within', 'first beyond', 'beyond']);
  expect(counts.share(7)).toBe(7);
});
