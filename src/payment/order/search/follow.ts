// The worker's part of searching: brings the narrow rows, and the figures of the overview, up to what has happened.
import type { Tools } from '../../tools.ts';
import { followOrders } from './search-store.ts';

/** Transactions followed at once; one that was gathered holds up to 64 statements. */
const SPAN = 1000;

/**
 * Follows what happened, and answers whether there is more. Where a span is too much for one statement, as after hours
 * in which no worker ran, the next ones are shorter.
 */
export function follower({ db }: Pick<Tools, 'db'>): () => Promise<boolean> {
  let span = SPAN;
  return async () => {
    try {
      const left = await followOrders(db, span);
      span = Math.min(SPAN, span * 2);
      return left !== null && left > 0n;
    } catch (error) {
      span = Math.max(1, Math.floor(span / 10));
      throw error;
    }
  };
}
