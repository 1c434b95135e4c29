// Says what goes wrong again and again: each trouble once, once more a minute while it stays, and when it is over. What
// is tried every second would else hide all the rest of the log.
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A trouble that stays is said again after so long. */
const SAID_AGAIN_MS = 60_000;
/** So many troubles are told apart: an error may name something else each time. */
const MOST = 8;

type Telling = {
  /** What the work is about, in every line. */
  readonly about?: Readonly<Record<string, string>>;
  readonly trouble: string;
  readonly over: string;
};

export type Teller = { troubled(error: unknown): void; well(): void };

export function tellerOf(
  { clock, log }: { readonly clock: Pick<Clock, 'ticks'>; readonly log: Log },
  { about = {}, trouble, over }: Telling,
): Teller {
  /** When each was said last. */
  const said = new Map<string, number>();
  return {
    troubled: (thrown) => {
      const error = String(thrown);
      const name = said.has(error) || said.size < MOST ? error : '';
      const now = clock.ticks();
      if (now - (said.get(name) ?? Number.NEGATIVE_INFINITY) < SAID_AGAIN_MS) return;
      said.set(name, now);
      log.warn({ ...about, error }, trouble);
    },
    well: () => {
      if (said.size > 0) log.info(about, over);
      said.clear();
    },
  };
}
