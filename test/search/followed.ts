// The narrow rows that orders are searched by, after many orders were written at once.
import { until } from '../client.ts';
import type { World } from '../world.ts';

/**
 * Follows all that has happened, as the worker does it. What a test writes by one statement is followed by one, too:
 * on a slow machine it takes longer than a statement of the service may, and the worker would begin anew for ever.
 */
export function followAll({ sql }: Pick<World, 'sql'>): Promise<true> {
  return until(async () => {
    // nothing is followed while the worker is at it
    await sql('SELECT payment.follow_orders(1000000)');
    return isFollowed(sql);
  });
}

/** The worker has followed all that happened, and counted it. */
export const followed = ({ sql }: Pick<World, 'sql'>): Promise<true> => until(() => isFollowed(sql));

async function isFollowed(sql: World['sql']): Promise<true | undefined> {
  const [row] = await sql<{ done: boolean }>(
    `SELECT uncounted_account IS NULL AND NOT EXISTS (SELECT FROM payment.events WHERE tx >= next_tx) AS done FROM payment.order_search_state`,
  );
  return row?.done ? true : undefined;
}
