// What is tried every second while the database is away says so once, and once more a minute: an operator at night
// reads the log, and finds what else is in it.
import { expect, test } from 'vitest';
import { type DeploymentClock, systemChance, systemClock } from '../../src/kit/clock.ts';
import { followClock } from '../../src/kit/database/follow-clock.ts';
import { Counts } from '../../src/kit/http/counts.ts';
import { openLog } from '../../src/kit/log.ts';

/** A clock of its own, on which a night goes by as fast as it can; `at` is asked at each moment. */
function nightClock(at: (now_ms: number) => void): DeploymentClock {
  let now = 0;
  return {
    ...systemClock(),
    ticks: () => now,
    sleep: async (ms) => {
      await new Promise((done) => setImmediate(done));
      now += ms;
      at(now);
    },
  };
}

function hearing() {
  const said: string[] = [];
  const note = (_: object, text: string) => void said.push(text);
  return { said, log: { ...openLog('silent'), warn: note, info: note } };
}

const DOWN_MS = 120_000;
const OVER_MS = 130_000;

/** The database is away for two minutes, and says so in two ways. */
function outage() {
  const { promise: is_over, resolve: end } = Promise.withResolvers<void>();
  let now = 0;
  const clock = nightClock((moment) => {
    now = moment;
    if (now >= OVER_MS) end();
  });
  let asked = 0;
  const ask = async (): Promise<number> => {
    asked += 1;
    // the first time of all it is there
    if (asked > 1 && now < DOWN_MS) throw new Error(asked % 2 === 0 ? 'timeout expired' : 'not reachable');
    return 0;
  };
  return { clock, ask, is_over };
}

test('a clock that cannot be read says so once for each reason, once more a minute, and that it is over', async () => {
  const { clock, ask, is_over } = outage();
  const { said, log } = hearing();
  const stop = await followClock({ clock, environment: 'sandbox', log, read: ask, moved: async () => undefined });
  await is_over;
  await stop();
  const failed = 'the clock could not be read';
  expect(said).toEqual([failed, failed, failed, failed, 'the clock is read again']);
});

test('limits that are counted alone say so once for each reason, once more a minute, and that it is over', async () => {
  const { clock, ask, is_over } = outage();
  const { said, log } = hearing();
  const store = {
    exchange: async () => (await ask(), new Map<string, number>()),
    beat: ask,
    leave: async () => undefined,
  };
  const counts = new Counts({ clock, chance: systemChance(clock), log }, store);
  const leave = await counts.join();
  await is_over;
  await leave();
  const alone = 'limits are counted by this process alone for a while';
  expect(said).toEqual([alone, alone, alone, alone, 'limits are counted with the other processes again']);
});
