// What routing learns is counted by one process for all of them, however many work on one database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tools } from '../../src/payment/tools.ts';
import { takeRound } from '../../src/payment/jobs-store.ts';
import { type Job, jobsOf } from '../../src/worker/jobs.ts';
import { type World, world } from '../world.ts';

const LEARNS = 'what routing learns';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** The job of one more process. The world's own worker, which may have its turn at any time, takes other rounds. */
function process(began: string[], named: string): Job {
  const { tools } = w.service;
  const run: Tools['db']['run'] = async (name, statement, parameters) => {
    const own = name === 'take_round' ? { ...parameters, name: `${LEARNS}, in a test` } : parameters;
    return tools.db.run(name, statement, own);
  };
  const looks: Tools['db']['looks'] = {
    run: async (name, statement, parameters) => {
      if (name === 'find_learning_accounts') began.push(named);
      return tools.db.looks.run(name, statement, parameters);
    },
  };
  const job = jobsOf({ ...tools, db: { ...tools.db, run, looks } }).find(({ name }) => name === LEARNS);
  if (!job) throw new Error('there is such a job');
  return job;
}

const past = (name: string, apart: string) =>
  w.sql('UPDATE payment.jobs SET at = at - $2::interval WHERE name = $1', [name, apart]);

test('of three processes that have their turn in one minute one counts, and in the next minute one again', async () => {
  const began: string[] = [];
  const jobs = ['a', 'b', 'c'].map((named) => process(began, named));
  await Promise.all(jobs.map((job) => job.run()));
  expect(began).toHaveLength(1);
  for (const job of jobs) await job.run();
  expect(began).toHaveLength(1);
  await past(`${LEARNS}, in a test`, '1 minute');
  // whoever it is: the one before may be gone
  for (const job of jobs.toReversed()) await job.run();
  expect(began).toHaveLength(2);
  expect(began[1]).toBe('c');
});

test('a round that is ahead of the clock, which was set back since, keeps nobody from the next', async () => {
  const { db } = w.service.tools;
  expect(await takeRound(db, 'a job', 60)).toBe(true);
  expect(await takeRound(db, 'a job', 60)).toBe(false);
  await past('a job', '-1 hour');
  expect(await takeRound(db, 'a job', 60)).toBe(true);
  expect(await takeRound(db, 'a job', 60)).toBe(false);
});
