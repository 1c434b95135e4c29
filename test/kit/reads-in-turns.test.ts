// Reads that wait for a connection (kit/database/reads.ts): an account that asks for much waits for itself, and what is
// refused where too much waits is its own.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Reads, openReads } from '../../src/kit/database/reads.ts';
import { inTurns } from '../../src/kit/in-turns.ts';
import { openLog } from '../../src/kit/log.ts';

const { socket_dir, user } = inject('server');
const [CROWD, OTHER] = ['a'.repeat(24), 'b'.repeat(24)];
let reads: Reads;
beforeAll(async () => {
  const at = { socket_dir, user, database: 'postgres' };
  // by one connection what is answered comes in the order in which it was begun
  reads = openReads({ at, name: 'turns', max: 1, log: openLog('silent') }, () => 0);
  await read(CROWD);
});
afterAll(() => reads.close());

const read = (tenant: string | undefined) =>
  reads.run({ name: 'one', text: 'SELECT 1 AS one', values: [], tenant }).then(() => tenant);

test('a read of another account is begun after those of the crowd that are under way, not behind its line', async () => {
  const answered: (string | undefined)[] = [];
  const all = [...Array.from({ length: 50 }, () => CROWD), OTHER, OTHER].map(async (tenant) =>
    answered.push(await read(tenant)),
  );
  await Promise.allSettled(all);
  expect(answered.slice(0, 6)).toEqual([CROWD, CROWD, OTHER, CROWD, OTHER, CROWD]);
});

test('where too many reads wait, those of the crowd are refused', async () => {
  const crowd = Promise.allSettled(Array.from({ length: 400 }, () => read(CROWD)));
  const other = Promise.all(Array.from({ length: 5 }, () => read(OTHER)));
  expect(await other).toHaveLength(5);
  const refused = (await crowd).filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThan(100);
  expect(String(refused[0]?.reason)).toContain('too many reads wait');
});

test('who waits too long is refused, and takes no place any more', async () => {
  const refuse = () => new Error('it takes too long');
  const inTurn = inTurns({ most: 1, share: 9, waiting: 9, patience_ms: 1, refuse });
  const first = Promise.withResolvers<string>();
  const running = inTurn(CROWD, () => first.promise);
  const begun: string[] = [];
  const late = inTurn(OTHER, async () => begun.push('late'));
  await expect(late).rejects.toThrow('it takes too long');
  first.resolve('done');
  expect(await running).toBe('done');
  expect(await inTurn(OTHER, async () => 'free')).toBe('free');
  expect(begun).toEqual([]);
});
