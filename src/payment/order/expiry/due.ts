// Ends what is over, by the database's clock: authorizations lapse, checkouts expire. Ids follow time, so what lapses
// now is a range of ids after the last one that was seen; running twice at once does no harm.
import { DAY_MS, DAY_S } from '../../../core/durations.ts';
import { LOWEST_ID } from '../../../core/ids.ts';
import type { Tools } from '../../tools.ts';
import { expireAuthorization } from './expire-authorization.ts';
import {
  type Ended,
  expireCheckouts,
  findAuthorizationDays,
  findJob,
  findLapsesAgain,
  findLapsing,
  moveJob,
  postponeLapse,
} from './expiry-store.ts';

const ROOM = 100;
/** In one statement: merchants choose when their checkouts end, and very many may end at one moment. */
const CHECKOUTS = 2000;
/** A checkout whose order failed just before its end is looked at once more. */
const OVERLAP_MS = 60_000;
/** A clock that was ahead was set back: what was made since may have ended before the moment that had been reached. */
const SET_BACK_MS = DAY_MS;
/** How long until an expiry that failed is tried again. */
const AGAIN_S = 60;

/** Does what is due and answers whether there may be more at once. */
export async function endDue(tools: Tools): Promise<boolean> {
  await expireDue(tools);
  const again = await findLapsesAgain(tools.db, ROOM);
  await expireEach(tools, again);
  let more = again.length === ROOM;
  for (const days of await findAuthorizationDays(tools.db)) more = (await expireDueAuthorizations(tools, days)) || more;
  return more;
}

async function expireDue(tools: Tools): Promise<void> {
  const name = 'expire checkouts';
  const { at, now } = await findJob(tools.db, name);
  const is_ahead = at !== null && at > now;
  const seen_ms = is_ahead ? now.getTime() - SET_BACK_MS : (at?.getTime() ?? 0);
  const after = new Date(seen_ms - OVERLAP_MS);
  for (let behind: string | null = LOWEST_ID; behind !== null;)
    behind = await expireCheckouts(tools.db, { after, until: now, behind, room: CHECKOUTS });
  await moveJob(tools.db, { name, position: null, at: now });
}

async function expireDueAuthorizations(tools: Tools, days: number): Promise<boolean> {
  const name = `lapse after ${days} days`;
  const { position, now } = await findJob(tools.db, name);
  const until = lastIdOf(now.getTime() / 1000 - days * DAY_S);
  const found = await findLapsing(tools.db, { after: position ?? LOWEST_ID, until, days, room: ROOM });
  await expireEach(tools, found);
  const seen = found.length === ROOM ? (found.at(-1)?.order_id ?? until) : until;
  await moveJob(tools.db, { name, position: seen, at: now });
  return found.length === ROOM;
}

/** Expires each order. One that fails for now is looked at again later, and the job goes on with the next. */
async function expireEach(tools: Tools, ended: readonly Ended[]): Promise<void> {
  await Promise.all(
    ended.map((one) =>
      expireAuthorization(tools, one).catch((error: unknown) => {
        tools.log.error(
          { order_id: one.order_id, error: String(error) },
          'the end of an authorization will be tried again',
        );
        return postponeLapse(tools.db.tenant(one.merchant_account_id), one.order_id, AGAIN_S);
      }),
    ),
  );
}

/** The last id of a second (contract 2.11: the first eight characters are the second). */
function lastIdOf(second: number): string {
  return Math.trunc(second).toString(16).padStart(8, '0') + 'f'.repeat(16);
}
