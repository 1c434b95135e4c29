// What the tests of the request log share: a look at the rows of an account, and at everything that is stored, opened.
import { inflateRawSync } from 'node:zlib';
import { type LogQuery, type LogRow, logPage } from '../../src/payment/request-log/list.ts';
import { type Reply, until } from '../client.ts';
import type { World } from '../world.ts';

export const accountOf = (w: World) => w.account;

export async function rowsOf(w: World, query: LogQuery = {}): Promise<readonly LogRow[]> {
  return (await logPage(w.service.tools.db.tenant(accountOf(w)), query)).rows;
}

/** The row of a request that was answered, as soon as it is written. */
export function rowOf(w: World, reply: Reply): Promise<LogRow> {
  const id = reply.headers.get('x-request-id') ?? '';
  return until(async () => (await rowsOf(w, { id }))[0]);
}

/** All that the log holds of all accounts, as one text. */
export async function wholeLog(w: World): Promise<string> {
  const pages = await w.sql<{ facts: Buffer; bodies: Buffer; orders: string }>(
    `SELECT facts, bodies, orders::text AS orders FROM payment.request_log`,
  );
  const opened = (packed: Buffer) => inflateRawSync(packed).toString('utf8');
  return pages.map(({ facts, bodies, orders }) => `${opened(facts)}\n${opened(bodies)}\n${orders}`).join('\n');
}
