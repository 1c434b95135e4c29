// The worker's part of searching: brings the narrow rows, and the figures of the overview, up to what has happened.
import type { Tools } from '../../tools.ts';
import { followOrders } from './store.ts';

/** Transactions followed at once; one that was gathered holds up to 64 statements. */
const SPAN = 1000;

/** Follows some of what happened and answers whether there is more. */
export async function followSome({ db }: Tools): Promise<boolean> {
  const left = await followOrders(db, SPAN);
  return left !== null && left > 0n;
}
