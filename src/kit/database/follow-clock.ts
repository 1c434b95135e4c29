// A process's clock goes with its database's: read at the start, and in a sandbox again and again, so that every
// process knows of a move within a second. In production the database's clock must be the real one, or nothing starts.
import type { DeploymentClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { tellerOf } from '../teller.ts';

const EVERY_MS = 500;

type Following = {
  readonly clock: DeploymentClock;
  readonly environment: 'sandbox' | 'production';
  readonly log: Log;
  /** How far the database's clock is ahead, in milliseconds. */
  read(): Promise<number>;
  /** Called after each move of the clock, whether another process or this one made it. */
  moved(): Promise<void>;
};

/** Answers what ends it, once the clock was read. Throws StartError where production's is not the real one. */
export async function followClock(following: Following): Promise<() => Promise<void>> {
  const { clock, environment, log, read } = following;
  const shift_ms = await read();
  if (environment === 'production') {
    if (shift_ms === 0) return async () => undefined;
    throw new StartError(
      `The clock of this database was moved ${Math.round(shift_ms / 1000)} s ahead: it belonged to a sandbox. Production needs a database of its own.`,
    );
  }
  clock.moveTo(shift_ms);
  let seen = shift_ms;
  const stop = new AbortController();
  const look = async () => {
    clock.moveTo(await read());
    if (clock.shift_ms() === seen) return;
    seen = clock.shift_ms();
    await following.moved();
  };
  const telling = { trouble: 'the clock could not be read', over: 'the clock is read again' };
  const { well, troubled } = tellerOf({ clock, log }, telling);
  const following_on = (async () => {
    for (;;) {
      await clock.sleep(EVERY_MS, stop.signal);
      if (stop.signal.aborted) return;
      await look().then(well, troubled);
    }
  })();
  return async () => {
    stop.abort();
    await following_on;
  };
}
