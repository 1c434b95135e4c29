// Keeps a zone's statistics young while its tables are small: PostgreSQL looks at them once in a minute at the most,
// and until then statements keep the plans that they got on empty tables (twice the time of an order on a fresh
// database).
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { tellerOf } from '../teller.ts';

/** A table with fewer changes than this is not worth a look: any plan for it is quick. */
export const LEAST_CHANGES = 100;
const PAUSE_MS = 2000;
/** While this process writes nothing, each pause is twice the one before, up to so many of the first. */
const RARELY = 4;

/** How many pauses pass until the next look. */
export function pausesAfter(pauses: number, { wrote }: { readonly wrote: boolean }): number {
  return wrote ? 1 : Math.min(RARELY, pauses * 2);
}

export type Looking = {
  readonly log: Log;
  /** How much this process has written so far. */
  commits(): number;
  readonly pause_ms?: number;
};

/**
 * `analyzeOne`: renews the statistics of one table that has doubled; false: no table has. It reads what is counted of
 * every table, which is most of what an idle service would ask of its database. Answers what ends it.
 */
export function keepStatistics(
  analyzeOne: () => Promise<boolean>,
  { log, commits, pause_ms = PAUSE_MS }: Looking,
): () => Promise<void> {
  const { well, troubled } = tellerOf(
    { clock: systemClock(), log },
    {
      trouble: 'the statistics of the tables could not be renewed',
      over: 'the statistics of the tables are renewed again',
    },
  );
  let pauses = 1;
  let seen = commits();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    const count = commits();
    pauses = pausesAfter(pauses, { wrote: count !== seen });
    seen = count;
    try {
      while (!ended && (await analyzeOne()));
      well();
    } catch (error) {
      troubled(error);
    }
    if (!ended) begin();
  };
  const begin = () => {
    timer = setTimeout(() => {
      looking = look();
    }, pauses * pause_ms);
    timer.unref();
  };
  begin();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await looking;
  };
}
