// Keeps a zone's statistics young while its tables are small: PostgreSQL looks at them once in a minute at the most,
// and until then statements keep the plans that they got on empty tables (twice the time of an order on a fresh
// database).
import type { Log } from '../log.ts';

/** A table with fewer changes than this is not worth a look: any plan for it is quick. */
export const LEAST_CHANGES = 100;
const PAUSE_MS = 2000;

/** `analyzeOne`: renews the statistics of one table that has doubled; false: no table has. Answers what ends it. */
export function keepStatistics(
  analyzeOne: () => Promise<boolean>,
  { log, pause_ms = PAUSE_MS }: { readonly log: Log; readonly pause_ms?: number },
): () => Promise<void> {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      while (!ended && (await analyzeOne()));
    } catch (error) {
      log.warn({ error: String(error) }, 'the statistics of the tables could not be renewed');
    }
    if (!ended) begin();
  };
  const begin = () => {
    timer = setTimeout(() => {
      looking = look();
    }, pause_ms);
    timer.unref();
  };
  begin();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await looking;
  };
}
